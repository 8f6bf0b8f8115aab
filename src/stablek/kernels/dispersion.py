"""Within-cluster sums of squares, for many partitions of the same items."""

from typing import Any

import numpy as np
import numpy.typing as npt

from stablek.kernels.centroids import means
from stablek.kernels.inputs import floating, kernel_input, signed_labels
from stablek.kernels.jit import inner, kernel

Partitions = npt.NDArray[np.integer[Any]]


@inner
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


@kernel
def _within_ss(
    values,  # IN (n, m)
    shift,  # IN (m,)
    labels,  # IN (K, n)
    ks,  # IN (K,), largest label + 1 of each row
    within,  # OUT (K,)
):
    """Take every partition by itself: its bits do not depend on the others."""
    m = values.shape[1]
    most = 0
    for s in range(ks.size):
        most = max(most, ks[s])
    mean = np.empty((most, m), np.float64)
    size = np.empty(most, np.int64)
    column = np.empty(m, np.float64)
    for s in range(ks.size):
        means(values, shift, labels[s], ks[s], mean, size)
        within[s] = _about_means(values, shift, labels[s], mean, column)


@kernel
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
    """Return the within-cluster sum of squares of each partition, shape (K, n).

    W = sum over clusters of sum over items of |x_i - mean|^2. Zero if every cluster
    holds equal items; the total sum of squares for one cluster. The largest value of an
    unsigned type, or a negative label, means "not drawn": the item is left out.

    Every partition is summed from its items, O(n m) each. (Cuts of a dendrogram could
    be had from one another, each merge in O(m); but the last bits would then depend on
    the largest k that was asked for.) Column means are subtracted first, so that a
    common offset costs no precision.

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
    the root of this sum over n. ``labels`` are as for :func:`within_ss`.

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
