"""Agglomeration of few items: the merges of `stablek.kernels.chains`, bit for bit.

With some dozens of items the devices that make chains fast cost more than they save.
Here every distance is true in both triangles and the living clusters fill the first
rows and columns without a gap, so that the nearest of one is the minimum of a short
row. What meets a tie is begun again there, where there is a rule for it.
"""

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.chains import FAR, agglomerate
from stablek.kernels.jit import inner, kernel
from stablek.kernels.tier import Tier
from stablek.kernels.unions import SINGLE, WARD, join

FEW = 100  # items: up to so many, this is faster


@inner
def _look(bits, count):
    """Return the lowest of the first entries, its first slot, and if another ties."""
    best = FAR
    for c in range(count):
        best = min(best, bits[c])
    slot = count
    equals = 0
    for c in range(count):
        equal = bits[c] == best
        slot = min(slot, c if equal else count)
        equals += equal
    return best, slot, equals > 1


@inner
def _merge(square, size, method, lo, hi, last):
    """Put the union of two clusters in the place of one, the last in the other's."""
    x = square[lo]
    y = square[hi]
    join(x, y, method, size, size[lo], size[hi], x[hi], last + 1)
    x[lo] = np.inf
    size[lo] += size[hi]
    size[hi] = size[last]
    for c in range(last + 1):
        square[c, lo] = x[c]
    for c in range(last):
        y[c] = square[last, c]
    for c in range(last):
        square[c, hi] = y[c]
    y[hi] = np.inf


@kernel
def _agglomerate_few(
    source,  # IN   distances to copy from
    rows,  # IN   what to copy: n rows and columns
    square,  # OUT  (n, n) working space
    method,  # IN
    pairs,  # OUT  (2, n - 1) lowest items of the clusters merged
    heights,  # OUT  (n - 1) their distances, squared for Ward
):
    """Merge until one cluster is left and tell so, or that there was a tie."""
    n = rows.shape[0]
    for i in range(n):
        x = square[i]
        y = source[rows[i]]
        for j in range(n):
            x[j] = y[rows[j]] + 0.0  # -0 has bits that are no distance's
        if method == WARD:
            for j in range(n):
                x[j] *= x[j]
        x[i] = np.inf
    bits = square.view(np.int64)
    height_bits = heights.view(np.int64)
    lowest = np.arange(n)  # slot -> lowest item, by which a cluster goes
    slots = np.arange(n)  # and back
    size = np.ones(n)
    chain = np.empty(n + 1, np.int64)  # each one's nearest neighbour is the next
    nearest = np.empty(n + 1, np.int64)  # how far that is
    tie = np.empty(n + 1, np.bool_)  # whether another is as near ...
    seen = np.empty(n + 1, np.int64)  # ... after so many merges
    length = 0
    done = 0
    while done < n - 1:
        if length == 0:
            chain[0] = 0
            length = 1
        top = length - 1
        a = chain[top]
        best, near, tied = _look(bits[slots[a]], n - done)
        nearest[top] = best
        tie[top] = tied
        seen[top] = done
        if top == 0 or best < nearest[top - 1]:
            chain[length] = lowest[near]
            length += 1
        elif (tied or tie[top - 1]) and seen[top - 1] < done:
            length -= 1  # perhaps no longer: look again
        elif tied or tie[top - 1]:
            return False
        else:
            lo, hi = min(a, chain[top - 1]), max(a, chain[top - 1])
            pairs[0, done] = lo
            pairs[1, done] = hi
            height_bits[done] = best
            last = n - done - 1
            gap = slots[hi]
            _merge(square, size, method, slots[lo], gap, last)
            lowest[gap] = lowest[last]
            slots[lowest[gap]] = gap
            done += 1
            length -= 2
    return True


_faster = Tier(_agglomerate_few, step=100_000)  # what a call takes longer without it


def agglomerate_rows(
    source: NDArray[np.float64],
    rows: NDArray[np.int64],
    square: NDArray[np.float64],
    method: int,
    pairs: NDArray[np.int64],
    heights: NDArray[np.float64],
) -> int:
    """Merge rows of the source in the faster way; as `stablek.kernels.chains` does.

    The arguments are those of its ``agglomerate``.
    """
    taken = (source, rows, square, method, pairs, heights)
    few = len(rows) <= FEW and method != SINGLE and _faster.pays(1)
    if few and _agglomerate_few(*taken):
        return len(rows) - 1
    return agglomerate(*taken)
