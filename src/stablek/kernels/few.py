"""Agglomeration of few items: the merges of `stablek.kernels.chains`, bit for bit.

With some dozens of items the devices that make chains fast cost more than they save.
Here every distance is kept true in both triangles, the living clusters are a list that
shrinks, and nothing else is remembered. Chains come first and the rule for ties takes
over where they do, so every merge is made in the same order, from the same numbers.
"""

from __future__ import annotations

import numba
import numpy as np

from stablek.kernels.chains import SINGLE, WARD, join

FEW = 64  # items: up to so many, this is faster


@numba.njit(cache=True, nogil=True)
def _look(square, alive, count, s):
    """Return the distance of s to its nearest, the first such, and if another ties."""
    best = np.inf
    near = s
    tied = False
    for c in range(count):
        other = alive[c]
        d = square[s, other]
        if d < best:
            best = d
            near = other
            tied = False
        elif d == best:
            tied = True
    return best, near, tied


@numba.njit(cache=True, nogil=True)
def _merge(square, alive, count, size, method, lo, hi, x, y, z):
    """Put the union of two clusters in the place of the first; drop the second.

    x, y and z are scratch.
    """
    height = square[lo, hi]
    kept = 0
    for c in range(count):
        other = alive[c]
        if other != hi:
            alive[kept] = other
            x[kept] = square[lo, other]
            y[kept] = square[hi, other]
            z[kept] = size[other]
            kept += 1
    join(x, y, method, z, size[lo], size[hi], height, kept)
    for c in range(kept):
        other = alive[c]
        square[lo, other] = x[c]
        square[other, lo] = x[c]
    square[lo, lo] = np.inf
    size[lo] += size[hi]


@numba.njit(cache=True, nogil=True)
def agglomerate_few(
    source,  # IN   distances to copy from
    rows,  # IN   what to copy: n rows and columns; none if `square` is filled
    square,  # OUT  (n, n) working space
    method,  # IN
    pairs,  # OUT  (2, n - 1) lowest items of the clusters merged
    heights,  # OUT  (n - 1) their distances, squared for Ward
):
    """Merge until one cluster is left; tell how many merges chains have found."""
    n = square.shape[0]
    for i in range(rows.shape[0]):
        for j in range(n):
            square[i, j] = source[rows[i], rows[j]]
    for i in range(n):
        if method == WARD:
            for j in range(n):
                square[i, j] *= square[i, j]
        square[i, i] = np.inf
    alive = np.arange(n)  # a cluster goes by its lowest item
    size = np.ones(n)
    scratch = np.empty((3, n))
    x, y, z = scratch[0], scratch[1], scratch[2]
    chain = np.empty(n + 1, np.int64)  # each one's nearest neighbour is the next
    nearest = np.empty(n + 1)  # how far that is
    tie = np.empty(n + 1, np.bool_)  # whether another is as near ...
    seen = np.empty(n + 1, np.int64)  # ... after so many merges
    length = 0
    done = 0
    by_rule = method == SINGLE
    while done < n - 1 and not by_rule:
        if length == 0:
            chain[0] = 0
            length = 1
        last = length - 1
        a = chain[last]
        best, near, tied = _look(square, alive, n - done, a)
        nearest[last] = best
        tie[last] = tied
        seen[last] = done
        if last == 0 or best < nearest[last - 1]:
            chain[length] = near
            length += 1
        elif (tied or tie[last - 1]) and seen[last - 1] < done:
            length -= 1  # perhaps no longer: look again
        elif tied or tie[last - 1]:
            by_rule = True
        else:
            b = chain[last - 1]
            pairs[0, done] = min(a, b)
            pairs[1, done] = max(a, b)
            heights[done] = best
            _merge(square, alive, n - done, size, method, min(a, b), max(a, b), x, y, z)
            done += 1
            length -= 2
    chained = done
    if by_rule:
        near_to = np.empty(n, np.int64)
        for c in range(n - done):
            s = alive[c]
            nearest[s], near_to[s], _ = _look(square, alive, n - done, s)
    while done < n - 1:
        a = alive[0]
        for c in range(n - done):
            if nearest[alive[c]] < nearest[a]:
                a = alive[c]
        b = near_to[a]
        pairs[0, done] = a
        pairs[1, done] = b
        heights[done] = nearest[a]
        _merge(square, alive, n - done, size, method, a, b, x, y, z)
        done += 1
        for c in range(n - done):
            s = alive[c]
            # The union is no closer to s than the closer of its parts was; if it is as
            # close as the nearest, it may be the first that is.
            if s != a and square[s, a] == nearest[s]:
                near_to[s] = min(a, near_to[s])
            elif s == a or near_to[s] == a or near_to[s] == b:
                nearest[s], near_to[s], _ = _look(square, alive, n - done, s)
    return chained
