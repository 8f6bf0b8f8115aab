"""Lloyd's K-means for many small problems: all ks of a sweep in one call.

The result is that of the plain algorithm, bit for bit. The squared distances of all
items to all centres are kept; a centre moves only if its cluster gained or lost an
item, and only then is its row of distances computed again.

**Rules.** An item goes to its nearest centre, at equal distance to the lower numbered.
A cluster left empty takes the item farthest from its centre (the lowest item at equal
distance), out of the clusters that have more than one; several empty clusters are
served in their order. The iterations end when no label changes. Labels are numbered by
first appearance.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from stablek.kernels.inputs import floating, kernel_input, signed_labels
from stablek.kernels.nearest import TILE, distances_to, nearest_of

Values = npt.NDArray[np.floating[Any]]
Sweep = tuple[npt.NDArray[np.uint16], npt.NDArray[np.float64], npt.NDArray[np.int64]]


@numba.njit(cache=True, nogil=True)
def _fill_empty(
    labels,  # OUT (n,)
    least,  # OUT (n,), squared distance to the own centre
    size,  # OUT (>= k,)
    k,
):
    """Give each empty cluster the item farthest from its centre."""
    for c in range(k):
        if size[c] == 0:
            far = -1
            for i in range(labels.size):
                if size[labels[i]] > 1 and (far < 0 or least[i] > least[far]):
                    far = i
            size[labels[far]] -= 1
            size[c] = 1
            labels[far] = c
            least[far] = 0


@numba.njit(cache=True, nogil=True)
def _move_centres(
    values,  # IN (n, m)
    labels,  # IN (n,)
    size,  # IN (>= k,)
    changed,  # IN (>= k,), the clusters whose items changed
    k,
    total,  # scratch (>= k, m), float64
    centres,  # OUT (>= k, m)
):
    """Compute the changed centres from all their items, in order: nothing drifts."""
    n, m = values.shape
    for c in range(k):
        if changed[c]:
            for q in range(m):
                total[c, q] = 0
    for i in range(n):
        if changed[labels[i]]:
            own = total[labels[i]]
            item = values[i]
            for q in range(m):
                own[q] += item[q]
    for c in range(k):
        if changed[c]:
            for q in range(m):
                # An empty cluster of a start has no centre; infinitely far, it stays
                # empty at first and is then filled by the rule.
                centres[c, q] = total[c, q] / size[c] if size[c] else np.inf


@numba.njit(cache=True, nogil=True)
def _sweep(
    values,  # IN (n, m)
    columns,  # IN (m, n), the values transposed
    start,  # IN (K, n) labels, or (0, 0)
    rows,  # IN (sum of ks,) items, or (0,)
    ks,  # IN (K,)
    max_iter,
    labels,  # OUT (K, n)
    inertia,  # OUT (K,)
    iterations,  # OUT (K,)
):
    """Run one problem after the other."""
    n, m = values.shape
    most = 0
    for s in range(ks.size):
        most = max(most, ks[s])
    centres = np.empty((most, m), values.dtype)
    square = np.empty((most, n), values.dtype)
    total = np.empty((most, m), np.float64)
    size = np.empty(most, np.int64)
    changed = np.empty(most, np.bool_)
    name = np.empty(most, np.int64)
    own = np.empty(n, np.int32)
    nearest = np.empty(n, np.int32)
    least = np.empty(n, values.dtype)
    first = 0
    for s in range(ks.size):
        k = ks[s]
        for c in range(k):
            changed[c] = True
            size[c] = 0
            name[c] = -1
        if start.size:
            for i in range(n):
                own[i] = start[s, i]
                size[own[i]] += 1
            _move_centres(values, own, size, changed, k, total, centres)
        else:
            for i in range(n):
                own[i] = -1
            for c in range(k):
                for q in range(m):
                    centres[c, q] = values[rows[first + c], q]
            first += k
        done = 0
        moved = True
        while True:
            for c in range(k):
                if changed[c]:
                    distances_to(columns, centres[c], square[c])
                    changed[c] = False
            if not moved or done == max_iter:
                break
            done += 1
            nearest_of(square, k, nearest, least)
            for c in range(k):
                size[c] = 0
            for i in range(n):
                size[nearest[i]] += 1
            _fill_empty(nearest, least, size, k)
            moved = False
            for i in range(n):
                if nearest[i] != own[i]:
                    moved = True
                    changed[nearest[i]] = True
                    if own[i] >= 0:
                        changed[own[i]] = True
                    own[i] = nearest[i]
            if moved:
                _move_centres(values, own, size, changed, k, total, centres)
        used = 0
        inertia[s] = 0.0
        iterations[s] = done
        for i in range(n):
            c = own[i]
            inertia[s] += square[c, i]
            if name[c] < 0:
                name[c] = used
                used += 1
            labels[s, i] = name[c]


@numba.njit(cache=True, nogil=True)
def _assign(
    values,  # IN (n, m)
    centres,  # IN (k, m)
    labels,  # OUT (n,)
):
    """Label items by their nearest centre, a tile of items at a time."""
    n, m = values.shape
    k = centres.shape[0]
    columns = np.zeros((m, TILE), values.dtype)  # the last tile may leave a rest
    square = np.empty((k, TILE), values.dtype)
    least = np.empty(TILE, values.dtype)
    nearest = np.empty(TILE, np.int32)
    for left in range(0, n, TILE):
        width = min(TILE, n - left)
        for i in range(width):
            for q in range(m):
                columns[q, i] = values[left + i, q]
        for c in range(k):
            distances_to(columns, centres[c], square[c])
        nearest_of(square, k, nearest, least)
        for i in range(width):
            labels[left + i] = nearest[i]


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
        kernel_input(items.T),
        start,
        kernel_input(rows, np.int64),
        counts,
        max_iter,
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
        float32 is computed in float32 (sums of items in float64), all else in float64.
    start_labels : ndarray of int, shape (K, n)
        Row s holds labels 0 .. ks[s] - 1 of all items. A label that no item has is an
        empty cluster and is filled in the first iteration.
    ks : array-like of int, shape (K,)
        The numbers of clusters.
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
    Memory: 8 n (m + max k) bytes beside the input, half of it for float32.

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
    values: npt.ArrayLike,
    starts: npt.ArrayLike,
    ks: npt.ArrayLike,
    max_iter: int = 100,
) -> Sweep:
    """Run K-means for every k, each from k items as centres.

    Parameters
    ----------
    values, ks, max_iter
        As for :func:`lloyd_sweep`.
    starts : array-like of int, shape (sum of ks,)
        ks[0] items, then ks[1] items, and so on.

    Returns
    -------
    labels, inertia, iterations
        As for :func:`lloyd_sweep`.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([[0.0], [1.0], [9.0], [10.0]])
    >>> lloyd_from_rows(values, [0, 1], [2])[0]
    array([[0, 0, 1, 1]], dtype=uint16)
    """
    return _run(values, kernel_input(np.empty((0, 0), np.int32)), starts, ks, max_iter)


def assign_nearest(
    values: npt.ArrayLike, centres: npt.ArrayLike
) -> npt.NDArray[np.uint16]:
    """Return the nearest centre of every item, the lower numbered at equal distance.

    Nothing of size n is made but the labels.

    Parameters
    ----------
    values : array-like, shape (n, m)
    centres : array-like, shape (k, m)

    Returns
    -------
    ndarray of uint16, shape (n,)

    Examples
    --------
    >>> assign_nearest([[0.0], [4.0], [9.0]], [[0.0], [8.0]])
    array([0, 0, 1], dtype=uint16)
    """
    items = floating(values)
    labels = np.empty(items.shape[0], np.uint16)
    _assign(items, kernel_input(centres, items.dtype), labels)
    return labels
