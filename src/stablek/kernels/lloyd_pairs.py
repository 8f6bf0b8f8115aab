r"""Lloyd's K-means from the distances of pairs of items, for tables with many columns.

The squared distance of an item to the mean of a cluster C with s items follows from
those to the items of C, whatever the number of columns:

.. math:: |x - \bar C|^2 = \frac{1}{s} \sum_{j \in C} |x - j|^2
          - \frac{1}{2 s^2} \sum_{i, j \in C} |i - j|^2

Squared distances are taken as whole numbers (:mod:`stablek.kernels.whole_squares`),
whose sums are exact, so that they can be updated for ever. The rules are those of
:mod:`stablek.kernels.lloyd`, and so are the labels, bit by bit: a run in which two
centres are ever nearly as far from an item, or a cluster runs empty, is given up, and
the caller leaves it to that kernel.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from stablek.kernels.inputs import kernel_input, signed_labels
from stablek.kernels.jit import inner, kernel
from stablek.kernels.tier import Tier
from stablek.kernels.whole_squares import MOST, tolerance, whole_squares


@inner
def _nearest(
    sums,  # IN (>= k, s), the squared distances of all items to those of a cluster
    size,  # IN (>= k,)
    within,  # IN (>= k,), the same, summed over the items of the cluster
    k,
    close,  # IN
    least,  # scratch (s,)
    second,  # scratch (s,)
    nearest,  # OUT (s,)
):
    """Find each item's nearest centre; tell whether no other is nearly as near."""
    s = nearest.size
    least[:] = np.inf
    second[:] = np.inf
    nearest[:] = 0
    for c in range(k):
        row = sums[c]
        share = 1.0 / size[c]
        less = within[c] * share * share / 2
        number = np.int32(c)
        for i in range(s):
            away = row[i] * share - less
            closer = away < least[i]
            rest = least[i] if closer else away
            second[i] = rest if rest < second[i] else second[i]
            least[i] = away if closer else least[i]
            nearest[i] = number if closer else nearest[i]
    unclear = 0
    for i in range(s):
        unclear += not second[i] - least[i] > close
    return unclear == 0


@inner
def _move(
    square,  # IN (s, s)
    nearest,  # IN (s,)
    own,  # OUT (s,), becomes `nearest`
    size,  # OUT (>= k,)
    sums,  # OUT (>= k, s)
):
    """Move the items whose nearest centre is another; return how many moved."""
    moved = 0
    for i in range(own.size):
        old = own[i]
        now = nearest[i]
        if old != now:
            moved += 1
            own[i] = now
            size[old] -= 1
            size[now] += 1
            item = square[i]
            left = sums[old]
            entered = sums[now]
            for j in range(own.size):
                left[j] -= item[j]
                entered[j] += item[j]
    return moved


@inner
def _run(
    square,  # IN (s, s), whole numbers
    k,
    close,  # IN
    done,  # IN how many iterations led to `own`
    max_iter,
    own,  # IN, OUT (s,)
    size,  # scratch (>= k,)
    within,  # scratch (>= k,)
    sums,  # scratch (>= k, s)
    least,  # scratch (s,)
    second,  # scratch (s,)
    nearest,  # scratch (s,)
):
    """Iterate from a partition; tell whether every step was clear."""
    s = own.size
    size[:k] = 0
    sums[:k] = 0
    for i in range(s):
        size[own[i]] += 1
        item = square[i]
        row = sums[own[i]]
        for j in range(s):
            row[j] += item[j]
    while True:
        for c in range(k):
            if size[c] == 0:
                return False
            within[c] = 0
        if done == max_iter:
            return True
        done += 1
        for i in range(s):
            within[own[i]] += sums[own[i], i]
        if not _nearest(sums, size, within, k, close, least, second, nearest):
            return False
        if _move(square, nearest, own, size, sums) == 0:
            return True


