"""How far apart the clusters of a partition lie."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.kernels.separations import separations
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.dispersion import refuse_distances

Columns = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Separation:
    r"""The separation of the closest two clusters, at every k.

    Two clusters are compared on the axis that tells them apart (Fisher's discriminant),
    with S the pooled covariance within them, and a ridge l:

    .. math:: J = \min_{a < b} \frac{|m_b - m_a|}{s_a + s_b}, \qquad
        w_{ab} = (S + l I)^{-1} (\mu_b - \mu_a)

    where m and s are means and standard deviations along w. ``valley`` is the density
    between two over the lower of their two peaks, the largest over all pairs (0:
    nothing lies between; 1: no valley); ``smallest`` is the size of the smallest
    cluster. Collected as columns, means over the repeats.

    References
    ----------
    Fisher (1936), Annals of Eugenics 7, 179-188. Qiu, Joe (2006), J. Classification 23,
    315-334 (separation index).
    """

    valleys: bool = True
    gives = "columns"
    roles = 1
    original = False
    needs_values = True

    def collect(self, cube: PartitionCube, data: Dataset) -> Columns:
        """Return the columns ``separation``, ``valley`` and ``smallest``."""
        refuse_distances(data)
        values = np.asarray(data.values, dtype=np.float64)
        names = ("separation", "valley", "smallest")
        columns = {name: np.full(len(cube.ks), np.nan) for name in names}
        for place, k in enumerate(cube.ks):
            rows = []
            for labels in cube.of_k(k):
                part = labels.astype(np.int64)
                gap, valley = separations(values, part, valleys=self.valleys)
                least = int(np.bincount(part).min())
                deep = valley.max() if self.valleys else np.nan
                # One cluster alone is separated from nothing.
                near = gap.min() if len(gap) > 1 else 0.0
                rows.append((near, deep, least))
            for name, value in zip(names, np.mean(rows, axis=0), strict=True):
                columns[name][place] = value
        return columns
