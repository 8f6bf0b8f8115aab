"""The consensus matrix as a similarity (thesis, section 7.4).

Is one minus the consensus matrix a better distance for hierarchical clustering than the
Euclidean distance? Both are cut at the same k and compared with gold labels.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.api.choose_k import choose_k
from stablek.data import as_dataset
from stablek.kernels.cuts import cut_all
from stablek.kernels.linkage import linkage
from stablek.paradigm.indices import contingency, index
from stablek.paradigm.measure import Measure
from stablek.results.result import Result

LINKAGE = {"hier-a": "average", "hier-c": "complete", "hier-s": "single"}


@dataclass(frozen=True)
class Comparison:
    """Agreement with gold labels of the two ways to cluster, at one k."""

    algorithm: str
    k: int
    consensus: float
    euclidean: float


def distance_of(consensus: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return one minus the consensus matrix; pairs never drawn together are apart.

    Examples
    --------
    >>> import numpy as np
    >>> distance_of(np.array([[1.0, 0.25], [0.25, 1.0]]))
    array([[0.  , 0.75],
           [0.75, 0.  ]])
    """
    apart = 1 - consensus
    apart[np.isnan(apart)] = 1.0
    return apart


def consensus_partition(result: Result, k: int, method: str) -> NDArray[np.int64]:
    """Return the cut at k of the consensus matrix at k, under a linkage."""
    return _cut(distance_of(result.consensus(k)), k, method)


def compare(
    X: Any,
    gold: Iterable[Any],
    algorithms: Iterable[str] = tuple(LINKAGE),
    measure: str | Measure = "consensus",
    ks: Iterable[int] | None = None,
    *,
    k: int | None = None,
    compared_by: str = "adj",
    **settings: Any,
) -> list[Comparison]:
    """Return, per hierarchical algorithm, how both distances do against gold labels.

    The k is the one that the measure predicts with the algorithm, as in the thesis, or
    ``k``. The linkage that clusters either matrix is the algorithm's own.

    References
    ----------
    Thesis, section 7.4, tables simmConsensuns500-80, simmConsensuns250-80 and
    siimEuclidean.
    """
    data = as_dataset(X)
    labels = [str(label) for label in gold]
    value = index(compared_by)
    found = []
    for name in algorithms:
        result = choose_k(data, measure, name, ks, **settings)
        chosen = k or result.k_star or 1
        if chosen == 1:
            cuts = [np.zeros(data.n, dtype=np.int64)] * 2
        else:
            cuts = [
                consensus_partition(result, chosen, LINKAGE[name]),
                _cut(np.array(data.distances("euclidean")), chosen, LINKAGE[name]),
            ]
        scores = [value(contingency(labels, cut)) for cut in cuts]
        found.append(Comparison(name, chosen, *scores))
    return found


def _cut(apart: NDArray[np.float64], k: int, method: str) -> NDArray[np.int64]:
    labels = cut_all(linkage(apart, method), np.array([k]), np.dtype(np.uint16))
    cut: NDArray[np.int64] = labels[0].astype(np.int64)
    return cut
