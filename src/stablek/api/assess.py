"""Improve and assess a clustering at a fixed k (problem Q.2): ``stablek.assess``.

Three instances of Stability_Statistic (:mod:`stablek.measures.fixed_k`), run by the
same engine as the measures: only what is read from the label cube differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import as_dataset
from stablek.engine.execution.execute import Execution, execution_from
from stablek.engine.plan import plan
from stablek.engine.run import Journal, Watch, run
from stablek.engine.steps import original
from stablek.errors import InputError, unknown_name, whole_ks
from stablek.measures import build
from stablek.measures.fixed_k import METHODS, VALUE
from stablek.paradigm.cluster import algorithm as named_algorithm
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.bagging import bagged, majority, replicated, votes
from stablek.results.from_outcome import in_words
from stablek.results.json_form import json_text, plain_column
from stablek.version import versions

if TYPE_CHECKING:
    import pandas as pd

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]

#: How BagClust2 may join its clusters.
LINKAGES = ("average", "complete", "single", "ward")


@dataclass(frozen=True, eq=False, kw_only=True)
class Assessment:
    """A partition into k clusters, and how sure each item's place in it is.

    Attributes
    ----------
    labels
        The partition, improved by bagging, or as the algorithm made it (replicating).
    confidence
        Per item, in [0, 1]: the share of the votes for its cluster (bagclust1), the
        mean co-membership with the other items of its cluster (bagclust2), or the
        share of the splits in which prediction and clustering agree on it
        (replicating). NaN where nothing is known.
    margin
        Confidence minus that of the runner-up cluster (bagclust), in [-1, 1].
    value, value_error
        The method's one number, and its standard error; ``value_means`` says what it
        is.
    failures
        Which repeats failed.
    """

    method: str
    algorithm: str
    k: int
    labels: Labels
    confidence: Floats
    margin: Floats
    value: float
    value_error: float
    value_means: str
    repeats: int
    seed: int
    n: int
    m: int
    ids: tuple[str, ...]
    data_name: str = "data"
    settings: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    failures: tuple[str, ...] = ()

    @property
    def table(self) -> pd.DataFrame:
        """One row per item: cluster (numbered from 1), confidence and margin."""
        import pandas as pd

        columns = {
            "cluster": self.labels,
            "confidence": self.confidence,
            "margin": self.margin,
        }
        return pd.DataFrame(columns, index=pd.Index(self.ids, name="id"))

    @property
    def sentence(self) -> str:
        """The finding in one sentence."""
        sure = float(np.nanmean(self.confidence))
        return (
            f"{self.k} clusters by {self.algorithm}: {self.value_means} "
            f"{self.value:.3f}, mean confidence of an item {sure:.3f} "
            f"({self.method}, {self.repeats} repeat(s))."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain numbers, strings and lists; NaN becomes None."""
        return {
            "schema": 1,
            "method": self.method,
            "algorithm": self.algorithm,
            "k": self.k,
            "value": self.value,
            "value_error": self.value_error,
            "value_means": self.value_means,
            "labels": self.labels.tolist(),
            "confidence": plain_column(self.confidence),
            "margin": plain_column(self.margin),
            "repeats": self.repeats,
            "data": {"name": self.data_name, "n": self.n, "m": self.m},
            "settings": dict(self.settings),
            "seed": self.seed,
            "versions": dict(self.versions),
            "failures": list(self.failures),
        }

    def to_json(self, path: str | Path | None = None) -> str:
        """Return it as JSON text; write it too, if a path is given."""
        return json_text(self.to_dict(), path)


def assess(
    X: Any,
    k: int,
    method: str = "bagclust1",
    algorithm: Any = "hier-a",
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
    **settings: Any,
) -> Assessment:
    """Return a partition into k clusters with a confidence for every item.

    Parameters
    ----------
    X, algorithm, seed, metric, journal, watch
        As for :func:`stablek.choose_k`.
    execution, jobs, backend, scheduler, memory, timeout
        How to run: see :class:`stablek.Execution`.
    k
        The number of clusters.
    method
        ``bagclust1``, ``bagclust2`` or ``replicating``.
    linkage
        With which linkage BagClust2 clusters its dissimilarity.
    **settings
        Those of the method: ``repeats``; ``training``, ``classifier`` and ``index`` of
        replicating analysis (``repeats=1`` is Breckenridge's own).

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
        msg = f"k = {k}: a clustering has at least 2 clusters; give -k 2 or more"
        raise InputError(msg)
    if linkage not in LINKAGES:
        raise unknown_name("linkage", str(linkage), LINKAGES)
    given = {name: value for name, value in settings.items() if value is not None}
    chosen = build("method", method, METHODS[method], given)
    data = as_dataset(X, metric)
    planned = plan(data, chosen, named_algorithm(algorithm, metric), (k,), seed)
    execution = execution_from(
        execution, jobs=jobs, backend=backend, scheduler=scheduler, memory=memory,
        timeout=timeout,
    )  # fmt: skip
    outcome = run(planned, execution, journal, watch)
    whole = outcome.cube.original
    if whole is None:
        whole = original(planned, planned.streams, planned.ks)
    start = whole[planned.ks.index(k)].astype(np.int64)
    labels, confidence, margin = _read(method, outcome.cube, k, start, linkage)
    at = planned.ks.index(k)
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
