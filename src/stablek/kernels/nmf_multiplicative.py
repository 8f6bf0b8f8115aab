"""Non-negative factorisation: the multiplicative update rules.

Shapes and conventions are those of ``stablek.kernels.nmf``. An entry that is exactly 0
stays 0 under Lee and Seung's rules and under the Kullback-Leibler rules; only Lin's
rule can lift it again.
"""

from __future__ import annotations

import math

import numba
import numpy as np
from numpy.typing import NDArray

from stablek.kernels.nmf import gram, mix, normalise, project

Matrix = NDArray[np.float64]

# Added to denominators, where it changes no bit of a number above 1e-184. Where one
# vanishes, the numerator or the entry itself is 0 as well, and the quotient is finite.
TINY = 1e-200
# Lin (2007), section VI: both constants are 1e-8 in his experiments.
LIN_EPSILON = 1e-8
LIN_DELTA = 1e-8


@numba.njit(cache=True, nogil=True, error_model="numpy")
def flush(
    factor: Matrix,  # OUT (k, p)
) -> None:
    """Set to 0 what has all but vanished: denormal numbers are slow."""
    k, p = factor.shape
    for j in range(k):
        for x in range(p):
            if factor[j, x] < 1e-150:
                factor[j, x] = 0.0


@numba.njit(cache=True, nogil=True, error_model="numpy")
def lee_seung_half(
    data: Matrix,  # IN (q, p)
    fixed: Matrix,  # IN (k, q)
    moving: Matrix,  # OUT (k, p)
) -> None:
    """Multiply every entry by (fixed data) / (fixed fixed' moving)."""
    k, p = moving.shape
    square = np.empty((k, k))
    top = np.empty((k, p))
    bottom = np.empty((k, p))
    gram(fixed, square)
    project(fixed, data, top)
    for j in range(k):
        mix(square[j], moving, bottom[j])
    for j in range(k):
        for x in range(p):
            moving[j, x] *= top[j, x] / (bottom[j, x] + TINY)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def lee_seung(
    values: Matrix,  # IN (n, m)
    transposed: Matrix,  # IN (m, n)
    coefficients: Matrix,  # OUT (k, n)
    metagenes: Matrix,  # OUT (k, m)
    iterations: int,  # IN
) -> None:
    """Run Lee and Seung's multiplicative updates for the squared error."""
    for _ in range(iterations):
        lee_seung_half(transposed, metagenes, coefficients)
        lee_seung_half(values, coefficients, metagenes)
    flush(coefficients)
    flush(metagenes)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def lin_half(
    data: Matrix,  # IN (q, p)
    fixed: Matrix,  # IN (k, q)
    moving: Matrix,  # OUT (k, p)
) -> None:
    """Step along the gradient, as far as Lin's safeguarded denominator allows."""
    k, p = moving.shape
    square = np.empty((k, k))
    gradient = np.empty((k, p))
    lifted = np.empty((k, p))
    row = np.empty(p)
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


@numba.njit(cache=True, nogil=True, error_model="numpy")
def lin(
    values: Matrix,  # IN (n, m)
    transposed: Matrix,  # IN (m, n)
    coefficients: Matrix,  # OUT (k, n)
    metagenes: Matrix,  # OUT (k, m)
    iterations: int,  # IN
) -> None:
    """Run Lin's modified multiplicative updates, normalising after each iteration."""
    for _ in range(iterations):
        lin_half(transposed, metagenes, coefficients)
        lin_half(values, coefficients, metagenes)
        normalise(coefficients, metagenes)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def divergence_half(
    data: Matrix,  # IN (q, p)
    fixed: Matrix,  # IN (k, q)
    moving: Matrix,  # OUT (k, p)
) -> None:
    """Multiply every entry by the mean of data / model, weighted by ``fixed``."""
    k, q = fixed.shape
    p = data.shape[1]
    weights = np.empty(k)
    ratio = np.empty(p)
    top = np.zeros((k, p))
    for i in range(q):
        for j in range(k):
            weights[j] = fixed[j, i]
        mix(weights, moving, ratio)
        for x in range(p):
            ratio[x] = data[i, x] / (ratio[x] + TINY)
        for j in range(k):
            a = weights[j]
            for x in range(p):
                top[j, x] += a * ratio[x]
    for j in range(k):
        # A component whose partner is zero leaves the model alone and is kept.
        total = fixed[j].sum()
        if total > 0.0:
            for x in range(p):
                moving[j, x] *= top[j, x] / total


@numba.njit(cache=True, nogil=True, error_model="numpy")
def kullback_leibler(
    values: Matrix,  # IN (n, m)
    transposed: Matrix,  # IN (m, n)
    coefficients: Matrix,  # OUT (k, n)
    metagenes: Matrix,  # OUT (k, m)
    iterations: int,  # IN
) -> None:
    """Run the multiplicative updates for the Kullback-Leibler divergence."""
    for _ in range(iterations):
        divergence_half(transposed, metagenes, coefficients)
        divergence_half(values, coefficients, metagenes)
    flush(coefficients)
    flush(metagenes)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def divergence(
    values: Matrix,  # IN (n, m)
    coefficients: Matrix,  # IN (k, n)
    metagenes: Matrix,  # IN (k, m)
) -> float:
    """Sum x log(x / y) - x + y over all entries x of the data and y of the model."""
    n, m = values.shape
    k = len(metagenes)
    weights = np.empty(k)
    model = np.empty(m)
    total = 0.0
    for i in range(n):
        for j in range(k):
            weights[j] = coefficients[j, i]
        mix(weights, metagenes, model)
        for x in range(m):
            value = values[i, x]
            total += model[x] - value
            if value > 0.0:
                total += value * math.log(value / (model[x] + TINY))
    return total
