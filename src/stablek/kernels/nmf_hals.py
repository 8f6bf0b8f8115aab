"""Non-negative factorisation: hierarchical alternating least squares (HALS).

Shapes and conventions are those of ``stablek.kernels.nmf``.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.jit import kernel
from stablek.kernels.nmf import gram, mix, project, wide

Matrix = NDArray[np.floating[Any]]

# Of 0.5, 0.7, 0.8 and 0.9, tried on eight matrices at ranks 3 to 30, only 0.5 never
# raised the objective over ten iterations; the others did nearly always.
SPEED = 0.5


@kernel(error_model="numpy")
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
    k = len(fixed)
    q, p = data.shape
    zero, one = data.dtype.type(0), data.dtype.type(1)
    least = np.finfo(data.dtype).tiny
    square = np.empty((k, wide(k)), data.dtype)
    top = np.empty((k, p), data.dtype)
    row = np.empty(p, data.dtype)
    gram(fixed, square)
    project(fixed, data, top)
    for _ in range(1 + (q + k) // (4 * k)):
        for j in range(k):
            if square[j, j] >= least:  # below it one over it may be infinite
                step = one / square[j, j]
                mix(square[j], moving, row)
                for x in range(p):
                    value = moving[j, x] + (top[j, x] - row[x]) * step
                    moving[j, x] = value if value > zero else zero


@kernel(error_model="numpy")
def extrapolate(
    new: Matrix,  # IN (k, p)
    last: Matrix,  # IN (k, p)
    speed: float,  # IN
    ahead: Matrix,  # OUT (k, p)
) -> None:
    """Continue in the direction from ``last`` to ``new`` while signs allow."""
    k, p = new.shape
    zero, share = new.dtype.type(0), new.dtype.type(speed)
    for j in range(k):
        for x in range(p):
            value = new[j, x] + share * (new[j, x] - last[j, x])
            ahead[j, x] = value if value > zero else zero


@kernel(error_model="numpy")
def assign(
    source: Matrix,  # IN (k, p)
    target: Matrix,  # OUT (k, p)
) -> None:
    """Copy entry by entry; numba compiles a loop much faster than ``[:] =``."""
    k, p = source.shape
    for j in range(k):
        for x in range(p):
            target[j, x] = source[j, x]


@kernel(error_model="numpy")
def hals_at(
    values: Matrix,  # IN (n, m)
    transposed: Matrix,  # IN (m, n)
    coefficients: Matrix,  # OUT (k, n)
    metagenes: Matrix,  # OUT (k, m)
    iterations: int,  # IN
    speed: float,  # IN
) -> None:
    """Run HALS; each iteration adds ``speed`` times the step of the last one.

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
