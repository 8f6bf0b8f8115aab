"""From the outcome of a run to its result, with the partition at k*."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.engine.execution.execute import Execution, run_tasks
from stablek.engine.plan import Plan, Task
from stablek.engine.run import Outcome
from stablek.engine.steps import carry_out
from stablek.errors import PartFailedError
from stablek.paradigm.contracts import Clusterer, Describer, Description
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.indices import INDICES, contingency
from stablek.paradigm.measure import Measure
from stablek.paradigm.statistic.anchors import anchors
from stablek.paradigm.statistic.bagging import consensus_partition
from stablek.paradigm.statistic.comembership import ALL_PAIRS_ITEMS
from stablek.results.result import Result
from stablek.version import versions

#: Above this many items the consensus matrix is not built just for the labels.
CONSENSUS_ITEMS = 5000


def assemble(
    planned: Plan,
    outcome: Outcome,
    settings: dict[str, Any],
    metric: str,
    execution: Execution | None = None,
    *,
    data: Dataset | None = None,
    ks_are_clusters: bool = True,
    with_labels: bool = True,
) -> Result:
    """Return the result of an outcome, with the partition at k*.

    ``data`` are those that were given, where the plan has their columns in another
    order; ``ks_are_clusters`` is false where the ks number settings of another kind;
    ``with_labels`` is false where the caller has a partition of its own.
    """
    decision = outcome.decision
    whole = outcome.curve.adding(**decision.columns)
    curve = whole.at(planned.asked)
    unlike = (
        cluster_count_notes(planned, outcome.cube, curve.ks) if ks_are_clusters else {}
    )
    given = in_words({n: v for n, v in settings.items() if v is not None})
    failures = outcome.failures
    at = partial(partition, planned, outcome, execution=execution)
    labels = None
    try:
        if with_labels and decision.k_star is not None:
            labels = at(decision.k_star)
    except PartFailedError as error:
        failures = (*failures, str(error))
    facts = {"repeats": outcome.repeats, "stopped": outcome.stopped, **decision.facts}
    k = decision.k_star
    many = planned.data.n > ALL_PAIRS_ITEMS and planned.measure.partition == "consensus"
    if many and labels is not None and k is not None and k > 1:
        facts["anchors"] = anchors(labels - 1, outcome.cube.of_k(k)).summary()
    if planned.data.classes is not None and labels is not None:
        facts["classes"] = agreement(planned.data.classes, labels)
    facts.update(unlike)
    if outcome.others:
        most_first = sorted(outcome.others.items(), key=lambda pair: -pair[1])
        facts["other_seeds"] = {str(k): count for k, count in most_first}
    return Result(
        k_star=decision.k_star,
        rule=decision.rule,
        reason=decision.reason,
        candidates=decision.candidates or (() if k is None else (k,)),
        measure=planned.measure.name,
        algorithm=planned.clusterer.name,
        ks=curve.ks,
        columns=curve.columns,
        main=decision.decided_by or curve.main,
        error=None if decision.decided_by else curve.error,
        n=planned.data.n,
        m=planned.data.m,
        data_name=planned.data.name,
        labels=labels,
        facts=facts,
        settings={**given, "metric": metric},
        seed=planned.seed,
        versions=versions(),
        notes=(*planned.data.notes, *planned.notes, *unlike.values()),
        failures=failures,
        cube=outcome.cube,
        data=data or planned.data,
        nulls=outcome.nulls,
        describe=_describing(planned, decision.k_star),
        partition_at=at,
    )


def in_words(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as JSON can hold them: an ingredient by its name and numbers.

    Examples
    --------
    >>> from stablek.paradigm.perturb.resample import Stratified, Subsample
    >>> in_words({"perturb": Subsample(0.5), "repeats": np.int64(9)})
    {'perturb': 'Subsample(fraction=0.5)', 'repeats': 9}
    >>> in_words({"perturb": Stratified((0, 1, 0))})
    {'perturb': 'Stratified(strata=..., fraction=0.8)'}
    """
    return {name: _in_words(value) for name, value in settings.items()}


