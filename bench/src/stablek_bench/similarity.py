"""The consensus matrix as a similarity (thesis, section 7.4).

Is one minus the consensus matrix a better distance for hierarchical clustering than the
Euclidean distance? Both are cut at the same k and compared with gold labels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.kernels.cuts import cut_all
from stablek.kernels.linkage import linkage
from stablek.results.result import Result

LINKAGE = {"hier-a": "average", "hier-c": "complete", "hier-s": "single"}


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


def euclidean_partition(data: Dataset, k: int, method: str) -> NDArray[np.int64]:
    """Return the cut at k of the Euclidean distances, under a linkage."""
    return _cut(np.array(data.distances("euclidean")), k, method)


def _cut(apart: NDArray[np.float64], k: int, method: str) -> NDArray[np.int64]:
    labels = cut_all(linkage(apart, method), np.array([k]), np.dtype(np.uint16))
    cut: NDArray[np.int64] = labels[0].astype(np.int64)
    return cut
