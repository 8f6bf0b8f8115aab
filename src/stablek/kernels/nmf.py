"""Non-negative factorisation: HALS, and the products that every update rule needs.

A factor is stored as (rank, length), so that every inner loop runs along items or
along columns, which are long, and not along components, which are few. The two halves
of an iteration are then one function: the items' coefficients fit the columns of the
data, the metagenes fit its rows. In a half, ``data`` is (q, p), ``fixed`` (k, q),
``moving`` (k, p), and data[i] is modelled by the sum over j of fixed[j, i] moving[j].

No BLAS: at these sizes plain loops keep up with it, and their bits do not depend on a
library or on a number of threads. Divisions do not test for 0 (``error_model``), which
would keep loops from being vectorised; where 0 may divide, the code says so. The caller
scales the data to values up to 1.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

# Of 0.5, 0.7, 0.8 and 0.9, tried on eight matrices at ranks 3 to 30, only 0.5 never
# raised the objective over ten iterations; the others did nearly always.
SPEED = 0.5


@numba.njit(cache=True, nogil=True, error_model="numpy")
def project(
    fixed: Matrix,  # IN (k, q)
    data: Matrix,  # IN (q, p)
    top: Matrix,  # OUT (k, p): fixed @ data
) -> None:
    """Multiply a factor with the data: two of its rows with four of the data at once.

    The two rows are half the factor apart, so that the compiler sees that no two of
    them are ever the same.
    """
    k, q = fixed.shape
    p = data.shape[1]
    fours, half = q - q % 4, k // 2
    for j in range(k):
        for x in range(p):
            top[j, x] = 0.0
    for i in range(0, fours, 4):
        for j in range(half):
            o = j + half
            a, b, c, d = fixed[j, i], fixed[j, i + 1], fixed[j, i + 2], fixed[j, i + 3]
            e, f, g, h = fixed[o, i], fixed[o, i + 1], fixed[o, i + 2], fixed[o, i + 3]
            for x in range(p):
                u, v, w, z = data[i, x], data[i + 1, x], data[i + 2, x], data[i + 3, x]
                top[j, x] += (a * u + b * v) + (c * w + d * z)
                top[o, x] += (e * u + f * v) + (g * w + h * z)
        for j in range(2 * half, k):
            a, b, c, d = fixed[j, i], fixed[j, i + 1], fixed[j, i + 2], fixed[j, i + 3]
            for x in range(p):
                u, v, w, z = data[i, x], data[i + 1, x], data[i + 2, x], data[i + 3, x]
                top[j, x] += (a * u + b * v) + (c * w + d * z)
    for i in range(fours, q):
        for j in range(k):
            a = fixed[j, i]
            for x in range(p):
                top[j, x] += a * data[i, x]


@numba.njit(cache=True, nogil=True, error_model="numpy")
def gram(
    factor: Matrix,  # IN (k, p)
    out: Matrix,  # OUT (k, k): factor @ factor.T
) -> None:
    """Multiply a factor with itself, two rows by two rows, so that loads are shared.

    Even and odd columns are summed apart, which hides the adder's latency. With an odd
    number of rows the last pair is one row twice.
    """
    k, p = factor.shape
    even = p - p % 2
    for a in range(0, k, 2):
        c = min(a + 1, k - 1)
        for b in range(0, a + 1, 2):
            d = min(b + 1, k - 1)
            ab, ad, cb, cd = 0.0, 0.0, 0.0, 0.0
            ab2, ad2, cb2, cd2 = 0.0, 0.0, 0.0, 0.0
            for x in range(0, even, 2):
                u, v, w, z = factor[a, x], factor[c, x], factor[b, x], factor[d, x]
                ab += u * w
                ad += u * z
                cb += v * w
                cd += v * z
                y = x + 1
                u, v, w, z = factor[a, y], factor[c, y], factor[b, y], factor[d, y]
                ab2 += u * w
                ad2 += u * z
                cb2 += v * w
                cd2 += v * z
            for x in range(even, p):
                u, v, w, z = factor[a, x], factor[c, x], factor[b, x], factor[d, x]
                ab += u * w
                ad += u * z
                cb += v * w
                cd += v * z
            out[a, b] = out[b, a] = ab + ab2
            out[a, d] = out[d, a] = ad + ad2
            out[c, b] = out[b, c] = cb + cb2
            out[c, d] = out[d, c] = cd + cd2


@numba.njit(cache=True, nogil=True, error_model="numpy")
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


@numba.njit(cache=True, nogil=True, error_model="numpy")
def hals_half(
    data: Matrix,  # IN (q, p)
    fixed: Matrix,  # IN (k, q)
    moving: Matrix,  # OUT (k, p)
) -> None:
    """Minimise over one component of ``moving`` after another, several times round.

    The products with the data cost q / k times as much as one round over the
    components, so a quarter of that many extra rounds is nearly free (Gillis and
    Glineur 2012, section 4). A component whose partner is zero has no minimiser of its
    own; it keeps its value and may come back.
    """
    k, q = fixed.shape
    p = data.shape[1]
    square = np.empty((k, k))
    top = np.empty((k, p))
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


@numba.njit(cache=True, nogil=True, error_model="numpy")
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


@numba.njit(cache=True, nogil=True, error_model="numpy")
def assign(
    source: Matrix,  # IN (k, p)
    target: Matrix,  # OUT (k, p)
) -> None:
    """Copy entry by entry; numba compiles a loop much faster than ``[:] =``."""
    k, p = source.shape
    for j in range(k):
        for x in range(p):
            target[j, x] = source[j, x]


@numba.njit(cache=True, nogil=True, error_model="numpy")
def hals_at(
    values: Matrix,  # IN (n, m)
    transposed: Matrix,  # IN (m, n)
    coefficients: Matrix,  # OUT (k, n)
    metagenes: Matrix,  # OUT (k, m)
    iterations: int,  # IN
    speed: float,  # IN
) -> None:
    """Run HALS; each iteration goes on by ``speed`` times the step of the last one.

    The two halves of an iteration take turns in one loop: ``data``, ``mine`` and so on
    are those of the half at work, ``theirs`` those of the other. One call to the half
    is compiled in half the time of two.
    """
    data, other = transposed, values
    mine, theirs = coefficients.copy(), metagenes.copy()  # where extrapolation led
    last, their_last = coefficients.copy(), metagenes.copy()  # where updates led
    new, their_new = coefficients, metagenes
    for i in range(2 * iterations):
        assign(mine, new)
        hals_half(data, theirs, new)
        # The first iteration has no last step to follow.
        extrapolate(new, last, speed if i > 1 else 0.0, mine)
        assign(new, last)
        data, other = other, data
        mine, theirs = theirs, mine
        last, their_last = their_last, last
        new, their_new = their_new, new
    # The metagenes are the best for the extrapolated coefficients: keep that pair.
    if iterations > 0:
        assign(mine, coefficients)


def hals(
    values: Matrix,
    transposed: Matrix,
    coefficients: Matrix,
    metagenes: Matrix,
    iterations: int,
) -> None:
    """Run hierarchical alternating least squares with extrapolation, in place.

    Ang and Gillis (2019), Neural Computation 31, 417-439, with a fixed step and without
    their test of every iteration: the caller looks at the objective now and then, and
    falls back on ``plain_hals`` should it have risen.
    """
    hals_at(values, transposed, coefficients, metagenes, iterations, SPEED)


def plain_hals(
    values: Matrix,
    transposed: Matrix,
    coefficients: Matrix,
    metagenes: Matrix,
    iterations: int,
) -> None:
    """Run hierarchical alternating least squares as published, in place."""
    hals_at(values, transposed, coefficients, metagenes, iterations, 0.0)


@numba.njit(cache=True, nogil=True, error_model="numpy")
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


@numba.njit(cache=True, nogil=True, error_model="numpy")
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


@numba.njit(cache=True, nogil=True, error_model="numpy")
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
