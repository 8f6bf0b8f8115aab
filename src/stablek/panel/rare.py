"""Groups too small to be judged, which lie apart from all other items."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from stablek.kernels.distances import pairwise
from stablek.kernels.reachability import reachability_tree
from stablek.panel.answer import Judged
from stablek.panel.far_groups import far_groups
from stablek.panel.surroundings import Surroundings

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Rows = NDArray[np.intp]

#: The gate looks at clusters of this share of the items and more.
LARGEST_SHARE = 0.05
SMALLEST = 5
#: So many times the steps that lead through the other items is a gap.
GAP = 2.0
QUANTILE = 0.95

#: A group that shares more than this of its items with a cluster is that cluster.
SAME = 0.5

#: In more columns than this, far items are looked for among the components kept.
MOST_COLUMNS = 500


def rare_groups(judged: Judged, part: Labels) -> Labels:
    """Return the small group of every item that is in one, from 1; 0 for the others.

    Where all items were judged, there may be one, cut off by a gap. Where some were
    drawn, all are looked through for groups far from the clusters; ``part`` has these
    for the items judged.
    """
    prepared = judged.prepared
    groups = np.zeros(len(prepared.scores), dtype=np.int64)
    if prepared.drawn:
        wide = judged.values.shape[1] > MOST_COLUMNS
        some = prepared.judged if wide else prepared.values[:]
        around = Surroundings.of(some, part)
        values = prepared.scores if wide else judged.values
        groups = far_groups(values, around, judged.streams.under("rare"))
        sizes = np.bincount(groups)
        groups[sizes[groups] >= LARGEST_SHARE * len(groups)] = 0
    if not groups.any():
        groups = group_of_judged(judged)
    return groups[judged.place]


def beside_clusters(groups: Labels, labels: Labels) -> Labels:
    """Return the small groups that are not themselves clusters; 0 for all other items.

    Examples
    --------
    >>> groups = np.array([1, 1, 1, 0, 2, 2, 0, 0, 0])
    >>> labels = np.array([1, 1, 1, 1, 2, 2, 2, 2, 2])
    >>> beside_clusters(groups, labels).tolist()
    [0, 0, 0, 0, 1, 1, 0, 0, 0]
    """
    left = np.zeros_like(groups)
    for group in range(1, int(groups.max()) + 1):
        inside = groups == group
        cluster = labels == np.bincount(labels[inside]).argmax()
        if (inside & cluster).sum() <= SAME * (inside | cluster).sum():
            left[inside] = left.max() + 1
    return left


def group_of_judged(judged: Judged) -> Labels:
    """Return 1 for the rows of a small group among those judged, 0 for the others.

    Rows that were not judged go with the nearer part, as they do with clusters. Rows
    set aside as far may be such a group.
    """
    prepared = judged.prepared
    groups = np.zeros(len(prepared.scores), dtype=np.int64)
    if prepared.components == 0:
        return groups
    if len(prepared.far):
        rows = np.concatenate([prepared.rows, prepared.far])
        groups[rows[rare_group(np.ascontiguousarray(prepared.scores[rows]))]] = 1
        return groups
    part = np.zeros(len(prepared.rows), dtype=np.int64)
    part[rare_group(prepared.judged)] = 1
    if not part.any():
        return groups
    groups = judged.of_rows(part)
    groups[prepared.isolated] = 0
    return groups


def rare_group(scores: Floats) -> Rows:
    """Return the rows of a small, well separated group, if there is one.

    Of the edges of the minimum spanning tree that cut off at least five items and less
    than 5 % of all, the longest is a gap if it is twice as long as any edge within the
    group and as nearly every one (95 %) among the others.
    """
    n = len(scores)
    if int(LARGEST_SHARE * n) < SMALLEST:
        return np.empty(0, dtype=np.intp)
    # With one neighbour, mutual reachability is the distance itself.
    a, b, length = reachability_tree(pairwise(scores, "euclidean"), points=1)
    for edge in np.argsort(-length, kind="stable")[: n // 10]:
        group = cut_off(a, b, int(edge), n)
        if not SMALLEST <= len(group) < LARGEST_SHARE * n:
            continue
        inside = np.zeros(n, dtype=bool)
        inside[group] = True
        within = inside[a] & inside[b]
        outside = ~within & (np.arange(n - 1) != edge)
        longest = max(length[within].max(), np.quantile(length[outside], QUANTILE))
        return group if length[edge] >= GAP * longest else np.empty(0, np.intp)
    return np.empty(0, dtype=np.intp)


def cut_off(a: Rows, b: Rows, edge: int, n: int) -> Rows:
    """Return the smaller of the two sides that removing an edge of a tree leaves."""
    kept = np.arange(n - 1) != edge
    links = coo_array((np.ones(n - 2), (a[kept], b[kept])), shape=(n, n))
    side = connected_components(links, directed=False)[1]
    return np.flatnonzero(side == (0 if (side == 0).sum() <= n / 2 else 1))
