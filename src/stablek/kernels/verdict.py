"""What the verdict reads from partitions: silhouettes, Jaccard, valleys, prediction."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from stablek.kernels.inputs import kernel_input, signed_labels

Labels = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]

GRID = 25  # points at which a density is looked at, between and around two centres


@numba.njit(cache=True, nogil=True)
def _silhouettes(
    square,  # IN (n, n) distances
    labels,  # IN (n,)
    k,
    width,  # OUT (n,)
):
    """Write each item's silhouette; 0 for the only item of a cluster."""
    n = labels.size
    size = np.zeros(k, np.int64)
    for i in range(n):
        size[labels[i]] += 1
    total = np.empty(k, np.float64)
    for i in range(n):
        total[:] = 0.0
        row = square[i]
        for j in range(n):
            total[labels[j]] += row[j]
        own = labels[i]
        width[i] = 0.0
        if size[own] > 1:
            near = np.inf
            for c in range(k):
                if c != own and size[c] > 0:
                    near = min(near, total[c] / size[c])
            inside = total[own] / (size[own] - 1)
            most = max(inside, near)
            if most > 0.0 and near < np.inf:
                width[i] = (near - inside) / most


@numba.njit(cache=True, nogil=True)
def _jaccard(
    partition,  # IN (n,), 0 .. k - 1
    labels,  # IN (H, n), -1 = not drawn
    k,
    best,  # OUT (H, k), NaN where no item of the cluster was drawn
):
    """Write, per repeat, each cluster's largest Jaccard with a cluster found."""
    repeats, n = labels.shape
    most = 0
    for h in range(repeats):
        for i in range(n):
            most = max(most, labels[h, i] + 1)
    table = np.empty((k, most), np.int64)
    own = np.empty(k, np.int64)
    found = np.empty(most, np.int64)
    for h in range(repeats):
        table[:] = 0
        own[:] = 0
        found[:] = 0
        for i in range(n):
            c = labels[h, i]
            if c >= 0:
                table[partition[i], c] += 1
                own[partition[i]] += 1
                found[c] += 1
        for a in range(k):
            best[h, a] = np.nan
            if own[a] > 0:
                high = 0.0
                for c in range(most):
                    joint = own[a] + found[c] - table[a, c]
                    high = max(high, table[a, c] / joint)
                best[h, a] = high


@numba.njit(cache=True, nogil=True)
def _solve(
    matrix,  # OUT (r, r), positive definite; its lower half becomes Cholesky's
    vector,  # OUT (r,), the right side in, the solution out
):
    """Solve one small system by Cholesky's factors."""
    r = vector.size
    for i in range(r):
        for j in range(i + 1):
            total = matrix[i, j]
            for q in range(j):
                total -= matrix[i, q] * matrix[j, q]
            if i == j:
                matrix[i, i] = np.sqrt(max(total, 1e-300))
            else:
                matrix[i, j] = total / matrix[j, j]
    for i in range(r):
        for q in range(i):
            vector[i] -= matrix[i, q] * vector[q]
        vector[i] /= matrix[i, i]
    for back in range(r):
        i = r - 1 - back
        for q in range(i + 1, r):
            vector[i] -= matrix[q, i] * vector[q]
        vector[i] /= matrix[i, i]


@numba.njit(cache=True, nogil=True)
def _dot(
    x,  # IN (r,)
    y,  # IN (r,)
):
    total = 0.0
    for q in range(x.size):
        total += x[q] * y[q]
    return total


@numba.njit(cache=True, nogil=True)
def _valley(
    along,  # IN (n,), places on an axis
    used,  # IN how many of them
    first,  # IN place of the one centre
    second,  # IN place of the other, larger
    sd,  # IN spread within clusters
):
    """Return how high the density is between two centres, over the lower peak."""
    band = 0.9 * sd * used ** (-0.2)
    if not band > 0.0:
        return 0.0
    height = np.zeros(GRID)
    for g in range(GRID):
        at = first + (-0.25 + 1.5 * g / (GRID - 1)) * (second - first)
        for i in range(used):
            u = (along[i] - at) / band
            if abs(u) < 6.0:
                height[g] += np.exp(-0.5 * u * u)
    lowest = 1.0
    for g in range(1, GRID - 1):
        left = 0.0
        right = 0.0
        for q in range(g + 1):
            left = max(left, height[q])
        for q in range(g, GRID):
            right = max(right, height[q])
        lower = min(left, right)
        if lower > 0.0:
            lowest = min(lowest, height[g] / lower)
    return lowest


