"""Non-negative factorisation: HALS, and the products that every update rule needs.

A factor is stored as (rank, length), so that every inner loop runs along items or
along columns, which are long, and not along components, which are few. The two halves
of an iteration are then one function: the items' coefficients fit the columns of the
data, the metagenes fit its rows. In a half, ``data`` is (q, p), ``fixed`` (k, q),
``moving`` (k, p), and data[i] is modelled by the sum over j of fixed[j, i] moving[j].

No BLAS: at these sizes plain loops keep up with it, and their bits do not depend on a
library or on a number of threads. The caller scales the data to values up to 1.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


@numba.njit(cache=True, nogil=True)
def project(
    fixed: Matrix,  # IN (k, q)
    data: Matrix,  # IN (q, p)
    top: Matrix,  # OUT (k, p): fixed @ data
) -> None:
    """Multiply a factor with the data, four rows of the data at a time."""
    k, q = fixed.shape
    p = data.shape[1]
    top[:] = 0.0
    fours = q - q % 4
    for i in range(0, fours, 4):
        for j in range(k):
            a, b = fixed[j, i], fixed[j, i + 1]
            c, d = fixed[j, i + 2], fixed[j, i + 3]
            for x in range(p):
                top[j, x] += (a * data[i, x] + b * data[i + 1, x]) + (
                    c * data[i + 2, x] + d * data[i + 3, x]
                )
    for i in range(fours, q):
        for j in range(k):
            a = fixed[j, i]
            for x in range(p):
                top[j, x] += a * data[i, x]


@numba.njit(cache=True, nogil=True)
def gram(
    factor: Matrix,  # IN (k, p)
    out: Matrix,  # OUT (k, k): factor @ factor.T
) -> None:
    """Multiply a factor with itself; four partial sums hide the adder's latency."""
    k, p = factor.shape
    fours = p - p % 4
    for a in range(k):
        for b in range(a + 1):
            s, t, u, v = 0.0, 0.0, 0.0, 0.0
            for x in range(0, fours, 4):
                s += factor[a, x] * factor[b, x]
                t += factor[a, x + 1] * factor[b, x + 1]
                u += factor[a, x + 2] * factor[b, x + 2]
                v += factor[a, x + 3] * factor[b, x + 3]
            for x in range(fours, p):
                s += factor[a, x] * factor[b, x]
            out[a, b] = out[b, a] = (s + t) + (u + v)


@numba.njit(cache=True, nogil=True)
def mix(
    weights: Matrix,  # IN (k,)
    factor: Matrix,  # IN (k, p)
    row: Matrix,  # OUT (p,): weights @ factor
) -> None:
    """Sum the rows of a factor with weights: k mod 4 rows first, then four by four."""
    k, p = factor.shape
    rest = k % 4
    if rest == 0:
        for x in range(p):
            row[x] = 0.0
    elif rest == 1:
        a = weights[0]
        for x in range(p):
            row[x] = a * factor[0, x]
    elif rest == 2:
        a, b = weights[0], weights[1]
        for x in range(p):
            row[x] = a * factor[0, x] + b * factor[1, x]
    else:
        a, b, c = weights[0], weights[1], weights[2]
        for x in range(p):
            row[x] = a * factor[0, x] + b * factor[1, x] + c * factor[2, x]
    for j in range(rest, k, 4):
        a, b, c, d = weights[j], weights[j + 1], weights[j + 2], weights[j + 3]
        for x in range(p):
            row[x] += (a * factor[j, x] + b * factor[j + 1, x]) + (
                c * factor[j + 2, x] + d * factor[j + 3, x]
            )


