"""The nearest neighbours of every item, from distances."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stablek.kernels.inputs import kernel_input
from stablek.kernels.jit import kernel
from stablek.kernels.tier import Tier

Items = npt.NDArray[np.int64]


@kernel
def _nearest(
    square,  # IN (n, n)
    near,  # OUT (n, count), the nearest other items, nearest first
):
    """Keep a short sorted list for every item while its row is read."""
    n, count = near.shape
    far = np.empty(count, np.float64)
    for i in range(n):
        row = square[i]
        known = 0
        for j in range(n):
            d = row[j]
            if j == i or (known == count and not d < far[count - 1]):
                continue
            known = min(known + 1, count)
            q = known - 1
            while q > 0 and far[q - 1] > d:
                far[q] = far[q - 1]
                near[i, q] = near[i, q - 1]
                q -= 1
            far[q] = d
            near[i, q] = j


_listed = Tier(_nearest, step=8.0)


def nearest_items(square: npt.NDArray[np.floating[Any]], count: int) -> Items:
    """Return the nearest other items of every item, shape (n, count), nearest first.

    Of items at equal distance the lower numbered comes first. ``count`` is below n.

    Examples
    --------
    >>> x = np.array([0.0, 1.0, 3.0, 7.0])
    >>> nearest_items(abs(x[:, None] - x), 2).tolist()
    [[1, 2], [0, 2], [1, 0], [2, 1]]
    """
    distances = kernel_input(square, np.float64)
    if _listed.pays(distances.size):
        near = np.empty((len(distances), count), np.int64)
        _nearest(distances, near)
        return near
    others = np.array(distances)
    np.fill_diagonal(others, np.inf)
    return others.argsort(axis=1, kind="stable")[:, :count].astype(np.int64)
