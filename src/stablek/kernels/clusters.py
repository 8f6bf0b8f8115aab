"""How many clusters a partition has."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.jit import kernel
from stablek.kernels.tier import Tier


@kernel
def _count(
    labels,  # IN (P, n)
    missing,  # IN  the label of an item that was not drawn
    last,  # scratch (missing + 1,), -1 on entry
    counts,  # OUT (P,), zeros on entry
):
    """Count the different labels of each partition."""
    for row in range(labels.shape[0]):
        for i in range(labels.shape[1]):
            label = labels[row, i]
            if label != missing and last[label] != row:
                last[label] = row
                counts[row] += 1


_counted = Tier(_count, step=10_000)  # one partition


def clusters_in_each(labels: NDArray[Any], missing: int) -> NDArray[np.int64]:
    """Count the different labels of each partition.

    Parameters
    ----------
    labels : ndarray of unsigned int, shape (..., n)
    missing : int
        The label of an item that was not drawn.

    Examples
    --------
    >>> clusters_in_each(np.array([[0, 2, 2, 255]], np.uint8), 255)
    array([2])
    """
    shape = labels.shape[:-1]
    rows = labels.reshape(-1, labels.shape[-1])
    counts = np.zeros(len(rows), np.int64)
    if _counted.pays(len(rows)):
        last = np.full(missing + 1, -1)
        _count(rows, missing, last, counts)
    else:
        for place, row in enumerate(rows):
            counts[place] = np.count_nonzero(np.bincount(row[row != missing]))
    return counts.reshape(shape)
