"""The tree of mutual reachability: which items hang together, and across which gaps."""

import numpy as np
import numpy.typing as npt

from stablek.kernels.inputs import kernel_input
from stablek.kernels.jit import inner, kernel
from stablek.kernels.neighbours import nearest_items

Floats = npt.NDArray[np.float64]
Items = npt.NDArray[np.int64]


@kernel
def _spanning(square, core, a, b, w):
    """Write the edges of the minimum spanning tree (Prim)."""
    n = square.shape[0]
    best = np.empty(n, np.float64)
    parent = np.empty(n, np.int64)
    done = np.empty(n, np.bool_)
    for j in range(n):
        best[j] = np.inf
        parent[j] = 0
        done[j] = False
    at = 0
    done[0] = True
    for step in range(n - 1):
        nearest = -1
        for j in range(n):
            if not done[j]:
                d = max(square[at, j], core[at], core[j])
                if d < best[j]:
                    best[j] = d
                    parent[j] = at
                if nearest < 0 or best[j] < best[nearest]:
                    nearest = j
        a[step] = parent[nearest]
        b[step] = nearest
        w[step] = best[nearest]
        done[nearest] = True
        at = nearest


@inner
def _root(parent, item):
    """Return the item that stands for the cluster of an item."""
    while parent[item] != item:
        item = parent[item]
    return item


@kernel
def _gaps(a, b, w, least, quantile):
    """Return log(step / steps within) of every merge, -1 where a side is too small.

    The edges come in increasing order, so the edges of a side are a sorted run.
    """
    n = w.size + 1
    parent = np.empty(n, np.int64)
    size = np.empty(n, np.int64)
    gap = np.empty(n - 1, np.float64)
    for i in range(n):
        parent[i] = i
        size[i] = 1
    for e in range(n - 1):
        gap[e] = -1.0
        x = _root(parent, a[e])
        y = _root(parent, b[e])
        if size[x] >= least and size[y] >= least:
            wide = 0.0
            for side in range(2):
                c = x if side == 0 else y
                # Edges are sorted by length: that of a rank is the one met so late.
                q = 0
                left = int(quantile * (size[c] - 2))
                while q < e:
                    left -= _root(parent, a[q]) == c
                    if left < 0:
                        break
                    q += 1
                wide = max(wide, w[q])
            floor = 1e-12 * max(w[n - 2], 1e-300)
            gap[e] = np.log(max(w[e], 1e-300) / max(wide, floor))
        if size[x] < size[y]:
            x, y = y, x
        parent[y] = x
        size[x] += size[y]
    return gap


def reachability_tree(square: Floats, points: int = 5) -> tuple[Items, Items, Floats]:
    """Return the minimum spanning tree of mutual reachability, shortest edges first.

    The mutual reachability of two items is the largest of their distance and of the
    distances of either to its neighbour of rank ``points``: single stragglers are far
    from everything, so they do not bridge a gap. Of every edge the two items that it
    joins are returned, and its length.

    References
    ----------
    Campello, Moulavi, Sander (2013), PAKDD, 160-172 (HDBSCAN).
    """
    distances = kernel_input(square, np.float64)
    n = len(distances)
    a, b = np.empty(n - 1, np.int64), np.empty(n - 1, np.int64)
    length = np.empty(n - 1)
    last = nearest_items(distances, min(points, n - 1))[:, -1]
    core = distances[np.arange(n), last]
    _spanning(distances, core, a, b, length)
    order = np.argsort(length, kind="stable")
    return a[order], b[order], length[order]


def merge_gaps(
    a: Items, b: Items, length: Floats, least: int, quantile: float
) -> Floats:
    """Return how wide each merge of a tree is, compared with the steps on either side.

    For a merge across an edge of length e this is log(e / q), with q the ``quantile``
    of the edges inside a side, the larger of the two; -1 where a side has fewer than
    ``least`` items.
    """
    return _gaps(a, b, length, least, quantile)