@numba.njit(cache=True, nogil=True)
def _separations(
    values,  # IN (n, r)
    labels,  # IN (n,)
    k,
    valleys,  # IN whether to look for valleys
    gap,  # OUT (k, k), symmetric, infinite on the diagonal
    valley,  # OUT (k, k), symmetric, 0 on the diagonal
):
    """Write the separation of every two clusters on the axis that tells them apart."""
    n, r = values.shape
    size = np.zeros(k, np.int64)
    mean = np.zeros((k, r))
    scatter = np.zeros((k, r, r))
    start = np.zeros(k + 1, np.int64)
    order = np.empty(n, np.int64)
    for i in range(n):
        size[labels[i]] += 1
        for q in range(r):
            mean[labels[i], q] += values[i, q]
    for c in range(k):
        start[c + 1] = start[c] + size[c]
        for q in range(r):
            mean[c, q] /= max(size[c], 1)
    placed = np.zeros(k, np.int64)
    for c in range(k):
        placed[c] = start[c]
    for i in range(n):
        c = labels[i]
        order[placed[c]] = i
        placed[c] += 1
        for p in range(r):
            for q in range(p + 1):
                scatter[c, p, q] += (values[i, p] - mean[c, p]) * (
                    values[i, q] - mean[c, q]
                )
    pooled = np.empty((r, r))
    axis = np.empty(r)
    along = np.empty(n)
    for a in range(k):
        gap[a, a] = np.inf
        valley[a, a] = 0.0
        for b in range(a):
            gap[a, b] = gap[b, a] = 0.0
            valley[a, b] = valley[b, a] = 1.0
            both = size[a] + size[b]
            if size[a] < 2 or size[b] < 2:
                continue
            trace = 0.0
            for p in range(r):
                for q in range(p + 1):
                    pooled[p, q] = (scatter[a, p, q] + scatter[b, p, q]) / both
                trace += pooled[p, p]
            for p in range(r):
                pooled[p, p] += 2.0 * trace / both + 1e-300
                axis[p] = mean[b, p] - mean[a, p]
            _solve(pooled, axis)
            used = 0
            m_a = 0.0
            m_b = 0.0
            for at in range(start[a], start[a + 1]):
                along[used] = _dot(axis, values[order[at]])
                m_a += along[used] / size[a]
                used += 1
            for at in range(start[b], start[b + 1]):
                along[used] = _dot(axis, values[order[at]])
                m_b += along[used] / size[b]
                used += 1
            ss_a = 0.0
            ss_b = 0.0
            for i in range(size[a]):
                ss_a += (along[i] - m_a) * (along[i] - m_a)
            for i in range(size[a], used):
                ss_b += (along[i] - m_b) * (along[i] - m_b)
            spread = np.sqrt(ss_a / (size[a] - 1)) + np.sqrt(ss_b / (size[b] - 1))
            if spread > 0.0:
                gap[a, b] = gap[b, a] = (m_b - m_a) / spread
            elif m_b > m_a:
                gap[a, b] = gap[b, a] = 1e6
            if valleys:
                sd = np.sqrt((ss_a + ss_b) / max(both - 2, 1))
                valley[a, b] = _valley(along, used, m_a, m_b, sd)
                valley[b, a] = valley[a, b]


