"""Brunet's factorisation: Kullback-Leibler updates at the non-zero entries alone.

Where an entry of the data is 0, so is its ratio to the model: neither is needed. Of
folded data that is half of all entries. So the data are lists of non-zero entries, once
by rows and once by columns, and the factors have one row per item or per column, its
components side by side (``lanes``). All iterations and looks are one kernel.
"""

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.jit import kernel
from stablek.kernels.lanes import WIDTH, column_sums, improve
from stablek.kernels.nmf_multiplicative import TINY, flush

Matrix = NDArray[np.float64]
Places = NDArray[np.int32]
Labels = NDArray[np.intp]

LINE = 8  # numbers in a line of the cache


@kernel
def length(rank: int) -> int:
    """Return the length of a row of components: padded, so that few lines hold it."""
    return WIDTH if rank <= WIDTH else -(-rank // LINE) * LINE


@kernel
def listed(
    data: Matrix,  # IN (q, p)
    width: int,  # IN: the length of a row of the fixed factor
) -> tuple[Labels, Places, Matrix]:
    """List the non-zero entries of every row: where it begins, places and values.

    A place is where the row of the fixed factor begins. Lists are filled up with zeros
    to a multiple of ``WIDTH``.
    """
    q, p = data.shape
    begins = np.zeros(q + 1, np.intp)
    for i in range(q):
        count = 0
        for x in range(p):
            if data[i, x] > 0.0:
                count += 1
        begins[i + 1] = begins[i] + -(-count // WIDTH) * WIDTH
    places = np.zeros(begins[q], np.int32)
    entries = np.zeros(begins[q])
    for i in range(q):
        at = begins[i]
        for x in range(p):
            if data[i, x] > 0.0:
                places[at] = x * width
                entries[at] = data[i, x]
                at += 1
    return begins, places, entries


@kernel
def upright(
    factor: Matrix,  # IN (k, p)
) -> Matrix:
    """Return a factor with one row of components per item, padded with zeros."""
    k, p = factor.shape
    width = length(k)
    plain = np.zeros(p * width + LINE)
    begin = -(plain.ctypes.data // 8) % LINE
    turned = plain[begin : begin + p * width].reshape(p, width)
    for j in range(k):
        for x in range(p):
            turned[x, j] = factor[j, x]
    return turned


@kernel(error_model="numpy")
def half(
    begins: Labels,  # IN (q + 1,)
    places: Places,  # IN
    entries: Matrix,  # IN
    fixed: Matrix,  # IN (p, k)
    moving: Matrix,  # OUT (q, k)
    scale: Matrix,  # SCRATCH (2, k)
    vectors: tuple[int, ...],  # IN: as many numbers as a row has vectors
) -> None:
    """Multiply every entry by the mean of data / model, weighted by ``fixed``.

    A component whose partner is zero leaves the model alone and is kept.
    """
    column_sums(fixed, scale, vectors)
    for j in range(fixed.shape[1]):
        empty = not scale[0, j] > 0.0
        scale[0, j] = 0.0 if empty else 1.0 / scale[0, j]
        scale[1, j] = 1.0 if empty else 0.0
    for i in range(len(begins) - 1):
        span = begins[i], begins[i + 1]
        improve(places, entries, span, fixed, moving, i, scale, TINY, vectors)


@kernel
def look(
    coefficients: Matrix,  # IN (n or more, k)
    metagenes: Matrix,  # IN (m, k)
    scale: Matrix,  # SCRATCH (2, k)
    labels: Labels,  # OUT (n,): the partition, numbered by first appearance
    vectors: tuple[int, ...],  # IN
) -> bool:
    """Read the partition from the factors; tell whether it is the one of before."""
    column_sums(metagenes, scale, vectors)
    width = coefficients.shape[1]
    names = np.full(width, -1, np.intp)
    found, same = 0, True
    for i in range(len(labels)):
        best = 0
        most = coefficients[i, 0] * scale[0, 0]
        for j in range(1, width):
            part = coefficients[i, j] * scale[0, j]
            if part > most:
                best, most = j, part
        if names[best] < 0:
            names[best] = found
            found += 1
        same = same and labels[i] == names[best]
        labels[i] = names[best]
    return same


@kernel(error_model="numpy")
def until_stationary(
    values: Matrix,  # IN (n, m)
    transposed: Matrix,  # IN (m, n)
    coefficients: Matrix,  # OUT (k, n)
    metagenes: Matrix,  # OUT (k, m)
    every: int,  # IN: iterations between two looks
    looks: int,  # IN: stop after so many looks without a change
    at_most: int,  # IN: iterations
    vectors: tuple[int, ...],  # IN: ``vectors_of(k)``
) -> tuple[int, bool]:
    """Iterate; return how often, and whether the partition has become stationary."""
    c, g = upright(coefficients), upright(metagenes)
    width = c.shape[1]
    row_begins, row_places, row_entries = listed(values, width)
    begins, places, entries = listed(transposed, width)
    scale = np.zeros((2, width))
    labels = np.zeros(len(values), np.intp)
    look(c, g, scale, labels, vectors)
    done, same = 0, 0
    while done < at_most and same < looks:
        count = min(every, at_most - done)
        for _ in range(count):
            half(row_begins, row_places, row_entries, g, c, scale, vectors)
            half(begins, places, entries, c, g, scale, vectors)
        flush(c)
        flush(g)
        done += count
        same = same + 1 if look(c, g, scale, labels, vectors) else 0
    for j in range(len(coefficients)):
        for x in range(len(c)):
            coefficients[j, x] = c[x, j]
        for x in range(len(g)):
            metagenes[j, x] = g[x, j]
    return done, same >= looks


def vectors_of(rank: int) -> tuple[int, ...]:
    """Return a tuple of zeros, one for each vector of a row of components.

    There is compiled code for each length of the tuple.
    """
    return (0,) * -(-rank // WIDTH)
