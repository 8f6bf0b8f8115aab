"""Non-negative factorisation: the multiplicative update rules.

Shapes and conventions are those of ``stablek.kernels.nmf``. An entry that is exactly 0
stays 0 under Lee and Seung's rules and under the Kullback-Leibler rules; only Lin's
rule can lift it again.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.jit import kernel
from stablek.kernels.nmf import gram, mix, model, model_row, project, wide

Matrix = NDArray[np.floating[Any]]

# Added to denominators, where it changes no bit of a number above 1e-184 (float32:
# 1e-23). Where one vanishes, the numerator or the entry itself is 0 as well, and the
# quotient is finite.
TINY = 1e-200
TINY_SINGLE = 1e-30
# Lin (2007), section VI: both constants are 1e-8 in his experiments.
LIN_EPSILON = 1e-8
LIN_DELTA = 1e-8


@kernel(error_model="numpy")
def flush(
    factor: Matrix,  # OUT (k, p)
) -> None:
    """Set to 0 what has all but vanished: denormal numbers are slow."""
    k, p = factor.shape
    least = 1e-150 if factor.itemsize == 8 else 1e-25
    for j in range(k):
        for x in range(p):
            if factor[j, x] < least:
                factor[j, x] = 0.0


@kernel(error_model="numpy")
def lee_seung_half(
    data: Matrix,  # IN (q, p)
    fixed: Matrix,  # IN (k, q)
    moving: Matrix,  # OUT (k, p)
) -> None:
    """Multiply every entry by (fixed data) / (fixed fixed' moving)."""
    k, p = moving.shape
    square = np.empty((k, wide(k)), data.dtype)
    top = np.empty((k, p), data.dtype)
    bottom = np.empty((k, p), data.dtype)
    tiny = data.dtype.type(TINY if data.itemsize == 8 else TINY_SINGLE)
    gram(fixed, square)
    project(fixed, data, top)
    for j in range(k):
        mix(square[j], moving, bottom[j])
    for j in range(k):
        for x in range(p):
            moving[j, x] *= top[j, x] / (bottom[j, x] + tiny)


@kernel(error_model="numpy")
def lin_half(
    data: Matrix,  # IN (q, p)
    fixed: Matrix,  # IN (k, q)
    moving: Matrix,  # OUT (k, p)
) -> None:
    """Step along the gradient, limited by Lin's safeguarded denominator."""
    k, p = moving.shape
    square = np.empty((k, wide(k)), data.dtype)
    gradient = np.empty((k, p), data.dtype)
    lifted = np.empty((k, p), data.dtype)
    row = np.empty(p, data.dtype)
    gram(fixed, square)
    project(fixed, data, gradient)
    for j in range(k):
        mix(square[j], moving, row)
        for x in range(p):
            slope = row[x] - gradient[j, x]
            gradient[j, x] = slope
            # A zero that would grow is lifted, so that it can.
            entry = moving[j, x]
            lifted[j, x] = max(entry, LIN_EPSILON) if slope < 0.0 else entry
    for j in range(k):
        mix(square[j], lifted, row)
        for x in range(p):
            step = lifted[j, x] / (row[x] + LIN_DELTA)
            moving[j, x] = max(0.0, moving[j, x] - step * gradient[j, x])


@kernel(error_model="numpy")
def divergence_half(
    data: Matrix,  # IN (q, p)
    fixed: Matrix,  # IN (k, q)
    moving: Matrix,  # OUT (k, p)
) -> None:
    """Multiply every entry by the mean of data / model, weighted by ``fixed``."""
    k = len(fixed)
    q, p = data.shape
    ratio = np.empty((q, p), data.dtype)
    top = np.empty((k, p), data.dtype)
    one = data.dtype.type(1)
    tiny = data.dtype.type(TINY if data.itemsize == 8 else TINY_SINGLE)
    model(fixed, moving, ratio)
    for i in range(q):
        for x in range(p):
            ratio[i, x] = data[i, x] / (ratio[i, x] + tiny)
    project(fixed, ratio, top)
    for j in range(k):
        # A component whose partner is zero leaves the model alone and is kept.
        total = fixed[j].sum()
        if total > 0.0:
            scale = one / total
            for x in range(p):
                moving[j, x] *= top[j, x] * scale


@kernel(error_model="numpy")
def divergence(
    values: Matrix,  # IN (n, m)
    coefficients: Matrix,  # IN (k, n)
    metagenes: Matrix,  # IN (k, m)
) -> float:
    """Sum x log(x / y) - x + y over all entries x of the data and y of the model."""
    n, m = values.shape
    model = np.empty(m, values.dtype)
    tiny = values.dtype.type(TINY if values.itemsize == 8 else TINY_SINGLE)
    total = 0.0
    for i in range(n):
        model_row(i, coefficients, metagenes, model)
        for x in range(m):
            value = values[i, x]
            total += model[x] - value
            if value > 0.0:
                total += value * math.log(value / (model[x] + tiny))
    return total