@numba.njit(cache=True, nogil=True)
def hals_half(
    data: Matrix,  # IN (q, p)
    fixed: Matrix,  # IN (k, q)
    moving: Matrix,  # OUT (k, p)
    square: Matrix,  # OUT (k, k): fixed @ fixed.T
    top: Matrix,  # OUT (k, p): fixed @ data
) -> None:
    """Minimise over one component of ``moving`` after another, several times round.

    The products with the data cost q / k times as much as one round over the
    components, so a quarter of that many extra rounds is nearly free (Gillis and
    Glineur 2012, section 4). A component whose partner is zero has no minimiser of its
    own; it keeps its value and may come back.
    """
    k, q = fixed.shape
    p = data.shape[1]
    row = np.empty(p)
    gram(fixed, square)
    project(fixed, data, top)
    for _ in range(1 + (q + k) // (4 * k)):
        for j in range(k):
            if square[j, j] > 0.0:
                step = 1.0 / square[j, j]
                mix(square[j], moving, row)
                for x in range(p):
                    value = moving[j, x] + (top[j, x] - row[x]) * step
                    moving[j, x] = value if value > 0.0 else 0.0


@numba.njit(cache=True, nogil=True)
def extrapolate(
    new: Matrix,  # IN (k, p)
    last: Matrix,  # IN (k, p)
    speed: float,  # IN
    ahead: Matrix,  # OUT (k, p)
) -> None:
    """Go on in the direction from ``last`` to ``new``, as far as signs allow."""
    k, p = new.shape
    for j in range(k):
        for x in range(p):
            value = new[j, x] + speed * (new[j, x] - last[j, x])
            ahead[j, x] = value if value > 0.0 else 0.0


@numba.njit(cache=True, nogil=True)
def inner(
    one: Matrix,  # IN (k, p)
    other: Matrix,  # IN (k, p)
) -> float:
    """Sum the products of two matrices' entries."""
    k, p = one.shape
    sums = np.zeros(p)
    for j in range(k):
        for x in range(p):
            sums[x] += one[j, x] * other[j, x]
    return float(sums.sum())


@numba.njit(cache=True, nogil=True)
def hals(
    values: Matrix,  # IN (n, m)
    transposed: Matrix,  # IN (m, n)
    coefficients: Matrix,  # OUT (k, n)
    metagenes: Matrix,  # OUT (k, m)
    iterations: int,  # IN
) -> None:
    """Run hierarchical alternating least squares with extrapolation.

    Each iteration goes on a little in the direction of the last one. If that raises
    the objective, the iterate is thrown away and the next iteration is a plain one, so
    the objective never rises; the first iteration of a call is plain too (Ang and
    Gillis 2019, algorithm 2, with their constants for A-HALS).
    """
    k, n = coefficients.shape
    m = metagenes.shape[1]
    square, square_m = np.empty((k, k)), np.empty((k, k))
    top_c, top_m = np.empty((k, n)), np.empty((k, m))
    new_c, new_m = np.empty((k, n)), np.empty((k, m))
    ahead_c, ahead_m = coefficients.copy(), metagenes.copy()
    last_c, last_m = coefficients.copy(), metagenes.copy()
    total = 0.5 * inner(values, values)
    best = 0.5 * squared_error(values, coefficients, metagenes)
    speed, limit, plain = 0.5, 1.0, True
    for _ in range(iterations):
        pace = 0.0 if plain else speed
        new_c[:] = ahead_c
        hals_half(transposed, ahead_m, new_c, square, top_c)
        extrapolate(new_c, last_c, pace, ahead_c)
        new_m[:] = ahead_m
        hals_half(values, ahead_c, new_m, square, top_m)
        gram(new_m, square_m)
        now = total - inner(top_m, new_m) + 0.5 * inner(square, square_m)
        if now > best and not plain:
            ahead_c[:] = coefficients
            ahead_m[:] = metagenes
            limit, speed, plain = speed, speed / 1.5, True
        else:
            extrapolate(new_m, last_m, pace, ahead_m)
            coefficients[:] = ahead_c
            metagenes[:] = new_m
            best = now
            if not plain:
                speed, limit = min(limit, 1.05 * speed), min(1.0, 1.01 * limit)
            plain = False
        last_c[:] = coefficients if plain else new_c
        last_m[:] = metagenes


@numba.njit(cache=True, nogil=True)
def normalise(
    coefficients: Matrix,  # OUT (k, n)
    metagenes: Matrix,  # OUT (k, m)
) -> None:
    """Make every metagene sum to 1 and let its coefficients carry the scale."""
    k, m = metagenes.shape
    n = coefficients.shape[1]
    for j in range(k):
        total = 0.0
        for x in range(m):
            total += metagenes[j, x]
        if total > 0.0:
            for x in range(m):
                metagenes[j, x] /= total
            for x in range(n):
                coefficients[j, x] *= total


@numba.njit(cache=True, nogil=True)
def squared_error(
    values: Matrix,  # IN (n, m)
    coefficients: Matrix,  # IN (k, n)
    metagenes: Matrix,  # IN (k, m)
) -> float:
    """Sum the squared entries of the residual itself, so that nothing cancels."""
    n, m = values.shape
    k = len(metagenes)
    weights = np.empty(k)
    model = np.empty(m)
    squares = np.zeros(m)
    for i in range(n):
        for j in range(k):
            weights[j] = coefficients[j, i]
        mix(weights, metagenes, model)
        for x in range(m):
            gap = values[i, x] - model[x]
            squares[x] += gap * gap
    return float(squares.sum())


@numba.njit(cache=True, nogil=True)
def residual(
    values: Matrix,  # IN (n, m)
    coefficients: Matrix,  # IN (k, n)
    metagenes: Matrix,  # IN (k, m)
    out: Matrix,  # OUT (n, m)
) -> None:
    """Subtract the model from the data."""
    n, m = values.shape
    k = len(metagenes)
    weights = np.empty(k)
    for i in range(n):
        for j in range(k):
            weights[j] = coefficients[j, i]
        mix(weights, metagenes, out[i])
        for x in range(m):
            out[i, x] = values[i, x] - out[i, x]
