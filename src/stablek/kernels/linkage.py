"""Hierarchical clustering of one distance matrix: one dendrogram, all ks.

Average, complete and Ward linkage follow chains of nearest neighbours
(`stablek.kernels.chains`); single linkage is a minimum spanning tree (Prim). Both need
O(n^2) time.

**Ties** go to the lowest index pair: each step merges the closest pair of clusters
and, among pairs at equal distance, the lexicographically lowest pair of
representatives, a cluster's representative being its lowest item. Distances are tied
if they are equal as floating-point numbers.
"""

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.chains import FAR, agglomerate
from stablek.kernels.few import FEW, agglomerate_rows
from stablek.kernels.jit import inner, kernel
from stablek.kernels.tier import Tier
from stablek.kernels.unions import AVERAGE, COMPLETE, SINGLE, WARD

METHODS = {"average": AVERAGE, "complete": COMPLETE, "single": SINGLE, "ward": WARD}

NO_ROWS = np.empty(0, np.int64)


@kernel
def _spanning_tree(
    source,  # IN
    rows,  # IN   rows and columns of the source
    pairs,  # OUT  (2, n - 1)
    heights,  # OUT  (n - 1)
):
    """Grow a minimum spanning tree from the first item, always to the nearest item.

    Of two items that enter the tree one after the other, the second is as far from the
    tree as the two are in the dendrogram (all that lies within a distance enters in
    one go), so the edges themselves are not needed.
    """
    n = rows.shape[0]
    bits = source.view(np.int64)
    height_bits = heights.view(np.int64)
    left = np.arange(1, n)  # not yet in the tree
    column = rows[1:].copy()  # of those that are left
    away = np.full(n, FAR, np.int64)  # their distance to the tree
    latest = 0
    for t in range(n - 1):
        row = bits[rows[latest]]
        width = n - 1 - t
        best = FAR
        for c in range(width):
            d = min(away[c], max(row[column[c]], 0))
            away[c] = d
            best = min(best, d)
        at = width
        for c in range(width):
            at = min(at, c if away[c] == best else width)
        pairs[0, t] = latest
        pairs[1, t] = left[at]
        height_bits[t] = best
        latest = left[at]
        left[at] = left[width - 1]
        column[at] = column[width - 1]
        away[at] = away[width - 1]


@inner
def _order(
    pairs,  # IN
    heights,  # IN
    by_pair,  # IN  equal heights in the order of the pairs, else as they stand
):
    """Return the order of the merges by height: a merge sort."""
    n = heights.shape[0]
    order = np.empty(n, np.int64)
    spare = np.empty(n, np.int64)
    for i in range(n):
        order[i] = i
    step = 1
    while step < n:
        for start in range(0, n, 2 * step):
            i, middle = start, min(start + step, n)
            j, stop = middle, min(start + 2 * step, n)
            for k in range(start, stop):
                left = i < middle
                if left and j < stop:
                    s, t = order[i], order[j]
                    left = heights[s] <= heights[t]
                    if by_pair and heights[s] == heights[t]:
                        left = pairs[0, s] < pairs[0, t] or (
                            pairs[0, s] == pairs[0, t] and pairs[1, s] < pairs[1, t]
                        )
                if left:
                    spare[k] = order[i]
                    i += 1
                else:
                    spare[k] = order[j]
                    j += 1
        order, spare = spare, order
        step *= 2
    return order


@kernel
def in_scipys_form(
    pairs,  # IN
    heights,  # IN
    chained,  # IN  merges whose order means nothing
    method,  # IN  Ward's heights are squares
):
    """Write merges of items as SciPy does; also tell whether two heights are equal."""
    n = heights.shape[0] + 1
    order = _order(pairs, heights, chained > 0)
    merges = np.empty((n - 1, 4), np.float64)
    above = np.empty(2 * n - 1, np.int64)
    count = np.empty(2 * n - 1, np.int64)
    for i in range(2 * n - 1):
        above[i] = i
        count[i] = 1
    tied = False
    for t in range(n - 1):
        s = order[t]
        a, b = pairs[0, s], pairs[1, s]
        while above[a] != a:
            above[a] = above[above[a]]
            a = above[a]
        while above[b] != b:
            above[b] = above[above[b]]
            b = above[b]
        above[a] = above[b] = n + t
        count[n + t] = count[a] + count[b]
        merges[t, 0] = min(a, b)
        merges[t, 1] = max(a, b)
        merges[t, 2] = np.sqrt(heights[s]) if method == WARD else heights[s]
        merges[t, 3] = count[n + t]
        tied |= t > 0 and heights[s] == heights[order[t - 1]]
    return merges, tied


