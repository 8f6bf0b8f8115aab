"""Checks of the input, made once when it arrives: numbers, and distances."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError, advice

Matrix = NDArray[np.floating[Any]]


def check(array: Matrix, facts: Mapping[str, Any], fewest: int = 3) -> None:
    """Refuse values that no measure can use, naming the first bad one."""
    if array.shape[0] < fewest:
        raise InputError(
            f"{array.shape[0]} row(s): at least 3 items are needed to look for groups"
        )
    if array.shape[1] < 1:
        raise InputError("no column: every item needs at least one value")
    sizes = {"ids": 0, "classes": 0, "columns": 1}
    for name, axis in sizes.items():
        given, wanted = facts.get(name), array.shape[axis]
        if given is not None and len(given) not in (0, wanted):
            what = "columns" if axis else "rows"
            raise InputError(
                f"{len(given):,} {name} for {wanted:,} {what}; give one for each"
            )
    low, high = float(array.min()), float(array.max())
    if not np.isfinite([low, high]).all():
        bad = ~np.isfinite(array)
        row, column = (int(i) for i in np.argwhere(bad)[0])
        where = f"row {_named(facts, 'ids', row)}, column "
        where += _named(facts, "columns", column, quote="'")
        raise InputError(
            f"{int(bad.sum())} value(s) of X are NaN or infinite; the first is at "
            f"{where}. Fill or drop them first{advice(' (--missing)', '')}"
        )
    # Squares of the values are summed; beyond this they overflow float64.
    largest = max(-low, high)
    if largest > 1e150:
        raise InputError(
            f"values up to {largest:.3g} overflow squared distances; divide them by a "
            "constant first, which changes no partition"
        )
    if facts.get("precomputed"):
        check_distances(array)
        return
    # Nor may the square of their last digit fall out of float64: groups that are plain
    # to see would be gone, and the answer none.
    spread = float(np.ptp(array, axis=0).max())
    if 0 < spread < 1e-130:
        raise InputError(
            f"differences of at most {spread:.3g} vanish in squared distances; "
            "multiply the values by a constant first, which changes no partition"
        )


def _named(facts: Mapping[str, Any], kind: str, place: int, quote: str = "") -> str:
    """Return the name of a row or column, or its number where it has none."""
    names = facts.get(kind)
    if names is None or len(names) == 0:
        return str(place)
    return f"{quote}{names[place]}{quote}"


def check_distances(array: Matrix) -> None:
    """Refuse a distance matrix that is not square, symmetric and non-negative."""
    if array.shape[0] != array.shape[1]:
        raise InputError(
            "a distance matrix must be square; this one is "
            f"{array.shape[0]} x {array.shape[1]}"
        )
    if not np.array_equal(array, array.T):
        row, column = (int(i) for i in np.argwhere(array != array.T)[0])
        raise InputError(
            f"the distance matrix is not symmetric: entry ({row}, {column}) is "
            f"{array[row, column]:.9g}, ({column}, {row}) is {array[column, row]:.9g}"
        )
    if array.min() < 0 or np.diag(array).any():
        raise InputError(
            "a distance matrix has a zero diagonal and no negative entry; if yours "
            "holds similarities, "
            + advice("use --metric similarity", "pass S.max() - S instead")
        )


def symmetrize(distances: Matrix) -> Matrix:
    """Return a distance matrix without what rounding has left in it.

    Both halves become their mean, and entries of the diagonal and those below zero
    become zero, where that changes no entry by more than a rounding error of squared
    distances does. Anything else is returned as it is, for :func:`check` to tell.

    Examples
    --------
    >>> symmetrize(np.array([[0.0, 2.0], [2.0000000000000004, 1e-16]])).tolist()
    [[0.0, 2.0], [2.0, 0.0]]
    >>> symmetrize(np.array([[0.0, 2.0], [3.0, 0.0]])).tolist()
    [[0.0, 2.0], [3.0, 0.0]]
    """
    if distances.shape[0] != distances.shape[1]:
        return distances
    whole = np.array_equal(distances, distances.T) and not np.diag(distances).any()
    if whole and distances.min() >= 0:
        return distances
    made = np.maximum(mean_of_halves(distances), 0.0)
    np.fill_diagonal(made, 0.0)
    return made if nearly_equal(distances, made) else distances


def mean_of_halves(square: Matrix) -> Matrix:
    """Return a matrix that is symmetric up to rounding as an exactly symmetric one."""
    if np.array_equal(square, square.T):
        return square
    made = square / 2 + square.T / 2
    return made if nearly_equal(square, made) else square


def nearly_equal(first: Matrix, second: Matrix) -> bool:
    """Tell whether two matrices are the same up to rounding.

    A squared distance has an error of eps times the largest square, so that of a small
    distance is up to sqrt(eps) times the largest one. Numbers of float64 may have been
    computed as float32.
    """
    largest = np.abs(first).max()
    if not np.isfinite(largest):
        return False
    with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinite
        short = np.array_equal(first.astype(np.float32), first)
    kind = np.float32 if short else first.dtype
    allowed = np.sqrt(np.finfo(kind).eps) * largest
    return bool(np.abs(first - second).max() <= allowed)