@numba.njit(cache=True, nogil=True)
def _predicted(
    training,  # IN (nt, r)
    learned,  # IN (nt,) labels of the training half
    learning,  # IN (nl, r)
    found,  # IN (nl,) labels of the other half
    k,
):
    """Return the least share of a cluster's pairs that stays together when predicted.

    A cluster of one item has no pair and counts 0.
    """
    r = training.shape[1]
    centre = np.zeros((k, r))
    size = np.zeros(k, np.int64)
    for i in range(learned.size):
        size[learned[i]] += 1
        for q in range(r):
            centre[learned[i], q] += training[i, q]
    for c in range(k):
        for q in range(r):
            centre[c, q] /= max(size[c], 1)
    table = np.zeros((k, k), np.int64)
    for i in range(found.size):
        best = np.inf
        near = 0
        for c in range(k):
            away = 0.0
            for q in range(r):
                away += (learning[i, q] - centre[c, q]) ** 2
            if away < best and size[c] > 0:
                best = away
                near = c
        table[found[i], near] += 1
    least = 1.0
    for c in range(k):
        own = 0
        kept = 0
        for d in range(k):
            own += table[c, d]
            kept += table[c, d] * (table[c, d] - 1)
        least = min(least, kept / (own * (own - 1)) if own > 1 else 0.0)
    return least


@numba.njit(cache=True, nogil=True)
def _by_spread(
    values,  # IN (n, r)
    labels,  # OUT (n,), 0 .. k - 1
    k,
    iterations,
    least,  # IN smallest size of a cluster
):
    """Reassign items by distance in units of each cluster's own spread.

    Returns whether all clusters kept the smallest size; if not, labels are void.
    """
    n, r = values.shape
    mean = np.empty((k, r))
    size = np.empty(k, np.int64)
    variance = np.empty(k)
    for _ in range(iterations):
        for c in range(k):
            size[c] = 0
            variance[c] = 0.0
            for q in range(r):
                mean[c, q] = 0.0
        for i in range(n):
            size[labels[i]] += 1
            for q in range(r):
                mean[labels[i], q] += values[i, q]
        for c in range(k):
            if size[c] < least:
                return False
            for q in range(r):
                mean[c, q] /= size[c]
        whole = 0.0
        for i in range(n):
            c = labels[i]
            for q in range(r):
                variance[c] += (values[i, q] - mean[c, q]) ** 2
        for c in range(k):
            whole += variance[c]
        for c in range(k):
            # No spread below a fifth of the common one: nothing may collapse.
            variance[c] = max(variance[c] / size[c], 0.04 * whole / n) / r + 1e-300
        moved = False
        for i in range(n):
            best = np.inf
            near = labels[i]
            for c in range(k):
                away = 0.0
                for q in range(r):
                    away += (values[i, q] - mean[c, q]) ** 2
                cost = away / variance[c] + r * np.log(variance[c])
                cost -= 2.0 * np.log(size[c] / n)
                if cost < best:
                    best = cost
                    near = c
            if near != labels[i]:
                labels[i] = near
                moved = True
        if not moved:
            return True
    for c in range(k):
        size[c] = 0
    for i in range(n):
        size[labels[i]] += 1
    smallest = n
    for c in range(k):
        smallest = min(smallest, size[c])
    return smallest >= least


def by_spread(values: Floats, labels: Labels, k: int) -> npt.NDArray[np.uint16]:
    """Return a partition improved by letting every cluster have its own spread.

    Classification EM with spherical Gaussians, at most 15 steps from ``labels``: an
    item goes where |x - mu|^2 / v + r log v - 2 log(share) is least. K-means cuts half
    way between two centres, which gives a small tight cluster part of a wide one beside
    it. Where a cluster would fall below three items, ``labels`` come back unchanged.

    References
    ----------
    Celeux, Govaert (1992), Computational Statistics & Data Analysis 14, 315-332.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([0.0, 0.1, 0.2] * 6 + [1.5, 2.5, 3.5, 4.5, 5.5, 6.5])
    >>> by_spread(x[:, None], np.array([0] * 19 + [1] * 5), 2)[16:]
    array([0, 0, 1, 1, 1, 1, 1, 1], dtype=uint16)
    """
    own = np.array(labels, dtype=np.int32)
    if not _by_spread(kernel_input(values, np.float64), own, k, 15, 3):
        return np.asarray(labels, dtype=np.uint16)
    return own.astype(np.uint16)


