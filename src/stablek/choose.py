"""One measure, one algorithm, one answer: ``stablek.choose_k``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.calibrate import LEVEL, calibrated
from stablek.cluster import algorithm as named_algorithm
from stablek.contracts import Clusterer, Curve, Describer, Description, NullModel
from stablek.cube import PartitionCube
from stablek.data import Dataset, from_arrays
from stablek.engine.execute import Execution, run_tasks
from stablek.engine.plan import Plan, Task, plan
from stablek.engine.run import Journal, Outcome, Watch, run
from stablek.engine.steps import carry_out
from stablek.errors import PartFailedError
from stablek.indices import INDICES, contingency
from stablek.kernels.comembership import consensus_distances
from stablek.kernels.cuts import cut_all
from stablek.kernels.linkage import linkage
from stablek.measure import Measure
from stablek.measures import measure as named_measure
from stablek.presets import preset_settings
from stablek.result import Result
from stablek.statistic.anchors import anchors
from stablek.statistic.comembership import ALL_PAIRS_ITEMS
from stablek.version import __version__

#: Above this many items the consensus matrix is not built just for the labels.
CONSENSUS_ITEMS = 5000


def choose_k(
    X: Any,
    measure: str | Measure = "fc",
    algorithm: Any = "hier-a",
    ks: Iterable[int] | None = None,
    *,
    seed: int = 0,
    metric: str = "euclidean",
    jobs: int = 0,
    backend: str = "auto",
    scheduler: str | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    journal: Journal | None = None,
    watch: Watch | None = None,
    preset: str | None = None,
    calibrate: int = 0,
    null: str | NullModel = "gaussian",
    level: float = LEVEL,
    **settings: Any,
) -> Result:
    """Return how many clusters a measure finds in the data.

    Parameters
    ----------
    X
        Items in rows: an array, a DataFrame, or a :class:`stablek.data.Dataset`. With
        ``metric="precomputed"`` a square matrix of distances.
    measure
        A name (``stablek measures`` lists them) or a :class:`stablek.measure.Measure`.
    algorithm
        A name (``stablek algorithms``) or an object with ``fit_predict`` and
        ``n_clusters``.
    ks
        The numbers of clusters to try, one after another; by default 2 to 30, or as far
        as the number of items allows.
    seed
        Every random draw follows from it; the same seed gives the same bits for any
        ``jobs`` and ``backend``.
    metric
        The distance of hierarchical algorithms.
    jobs, backend, scheduler, memory, timeout
        See :class:`stablek.engine.execute.Execution`.
    journal, watch
        Where to keep finished work, and whom to tell of progress.
    preset
        "thesis": the settings the thesis used; those given win over them.
    calibrate, null, level
        Run the measure on this many null sets too, of this null model, and answer 1
        where the data do not stand out at this level; see :mod:`stablek.calibrate`.
    **settings
        Those of the measure, such as ``repeats`` and ``fraction``.

    Returns
    -------
    Result

    Examples
    --------
    >>> import numpy as np
    >>> import stablek
    >>> X = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 10, axis=0)
    >>> X += np.linspace(0, 1, 60).reshape(30, 2)
    >>> stablek.choose_k(X, "fc", "hier-a", ks=range(2, 7), repeats=50).k_star
    3
    """
    asked = request(
        X, measure, algorithm, ks, seed=seed, metric=metric, preset=preset, **settings
    )
    if asked.plan is None:
        return all_equal(asked.data, asked.measure, asked.clusterer, seed)
    planned = asked.plan
    execution = Execution(jobs, backend, scheduler, memory, timeout)
    outcome = run(planned, execution, journal, watch)
    if calibrate:
        outcome = calibrated(
            planned,
            outcome,
            calibrate,
            null,
            level=level,
            execution=execution,
            journal=journal,
            watch=watch,
        )
    return assemble(planned, outcome, asked.settings, metric, execution)


@dataclass(frozen=True)
class Request:
    """What is to be run; there is no plan where all rows are equal."""

    data: Dataset
    measure: Measure
    clusterer: Clusterer
    settings: dict[str, Any]
    plan: Plan | None


def request(
    X: Any,
    measure: str | Measure = "fc",
    algorithm: Any = "hier-a",
    ks: Iterable[int] | None = None,
    *,
    seed: int = 0,
    metric: str = "euclidean",
    preset: str | None = None,
    **settings: Any,
) -> Request:
    """Return the checked plan for the arguments of :func:`choose_k`; run nothing."""
    data = X if isinstance(X, Dataset) else _dataset(X, metric)
    given = {name: value for name, value in settings.items() if value is not None}
    settings = {**preset_settings(preset, measure), **given}
    chosen = named_measure(measure, **settings)
    clusterer = named_algorithm(algorithm, metric)
    if not data.precomputed and not np.ptp(data.values, axis=0).any():
        return Request(data, chosen, clusterer, settings, None)
    planned = plan(data, chosen, clusterer, ks, seed)
    return Request(data, chosen, clusterer, settings, planned)


def assemble(
    planned: Plan,
    outcome: Outcome,
    settings: dict[str, Any],
    metric: str,
    execution: Execution | None = None,
    *,
    ks_are_clusters: bool = True,
) -> Result:
    """Return the result of an outcome, with the partition at k*.

    ``ks_are_clusters`` is false where the ks number settings of another kind.
    """
    decision = outcome.decision
    whole = outcome.curve.adding(**decision.columns)
    curve = whole.at(planned.asked)
    fewer = fewer_clusters(outcome.cube, curve.ks) if ks_are_clusters else ""
    given = {name: value for name, value in settings.items() if value is not None}
    failures = outcome.failures
    try:
        labels = partition(planned, outcome, decision.k_star, execution)
    except PartFailedError as error:
        labels, failures = None, (*failures, str(error))
    facts = {"repeats": outcome.repeats, "stopped": outcome.stopped, **decision.facts}
    many = planned.data.n > ALL_PAIRS_ITEMS and planned.measure.partition == "consensus"
    k = decision.k_star
    if many and labels is not None and k is not None and k > 1:
        facts["anchors"] = anchors(labels, outcome.cube.of_k(k)).summary()
    if planned.data.classes is not None and labels is not None:
        facts["classes"] = agreement(planned.data.classes, labels)
    if fewer:
        facts["fewer_clusters"] = fewer
    return Result(
        k_star=decision.k_star,
        rule=decision.rule,
        reason=decision.reason,
        candidates=decision.candidates or _only(decision.k_star),
        measure=planned.measure.name,
        algorithm=planned.clusterer.name,
        ks=curve.ks,
        columns=curve.columns,
        main=curve.main,
        error=curve.error,
        n=planned.data.n,
        m=planned.data.m,
        data_name=planned.data.name,
        labels=labels,
        facts=facts,
        settings={**given, "metric": metric},
        seed=planned.seed,
        versions=versions(),
        notes=(*planned.data.notes, *planned.notes, *([fewer] if fewer else ())),
        failures=failures,
        cube=outcome.cube,
        data=planned.data,
        nulls=outcome.nulls,
        describe=_describing(planned, decision.k_star),
    )


def fewer_clusters(cube: PartitionCube, ks: Iterable[int]) -> str:
    """Return which partitions had fewer than k clusters, in words; "" if none had."""
    every = cube.fewer_clusters()
    found = {k: every[k] for k in ks}
    parts = [
        f"{short} of {total} at k = {k}" for k, (short, total) in found.items() if short
    ]
    return f"partitions with fewer than k clusters: {', '.join(parts)}" if parts else ""


def _describing(
    planned: Plan, k: int | None
) -> Callable[[], tuple[Description, ...]] | None:
    """Return what computes the algorithm's own tables at k*, if it offers any."""
    if k is None or k == 1 or not isinstance(planned.clusterer, Describer):
        return None
    # The streams of the algorithm's own partition of all items: the same start.
    streams = planned.streams.under("original")
    return partial(planned.clusterer.describe, planned.data, k, streams)


