"""Non-negative factorisation: the products that every update rule needs.

A factor is stored as (rank, length), so that every inner loop runs along items or
along columns, which are long, and not along components, which are few. The two halves
of an iteration are then one function: the items' coefficients fit the columns of the
data, the metagenes fit its rows. In a half, ``data`` is (q, p), ``fixed`` (k, q or
more), ``moving`` (k, p), and data[i] is modelled by the sum over j of fixed[j, i]
moving[j].

The caller may pad p with zeros, which no update rule moves: a loop whose length is a
multiple of the vector registers' has no slow end. Numbers are float64 or float32; a
constant in a loop is given the type of the data, or all of the loop would be float64.

No BLAS: at these sizes plain loops keep up with it, and their bits do not depend on a
library or on a number of threads. Divisions do not test for 0 (``error_model``), which
would keep loops from being vectorised; where 0 may divide, the code says so. The caller
scales the data to values up to 1.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.jit import kernel

Matrix = NDArray[np.floating[Any]]

# Numbers in a step of a vectorised loop.
PADDING = 16


@kernel(error_model="numpy")
def project(
    fixed: Matrix,  # IN (k, q or more)
    data: Matrix,  # IN (q, p)
    top: Matrix,  # OUT (k, p): fixed @ data
) -> None:
    """Multiply a factor with the data: two of its rows with four of the data at once.

    The two rows are half the factor apart, so that the compiler sees that no two of
    them are ever the same.
    """
    k = len(fixed)
    q, p = data.shape
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


@kernel
def wide(length: int) -> int:
    """Return the length up to which rows are padded: a multiple of ``PADDING``."""
    return -(-length // PADDING) * PADDING


@kernel(error_model="numpy")
def gram(
    factor: Matrix,  # IN (k, p)
    out: Matrix,  # OUT (k, k or more): factor @ factor.T, then zeros
) -> None:
    """Multiply a factor with itself: with a turned copy, inner loops have no sums.

    A sum along a row cannot be vectorised without changing its order. Rows of ``out``
    that are longer than k, by ``wide``, leave those loops without a rest: at rank 30
    that halves the time.
    """
    k, p = factor.shape
    turned = np.zeros((p, out.shape[1]), factor.dtype)
    for j in range(k):
        for x in range(p):
            turned[x, j] = factor[j, x]
    project(factor, turned, out)


@kernel(error_model="numpy")
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


@kernel(error_model="numpy")
def model(
    coefficients: Matrix,  # IN (k, q or more)
    metagenes: Matrix,  # IN (k, p)
    out: Matrix,  # OUT (q, p): the model of q items
) -> None:
    """Mix the metagenes with the coefficients of every item, two items at once.

    Each sum is that of ``mix``, in the same order. The two items are half of them
    apart, so that the compiler sees that they are never the same.
    """
    k, (q, p) = len(metagenes), out.shape
    rest, half = k % 4, q // 2
    weights = np.empty((q, k), metagenes.dtype)
    for j in range(k):
        for i in range(q):
            weights[i, j] = coefficients[j, i]
    for i in range(half):
        o = i + half
        if rest == 0:
            for x in range(p):
                out[i, x] = 0.0
                out[o, x] = 0.0
        elif rest == 1:
            a, e = weights[i, 0], weights[o, 0]
            for x in range(p):
                out[i, x] = a * metagenes[0, x]
                out[o, x] = e * metagenes[0, x]
        elif rest == 2:
            a, b, e, f = weights[i, 0], weights[i, 1], weights[o, 0], weights[o, 1]
            for x in range(p):
                u, v = metagenes[0, x], metagenes[1, x]
                out[i, x] = a * u + b * v
                out[o, x] = e * u + f * v
        else:
            a, b, c = weights[i, 0], weights[i, 1], weights[i, 2]
            e, f, g = weights[o, 0], weights[o, 1], weights[o, 2]
            for x in range(p):
                u, v, w = metagenes[0, x], metagenes[1, x], metagenes[2, x]
                out[i, x] = a * u + b * v + c * w
                out[o, x] = e * u + f * v + g * w
        for j in range(rest, k, 4):
            a, b = weights[i, j], weights[i, j + 1]
            c, d = weights[i, j + 2], weights[i, j + 3]
            e, f = weights[o, j], weights[o, j + 1]
            g, h = weights[o, j + 2], weights[o, j + 3]
            for x in range(p):
                u, v = metagenes[j, x], metagenes[j + 1, x]
                w, z = metagenes[j + 2, x], metagenes[j + 3, x]
                out[i, x] += (a * u + b * v) + (c * w + d * z)
                out[o, x] += (e * u + f * v) + (g * w + h * z)
    for i in range(2 * half, q):
        mix(weights[i], metagenes, out[i])


@kernel(error_model="numpy")
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


@kernel(error_model="numpy")
def model_row(
    i: int,  # IN
    coefficients: Matrix,  # IN (k, n)
    metagenes: Matrix,  # IN (k, m)
    row: Matrix,  # OUT (m,): the model of item i
) -> None:
    """Mix the metagenes with the coefficients of one item."""
    k = len(metagenes)
    weights = np.empty(k, metagenes.dtype)
    for j in range(k):
        weights[j] = coefficients[j, i]
    mix(weights, metagenes, row)


@kernel(error_model="numpy")
def squared_error(
    values: Matrix,  # IN (n, m)
    coefficients: Matrix,  # IN (k, n)
    metagenes: Matrix,  # IN (k, m)
) -> float:
    """Sum the squared entries of the residual itself, so that nothing cancels."""
    n, m = values.shape
    model = np.empty(m, values.dtype)
    squares = np.zeros(m)
    for i in range(n):
        model_row(i, coefficients, metagenes, model)
        for x in range(m):
            gap = values[i, x] - model[x]
            squares[x] += gap * gap
    return float(squares.sum())


@kernel(error_model="numpy")
def residual(
    values: Matrix,  # IN (n, m)
    coefficients: Matrix,  # IN (k, n)
    metagenes: Matrix,  # IN (k, m)
    out: Matrix,  # OUT (n, m)
) -> None:
    """Subtract the model from the data."""
    n, m = values.shape
    for i in range(n):
        model_row(i, coefficients, metagenes, out[i])
        for x in range(m):
            out[i, x] = values[i, x] - out[i, x]