def _in_words(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple):
        return [_in_words(one) for one in value]
    if value is None or isinstance(value, str | int | float):
        return value
    name = getattr(value, "__name__", type(value).__name__)
    if not is_dataclass(value):
        return name
    inside = ((f.name, getattr(value, f.name)) for f in fields(value) if f.repr)
    plain = (str, int, float, type(None))
    shown = [f"{n}={v!r}" if isinstance(v, plain) else f"{n}=..." for n, v in inside]
    return f"{name}({', '.join(shown)})"


def cluster_count_notes(
    planned: Plan, cube: PartitionCube, ks: Iterable[int]
) -> dict[str, str]:
    """Return in words which partitions had fewer, or more, than k clusters."""
    notes = {"fewer_clusters": _count_note(cube.fewer_clusters(), "fewer", ks)}
    if not planned.clusterer.native:  # stablek's own never make more
        notes["more_clusters"] = _count_note(cube.more_clusters(), "more", ks)
    return {name: text for name, text in notes.items() if text}


def _count_note(
    every: Mapping[int, tuple[int, int]], word: str, ks: Iterable[int]
) -> str:
    parts = [f"{every[k][0]} of {every[k][1]} at k = {k}" for k in ks if every[k][0]]
    return f"partitions with {word} than k clusters: {', '.join(parts)}" * bool(parts)


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
    planned: Plan, outcome: Outcome, k: int, execution: Execution | None = None
) -> NDArray[np.int64]:
    """Return the cluster of every item at k, numbered from 1 by first appearance.

    For the consensus measures this is the average-linkage cut of one minus the
    consensus matrix; pairs never drawn together count as never together. Otherwise it
    is the partition the algorithm makes of the whole data.
    """
    if k == 1:
        return np.ones(planned.data.n, dtype=np.int64)
    labels: NDArray[Any]
    if planned.measure.partition == "first":
        labels = outcome.cube.of_k(k)
    elif planned.measure.partition == "consensus" and planned.data.n <= CONSENSUS_ITEMS:
        return consensus_partition(outcome.cube.of_k(k), k) + 1
    else:
        labels = _of_all_items(planned, k, execution)
    return np.asarray(labels[0], dtype=np.int64) + 1


def _of_all_items(planned: Plan, k: int, execution: Execution | None) -> NDArray[Any]:
    """Return the algorithm's own partition; a foreign one may fail here as well."""
    task = Task("original", (k,))
    if execution is None or execution.timeout is None:
        output = carry_out(planned, task)
    else:
        output = next(iter(run_tasks(planned, [task], execution)))[0]
    if output.labels is None:
        raise PartFailedError(
            f"the partition of all items at k = {k}: {output.failure}"
        )
    return output.labels


def agreement(classes: tuple[str, ...], labels: NDArray[np.int64]) -> dict[str, float]:
    """Return how far a partition agrees with the classes of the user."""
    table = contingency(classes, labels)
    return {name: compare(table) for name, compare in INDICES.items()}


def all_equal(
    data: Dataset, chosen: Measure, clusterer: Clusterer, seed: int
) -> Result:
    """Return the answer for identical rows, or distances of 0: one cluster."""
    what = "all distances are 0" if data.precomputed else "all rows are identical"
    return Result(
        k_star=1,
        rule="identical rows",
        reason=f"{what}: no clusters to look for",
        candidates=(1,),
        measure=chosen.name,
        algorithm=clusterer.name,
        ks=(1,),
        columns={"spread": np.zeros(1)},
        main="spread",
        error=None,
        n=data.n,
        m=data.m,
        data_name=data.name,
        labels=np.ones(data.n, dtype=np.int64),
        seed=seed,
        versions=versions(),
        notes=data.notes,
        data=data,
    )
