"""Agglomeration: which two clusters merge next, and how far the union is from the rest.

Chains of nearest neighbours find the merges, whatever their order, in O(n^2) time.
They merge two clusters only if each is the *only* nearest neighbour of the other;
every algorithm that merges closest pairs makes such a merge sooner or later, whatever
its rule for ties. The first chain that ends in a tie hands over to the rule itself:
merge the closest pair and, among pairs at equal distance, the lexicographically lowest
pair of lowest items. Tied means equal as floating-point numbers, without tolerance.

Four devices make this fast:

* a merge rewrites one row of the matrix and no column. Of the entries (i, j) and
  (j, i) the row rewritten last holds the truth, and a row fetches what has changed
  when it is next read (`_catch_up`);
* the row of an item is copied from the source when it is first read, by which time
  many columns are no longer needed;
* a row remembers its nearest neighbour. All four linkages are reducible (a union is no
  closer to a third cluster than the closer of its parts was), so the memory holds
  until that neighbour is itself merged, and is a lower bound ever after. The formulas
  of `join` are written so that this is true of the rounded numbers too;
* distances are compared through their bits: non-negative IEEE numbers order like the
  integers with the same bits, and a minimum of integers runs several lanes wide
  without leave to reorder floating-point operations.

References
----------
Murtagh (1983), The Computer Journal 26, 354-359, doi:10.1093/comjnl/26.4.354
(chains, reducibility). Müllner (2011), arXiv:1109.2378, figures 3-5 (chains; lower
bounds on the distance of nearest neighbours).
"""

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.jit import inner, kernel
from stablek.kernels.unions import SINGLE, WARD, join

FAR = np.iinfo(np.int64).max  # bits above every distance; also the mask of a dead slot
BLOCK = 128  # slots whose minimum is taken at once

# What is known of a slot. A slot is a row and a column of the matrix and stands for
# one cluster; slots are in the order of the clusters' lowest items.
ITEM = 0  # lowest item of the cluster
COLUMN = 1  # its row and column in the source
DEAD = 2  # FAR if the cluster was merged into a lower slot, else 0
STAMP = 3  # number of the merge that made the cluster; 0 for an item, FAR if dead
SYNCED = 4  # number of merges the row has taken into account, -1 if not yet copied
NEAR = 5  # slot of the nearest neighbour when it was last looked for
NEAR_AT = 6  # number of merges made by then, -1 if it must be looked for again
NEAR_BITS = 7  # bits of the distance to it, or of a lower bound
TIED = 8  # 1 if another slot was as near
FIELDS = 9

# The tally of a run.
DONE = 0  # merges made
WIDTH = 1  # slots in use, dead ones included
CHANGED = 2  # length of the list of changed slots
CHAIN = 3  # length of the chain
COUNTS = 4


@inner
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


@inner
def _catch_up(source, square, state, changed, tally, ward, r):
    """Make row r true: copy it if need be, then fetch what merges have changed."""
    x = square[r]
    since = state[SYNCED, r]
    if since < 0:
        y = source[state[COLUMN, r]]
        at = state[COLUMN]
        for c in range(tally[WIDTH]):
            x[c] = y[at[c]]
        if ward:
            for c in range(tally[WIDTH]):
                x[c] *= x[c]
        x[r] = np.inf
        since = 0
    k = tally[CHANGED] - 1
    while k >= 0 and changed[1, k] > since:
        # An entry whose slot was merged again is void, and harmless: it fetches what
        # the later entry fetches, or what no one reads.
        s = changed[0, k]
        x[s] = square[s, r]
        k -= 1
    state[SYNCED, r] = tally[DONE]


@inner
def _close_gaps(square, state, size, changed, tally, chain):
    """Move the living slots together; their order stays."""
    old = np.empty(tally[WIDTH], np.int64)  # new slot -> old slot
    new = np.full(tally[WIDTH], -1, np.int64)
    kept = 0
    for s in range(tally[WIDTH]):
        if state[DEAD, s] == 0:
            old[kept] = s
            new[s] = kept
            kept += 1
    for r in range(kept):  # in place: nothing moves down or to the right
        if state[SYNCED, old[r]] >= 0:
            for c in range(kept):
                square[r, c] = square[old[r], old[c]]
        for field in range(FIELDS):
            state[field, r] = state[field, old[r]]
        size[r] = size[old[r]]
        near = new[state[NEAR, r]]
        if near >= 0:
            state[NEAR, r] = near
        else:
            state[NEAR, r] = r
            state[NEAR_AT, r] = -1
    length = 0
    for k in range(tally[CHANGED]):
        s = new[changed[0, k]]
        if s >= 0 and state[STAMP, s] == changed[1, k]:
            changed[0, length] = s
            changed[1, length] = changed[1, k]
            length += 1
    tally[CHANGED] = length
    for k in range(tally[CHAIN]):
        chain[k] = new[chain[k]]
    tally[WIDTH] = kept


