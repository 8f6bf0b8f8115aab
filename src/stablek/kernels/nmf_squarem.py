"""The Kullback-Leibler updates, accelerated: fewer iterations to the same divergence.

Multiplicative updates are a map F of the factors onto better ones, and they creep: step
follows step in nearly the same direction. From three points x0, x1 = F(x0) and
x2 = F(x1), with r = x1 - x0 and v = (x2 - x1) - r, the squared extrapolation

    x0 + 2 a r + a^2 v,    a = ||r|| / ||v||

guesses where they lead (a = 1 gives x2), and F smooths the guess. It may overshoot; the
caller looks at the divergence and falls back on the plain updates.

References
----------
Varadhan and Roland (2008), Scandinavian Journal of Statistics 35, 335-353,
doi:10.1111/j.1467-9469.2007.00585.x, section 5, scheme S3.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.jit import kernel
from stablek.kernels.nmf import normalise
from stablek.kernels.nmf_multiplicative import divergence_half, flush

Matrix = NDArray[np.floating[Any]]

LONGEST = 200.0  # beyond it guesses were thrown away more often than they paid
LEAST = 0.1  # no entry falls below this share of x2: a zero would stay


@kernel(error_model="numpy")
def turns(
    first: Matrix,  # IN (k, p): x0
    second: Matrix,  # IN (k, p): x1
    third: Matrix,  # IN (k, p): x2
    unit: float,  # IN
) -> tuple[float, float]:
    """Return the squared lengths of r and v, in this unit."""
    k, p = first.shape
    long, bent = 0.0, 0.0
    for j in range(k):
        for x in range(p):
            r = (second[j, x] - first[j, x]) / unit
            v = (third[j, x] - second[j, x]) / unit - r
            long += r * r
            bent += v * v
    return long, bent


@kernel(error_model="numpy")
def leap(
    first: Matrix,  # IN (k, p): x0
    second: Matrix,  # IN (k, p): x1
    third: Matrix,  # OUT (k, p): x2 in, the guess out
    length: float,  # IN
) -> None:
    """Replace x2 by the squared extrapolation."""
    k, p = first.shape
    for j in range(k):
        for x in range(p):
            r = second[j, x] - first[j, x]
            v = third[j, x] - second[j, x] - r
            guess = first[j, x] + length * (2.0 * r + length * v)
            third[j, x] = max(guess, LEAST * third[j, x])


@kernel(error_model="numpy")
def accelerated(
    values: Matrix,  # IN (n, m)
    transposed: Matrix,  # IN (m, n)
    coefficients: Matrix,  # OUT (k, n)
    metagenes: Matrix,  # OUT (k, m)
    iterations: int,  # IN
) -> None:
    """Run cycles of three updates with a leap; what is left over is plain updates."""
    for i in range(iterations):
        # Where scale may wander between the factors, differences mean nothing.
        normalise(coefficients, metagenes)
        if i % 3 == 0:
            first_c, first_m = coefficients.copy(), metagenes.copy()
        elif i % 3 == 1:
            second_c, second_m = coefficients.copy(), metagenes.copy()
        else:
            unit = max(coefficients.max(), 1e-300)
            long_c, bent_c = turns(first_c, second_c, coefficients, unit)
            long_m, bent_m = turns(first_m, second_m, metagenes, 1.0)
            length = math.sqrt((long_c + long_m) / (bent_c + bent_m + 1e-300))
            length = min(max(length, 1.0), LONGEST)
            leap(first_c, second_c, coefficients, length)
            leap(first_m, second_m, metagenes, length)
        divergence_half(transposed, metagenes, coefficients)
        divergence_half(values, coefficients, metagenes)
    flush(coefficients)
    flush(metagenes)
