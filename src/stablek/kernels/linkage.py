"""Hierarchical clustering of one distance matrix: one dendrogram, all ks.

Average, complete and Ward linkage follow chains of nearest neighbours; single linkage
is a minimum spanning tree (Prim). Both need O(n^2) time and, apart from the matrix,
O(n) memory.

**Ties** go to the lowest index pair: each step merges the closest pair of clusters
and, among pairs at equal distance, the lexicographically lowest pair of
representatives, a cluster's representative being its lowest item. Chains merge two
clusters only if each is the *only* nearest neighbour of the other; every algorithm
that merges closest pairs makes such a merge sooner or later, whatever its rule for
ties. The first chain that ends in a tie hands the clusters that remain to the plain
algorithm (`_closest_first`), which applies the rule to the letter. Distances are tied
if they are equal as floating-point numbers; there is no tolerance.

Three devices make the chains fast:

* a merge rewrites one row of the matrix and no column. Of the entries (i, j) and
  (j, i) the row rewritten last holds the truth, and a row fetches the entries that
  have changed when it is next read (`_catch_up`);
* a row remembers its nearest neighbour. All four linkages are reducible (a union is no
  closer to a third cluster than the closer of its parts was), so the memory holds
  until that neighbour is itself merged, and is a lower bound ever after. The update
  formulas are written so that this is true of the rounded numbers too;
* distances are compared through their bits: non-negative IEEE numbers order like the
  integers with the same bits, and a minimum of integers runs several lanes wide
  without leave to reorder floating-point operations.

References
----------
Murtagh (1983), The Computer Journal 26, 354-359, doi:10.1093/comjnl/26.4.354
(chains, reducibility). Müllner (2011), arXiv:1109.2378 (figures 2-6: chains, Prim,
lower bounds on the distance of nearest neighbours). Lance and Williams (1967), The
Computer Journal 9, 373-380, doi:10.1093/comjnl/9.4.373 (update formulas).
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from stablek.kernels.distances import _frozen, gather

AVERAGE, COMPLETE, SINGLE, WARD = 0, 1, 2, 3
METHODS = {"average": AVERAGE, "complete": COMPLETE, "single": SINGLE, "ward": WARD}

FAR = np.iinfo(np.int64).max  # bits above every distance; also the mask of a dead slot
BLOCK = 128  # slots whose minimum is taken at once

# What is known of a slot. A slot is a row of the matrix and stands for one cluster.
ITEM = 0  # lowest item of the cluster; increases with the slot
DEAD = 1  # FAR if the cluster was merged into a lower slot, else 0
STAMP = 2  # number of the merge that made the cluster; 0 for an item, FAR if dead
SYNCED = 3  # number of merges the row has taken into account
NEAR = 4  # slot of the nearest neighbour when it was last looked for
NEAR_AT = 5  # number of merges made by then, -1 if it was never looked for
NEAR_BITS = 6  # bits of the distance to it, or of a lower bound
TIED = 7  # 1 if another slot was as near
FIELDS = 8

# The tally of a run.
DONE = 0  # merges made
WIDTH = 1  # slots in use, dead ones included
CHANGED = 2  # length of the list of changed slots
LIMIT = 3  # length at which that list is cleared of void entries
CHAIN = 4  # length of the chain
COUNTS = 5


class _Run(NamedTuple):
    """The arrays of one run; kernels change them in place."""

    square: NDArray[np.float64]  # distances between slots
    bits: NDArray[np.int64]  # the same memory
    state: NDArray[np.int64]  # (FIELDS, slots)
    size: NDArray[np.float64]  # items in a slot's cluster
    changed: NDArray[np.int64]  # rows: slots by the time of their merge; that time
    chain: NDArray[np.int64]  # each slot's nearest neighbour is the next
    tally: NDArray[np.int64]  # (COUNTS,)
    pairs: NDArray[np.int64]  # (2, n - 1): lowest items of the clusters merged
    heights: NDArray[np.float64]  # (n - 1,): at which distance


@numba.njit(cache=True, nogil=True)
def _nearest(bits, dead, width):
    """Return the lowest entry of a row, its first slot, and whether another equals it.

    An entry counts as the larger of `bits` (IN) and `dead` (IN).
    """
    best = FAR
    block = 0
    count = 0
    whole = width // BLOCK
    for k in range(whole + 1):
        low = FAR
        x = bits[k * BLOCK : width]
        y = dead[k * BLOCK : width]
        if k < whole:  # a fixed length lets the compiler unroll
            for c in range(BLOCK):
                low = min(low, max(x[c], y[c]))
        else:
            for c in range(width - whole * BLOCK):
                low = min(low, max(x[c], y[c]))
        if low < best:
            best = low
            block = k
            count = 0
        elif low == best:
            count = 1
    begin = block * BLOCK
    slot = width
    x = bits[begin:width]
    y = dead[begin:width]
    for c in range(min(BLOCK, width - begin)):
        equal = max(x[c], y[c]) == best
        slot = min(slot, begin + c if equal else width)
        count += equal
    return best, slot, count > 1


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _join(x, y, method, size, nx, ny, height, width):
    """Turn row `x` (OUT) of nx items into the row of its union with `y` (IN) of ny.

    No result is below the lesser of the two distances, and equal distances stay
    equal: a mean is written x + w (y - x) with w <= 1/2, and Ward's formula as the
    lesser square plus two terms that are not negative.
    """
    if method == AVERAGE:
        if ny <= nx:
            w = ny / (nx + ny)
            for c in range(width):
                x[c] = x[c] + w * (y[c] - x[c])
        else:
            w = nx / (nx + ny)
            for c in range(width):
                x[c] = y[c] + w * (x[c] - y[c])
    elif method == COMPLETE:
        for c in range(width):
            x[c] = x[c] if x[c] > y[c] else y[c]
    elif method == SINGLE:
        for c in range(width):
            x[c] = x[c] if x[c] < y[c] else y[c]
    else:
        square = height * height
        for c in range(width):
            less = x[c] if x[c] < y[c] else y[c]
            more = y[c] if x[c] < y[c] else x[c]
            n_more = ny if x[c] < y[c] else nx
            less *= less
            more *= more
            rise = n_more * (more - less) + size[c] * (more - square)
            x[c] = np.sqrt(less + rise / (nx + ny + size[c]))


@numba.njit(cache=True, nogil=True)
def _catch_up(run, r):
    """Fetch the entries of row r that later merges have changed."""
    square, state, changed = run.square, run.state, run.changed
    since = state[SYNCED, r]
    k = run.tally[CHANGED] - 1
    while k >= 0 and changed[1, k] > since:
        s = changed[0, k]
        if state[STAMP, s] == changed[1, k]:
            square[r, s] = square[s, r]
        k -= 1
    state[SYNCED, r] = run.tally[DONE]


@numba.njit(cache=True, nogil=True)
def _look(run, r):
    """Find the nearest neighbour of slot r and remember it."""
    _catch_up(run, r)
    state = run.state
    best, slot, tied = _nearest(run.bits[r], state[DEAD], run.tally[WIDTH])
    state[NEAR, r] = slot
    state[NEAR_AT, r] = run.tally[DONE]
    state[NEAR_BITS, r] = best
    state[TIED, r] = tied


@numba.njit(cache=True, nogil=True)
def _drop_void(run):
    """Clear the list of changed slots of those that were merged again."""
    kept = 0
    for k in range(run.tally[CHANGED]):
        if run.state[STAMP, run.changed[0, k]] == run.changed[1, k]:
            run.changed[0, kept] = run.changed[0, k]
            run.changed[1, kept] = run.changed[1, k]
            kept += 1
    run.tally[CHANGED] = kept
    run.tally[LIMIT] = 2 * kept + 32


@numba.njit(cache=True, nogil=True)
def _close_gaps(run):
    """Move the living slots together; their order stays."""
    _drop_void(run)
    square, state = run.square, run.state
    width = run.tally[WIDTH]
    old = np.empty(width, np.int64)  # new slot -> old slot
    new = np.full(width, -1, np.int64)
    kept = 0
    for c in range(width):
        if state[DEAD, c] == 0:
            old[kept] = c
            new[c] = kept
            kept += 1
    for r in range(kept):  # in place: nothing moves down or to the right
        for c in range(kept):
            square[r, c] = square[old[r], old[c]]
        for field in range(FIELDS):
            state[field, r] = state[field, old[r]]
        run.size[r] = run.size[old[r]]
        near = new[state[NEAR, r]]
        if near >= 0:
            state[NEAR, r] = near
        else:
            state[NEAR, r] = r
            state[NEAR_AT, r] = -1
    for k in range(run.tally[CHANGED]):
        run.changed[0, k] = new[run.changed[0, k]]
    for k in range(run.tally[CHAIN]):
        run.chain[k] = new[run.chain[k]]
    run.tally[WIDTH] = kept


@numba.njit(cache=True, nogil=True)
def _merge(run, method, a, b):
    """Merge slots a and b into the lower one and note the pair and its height."""
    lo = min(a, b)
    hi = max(a, b)
    _catch_up(run, lo)
    _catch_up(run, hi)
    state, size, tally = run.state, run.size, run.tally
    x = run.square[lo]
    height = x[hi]
    t = tally[DONE]
    run.pairs[0, t] = state[ITEM, lo]
    run.pairs[1, t] = state[ITEM, hi]
    run.heights[t] = height
    y = run.square[hi]
    _join(x, y, method, size, size[lo], size[hi], height, tally[WIDTH])
    x[lo] = np.inf
    size[lo] += size[hi]
    state[DEAD, hi] = FAR
    state[STAMP, hi] = FAR
    state[STAMP, lo] = t + 1
    state[SYNCED, lo] = t + 1
    run.changed[0, tally[CHANGED]] = lo
    run.changed[1, tally[CHANGED]] = t + 1
    tally[CHANGED] += 1
    tally[DONE] = t + 1
    _look(run, lo)
    if tally[CHANGED] >= tally[LIMIT]:
        _drop_void(run)
    if tally[WIDTH] > BLOCK and 2 * (run.square.shape[0] - t) < tally[WIDTH]:
        _close_gaps(run)


@numba.njit(cache=True, nogil=True)
def _follow_chains(run, method):
    """Merge mutual nearest neighbours until one cluster is left or a tie is met."""
    state, chain, tally = run.state, run.chain, run.tally
    while tally[DONE] < run.heights.shape[0]:
        top = tally[CHAIN]
        if top == 0:
            chain[0] = 0  # the lowest slot never dies
            top = 1
        a = chain[top - 1]
        if state[NEAR_AT, a] < state[STAMP, state[NEAR, a]]:
            _look(run, a)
        b = chain[max(top - 2, 0)]
        if top == 1 or state[NEAR_BITS, a] < state[NEAR_BITS, b]:
            chain[top] = state[NEAR, a]
            tally[CHAIN] = top + 1
            continue
        if state[TIED, a] + state[TIED, b] > 0:  # perhaps no longer
            _look(run, a)
            _look(run, b)
            if state[TIED, a] + state[TIED, b] > 0:
                tally[CHAIN] = 0
                return
        tally[CHAIN] = top - 2
        _merge(run, method, a, b)


@numba.njit(cache=True, nogil=True)
def _closest_first(run, method):
    """Merge the closest pair, the lowest one on ties, until one cluster is left."""
    state, tally = run.state, run.tally
    while tally[DONE] < run.heights.shape[0]:
        bound, a, _ = _nearest(state[NEAR_BITS], state[DEAD], tally[WIDTH])
        _look(run, a)
        if state[NEAR_BITS, a] == bound:
            _merge(run, method, a, state[NEAR, a])


@numba.njit(cache=True, nogil=True)
def _sorted_merges(pairs, heights):
    """Return the order of merges by height, then by pair (merge sort)."""
    n = heights.shape[0]
    order = np.arange(n)
    spare = np.empty(n, np.int64)
    run = 1
    while run < n:
        for start in range(0, n, 2 * run):
            i, middle = start, min(start + run, n)
            j, stop = middle, min(start + 2 * run, n)
            for k in range(start, stop):
                take = i < middle
                if take and j < stop:
                    s, t = order[i], order[j]
                    take = heights[s] < heights[t] or (
                        heights[s] == heights[t]
                        and (pairs[0, s], pairs[1, s]) <= (pairs[0, t], pairs[1, t])
                    )
                if take:
                    spare[k] = order[i]
                    i += 1
                else:
                    spare[k] = order[j]
                    j += 1
        order, spare = spare, order
        run *= 2
    return order


@numba.njit(cache=True, nogil=True)
def _label(pairs, heights, order):
    """Write merges, given by items, as SciPy does: by the numbers of the clusters."""
    n = heights.shape[0] + 1
    merges = np.empty((n - 1, 4))
    above = np.arange(2 * n - 1)
    count = np.ones(2 * n - 1)
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
        merges[t, 2] = heights[s]
        merges[t, 3] = count[n + t]
    return merges


@numba.njit(cache=True, nogil=True)
def _dendrogram(
    square,  # OUT
    method,  # IN
):
    n = square.shape[0]
    run = _Run(
        square,
        square.view(np.int64),
        np.zeros((FIELDS, n), np.int64),
        np.ones(n),
        np.empty((2, n + 32), np.int64),
        np.empty(n + 1, np.int64),
        np.zeros(COUNTS, np.int64),
        np.empty((2, n - 1), np.int64),
        np.empty(n - 1),
    )
    run.tally[WIDTH] = n
    run.tally[LIMIT] = 32
    for i in range(n):
        square[i, i] = np.inf
        run.state[ITEM, i] = i
        run.state[NEAR, i] = i
        run.state[NEAR_AT, i] = -1
    if method != SINGLE:
        _follow_chains(run, method)
    if run.tally[DONE] > 0:
        _closest_first(run, method)
        order = _sorted_merges(run.pairs, run.heights)
    else:  # in the order of the rule already, which for single is not that of pairs
        _closest_first(run, method)
        order = np.arange(n - 1)
    return _label(run.pairs, run.heights, order)


@numba.njit(cache=True, nogil=True)
def _spanning_tree(
    square,  # IN
    rows,  # IN
):
    """Grow a minimum spanning tree from the first item; return merges and ties.

    Of two items that enter the tree one after the other the second is as far from the
    tree as the two are in the dendrogram (what lies within a distance enters in one
    go), so that the edges themselves are not needed.
    """
    bits = square.view(np.int64)
    n = rows.shape[0]
    left = np.arange(1, n)  # not yet in the tree
    away = np.full(n, FAR, np.int64)  # distance to the tree, in the order of left
    pairs = np.empty((2, n - 1), np.int64)
    heights = np.empty(n - 1)
    index = rows[1:].copy()
    latest = 0
    for t in range(n - 1):
        width = n - 1 - t
        row = bits[rows[latest]]
        best = FAR
        for c in range(width):
            d = min(away[c], max(row[index[c]], 0))
            away[c] = d
            best = min(best, d)
        at = width
        for c in range(width):
            at = min(at, c if away[c] == best else width)
        pairs[0, t] = latest
        latest = left[at]
        pairs[1, t] = latest
        heights.view(np.int64)[t] = best
        left[at] = left[width - 1]
        index[at] = index[width - 1]
        away[at] = away[width - 1]
    order = _sorted_merges(pairs, heights)
    tied = False
    for t in range(1, n - 1):
        tied |= heights[order[t]] == heights[order[t - 1]]
    return _label(pairs, heights, order), tied


def linkage(square: NDArray[np.float64], method: str) -> NDArray[np.float64]:
    """Cluster items hierarchically, given their distances.

    Parameters
    ----------
    square : array of shape (n, n)
        Distances: float64, symmetric, not negative, finite; the diagonal is not read.
        **It is overwritten** if it is writable and C-contiguous (a copy otherwise).
        Ward takes Euclidean distances, as SciPy does, and squares them itself.
    method : str
        ``average``, ``complete``, ``single`` or ``ward``.

    Returns
    -------
    merges : array of shape (n - 1, 4)
        As ``scipy.cluster.hierarchy.linkage`` returns it: row t holds the two
        clusters merged (items are 0..n-1, the cluster made by row t is n + t; the
        smaller number first), their distance, and the number of items of the union;
        rows by increasing distance.

    Notes
    -----
    Ties go to the lowest index pair, see the head of this module. Without ties the
    clusters are those of SciPy and fastcluster; heights may differ in the last bits,
    as the sums behind a mean are taken in another order.
    """
    code = _code(method)
    merges: NDArray[np.float64]
    if code == SINGLE:
        merges, tied = _spanning_tree(_frozen(square), np.arange(len(square)))
        if not tied:
            return merges
    merges = _dendrogram(np.require(square, np.float64, ["C", "W"]), code)
    return merges


def linkage_of_rows(
    square: NDArray[np.float64], rows: NDArray[np.int64], method: str
) -> NDArray[np.float64]:
    """Cluster some of the items: ``linkage(gather(square, rows), method)``.

    `square` may be read-only and is left as it is. Items are numbered by their place
    in `rows`.
    """
    code = _code(method)
    merges: NDArray[np.float64]
    if code == SINGLE:
        merges, tied = _spanning_tree(_frozen(square), rows)
        if not tied:
            return merges
    merges = _dendrogram(gather(square, rows), code)
    return merges


def _code(method: str) -> int:
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}; use one of {', '.join(METHODS)}")
    return METHODS[method]
