"""A group too small to be judged, which lies apart from all other items."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.spatial.distance import pdist, squareform

from stablek.panel.answer import Judged

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

#: The gate looks at clusters of this share of the items and more.
LARGEST_SHARE = 0.05
SMALLEST = 5
#: So many times the steps that lead through the other items is a gap.
GAP = 2.0
QUANTILE = 0.95


def rare_items(judged: Judged) -> Rows:
    """Return the items of a small group that lies apart, if there is one.

    Rows that were not judged go with the nearer part, as they do with clusters.
    """
    prepared = judged.prepared
    part = np.zeros(len(prepared.rows), dtype=np.int64)
    if prepared.components != 0:
        part[rare_group(prepared.judged)] = 1
    if not part.any():
        return np.empty(0, dtype=np.intp)
    apart = judged.of_all(part) == 2
    isolated = np.zeros(len(prepared.scores), dtype=bool)
    isolated[prepared.isolated] = True
    return np.flatnonzero(apart & ~isolated[judged.place])


def rare_group(scores: Floats) -> Rows:
    """Return the items of a small group that lies apart, if there is one.

    Of the edges of the minimum spanning tree that cut off at least five items and less
    than 5 % of all, the longest is a gap if it is twice as long as any edge within the
    group and as nearly every one (95 %) among the others.
    """
    n = len(scores)
    if int(LARGEST_SHARE * n) < SMALLEST:
        return np.empty(0, dtype=np.intp)
    tree = minimum_spanning_tree(squareform(pdist(scores))).tocoo()
    order, edges = np.argsort(-tree.data, kind="stable"), np.arange(len(tree.data))
    for place in order[: n // 10]:
        cut = tree.copy()
        cut.data = np.where(edges == place, 0.0, tree.data)
        cut.eliminate_zeros()
        side = connected_components(cut, directed=False)[1]
        group = np.flatnonzero(side == (0 if (side == 0).sum() < n / 2 else 1))
        if not SMALLEST <= len(group) < LARGEST_SHARE * n:
            continue
        within = np.isin(tree.row, group) & np.isin(tree.col, group)
        outside = ~within & (np.arange(n - 1) != place)
        longest = max(
            tree.data[within].max(), np.quantile(tree.data[outside], QUANTILE)
        )
        return group if tree.data[place] >= GAP * longest else np.empty(0, np.intp)
    return np.empty(0, dtype=np.intp)