@kernel
def _sweep(
    distances,  # IN (n, n)
    draws,  # IN (D, s) items
    lengths,  # IN (D,), of the first item of each draw
    columns,  # IN how many the data have
    start,  # IN (D, K, s) labels, or (0, 0, 0)
    first,  # IN (D, sum of ks) places of a draw, or (0, 0)
    ks,  # IN (K,)
    max_iter,
    labels,  # OUT (D, K, s), where settled
    settled,  # OUT (D, K)
):
    """Run one draw after the other, and for each of them one k after the other."""
    s = draws.shape[1]
    most = ks.max()
    square = np.empty((s, s), np.float64)
    sums = np.empty((most, s), np.float64)
    within = np.empty(most, np.float64)
    size = np.empty(most, np.int64)
    least = np.empty(s, np.float64)
    second = np.empty(s, np.float64)
    nearest = np.empty(s, np.int32)
    own = np.empty(s, np.int32)
    for d in range(draws.shape[0]):
        largest, scale = whole_squares(distances, draws[d], square)
        close = tolerance(largest, columns, lengths[d]) * scale
        begin = 0
        for p in range(ks.size):
            k = ks[p]
            settled[d, p] = False
            if not 0 < close < np.inf:
                continue
            done = 0
            if start.size:
                own[:] = start[d, p]
            else:
                size[:k] = 1
                within[:k] = 0
                for c in range(k):
                    sums[c] = square[first[d, begin + c]]
                begin += k
                if not _nearest(sums, size, within, k, close, least, second, own):
                    continue
                done = 1
            settled[d, p] = _run(
                square, k, close, done, max_iter, own, size, within, sums, least,
                second, nearest,
            )  # fmt: skip
            used = 0
            size[:k] = -1  # from here on, numbers by first appearance
            for i in range(s):
                if size[own[i]] < 0:
                    size[own[i]] = used
                    used += 1
                labels[d, p, i] = size[own[i]]


#: A step is a nanosecond of the other kernel. It takes seconds to compile this one.
_by_pairs = Tier(_sweep, step=0.02)


def pairs_pay(nanoseconds: float) -> bool:
    """Tell whether to compile this kernel for so much more work of the other one."""
    return _by_pairs.pays(int(nanoseconds))


def lloyd_by_pairs(
    distances: npt.NDArray[np.float64],
    draws: npt.NDArray[np.integer[Any]],
    lengths: npt.ArrayLike,
    columns: int,
    start: npt.NDArray[np.integer[Any]],
    ks: npt.ArrayLike,
    max_iter: int = 100,
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.bool_]]:
    """Run K-means on several draws of equal size, for every k.

    Parameters
    ----------
    distances : ndarray, shape (n, n)
        The Euclidean distances of all items.
    draws : ndarray of int, shape (D, s)
        The items of each draw.
    lengths : array-like, shape (D,)
        How far the first item of each draw is from the origin.
    columns : int
        How many columns the distances were summed over.
    start : ndarray of int, shape (D, K, s) or (D, sum of ks)
        Labels 0 .. k - 1 as for :func:`stablek.kernels.lloyd.lloyd_sweep`, or places
        of the draw as for :func:`stablek.kernels.lloyd.lloyd_from_rows`.
    ks : array-like of int, shape (K,)
    max_iter : int
        The most iterations for one k.

    Returns
    -------
    labels : ndarray of uint16, shape (D, K, s)
        Numbered by first appearance; of no meaning where not settled.
    settled : ndarray of bool, shape (D, K)
        Whether the labels are sure to be those of the other kernel.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([0.0, 1.0, 9.0, 10.0])
    >>> distances = np.abs(values[:, None] - values)
    >>> rows = np.arange(4)[None]
    >>> lloyd_by_pairs(distances, rows, [0.0], 1, np.array([[[0, 0, 0, 1]]]), [2])
    (array([[[0, 0, 1, 1]]], dtype=uint16), array([[ True]]))
    """
    counts = kernel_input(ks, np.int64)
    items = kernel_input(draws, np.int64)
    if items.shape[1] > MOST:
        raise ValueError(f"{items.shape[1]} items; sums of more than {MOST} round")
    parted = start.ndim == 3
    labels = np.empty((len(items), counts.size, items.shape[1]), np.uint16)
    settled = np.empty(labels.shape[:2], np.bool_)
    _sweep(
        kernel_input(distances, np.float64),
        items,
        kernel_input(lengths, np.float64),
        columns,
        signed_labels(start if parted else np.empty((0, 0, 0), np.int32)),
        kernel_input(np.empty((0, 0)) if parted else start, np.int64),
        counts,
        max_iter,
        labels,
        settled,
    )
    return labels, settled
