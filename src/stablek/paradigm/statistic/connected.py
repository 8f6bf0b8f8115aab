"""Groups that hang together and need not be round: gaps in a tree of neighbours."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.kernels.reachability import merge_gaps, reachability_tree
from stablek.paradigm.cube import PartitionCube

Floats = NDArray[np.float64]
Columns = dict[str, Floats]

#: A group has at least this many items, and this share of all.
SMALLEST = 10
SMALLEST_SHARE = 0.05

#: Neighbours of the tree that gives the labels, and the least gap that splits it.
FINE_POINTS = 3
LEAST_GAP = math.log(1.1)

#: A gap is compared with this quantile of the steps inside either side.
QUANTILE = 0.9


@dataclass(frozen=True)
class ConnectedGaps:
    r"""The width of the gaps between groups of neighbours, at every k.

    Single linkage on mutual reachability joins items step by step. A merge counts if
    both sides have at least 10 items and 5 % of all. With e the step across, and q the
    0.9 quantile of the steps inside either side, its gap is

    .. math:: g = \log \frac{e}{\max(q_1, q_2)}

    ``gap`` at k is the (k - 1)-th largest gap: the narrowest of those that make k
    groups. It reads the distances alone, not the partitions.

    References
    ----------
    Campello, Moulavi, Sander (2013), PAKDD, 160-172 (mutual reachability).
    """

    gives = "columns"
    roles = 1
    original = False

    def collect(self, cube: PartitionCube, data: Dataset) -> Columns:
        """Return the column ``gap``."""
        gaps = np.sort(tree_gaps(data.distances("euclidean"))[3])[::-1]
        wanted = np.asarray(cube.ks) - 2
        column = np.zeros(len(wanted))
        there = (wanted >= 0) & (wanted < len(gaps))
        column[there] = np.maximum(gaps[wanted[there]], 0.0)
        return {"gap": column}


def tree_gaps(
    square: NDArray[np.floating[Any]], points: int = 5
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats, Floats]:
    """Return the edges of the tree, their lengths, and the gap of each merge."""
    a, b, length = reachability_tree(np.asarray(square, dtype=np.float64), points)
    least = max(SMALLEST, math.ceil(SMALLEST_SHARE * len(square)))
    return a, b, length, merge_gaps(a, b, length, least, QUANTILE)


def connected_groups(square: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """Return groups 0 .. g - 1, split at the widest gap and at those nearly as wide.

    A gap counts if its logarithm is at least half that of the widest, and at least
    ln 1.1. The tree looks at 3 neighbours instead of 5: it follows thin shapes better.
    Items that joined only after a split go with the nearest group along the tree.
    """
    n = len(square)
    a, b, _, gaps = tree_gaps(square, FINE_POINTS)
    least = max(float(gaps.max()) / 2, LEAST_GAP)
    parent = np.arange(n)
    members: list[list[int]] = [[i] for i in range(n)]
    groups: list[list[list[int]]] = [[] for _ in range(n)]

    def root(item: int) -> int:
        while parent[item] != item:
            item = int(parent[item])
        return item

    for x, y, gap in zip(a.tolist(), b.tolist(), gaps.tolist(), strict=True):
        large, small = root(x), root(y)
        if len(members[large]) < len(members[small]):
            large, small = small, large
        if gap >= least:
            groups[large] = (groups[large] or [list(members[large])]) + (
                groups[small] or [list(members[small])]
            )
        else:
            groups[large] = groups[large] + groups[small]
        parent[small] = large
        members[large] += members[small]
    top = root(0)
    labels = np.full(n, -1)
    for number, rows in enumerate(groups[top] or [members[top]]):
        labels[rows] = number
    edges = list(zip(a.tolist(), b.tolist(), strict=True))
    while (labels < 0).any():
        x, y = next((x, y) for x, y in edges if (labels[x] < 0) != (labels[y] < 0))
        labels[x] = labels[y] = max(labels[x], labels[y])
    return labels.astype(np.int64)
