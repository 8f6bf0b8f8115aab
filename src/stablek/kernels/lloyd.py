"""Lloyd's K-means for many small problems: all ks of a sweep in one call.

The result is that of the plain algorithm in double precision. Three devices make it
fast: distances are screened in single precision (see :mod:`stablek.kernels.nearest`);
they are kept, and computed again only for the centres whose clusters gained or lost an
item; and only the items that move are added to and taken from the sums of clusters.

**Rules.** An item goes to its nearest centre, at equal distance to the lower numbered.
A cluster left empty takes the item farthest from its centre (the lowest item at equal
distance), out of the clusters that have more than one; several empty clusters are
served in their order. The iterations end when no label changes. Labels are numbered by
first appearance.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stablek.kernels.centroids import relabel
from stablek.kernels.frame import aligned, in_frame, items_in_frame
from stablek.kernels.inputs import floating, kernel_input, signed_labels
from stablek.kernels.jit import inner, kernel
from stablek.kernels.nearest import distances_to, nearest_of

Sweep = tuple[npt.NDArray[np.uint16], npt.NDArray[np.float64], npt.NDArray[np.int64]]


@inner
def _fill_empty(
    values,  # IN (n, m)
    centres,  # IN (>= k, m)
    k,
    labels,  # OUT (>= n,)
    far,  # scratch (>= n,)
):
    """Give each empty cluster the item farthest from its centre."""
    n, m = values.shape
    size = np.empty(k, np.int64)
    for c in range(k):
        size[c] = 0
    empty = k
    for i in range(n):
        empty -= size[labels[i]] == 0
        size[labels[i]] += 1
    if empty == 0:
        return
    for i in range(n):
        far[i] = 0
        for q in range(m):
            step = values[i, q] - centres[labels[i], q]
            far[i] += step * step
    for c in range(k):
        if size[c] == 0:
            item = -1
            for i in range(n):
                if size[labels[i]] > 1 and (item < 0 or far[i] > far[item]):
                    item = i
            size[labels[item]] -= 1
            size[c] = 1
            labels[item] = c
            far[item] = 0


@inner
def _finish(
    values,  # IN (n, m)
    centres,  # IN (>= k, m)
    own,  # IN (n,)
    k,
    column,  # scratch (m,)
    labels,  # OUT (n,), numbered by first appearance
):
    """Give the clusters their numbers and return the sum of squares within them."""
    n, m = values.shape
    name = np.empty(k, np.int64)
    used = 0
    for c in range(k):
        name[c] = -1
    for q in range(m):
        column[q] = 0
    for i in range(n):
        c = own[i]
        if name[c] < 0:
            name[c] = used
            used += 1
        labels[i] = name[c]
        item = values[i]
        centre = centres[c]
        for q in range(m):
            step = item[q] - centre[q]
            column[q] += step * step
    within = 0.0
    for q in range(m):
        within += column[q]
    return within


@inner
def settle(
    values,  # IN (n, m)
    columns,  # IN (M, N), the items in their frame, single precision
    norm,  # IN (N,), squared norms of the items in the frame
    shift,  # IN (m,), the mean of each column
    scale,  # IN that of the frame
    labelled,  # IN whether `nearest` holds a start; otherwise `centres` does
    nearest,  # IN, scratch (N,), labels 0 .. k - 1
    centres,  # IN, scratch (k, m)
    max_iter,
    square,  # scratch (>= k, N), single precision
    labels,  # OUT (n,), numbered by first appearance
):
    """Iterate from labels or centres; return the sum of squares and the iterations."""
    n, m = values.shape
    k = centres.shape[0]
    wide = square.shape[1]
    coarse = 1.5 * 2.0**26 / scale
    sums = np.empty((2, k, m), np.float64)
    small = np.empty((k, columns.shape[0]), np.float32)
    size = np.empty(k, np.int64)
    changed = np.empty(k, np.bool_)
    for c in range(k):
        changed[c] = True
        size[c] = 0
        for q in range(m):
            sums[0, c, q] = 0
            sums[1, c, q] = 0
        for q in range(columns.shape[0]):
            small[c, q] = 0
    own = np.empty(n, np.int32)
    for i in range(n):
        own[i] = -1
    least = np.empty(wide, np.float32)
    second = np.empty(wide, np.float32)
    scratch = np.empty(max(n, m), np.float64)
    if labelled:
        relabel(values, shift, coarse, nearest, k, own, size, sums, changed, centres)
    done = 0
    while done < max_iter:
        done += 1
        for c in range(k):
            if changed[c]:
                in_frame(centres[c], shift, scale, small[c])
        distances_to(columns, small, changed, k, square)
        for c in range(k):
            changed[c] = False
        # Not the constant 0, for which numba would compile once more.
        nearest_of(
            values, centres, np.int64(0), n, k, square, norm, least, second, nearest
        )
        _fill_empty(values, centres, k, nearest, scratch)
        moved = relabel(
            values, shift, coarse, nearest, k, own, size, sums, changed, centres
        )
        if moved == 0:
            break
    return _finish(values, centres, own, k, scratch, labels), done


@kernel
def _sweep(
    values,  # IN (n, m)
    columns,  # scratch (M, N), single precision, zeros on entry
    shift,  # IN (m,), the mean of each column
    start,  # IN (K, n) labels, or (0, 0)
    rows,  # IN (sum of ks,) items, or (0,)
    ks,  # IN (K,)
    max_iter,
    square,  # scratch (max k, N), single precision
    labels,  # OUT (K, n)
    inertia,  # OUT (K,)
    iterations,  # OUT (K,)
):
    """Run one problem after the other."""
    n, m = values.shape
    norm = np.empty(square.shape[1], np.float32)
    nearest = np.empty(square.shape[1], np.int32)
    scale = items_in_frame(values, shift, columns, norm)
    labelled = start.size > 0
    first = 0
    for s in range(ks.size):
        k = ks[s]
        centres = np.empty((k, m), np.float64)
        if labelled:
            for i in range(n):
                nearest[i] = start[s, i]
        else:
            for c in range(k):
                for q in range(m):
                    centres[c, q] = values[rows[first + c], q]
            first += k
        inertia[s], iterations[s] = settle(
            values, columns, norm, shift, scale, labelled, nearest, centres, max_iter,
            square, labels[s],
        )  # fmt: skip


def _run(
    values: npt.ArrayLike,
    start: npt.NDArray[np.int32],
    rows: npt.ArrayLike,
    ks: npt.ArrayLike,
    max_iter: int,
) -> Sweep:
    """Check what would reach beyond an array, and run the sweep."""
    items = floating(values)
    counts = kernel_input(ks, np.int64)
    n = items.shape[0]
    if counts.min() < 1 or counts.max() > n:
        msg = f"k must lie between 1 and the {n} items, got {counts.tolist()}"
        raise ValueError(msg)
    if max_iter < 1:
        msg = f"max_iter = {max_iter}: at least one iteration is needed"
        raise ValueError(msg)
    labels = np.empty((counts.size, n), np.uint16)
    inertia = np.empty(counts.size, np.float64)
    done = np.empty(counts.size, np.int64)
    _sweep(
        items,
        aligned(-(-items.shape[1] // 4) * 4, n),
        items.mean(axis=0, dtype=np.float64),
        start,
        kernel_input(rows, np.int64),
        counts,
        max_iter,
        aligned(int(counts.max()), n),
        labels,
        inertia,
        done,
    )
    return labels, inertia, done


def lloyd_sweep(
    values: npt.ArrayLike,
    start_labels: npt.NDArray[np.integer[Any]],
    ks: npt.ArrayLike,
    max_iter: int = 100,
) -> Sweep:
    """Run K-means for every k, each from a partition.

    Parameters
    ----------
    values : array-like, shape (n, m)
        float32 or float64; nothing is lost to rounding in float32 either way.
    start_labels : ndarray of int, shape (K, n)
        Row s holds labels 0 .. ks[s] - 1 of all items. A label that no item has is an
        empty cluster and is filled in the first iteration.
    ks : array-like of int, shape (K,)
    max_iter : int
        The most iterations for one k.

    Returns
    -------
    labels : ndarray of uint16, shape (K, n)
        Exactly ks[s] clusters in row s, numbered by first appearance.
    inertia : ndarray of float64, shape (K,)
        The squared distances of the items to the means of their clusters, summed.
    iterations : ndarray of int64, shape (K,)
        How often items were assigned; the last time without a change, if below
        `max_iter`.

    Notes
    -----
    Memory: 4 n (m + max k) bytes more than the input, and 16 n m while it is prepared.

    References
    ----------
    Lloyd (1982), IEEE Trans. Information Theory 28, 129-137,
    doi:10.1109/TIT.1982.1056489.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([[0.0], [1.0], [9.0], [10.0]])
    >>> lloyd_sweep(values, np.array([[0, 0, 0, 1]]), [2])
    (array([[0, 0, 1, 1]], dtype=uint16), array([1.]), array([2]))
    """
    start = signed_labels(start_labels)
    return _run(values, start, np.empty(0, np.int64), ks, max_iter)


def lloyd_from_rows(
    values: npt.ArrayLike, starts: npt.ArrayLike, ks: npt.ArrayLike, max_iter: int = 100
) -> Sweep:
    """Run K-means as :func:`lloyd_sweep` does, for every k from k items as centres.

    ``starts`` holds ks[0] items, then ks[1] items, and so on.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([[0.0], [1.0], [9.0], [10.0]])
    >>> lloyd_from_rows(values, [0, 1], [2])[0]
    array([[0, 0, 1, 1]], dtype=uint16)
    """
    return _run(values, kernel_input(np.empty((0, 0), np.int32)), starts, ks, max_iter)
