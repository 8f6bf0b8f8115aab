"""Squared distances as whole numbers of 2**-40 of the largest: their sums are exact."""

import math

import numpy as np

from stablek.kernels.jit import inner

#: Sums of so many whole numbers up to 2**40 are exact in double precision.
MOST = 4096
#: Distances closer than this share of the largest are not told apart, nor those closer
#: than a second share for each column; see :func:`tolerance`.
CLOSE, PER_COLUMN = 2.0**-36, 2.0**-42
#: What a coordinate may lose to rounding, with a reserve, and the largest tolerance.
ROUNDED, USELESS = 2.0**-48, 2.0**-20


@inner
def tolerance(
    largest,  # IN the largest squared distance
    columns,  # IN how many
    length,  # IN of an item, from the origin
):
    """Return how far apart two squared distances must be to be told apart for sure.

    In double precision a squared distance of items is off by (m + 2) 2**-53 of itself,
    or by 512 times as much where a column was taken away; as a whole number, by 2**-40
    of the largest. The other kernel's are off by what coordinates lose to rounding.
    """
    if not 1e-200 < largest < 1e200:
        return np.inf
    away = math.sqrt(largest)
    close = largest * (CLOSE + PER_COLUMN * (columns + 8))
    close += ROUNDED * away * (length + away)
    return close if close < USELESS * largest else np.inf


@inner
def whole_squares(
    distances,  # IN (n, n)
    rows,  # IN (s,)
    square,  # OUT (s, s), whole numbers up to 2**40
):
    """Write the squared distances among some items; return the largest, and a unit."""
    s = rows.size
    largest = 0.0
    for i in range(s):
        source = distances[rows[i]]
        target = square[i]
        for j in range(s):
            target[j] = source[rows[j]]
        for j in range(s):
            target[j] = target[j] * target[j]
            largest = target[j] if target[j] > largest else largest
    if not 1e-200 < largest < 1e200:
        return largest, 0.0
    scale = 2.0 ** (40.0 - math.ceil(math.log2(largest)))
    for i in range(s):
        target = square[i]
        for j in range(s):
            target[j] = np.rint(target[j] * scale)
    return largest, scale