@kernel
def _agglomerate(
    source,  # IN   distances to copy from
    rows,  # IN   what to copy: n rows and columns; none if `square` is filled
    square,  # OUT  (n, n) working space
    bits,  # its bits
    method,  # IN
    pairs,  # OUT  (2, n - 1) lowest items of the clusters merged
    heights,  # OUT  (n - 1) their distances, squared for Ward
    height_bits,  # their bits
):
    """Merge until one cluster is left; tell how many merges chains have found."""
    n = square.shape[0]
    state = np.zeros((FIELDS, n), np.int64)
    size = np.ones(n, np.float64)
    changed = np.empty((2, n), np.int64)  # slots by the time of their merge; that time
    clear_at = 32
    chain = np.empty(n + 1, np.int64)  # each slot's nearest neighbour is the next
    tally = np.zeros(COUNTS, np.int64)
    tally[WIDTH] = n
    ward = method == WARD
    for i in range(n):
        state[ITEM, i] = i
        state[NEAR, i] = i
        state[NEAR_AT, i] = -1
        if rows.shape[0] > 0:
            state[COLUMN, i] = rows[i]
            state[SYNCED, i] = -1
        else:
            if ward:
                for j in range(n):
                    square[i, j] *= square[i, j]
            square[i, i] = np.inf
    chained = 0
    by_rule = method == SINGLE

    while tally[DONE] < n - 1:
        done = tally[DONE]
        top = tally[CHAIN]
        bound = FAR
        a = 0  # the lowest slot never dies
        if by_rule:
            for s in range(tally[WIDTH]):
                bound = min(bound, max(state[NEAR_BITS, s], state[DEAD, s]))
            while max(state[NEAR_BITS, a], state[DEAD, a]) != bound:
                a += 1
        elif top == 0:
            chain[0] = a
            top = 1
        else:
            a = chain[top - 1]
        known = state[NEAR_AT, a] >= state[STAMP, state[NEAR, a]]
        if not known or (by_rule and state[TIED, a] and state[NEAR_AT, a] < done):
            _catch_up(source, square, state, changed, tally, ward, a)
            best, near, tied = _nearest(bits[a], state[DEAD], tally[WIDTH])
            state[NEAR, a] = near
            state[NEAR_AT, a] = done
            state[NEAR_BITS, a] = best
            state[TIED, a] = tied
        if by_rule:
            if state[NEAR_BITS, a] > bound:
                continue
            b = state[NEAR, a]
        else:
            b = chain[max(top - 2, 0)]
            if top == 1 or state[NEAR_BITS, a] < state[NEAR_BITS, b]:
                chain[top] = state[NEAR, a]
                tally[CHAIN] = top + 1
                continue
            if state[TIED, a] or state[TIED, b]:  # perhaps no longer: look again
                if state[NEAR_AT, b] < done:
                    state[NEAR_AT, b] = -1
                    tally[CHAIN] = top - 1
                elif state[NEAR_AT, a] < done:
                    state[NEAR_AT, a] = -1
                else:
                    by_rule = True
                    tally[CHAIN] = 0
                continue
            tally[CHAIN] = top - 2
            chained += 1

        lo = min(a, b)
        hi = max(a, b)
        for s in range(lo, hi + 1, hi - lo):
            _catch_up(source, square, state, changed, tally, ward, s)
        pairs[0, done] = state[ITEM, lo]
        pairs[1, done] = state[ITEM, hi]
        height_bits[done] = state[NEAR_BITS, a]
        x = square[lo]
        y = square[hi]
        join(x, y, method, size, size[lo], size[hi], heights[done], tally[WIDTH])
        x[lo] = np.inf
        size[lo] += size[hi]
        done += 1
        tally[DONE] = done
        state[DEAD, hi] = FAR
        state[STAMP, hi] = FAR
        state[STAMP, lo] = done
        state[SYNCED, lo] = done
        state[NEAR, lo] = lo
        state[NEAR_AT, lo] = -1
        state[NEAR_BITS, lo] = state[NEAR_BITS, a]  # a bound: the two were the closest
        changed[0, tally[CHANGED]] = lo
        changed[1, tally[CHANGED]] = done
        tally[CHANGED] += 1
        if tally[CHANGED] > clear_at:
            kept = 0
            for k in range(tally[CHANGED]):
                if state[STAMP, changed[0, k]] == changed[1, k]:
                    changed[0, kept] = changed[0, k]
                    changed[1, kept] = changed[1, k]
                    kept += 1
            tally[CHANGED] = kept
            clear_at = kept + kept // 4 + 32
        if tally[WIDTH] > BLOCK and 3 * (n - done) < 2 * tally[WIDTH]:
            _close_gaps(square, state, size, changed, tally, chain)
    return chained


def agglomerate(
    source: NDArray[np.float64],
    rows: NDArray[np.int64],
    square: NDArray[np.float64],
    method: int,
    pairs: NDArray[np.int64],
    heights: NDArray[np.float64],
) -> int:
    """Merge until one cluster is left; return how many merges chains have found.

    These come first, in no order; those found by the rule for ties follow, in order.
    The arguments are those of the kernel but for the bits: numba would compile a view.
    """
    bits, height_bits = square.view(np.int64), heights.view(np.int64)
    return int(
        _agglomerate(source, rows, square, bits, method, pairs, heights, height_bits)
    )