def silhouettes(square: Floats, labels: Labels) -> Floats:
    """Return the silhouette of every item, given all distances.

    s(i) = (b - a) / max(a, b), with a the mean distance to the own cluster and b to
    the nearest other one; between -1 and 1, 0 for the only item of a cluster.

    References
    ----------
    Rousseeuw (1987), J. Computational and Applied Mathematics 20, 53-65.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([0.0, 1.0, 9.0, 10.0])
    >>> silhouettes(abs(x[:, None] - x), np.array([0, 0, 1, 1])).round(3)
    array([0.895, 0.882, 0.882, 0.895])
    """
    clusters = signed_labels(labels)
    width = np.empty(clusters.size)
    _silhouettes(kernel_input(square), clusters, int(clusters.max()) + 1, width)
    return width


def jaccard_stability(partition: Labels, labels: Labels) -> Floats:
    """Return, per repeat and cluster, how well the cluster was found again.

    The largest Jaccard coefficient |C and D| / |C or D| over the clusters D of the
    repeat, C being restricted to the items that were drawn. 1 if the cluster was found
    exactly, NaN where none of its items was drawn.

    Parameters
    ----------
    partition : ndarray of int, shape (n,)
        The clusters 0 .. k - 1 that are judged.
    labels : ndarray of int, shape (H, n)
        The partitions found; the largest unsigned value means "not drawn".

    Returns
    -------
    ndarray of float64, shape (H, k)

    References
    ----------
    Hennig (2007), Computational Statistics & Data Analysis 52, 258-271, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> jaccard_stability(np.array([0, 0, 1]), np.array([[0, 0, 1], [0, 1, 1]]))
    array([[1. , 1. ],
           [0.5, 0.5]])
    """
    own = signed_labels(partition)
    k = int(own.max()) + 1
    best = np.empty((labels.shape[0], k))
    _jaccard(own, signed_labels(labels), k, best)
    return best


def separations(
    values: Floats, labels: Labels, *, valleys: bool = True
) -> tuple[Floats, Floats]:
    """Return how far apart every two clusters are, and how deep the valley between.

    On the axis w = (S + l I)^-1 (mu_b - mu_a), S the pooled covariance within the two
    and l = 2 tr(S) / (n_a + n_b), the gap is |mu_b - mu_a| / (sd_a + sd_b): 1 where
    the two just touch at one standard deviation each, 0 if one of them has fewer than
    two items. The valley is the lowest density between the two centres over the lower
    of the two peaks (Gaussian kernel, bandwidth 0.9 sd (n_a + n_b)^-0.2): 1 means no
    valley at all.

    Returns
    -------
    gap : ndarray of shape (k, k)
        Infinite on the diagonal.
    valley : ndarray of shape (k, k)
        0 on the diagonal; 1 everywhere else if ``valleys`` is false.
    """
    clusters = signed_labels(labels)
    k = int(clusters.max()) + 1
    gap = np.empty((k, k))
    valley = np.empty((k, k))
    _separations(kernel_input(values, np.float64), clusters, k, valleys, gap, valley)
    return gap, valley


def prediction_strength(
    training: Floats, learned: Labels, learning: Floats, found: Labels, k: int
) -> float:
    """Return the prediction strength of one split, by nearest centroid.

    The other half's own clusters are held against what the training half predicts for
    them: the least share, over clusters, of pairs that stay together.

    References
    ----------
    Tibshirani, Walther (2005), J. Computational and Graphical Statistics 14, 511-528,
    Eq. 2.1.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[0.0], [1.0], [8.0], [9.0]])
    >>> half = np.array([0, 0, 1, 1])
    >>> prediction_strength(x, half, x, half, 2)
    1.0
    """
    return float(
        _predicted(
            kernel_input(training, np.float64),
            signed_labels(learned),
            kernel_input(learning, np.float64),
            signed_labels(found),
            k,
        )
    )
