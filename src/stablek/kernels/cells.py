"""Sums over the cells of a histogram of pairs: what the distribution of M adds up to.

A curve needs half a dozen short sums for every k; each would be a call of NumPy that
takes longer than the adding. They are taken as NumPy takes them, in eight partial sums
and halves of halves, so that the error grows with the logarithm of the number of cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from stablek.kernels.jit import kernel

RUN = 128  # so many terms are added in eight partial sums; more are halved first


@kernel
def _run_sum(terms, first, count):
    """Return the sum of at most RUN terms."""
    if count < 8:
        total = 0.0
        for i in range(first, first + count):
            total += terms[i]
        return total
    part = np.empty(8)
    for u in range(8):
        part[u] = terms[first + u]
    i = 8
    while i < count - count % 8:
        for u in range(8):
            part[u] += terms[first + i + u]
        i += 8
    total = ((part[0] + part[1]) + (part[2] + part[3])) + (
        (part[4] + part[5]) + (part[6] + part[7])
    )
    while i < count:
        total += terms[first + i]
        i += 1
    return total


@kernel
def pairwise_sum(
    terms,  # IN
    count,  # IN  how many of them
):
    """Return a sum, taken in halves of halves.

    Not by a function that calls itself: numba cannot load one from its cache.
    """
    begin = np.empty(64, np.int64)  # the stretches under way, each within the last
    size = np.empty(64, np.int64)
    half = np.zeros(64, np.int64)  # 1 while the first half of it is summed, then 2
    left = np.empty(64)  # the sum of the first half
    begin[0] = 0
    size[0] = count
    depth = 0
    total = 0.0
    while depth >= 0:
        if size[depth] <= RUN:
            total = _run_sum(terms, begin[depth], size[depth])
            depth -= 1
            continue
        short = size[depth] // 2
        short -= short % 8
        half[depth] += 1
        if half[depth] == 1:
            begin[depth + 1] = begin[depth]
            size[depth + 1] = short
        elif half[depth] == 2:
            left[depth] = total
            begin[depth + 1] = begin[depth] + short
            size[depth + 1] = size[depth] - short
        else:
            total = left[depth] + total
            depth -= 1
            continue
        depth += 1
        half[depth] = 0
    return total


@kernel
def _sums(
    m,  # IN (C,) the value of each cell, 0..1
    weight,  # IN (C,) pairs in each cell
    order,  # IN (C,) the cells by value
    logs,  # IN m log m + (1 - m) log(1 - m) of each cell with 0 < m < 1, in turn
    sums,  # OUT (5,)
):
    """Write the mean, the printed area, PAC, the mean of 4 (m - 1/2)^2, the entropy."""
    count = m.size
    total = 0
    for i in range(count):
        total += weight[i]
    share = np.empty(count)
    terms = np.empty((5, count))
    between = inner = 0
    for i in range(count):
        share[i] = weight[i] / total
        terms[0, i] = share[i] * m[i]
        terms[3, i] = 4 * ((m[i] - 0.5) * (m[i] - 0.5)) * share[i]
        if 0.1 < m[i] < 0.9:
            terms[2, between] = share[i]
            between += 1
        if 0 < m[i] < 1:
            terms[4, inner] = share[i] * logs[inner]
            inner += 1
    # Below or at each value: known at the last of the cells that share it.
    below = np.empty(count)
    reached = 0.0
    for i in range(count):
        reached = reached + share[order[i]] if i else share[order[i]]
        below[i] = reached
    for i in range(count - 2, -1, -1):
        if m[order[i]] == m[order[i + 1]]:
            below[i] = below[i + 1]
    for i in range(count - 1):
        terms[1, i] = (m[order[i + 1]] - m[order[i]]) * below[i + 1]
    sizes = np.array([count, count - 1, between, count, inner])
    for j in range(5):  # one call, which is compiled once
        sums[j] = pairwise_sum(terms[j], sizes[j])


def distribution_sums(
    m: NDArray[np.float64], weight: NDArray[np.int64]
) -> tuple[float, float, float, float, float]:
    """Return what the weighted distribution of values within [0, 1] adds up to.

    Parameters
    ----------
    m, weight : arrays of shape (C,)
        Values, and how many pairs have each; at least one.

    Returns
    -------
    mean, literal, between, clear, logs : float
        With w the weights as shares: sum w m; the sum over successive values of their
        difference times the share at or below the larger; the share with 0.1 < m < 0.9;
        sum 4 w (m - 1/2)^2; sum w (m log m + (1 - m) log(1 - m)).

    Examples
    --------
    >>> distribution_sums(np.array([0.0, 0.5, 1.0]), np.array([1, 1, 2]))[:4]
    (0.625, 0.75, 0.25, 0.75)
    """
    p = m[(m > 0) & (m < 1)]
    logs = p * np.log(p) + (1 - p) * np.log1p(-p)
    sums = np.empty(5)
    order = m.argsort(kind="stable")
    _sums(m, np.ascontiguousarray(weight), order, logs, sums)
    mean, literal, between, clear, entropy = sums.tolist()
    return mean, literal, between, clear, entropy
