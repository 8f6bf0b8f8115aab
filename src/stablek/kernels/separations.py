"""How far apart clusters are, and how deep the valley between two."""

from typing import Any

import numpy as np
import numpy.typing as npt

from stablek.kernels.inputs import kernel_input, signed_labels
from stablek.kernels.jit import inner, kernel

Labels = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]

GRID = 25  # points at which a density is computed, between and around two centres


@inner
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


@inner
def _dot(
    x,  # IN (r,)
    y,  # IN (r,)
):
    total = 0.0
    for q in range(x.size):
        total += x[q] * y[q]
    return total


@kernel
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
    height = np.empty(GRID, np.float64)
    for g in range(GRID):
        height[g] = 0.0
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


@kernel
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
    size = np.empty(k, np.int64)
    mean = np.empty((k, r), np.float64)
    scatter = np.empty((k, r, r), np.float64)
    start = np.empty(k + 1, np.int64)
    placed = np.empty(k, np.int64)
    order = np.empty(n, np.int64)
    start[0] = 0
    for c in range(k):
        size[c] = 0
        for p in range(r):
            mean[c, p] = 0.0
            for q in range(r):
                scatter[c, p, q] = 0.0
    for i in range(n):
        size[labels[i]] += 1
        for q in range(r):
            mean[labels[i], q] += values[i, q]
    for c in range(k):
        start[c + 1] = start[c] + size[c]
        for q in range(r):
            mean[c, q] /= max(size[c], 1)
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
    pooled = np.empty((r, r), np.float64)
    axis = np.empty(r, np.float64)
    along = np.empty(n, np.float64)
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
                # Not "used": it begins as the constant 0, for which numba would compile
                # once more.
                valley[a, b] = _valley(along, both, m_a, m_b, sd)
                valley[b, a] = valley[a, b]


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


def valley_between(places: Floats, first: float, second: float, spread: float) -> float:
    """Return the lowest density between two centres over the lower of their peaks.

    ``places`` lie on one axis, ``first`` below ``second``; ``spread`` is the standard
    deviation within clusters, which sets the width of the kernel.
    """
    along = np.array(places, np.float64)  # as in a kernel: it is compiled once
    return float(_valley(along, len(along), first, second, spread))
