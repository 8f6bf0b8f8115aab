"""Labels of a partition: how many clusters there are, and their numbers."""

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
    """Count the different labels of each partition; ``missing`` is that of no cluster.

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


def compact(labels: Any) -> NDArray[np.int64]:
    """Return labels of any kind as numbers 0, 1, ... without gaps, in their order.

    Examples
    --------
    >>> compact([7, 3, 7]).tolist()
    [1, 0, 1]
    """
    codes = np.unique(np.asarray(labels), return_inverse=True)[1]
    return codes.astype(np.int64)


def by_first_appearance(labels: NDArray[Any]) -> NDArray[np.intp]:
    """Return labels numbered from 0 in the order in which they appear.

    Examples
    --------
    >>> by_first_appearance(np.array([4, 2, 4, 0])).tolist()
    [0, 1, 0, 2]
    """
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes]
