"""Regions that enclose the data, for null models that place items at random."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Matrix
from stablek.errors import InputError

#: Convex hulls of more columns than this take too long and hold hardly any volume.
HULL_COLUMNS = 6


def enclosing_ball(values: Matrix, steps: int = 1000) -> tuple[NDArray[Any], float]:
    """Return centre and radius of a ball that holds all items, nearly the smallest.

    The centre steps towards the farthest item by 1/(i + 1) of the way.
    """
    points = np.asarray(values, dtype=np.float64)
    centre = points.mean(axis=0)
    for i in range(1, steps + 1):
        away = points - centre
        centre = centre + away[np.einsum("ij,ij->i", away, away).argmax()] / (i + 1)
    away = points - centre
    return centre, math.sqrt(np.einsum("ij,ij->i", away, away).max())


def hull_simplices(values: Matrix) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return simplices that fill the convex hull, and their volumes up to a factor."""
    from scipy.spatial import Delaunay, QhullError

    n, m = values.shape
    if m == 1:
        return np.array([[[values.min()], [values.max()]]], float), np.ones(1)
    if m > HULL_COLUMNS:
        raise InputError(
            f"the convex hull of {m} columns cannot be computed; use ps-hull with at "
            f"most {HULL_COLUMNS} columns (reduce them first) or the null model pc"
        )
    try:
        corners = np.asarray(values, float)[Delaunay(values).simplices]
    except (QhullError, ValueError):
        raise InputError(
            f"the {n} items do not fill {m} dimensions, so their convex hull has no "
            "volume; use the null model pc"
        ) from None
    return corners, np.abs(np.linalg.det(corners[:, 1:] - corners[:, :1]))


def null_values(data: Dataset, name: str) -> Matrix:
    """Return the values that a null model keeps something of; refuse distances."""
    if data.precomputed:
        raise InputError(
            f"the null model '{name}' needs the items' values, but the input is a "
            "distance matrix, for which only 'graph' (its entries in random order) is "
            "defined"
        )
    return data.values
