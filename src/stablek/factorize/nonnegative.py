"""Negative data: an error that names the remedies, and the two remedies."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stablek.errors import InputError, advice, unknown_name

Matrix = NDArray[np.float64]


def shift(values: ArrayLike) -> Matrix:
    """Return the values minus the smallest of them, if that one is negative.

    One constant for the whole matrix: distances between items do not change, and
    neither does the order of the values. Data without negative values are returned
    as they are. The constant becomes part of what is factorised, so metagenes share a
    common level and are less sparse than those of folded data.

    Examples
    --------
    >>> shift([[-1.0, 2.0], [0.0, 1.0]]).tolist()
    [[0.0, 3.0], [1.0, 2.0]]
    """
    plain = np.asarray(values, dtype=np.float64)
    return plain - min(0.0, float(plain.min()))


def fold(values: ArrayLike) -> Matrix:
    """Return positive and negative parts side by side, shape (n, 2 m).

    Column f becomes max(x, 0) in column f and max(-x, 0) in column m + f: over- and
    under-expression are two features. Data without negative values get m columns of
    zeros. Squared distances between items at most halve (x = 1 and x = -1 are 2 apart
    before, and sqrt(2) after) and never grow.

    References
    ----------
    Kim and Tidor (2003), Genome Research 13, 1706-1718, doi:10.1101/gr.903503.

    Examples
    --------
    >>> fold([[-1.0, 2.0]]).tolist()
    [[0.0, 2.0, 1.0, 0.0]]
    """
    plain = np.asarray(values, dtype=np.float64)
    return np.hstack([np.maximum(plain, 0.0), np.maximum(-plain, 0.0)])


#: The words a user types after ``--nonnegative``.
REMEDIES = {"shift": shift, "fold": fold}


def made_nonnegative(values: ArrayLike, remedy: str | None) -> Matrix:
    """Return the values after the remedy; without one, refuse negative values."""
    if remedy is None:
        return required(values)
    if remedy not in REMEDIES:
        raise unknown_name("remedy for negative values", remedy, REMEDIES)
    return REMEDIES[remedy](values)


def names_after(columns: Sequence[str], remedy: str | None) -> tuple[str, ...]:
    """Return the names of the columns after the remedy.

    Examples
    --------
    >>> names_after(["a", "b"], "fold")
    ('a+', 'b+', 'a-', 'b-')
    """
    if remedy != "fold":
        return tuple(columns)
    return tuple(f"{name}{sign}" for sign in "+-" for name in columns)


def required(values: Any) -> Matrix:
    """Return the values as float64, or say why they cannot be factorised."""
    plain = np.asarray(values, dtype=np.float64)
    if plain.ndim != 2 or 0 in plain.shape:
        raise InputError(
            f"a matrix (items, columns) is needed, not one of shape {plain.shape}"
        )
    low, high = float(plain.min()), float(plain.max())
    if not (np.isfinite(low) and np.isfinite(high)):
        raise InputError(
            "NaN or infinite values cannot be factorised; fill or drop them first"
        )
    if low < 0.0:
        row, column = (int(i) for i in np.argwhere(plain < 0.0)[0])
        raise InputError(
            f"{int((plain < 0.0).sum())} of {plain.size} values are negative, down to "
            f"{low:g} (the first in row {row}, column {column}), and non-negative "
            "matrix factorisation needs values of at least 0. Choose a remedy: "
            + advice("--nonnegative shift", "the algorithm 'nmf-a+shift'")
            + " (subtract the smallest value) or "
            + advice("--nonnegative fold", "'nmf-a+fold'")
            + " (positive and negative parts as two blocks of columns)"
        )
    if high == 0.0:
        raise InputError("all values are 0: there is nothing to factorise")
    if high > 1e150:
        raise InputError(
            f"values up to {high:.3g} overflow when squared; divide them by a constant "
            "first, which changes no partition"
        )
    return plain
