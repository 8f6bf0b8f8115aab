"""How many clusters a partition has."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True, nogil=True)
def clusters_in_each(
    labels: NDArray[Any],  # IN (partitions, n): unsigned integers
    missing: int,  # IN: the label of an item that was not drawn
) -> NDArray[np.int64]:
    """Count the different labels in each row."""
    rows, n = labels.shape
    counts = np.zeros(rows, np.int64)
    last = np.full(missing + 1, -1)  # the row in which a label was seen last
    for row in range(rows):
        for i in range(n):
            label = labels[row, i]
            if label != missing and last[label] != row:
                last[label] = row
                counts[row] += 1
    return counts
