"""Within-cluster sums of squares, for many partitions of the same items."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from stablek.kernels.centroids import means, merge_means
from stablek.kernels.inputs import floating, kernel_input, signed_labels

Partitions = npt.NDArray[np.integer[Any]]


@numba.njit(cache=True, nogil=True)
def _about_means(
    values,  # IN (n, m)
    shift,  # IN (m,)
    labels,  # IN (n,)
    mean,  # IN (k, m)
    column,  # scratch (m,)
):
    """Sum the squared deviations from the means, column by column."""
    n, m = values.shape
    for q in range(m):
        column[q] = 0
    for i in range(n):
        if labels[i] >= 0:
            item = values[i]
            own = mean[labels[i]]
            for q in range(m):
                step = item[q] - shift[q] - own[q]
                column[q] += step * step
    total = 0.0
    for q in range(m):
        total += column[q]
    return total


@numba.njit(cache=True, nogil=True)
def _parents(
    fine,  # IN (n,)
    coarse,  # IN (n,)
    k,  # IN the clusters of the fine partition
    parent,  # OUT (>= k,), -1 for a label that no item has
):
    """Tell whether the fine partition refines the coarse one, and how."""
    for c in range(k):
        parent[c] = -1
    for i in range(fine.size):
        if fine[i] < 0 or coarse[i] < 0:
            if fine[i] != coarse[i]:
                return False
        elif parent[fine[i]] < 0:
            parent[fine[i]] = coarse[i]
        elif parent[fine[i]] != coarse[i]:
            return False
    return True


@numba.njit(cache=True, nogil=True)
def _within_ss(
    values,  # IN (n, m)
    shift,  # IN (m,)
    labels,  # IN (K, n)
    ks,  # IN (K,), largest label + 1 of each row
    within,  # OUT (K,)
):
    """Go from the last partition to the first; merge where nested, else start anew."""
    m = values.shape[1]
    most = 0
    for s in range(ks.size):
        most = max(most, ks[s])
    mean = np.empty((most, m), np.float64)
    size = np.empty(most, np.int64)
    parent = np.empty(most, np.int64)
    row = np.empty(most, np.int64)  # where the mean of a cluster is kept
    row_above = np.empty(most, np.int64)
    column = np.empty(m, np.float64)
    for s in range(ks.size - 1, -1, -1):
        if s + 1 < ks.size and _parents(labels[s + 1], labels[s], ks[s + 1], parent):
            within[s] = within[s + 1]
            for c in range(ks[s]):
                row_above[c] = -1
            for c in range(ks[s + 1]):
                above = parent[c]
                if above >= 0:
                    if row_above[above] < 0:
                        row_above[above] = row[c]
                    else:
                        within[s] += merge_means(mean, size, row_above[above], row[c])
            row, row_above = row_above, row
        else:
            means(values, shift, labels[s], ks[s], mean, size)
            within[s] = _about_means(values, shift, labels[s], mean, column)
            for c in range(ks[s]):
                row[c] = c


@numba.njit(cache=True, nogil=True)
def _held_out_ss(
    column,  # IN (n,)
    labels,  # IN (K, n)
    k,
    within,  # OUT (K,)
):
    """Sum the squared deviations of one column from its means within clusters."""
    mean = np.empty(k, np.float64)
    size = np.empty(k, np.int64)
    for s in range(within.size):
        own = labels[s]
        for c in range(k):
            mean[c] = 0
            size[c] = 0
        for i in range(own.size):
            if own[i] >= 0:
                mean[own[i]] += column[i]
                size[own[i]] += 1
        for c in range(k):
            mean[c] /= max(size[c], 1)
        total = 0.0
        for i in range(own.size):
            if own[i] >= 0:
                step = column[i] - mean[own[i]]
                total += step * step
        within[s] = total


def within_ss(values: npt.ArrayLike, labels: Partitions) -> npt.NDArray[np.float64]:
    """Return the within-cluster sum of squares of each partition.

    W = sum over clusters of sum over items of |x_i - mean|^2. Zero if every cluster
    holds equal items; the total sum of squares for one cluster.

    Where a row's partition arises from the next row's by merging clusters, as the cuts
    of a dendrogram at ascending k do, each merge of a and b costs O(m):

        W += n_a n_b / (n_a + n_b) |mean_a - mean_b|^2

    Whether it does is found in O(n) per row; any other row is computed from its items.
    Column means are subtracted first, so that a common offset costs no precision.

    Parameters
    ----------
    values : array-like, shape (n, m)
    labels : ndarray of int, shape (K, n)
        The largest value of an unsigned type, or a negative label, means "not drawn":
        the item is left out.

    Returns
    -------
    ndarray of float64, shape (K,)

    Examples
    --------
    >>> import numpy as np
    >>> within_ss([[0.0], [2.0], [9.0]], np.array([[0, 0, 0], [0, 0, 1]]))
    array([44.66666667,  2.        ])
    """
    items = floating(values)
    partitions = signed_labels(labels)
    ks = kernel_input(partitions.max(axis=1) + 1, np.int64)
    shift = kernel_input(items.mean(axis=0, dtype=np.float64))
    within = np.empty(ks.size, np.float64)
    _within_ss(items, shift, partitions, ks, within)
    return within


def held_out_ss(column: npt.ArrayLike, labels: Partitions) -> npt.NDArray[np.float64]:
    """Return, for each partition, the sum of squares of one column within clusters.

    The figure of merit of a column that was left out when the items were clustered is
    the root of this sum over n.

    Parameters
    ----------
    column : array-like, shape (n,)
    labels : ndarray of int, shape (K, n)
        As for :func:`within_ss`.

    Returns
    -------
    ndarray of float64, shape (K,)

    References
    ----------
    Yeung, Haynor, Ruzzo (2001), Bioinformatics 17, 309-318.

    Examples
    --------
    >>> import numpy as np
    >>> held_out_ss([0.0, 2.0, 9.0], np.array([[0, 0, 1], [0, 1, 2]]))
    array([2., 0.])
    """
    partitions = signed_labels(labels)
    within = np.empty(partitions.shape[0], np.float64)
    k = max(int(partitions.max()) + 1, 1)
    _held_out_ss(kernel_input(column, np.float64), partitions, k, within)
    return within
