"""Means of clusters, and merging the clusters whose means are nearest."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stablek.kernels.clusters import by_first_appearance
from stablek.kernels.inputs import floating, kernel_input, signed_labels
from stablek.kernels.jit import inner, kernel

Partitions = npt.NDArray[np.integer[Any]]
MISSING = np.iinfo(np.uint16).max


@kernel
def means(
    values,  # IN (n, m)
    shift,  # IN (m,), subtracted from every item
    labels,  # IN (n,), -1 = not drawn
    k,
    mean,  # OUT (>= k, m)
    size,  # OUT (>= k,)
):
    """Compute the means of k clusters."""
    n, m = values.shape
    for c in range(k):
        size[c] = 0
        for q in range(m):
            mean[c, q] = 0
    for i in range(n):
        if labels[i] >= 0:
            size[labels[i]] += 1
            own = mean[labels[i]]
            item = values[i]
            for q in range(m):
                own[q] += item[q] - shift[q]
    for c in range(k):
        if size[c]:
            for q in range(m):
                mean[c, q] /= size[c]


@inner
def merge_means(
    mean,  # OUT (>= k, m), row a becomes the mean of the union
    size,  # OUT (>= k,)
    a,
    b,
):
    """Merge b into a in O(m)."""
    whole = size[a] + size[b]
    share = size[b] / whole
    for q in range(mean.shape[1]):
        mean[a, q] += share * (mean[b, q] - mean[a, q])
    size[a] = whole


@inner
def _transfer(
    item,  # IN (m,)
    shift,  # IN (m,)
    coarse,  # IN adding and subtracting it leaves the upper part of a number
    sign,  # IN 1.0 to add the item, -1.0 to take it away
    upper,  # OUT (m,)
    lower,  # OUT (m,)
):
    """Add an item to the sums of a cluster, or take it away, without a trace.

    Each coordinate is split at 2**-26 of the range. Sums of the upper parts are exact,
    those of the lower parts exact to about 2**-79 of the range, so that a mean depends
    on the items of its cluster and not on how they came there.
    """
    for q in range(item.size):
        step = item[q] - shift[q]
        top = (step + coarse) - coarse
        upper[q] += sign * top
        lower[q] += sign * (step - top)


@inner
def relabel(
    values,  # IN (n, m)
    shift,  # IN (m,), the middle of each column
    coarse,  # IN 1.5 * 2**26 times the largest distance from the middle, or more
    new,  # IN (>= n,)
    k,
    own,  # OUT (n,), becomes `new`; -1 on entry for an item without a cluster
    size,  # OUT (>= k,)
    sums,  # OUT (2, >= k, m), upper and lower parts
    changed,  # OUT (>= k,), set for the clusters that gain or lose an item
    means,  # OUT (>= k, m), of the clusters for which `changed` is set
):
    """Move the items whose label is new, then the means; return how many moved."""
    moved = 0
    for i in range(own.size):
        old = own[i]
        now = new[i]
        if now != old:
            moved += 1
            if old >= 0:
                changed[old] = True
                size[old] -= 1
                _transfer(values[i], shift, coarse, -1.0, sums[0, old], sums[1, old])
            changed[now] = True
            size[now] += 1
            _transfer(values[i], shift, coarse, 1.0, sums[0, now], sums[1, now])
            own[i] = now
    for c in range(k):
        if changed[c]:
            for q in range(means.shape[1]):
                # An empty cluster has no mean: it lies infinitely far from all items.
                mean = (sums[0, c, q] + sums[1, c, q]) / size[c] if size[c] else np.inf
                means[c, q] = mean + shift[q]
    return moved


@inner
def _squared_gap(
    a,  # IN (m,)
    b,  # IN (m,)
):
    """Return the squared distance of two points, four columns at a time.

    Four sums, so that no addition waits for the one before it.
    """
    m = a.size
    sum0 = 0.0
    sum1 = 0.0
    sum2 = 0.0
    sum3 = 0.0
    whole = m - m % 4
    for q in range(0, whole, 4):
        way0 = a[q] - b[q]
        way1 = a[q + 1] - b[q + 1]
        way2 = a[q + 2] - b[q + 2]
        way3 = a[q + 3] - b[q + 3]
        sum0 += way0 * way0
        sum1 += way1 * way1
        sum2 += way2 * way2
        sum3 += way3 * way3
    for q in range(whole, m):
        way0 = a[q] - b[q]
        sum0 += way0 * way0
    return (sum0 + sum1) + (sum2 + sum3)


@kernel
def _merge_down(
    values,  # IN (n, m)
    shift,  # IN (m,)
    labels,  # IN (n,), numbered by first appearance
    k,
    merged,  # OUT (steps + 1, n): the partition with k clusters, with k - 1, ...
):
    """Merge the two clusters with the nearest centroids, again and again.

    A union keeps the place of the cluster that came first, so that the clusters left
    stay in order of first appearance.
    """
    n, m = values.shape
    mean = np.empty((k, m), np.float64)
    size = np.empty(k, np.int64)
    gap = np.empty((k, k), np.float64)
    alive = np.arange(k)  # the clusters left, in order
    into = np.arange(k)  # the cluster that holds this one's items now
    place = np.empty(k, np.int64)  # of a cluster among those left
    means(values, shift, labels, k, mean, size)
    changed = -1  # all of them
    for step in range(merged.shape[0]):
        left = k - step
        for c in range(left):
            place[alive[c]] = c
        for i in range(n):
            merged[step, i] = place[into[labels[i]]] if labels[i] >= 0 else MISSING
        if left < 2:
            break
        nearest = np.inf
        a = alive[0]
        b = alive[1]
        for p in range(left):
            c = alive[p]
            for q in range(p + 1, left):
                d = alive[q]
                if changed < 0 or c == changed or d == changed:
                    gap[c, d] = _squared_gap(mean[c], mean[d])
                if gap[c, d] < nearest:
                    nearest = gap[c, d]
                    a = c
                    b = d
        merge_means(mean, size, a, b)
        changed = a
        for c in range(place[b] + 1, left):
            alive[c - 1] = alive[c]
        for c in range(k):
            if into[c] == b:
                into[c] = a


def _merge(
    values: npt.ArrayLike, labels: Partitions, steps: int | None
) -> npt.NDArray[np.uint16]:
    """Merge `steps` times, or down to one; clusters in order of first appearance."""
    items = floating(values)
    own = signed_labels(labels)
    numbered = np.full(own.size, -1, np.int32)
    numbered[own >= 0] = by_first_appearance(own[own >= 0])
    k = int(numbered.max(initial=-1)) + 1
    rows = k if steps is None else steps + 1
    merged = np.empty((rows, own.size), np.uint16)
    shift = kernel_input(items.mean(axis=0, dtype=np.float64))
    _merge_down(items, shift, kernel_input(numbered), k, merged)
    return merged


def merge_nearest_centroids(
    values: npt.ArrayLike, labels: Partitions, k: int
) -> npt.NDArray[np.uint16]:
    """Return the partition with k - 1 clusters: the nearest centroids merged.

    Numbered by first appearance. At equal distance the lowest pair of clusters is
    merged, clusters being ordered by first appearance.

    Examples
    --------
    >>> import numpy as np
    >>> merge_nearest_centroids([[0.0], [9.0], [8.0]], np.array([2, 1, 0]), 3)
    array([0, 1, 1], dtype=uint16)
    """
    own = signed_labels(labels)
    clusters = np.unique(own[own >= 0]).size
    if clusters != k or k < 2:
        msg = f"k = {k}, but labels hold {clusters} clusters; at least 2 are needed"
        raise ValueError(msg)
    merged: npt.NDArray[np.uint16] = _merge(values, labels, 1)[1]
    return merged


def merge_down(values: npt.ArrayLike, labels: Partitions) -> npt.NDArray[np.uint16]:
    """Return the partitions on the way from k_max clusters to one, by centroids.

    Each step merges the two clusters whose centroids are nearest, as
    :func:`merge_nearest_centroids` does. The centroid of a union is updated in O(m),
    and only its distances are computed again. This is WCSS-R with R = 0. Row k - 1 of
    the result holds k clusters, and refines the row before.

    References
    ----------
    Utro, thesis, chapter 7, An Approximation of WCSS, procedure WCSS-R.

    Examples
    --------
    >>> import numpy as np
    >>> merge_down([[0.0], [9.0], [8.0]], np.array([0, 1, 2]))
    array([[0, 0, 0],
           [0, 1, 1],
           [0, 1, 2]], dtype=uint16)
    """
    return _merge(values, labels, None)[::-1].copy()
