"""How compact the clusters are: functions of the partitions and of the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.cube import PartitionCube
from stablek.data import Dataset
from stablek.errors import InputError
from stablek.kernels.dispersion import within_ss


@dataclass(frozen=True)
class WithinSS:
    """WCSS(k): the squared distances of the items to their centroids, summed.

    Where the partitions are nested, as the cuts of a dendrogram are, the sum is updated
    along the merges instead of being computed anew. Scores of shape (repeats, ks).

    References
    ----------
    Thesis, section 2.2.1, equations for D_r and WCSS(k).
    """

    gives = "scores"
    roles = 1
    original = False

    def collect(self, cube: PartitionCube, data: Dataset) -> NDArray[np.float64]:
        """Return WCSS for every repeat and k."""
        if data.precomputed:
            msg = (
                "this measure needs the items' values, not distances between them; "
                "use fc, consensus or me with a distance matrix"
            )
            raise InputError(msg)
        scores = np.full(cube.filled.shape, np.nan)
        for repeat in range(cube.repeats):
            done = cube.filled[repeat]
            if done.any():
                labels = np.ascontiguousarray(cube.labels[repeat, done, 0])
                scores[repeat, done] = within_ss(data.values, labels)
        return scores
