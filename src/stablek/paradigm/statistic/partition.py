"""One partition from those of many repeats."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.comembership import consensus_distances
from stablek.kernels.cuts import cut_all
from stablek.kernels.linkage import linkage


def consensus_partition(labels: NDArray[Any], k: int) -> NDArray[np.int64]:
    """Return k clusters: the average-linkage cut of one minus the consensus matrix.

    The distances are d(i, j) = 1 - M(i, j), with M as in
    :class:`stablek.paradigm.statistic.comembership.CoMembership`.
    ``labels`` has a row per repeat; pairs never drawn together count as never together.
    Clusters are numbered from 0, by first appearance.

    References
    ----------
    Monti, Tamayo, Mesirov, Golub (2003), Machine Learning 52, 91-118, section 3.4.

    Examples
    --------
    >>> consensus_partition(np.array([[0, 0, 1], [0, 0, 255]], np.uint8), 2)
    array([0, 0, 1])
    """
    apart = consensus_distances(np.ascontiguousarray(labels))
    cut = cut_all(linkage(apart, "average"), np.array([k]), np.dtype(np.uint16))
    return np.asarray(cut[0], dtype=np.int64)