def partition(
    planned: Plan, outcome: Outcome, k: int | None, execution: Execution | None = None
) -> NDArray[np.int64] | None:
    """Return the labels of all items at k, numbered by first appearance.

    For the consensus measures this is the average-linkage cut of one minus the
    consensus matrix; pairs never drawn together count as never together. Otherwise it
    is the partition the algorithm makes of the whole data.
    """
    if k is None:
        return None
    if k == 1:
        return np.zeros(planned.data.n, dtype=np.int64)
    labels: NDArray[Any]
    if planned.measure.partition == "first":
        labels = outcome.cube.of_k(k)
    elif planned.measure.partition == "consensus" and planned.data.n <= CONSENSUS_ITEMS:
        apart = consensus_distances(np.ascontiguousarray(outcome.cube.of_k(k)))
        labels = cut_all(linkage(apart, "average"), np.array([k]), np.dtype(np.uint16))
    else:
        labels = _of_all_items(planned, k, execution)
    return np.asarray(labels[0], dtype=np.int64)


def _of_all_items(planned: Plan, k: int, execution: Execution | None) -> NDArray[Any]:
    """Return the algorithm's own partition; a foreign one may fail here as well."""
    task = Task("original", (k,))
    if execution is None or execution.timeout is None:
        output = carry_out(planned, task)
    else:
        output = next(iter(run_tasks(planned, [task], execution)))[0]
    if output.labels is None:
        msg = f"the partition of all items at k = {k}: {output.failure}"
        raise PartFailedError(msg)
    return output.labels


def agreement(classes: tuple[str, ...], labels: NDArray[np.int64]) -> dict[str, float]:
    """Return how far a partition agrees with the classes the user brought."""
    table = contingency(classes, labels)
    return {name: compare(table) for name, compare in INDICES.items()}


def all_equal(
    data: Dataset, chosen: Measure, clusterer: Clusterer, seed: int
) -> Result:
    """Return the answer for identical rows: one cluster."""
    empty = Curve((1,), {"spread": np.zeros(1)}, "spread")
    return Result(
        k_star=1,
        rule="identical rows",
        reason="all rows are identical: no clusters to look for",
        candidates=(1,),
        measure=chosen.name,
        algorithm=clusterer.name,
        ks=empty.ks,
        columns=empty.columns,
        main=empty.main,
        error=None,
        n=data.n,
        m=data.m,
        data_name=data.name,
        labels=np.zeros(data.n, dtype=np.int64),
        seed=seed,
        versions=versions(),
        notes=data.notes,
        data=data,
    )


def versions() -> dict[str, str]:
    """Return the versions of what computed a result."""
    import platform

    import numba
    import scipy

    return {
        "stablek": __version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "numba": numba.__version__,
        "python": platform.python_version(),
    }


def _dataset(X: Any, metric: str) -> Dataset:
    return from_arrays(X, precomputed=metric == "precomputed")


def _only(k: int | None) -> tuple[int, ...]:
    return () if k is None else (k,)
