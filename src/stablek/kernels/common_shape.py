"""K-means in the metric of the clusters' common covariance: all ks in one call."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from stablek.kernels.frame import aligned, items_in_frame
from stablek.kernels.inputs import kernel_input, signed_labels
from stablek.kernels.jit import inner, kernel
from stablek.kernels.lloyd import settle


@inner
def _root_of_within(
    values,  # IN (n, m), around their mean
    products,  # IN (m, m), their sums of squares and products
    ridge,  # IN added to every variance
    labels,  # IN (>= n,)
    k,
    root,  # OUT (m, m), its lower triangle
):
    """Compute Cholesky's root of the covariance within k clusters.

    The scatter within is the whole scatter less that of the means.
    """
    n, m = values.shape
    size = np.zeros(k, np.int64)
    sums = np.zeros((k, m), np.float64)
    for i in range(n):
        own = sums[labels[i]]
        item = values[i]
        size[labels[i]] += 1
        for q in range(m):
            own[q] += item[q]
    for p in range(m):
        for q in range(p + 1):
            between = 0.0
            for c in range(k):
                if size[c]:
                    between += sums[c, p] * sums[c, q] / size[c]
            root[p, q] = (products[p, q] - between) / n
        root[p, p] += ridge
    for q in range(m):
        for p in range(q, m):
            rest = root[p, q]
            for r in range(q):
                rest -= root[p, r] * root[q, r]
            # No pivot is below the ridge but for rounding.
            root[p, q] = math.sqrt(max(rest, ridge)) if p == q else rest / root[q, q]


@inner
def _whitened(
    values,  # IN (n, m)
    root,  # IN (m, m), a lower triangle
    back,  # scratch (m, m), becomes the inverse of the root, transposed
    white,  # OUT (n, m), the items in units of root
    shift,  # OUT (m,), the mean of each column
):
    """Write the items in the metric of a covariance, given its root."""
    n, m = values.shape
    for q in range(m):
        shift[q] = 0
        for p in range(q):
            back[q, p] = 0
        back[q, q] = 1 / root[q, q]
        for p in range(q + 1, m):
            total = 0.0
            for r in range(q, p):
                total += root[p, r] * back[q, r]
            back[q, p] = -total / root[p, p]
    for i in range(n):
        item = values[i]
        moved = white[i]
        for q in range(m):
            moved[q] = 0
        for p in range(m):
            way = back[p]
            step = item[p]
            for q in range(m):
                moved[q] += step * way[q]
        for q in range(m):
            shift[q] += moved[q]
    for q in range(m):
        shift[q] /= n


@kernel
def _refine(
    values,  # IN (n, m), around their mean
    columns,  # scratch (M, N), single precision, zeros on entry
    products,  # scratch (m, m)
    white,  # scratch (n, m)
    seen,  # IN the same, read-only: K-means is compiled for such items already
    ridge,  # IN added to every variance
    start,  # IN (K, n) labels 0 .. k - 1
    ks,  # IN (K,)
    rounds,
    max_iter,
    square,  # scratch (max k, N), single precision
    labels,  # OUT (K, n)
):
    """Whiten and iterate in turn, for one k after the other."""
    n, m = values.shape
    for p in range(m):
        for q in range(m):
            products[p, q] = 0
    for i in range(n):
        item = values[i]
        for p in range(m):
            for q in range(m):
                products[p, q] += item[p] * item[q]
    norm = np.empty(square.shape[1], np.float32)
    nearest = np.empty(square.shape[1], np.int32)
    root = np.empty((m, m), np.float64)
    back = np.empty((m, m), np.float64)
    shift = np.empty(m, np.float64)
    labelled = start.size > 0  # not the constant, for which numba would compile again
    for s in range(ks.size):
        k = ks[s]
        centres = np.empty((k, m), np.float64)
        found = labels[s]
        for i in range(n):
            found[i] = start[s, i]
        for _ in range(rounds):
            for i in range(n):
                nearest[i] = found[i]
            _root_of_within(values, products, ridge, nearest, k, root)
            _whitened(values, root, back, white, shift)
            scale = items_in_frame(seen, shift, columns, norm)
            before = found.copy()
            settle(
                seen, columns, norm, shift, scale, labelled, nearest, centres,
                max_iter, square, found,
            )  # fmt: skip
            moved = 0
            for i in range(n):
                moved += before[i] != found[i]
            if moved == 0:
                break


def refine_sweep(
    values: npt.NDArray[np.float64],
    start_labels: npt.NDArray[np.integer[Any]],
    ks: npt.ArrayLike,
    ridge: float,
    *,
    rounds: int,
    max_iter: int,
) -> npt.NDArray[np.uint16]:
    """Refine one partition per k by the common covariance of its clusters.

    Parameters
    ----------
    values : ndarray, shape (n, m)
        The items, less their mean.
    start_labels : ndarray of int, shape (K, n)
        Row s holds labels 0 .. ks[s] - 1.
    ks : array-like of int, shape (K,)
    ridge : float
        Added to every variance; more than 0.
    rounds, max_iter : int
        The most rounds for one k, and the most iterations of K-means in each.

    Returns
    -------
    ndarray of uint16, shape (K, n)
        Exactly ks[s] clusters in row s, numbered by first appearance.

    Examples
    --------
    >>> wide = np.array([[-4.0, 1.0], [4.0, 1.0], [-4.0, -1.0], [4.0, -1.0]])
    >>> start = np.array([[0, 0, 1, 1]])
    >>> refine_sweep(wide, start, [2], 0.01, rounds=5, max_iter=100)
    array([[0, 0, 1, 1]], dtype=uint16)
    """
    items = kernel_input(values, np.float64)
    counts = kernel_input(ks, np.int64)
    n, m = items.shape
    labels = np.empty((counts.size, n), np.uint16)
    white = np.empty((n, m))
    _refine(
        items, aligned(-(-m // 4) * 4, n), np.empty((m, m)), white,
        kernel_input(white), ridge, signed_labels(start_labels), counts, rounds,
        max_iter, aligned(int(counts.max()), n), labels,
    )  # fmt: skip
    return labels
