"""Improve and assess a clustering at a fixed k (problem Q.2): ``stablek.assess``.

Three instances of Stability_Statistic (:mod:`stablek.measures.fixed_k`), run by the
same engine as the measures: only what is read from the label cube differs.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import as_dataset
from stablek.engine.execution.execute import Execution, execution_from
from stablek.engine.plan import plan
from stablek.engine.progress import shows_progress
from stablek.engine.run import Journal, Watch
from stablek.engine.steps import original
from stablek.engine.together import run
from stablek.errors import InputError, unknown_name, whole_ks
from stablek.measures import build
from stablek.measures.fixed_k import METHODS, VALUE
from stablek.measures.presets import preset_algorithm
from stablek.paradigm.cluster import algorithm as named_algorithm
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.bagging import bagged, majority, replicated, votes
from stablek.results.assessment import Assessment
from stablek.results.from_outcome import in_words
from stablek.version import versions

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]

#: How BagClust2 may join its clusters.
LINKAGES = ("average", "complete", "single", "ward")


@shows_progress
def assess(
    X: Any,
    k: int,
    method: str = "bagclust1",
    algorithm: Any = None,
    *,
    seed: int = 0,
    metric: str = "euclidean",
    linkage: str = "average",
    execution: Execution | None = None,
    jobs: int = 0,
    backend: str = "auto",
    scheduler: str | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    journal: Journal | None = None,
    watch: Watch | None = None,
    progress: bool = False,
    **settings: Any,
) -> Assessment:
    """Return a partition into k clusters with a confidence for every item.

    Parameters
    ----------
    X, algorithm, seed, metric, journal, watch, progress
        As for :func:`stablek.choose_k`.
    execution, jobs, backend, scheduler, memory, timeout
        How to run: see :class:`stablek.Execution`.
    k
        The number of clusters.
    method
        ``bagclust1``, ``bagclust2`` or ``replicating``.
    linkage
        The linkage with which BagClust2 clusters its dissimilarities.
    **settings
        Settings of the method: ``repeats``; for replicating analysis also ``training``,
        ``classifier`` and ``index`` (Breckenridge used ``repeats=1``).

    Examples
    --------
    >>> import numpy as np
    >>> import stablek
    >>> X = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 20, axis=0)
    >>> X += np.linspace(0, 1, 120).reshape(60, 2)
    >>> found = stablek.assess(X, 3, "bagclust1", repeats=20)
    >>> round(float(found.confidence.min()), 2)
    1.0
    """
    if method not in METHODS:
        raise unknown_name("method", str(method), METHODS)
    (k,) = whole_ks((k,))
    if k < 2:
        raise InputError(
            f"k = {k}: a clustering has at least 2 clusters; use k = 2 or more"
        )
    if linkage not in LINKAGES:
        raise unknown_name("linkage", str(linkage), LINKAGES)
    given = {name: value for name, value in settings.items() if value is not None}
    chosen = build("method", method, METHODS[method], given)
    data = as_dataset(X, metric)
    metric = data.metric_or(metric)
    clusterer = named_algorithm(preset_algorithm(None, algorithm, metric), metric)
    planned = plan(data, chosen, clusterer, (k,), seed)
    execution = execution_from(
        execution, jobs=jobs, backend=backend, scheduler=scheduler, memory=memory,
        timeout=timeout,
    )  # fmt: skip
    outcome = run(planned, execution, journal, watch)
    whole = outcome.cube.original
    if whole is None:
        whole = original(planned, planned.streams, planned.ks)
    at = planned.ks.index(k)
    start = whole[at].astype(np.int64)
    labels, confidence, margin = _read(method, outcome.cube, k, start, linkage)
    curve = outcome.curve
    error = np.nan if curve.error is None else curve.columns[curve.error][at]
    return Assessment(
        method=method,
        algorithm=planned.clusterer.name,
        k=k,
        labels=labels + 1,
        confidence=confidence,
        margin=margin,
        value=float(curve.values[at]),
        value_error=float(error) if np.isfinite(error) else 0.0,
        value_means=VALUE[method],
        repeats=outcome.repeats,
        seed=planned.seed,
        n=data.n,
        m=data.m,
        ids=data.item_ids(),
        data_name=data.name,
        settings={**in_words(given), "metric": metric},
        versions=versions(),
        failures=outcome.failures,
    )


def _read(
    method: str, cube: PartitionCube, k: int, start: Labels, joined_by: str
) -> tuple[Labels, Floats, Floats]:
    if method == "bagclust1":
        return majority(votes(cube.of_k(k), start, k), start)
    if method == "bagclust2":
        return bagged(np.ascontiguousarray(cube.of_k(k)), k, joined_by)
    confidence = replicated(cube, k)
    return start, confidence, np.full(len(start), np.nan)
