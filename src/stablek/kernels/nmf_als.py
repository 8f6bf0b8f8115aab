"""Projected alternating least squares: normal equations, then negatives set to 0."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.jit import kernel
from stablek.kernels.nmf import gram, project

Matrix = NDArray[np.floating[Any]]

# Added to the diagonal, relative to its mean: a rank beyond min(n, m) or a component
# that died makes the normal equations singular.
RIDGE = 1e-10


@kernel(error_model="numpy")
def cholesky(
    square: Matrix,  # OUT (k, k): symmetric in, lower triangle of its root out
) -> None:
    """Factorise a symmetric positive definite matrix in place."""
    k = len(square)
    for a in range(k):
        for b in range(a + 1):
            total = square[a, b]
            for c in range(b):
                total -= square[a, c] * square[b, c]
            if a > b:
                square[a, b] = total / square[b, b]
            else:
                square[a, a] = math.sqrt(max(total, 1e-300))


@kernel(error_model="numpy")
def als_half(
    data: Matrix,  # IN (q, p)
    fixed: Matrix,  # IN (k, q)
    moving: Matrix,  # OUT (k, p)
) -> None:
    """Solve (fixed fixed') moving = fixed data, then set negative entries to 0."""
    k, p = moving.shape
    root = np.empty((k, k), data.dtype)
    gram(fixed, root)
    trace = 0.0
    for j in range(k):
        trace += root[j, j]
    if trace == 0.0:
        return  # nothing to fit with: keep what there is
    for j in range(k):
        root[j, j] += RIDGE * trace / k
    cholesky(root)
    project(fixed, data, moving)
    for a in range(k):
        for b in range(a):
            weight = root[a, b]
            for x in range(p):
                moving[a, x] -= weight * moving[b, x]
        for x in range(p):
            moving[a, x] /= root[a, a]
    for a in range(k - 1, -1, -1):
        for b in range(a + 1, k):
            weight = root[b, a]
            for x in range(p):
                moving[a, x] -= weight * moving[b, x]
        for x in range(p):
            moving[a, x] /= root[a, a]
    for j in range(k):
        for x in range(p):
            moving[j, x] = max(0.0, moving[j, x])
