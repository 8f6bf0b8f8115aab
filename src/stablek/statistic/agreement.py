"""How far two partitions of a repeat agree, by an external index."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.cube import PartitionCube
from stablek.data import Dataset
from stablek.indices import OF_SUMS, index
from stablek.kernels.contingency import agreement_sums, contingency

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Agreement:
    """The external index of roles 0 and 1, on the items both of them hold.

    Collected as scores of shape (repeats, ks); NaN where a repeat is missing.
    """

    index: str = "fm"
    gives = "scores"
    roles = 2
    original = False

    def __post_init__(self) -> None:
        index(self.index)

    def collect(self, cube: PartitionCube, data: Dataset) -> Scores:
        """Return the index for every repeat and k."""
        del data
        scores = np.full(cube.filled.shape, np.nan)
        done = np.argwhere(cube.filled)
        if self.index in OF_SUMS:
            pairs = cube.labels[cube.filled]
            sums = agreement_sums(
                np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
            ).astype(np.float64)
            n = sums[:, 3]
            both, first, second = ((sums[:, i] - n) / 2 for i in range(3))
            found = OF_SUMS[self.index](both, first, second, n * (n - 1) / 2)
            scores[cube.filled] = found
            return scores
        compare = index(self.index)
        for repeat, column in done:
            first, second = cube.labels[repeat, column, :2]
            scores[repeat, column] = compare(contingency(first, second))
        return scores