_formed = Tier(in_scipys_form, step=850)  # one merge


def _in_scipys_form(
    pairs: NDArray[np.int64], heights: NDArray[np.float64], chained: int, method: int
) -> tuple[NDArray[np.float64], bool]:
    """Write merges of items as SciPy does, with the kernel where it pays."""
    if _formed.pays(len(heights)):
        made: tuple[NDArray[np.float64], bool]
        made = in_scipys_form(pairs, heights, chained, method)
        return made
    keys = (pairs[1], pairs[0], heights) if chained else (heights,)
    order = np.lexsort(keys)
    n = len(order) + 1
    merges = np.empty((n - 1, 4))
    rising = heights[order]
    merges[:, 2] = np.sqrt(rising) if method == WARD else rising
    above = list(range(2 * n - 1))
    count = [1] * n + [0] * (n - 1)
    for t, pair in enumerate(pairs[:, order].T.tolist()):
        joined = []
        for item in pair:
            top = item
            while above[top] != top:
                top = above[top]
            above[item] = n + t  # a shorter way, next time
            above[top] = n + t
            count[n + t] += count[top]
            joined.append(top)
        merges[t, 0] = min(joined)
        merges[t, 1] = max(joined)
        merges[t, 3] = count[n + t]
    return merges, bool((rising[1:] == rising[:-1]).any())


def linkage(square: NDArray[np.float64], method: str) -> NDArray[np.float64]:
    """Cluster items hierarchically, given their distances; return merges as SciPy does.

    ``square`` holds float64, symmetric, not negative, finite; the diagonal is not read.
    **It is overwritten** if it is writable and C-contiguous (a copy otherwise).
    ``method`` is ``average``, ``complete``, ``single`` or ``ward``, which takes
    Euclidean distances, as in SciPy, and squares them itself.

    Row t of the merges holds the two clusters merged (items are 0..n-1, row t makes
    cluster n + t; the smaller number first), their distance, and the number of items of
    the union. Distances do not decrease.

    Notes
    -----
    Ties go to the lowest index pair, see the head of this module. Without ties the
    clusters are those of SciPy and fastcluster; heights may differ in the last bits,
    since the sums behind a mean are taken in another order.

    Examples
    --------
    >>> square = np.array([[0.0, 4.0, 1.0], [4.0, 0.0, 3.0], [1.0, 3.0, 0.0]])
    >>> linkage(square, "average")
    array([[0. , 2. , 1. , 2. ],
           [1. , 3. , 3.5, 3. ]])
    """
    work = np.require(square, np.float64, ["C", "W"])
    return _cluster(work, np.arange(len(work)), method, work)


def linkage_of_rows(
    square: NDArray[np.float64], rows: NDArray[np.int64], method: str
) -> NDArray[np.float64]:
    """Cluster some of the items: ``linkage(gather(square, rows), method)``, but faster.

    ``square`` is left as it is, and may be read-only; rows may be repeated. In the
    merges, items are numbered by their place in ``rows``.
    """
    source = np.ascontiguousarray(square, np.float64)
    return _cluster(source, np.asarray(rows, np.int64), method, None)


def _cluster(
    source: NDArray[np.float64],
    rows: NDArray[np.int64],
    method: str,
    work: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """Cluster rows of the source; `work` is the source itself if it may be spoilt."""
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}; use one of {', '.join(METHODS)}")
    code = METHODS[method]
    n = len(rows)
    frozen = source.view()  # so that the kernels are compiled for one kind of input
    frozen.flags.writeable = False
    pairs = np.empty((2, max(n - 1, 0)), np.int64)
    heights = np.empty(max(n - 1, 0))
    if code == SINGLE:
        _spanning_tree(frozen, rows, pairs, heights)
        merges, tied = _in_scipys_form(pairs, heights, 0, code)
        if not tied:
            return merges
    if work is None or n <= FEW:
        space = np.empty((n, n))
        chained = agglomerate_rows(frozen, rows, space, code, pairs, heights)
    else:
        chained = agglomerate(frozen, NO_ROWS, work, code, pairs, heights)
    merges, _ = _in_scipys_form(pairs, heights, chained, code)
    return merges
