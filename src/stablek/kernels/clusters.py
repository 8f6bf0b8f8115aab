"""How many clusters a partition has."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from stablek.kernels.jit import kernel


@kernel
def clusters_in_each(
    labels: NDArray[Any],  # IN (repeats, ks, roles, n): unsigned integers
    missing: int,  # IN: the label of an item that was not drawn
) -> NDArray[np.int64]:
    """Count the different labels of each partition: (repeats, ks, roles)."""
    counts = np.zeros(labels.shape[:3], np.int64)
    last = np.full(missing + 1, -1)  # the partition in which a label was seen last
    for number, at in enumerate(np.ndindex(counts.shape)):
        repeat, place, role = at
        for i in range(labels.shape[3]):
            label = labels[repeat, place, role, i]
            if label != missing and last[label] != number:
                last[label] = number
                counts[at] += 1
    return counts
