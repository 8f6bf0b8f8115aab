"""How compact the clusters are: functions of the partitions and of the data."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.errors import InputError
from stablek.kernels.dispersion import held_out_ss, within_ss
from stablek.paradigm.cube import PartitionCube


@dataclass(frozen=True)
class WithinSS:
    r"""WCSS(k): the squared distances of the items to their centroids, summed.

    .. math:: W(k) = \sum_{r=1}^{k} \sum_{i \in C_r} \lVert x_i - \bar x_r \rVert^2

    Where the partitions are nested, as the cuts of a dendrogram are, the sum is updated
    along the merges instead of being computed again. Scores of shape (repeats, ks).

    References
    ----------
    Thesis, section 2.2.1, equations for D_r and WCSS(k).
    """

    gives = "scores"
    roles = 1
    original = False
    needs_values = True

    def collect(self, cube: PartitionCube, data: Dataset) -> NDArray[np.float64]:
        """Return WCSS for every repeat and k."""
        refuse_distances(data)
        scores = np.full(cube.filled.shape, np.nan)
        for repeat in range(cube.repeats):
            done = cube.filled[repeat]
            if done.any():
                labels = np.ascontiguousarray(cube.labels[repeat, done, 0])
                scores[repeat, done] = within_ss(data.values, labels)
        return scores


@dataclass(frozen=True)
class HeldOut:
    r"""FOM(e, k): how well the clusters predict the column that was left out.

    .. math::
        \mathrm{FOM}(e, k) =
        \sqrt{\frac{1}{n} \sum_{r=1}^{k} \sum_{i \in C_r} (x_{ie} - \bar x_{re})^2}

    where the clusters :math:`C_r` were made without column e. Repeat r leaves out
    column r mod m, start r div m. Scores of shape (repeats, ks): one row per start and
    column.

    References
    ----------
    Thesis, section 2.2.3, equation for FOM(e, k). Yeung, Haynor, Ruzzo (2001),
    Bioinformatics 17, 309-318, Eq. 1.
    """

    gives = "columns"
    roles = 1
    original = False
    needs_values = True

    def collect(self, cube: PartitionCube, data: Dataset) -> NDArray[np.float64]:
        """Return FOM(e, k) for every repeat and k."""
        refuse_distances(data)
        scores = np.full(cube.filled.shape, np.nan)
        columns = np.ascontiguousarray(data.values.T, dtype=np.float64)
        for repeat in range(cube.repeats):
            done = cube.filled[repeat]
            if done.any():
                labels = np.ascontiguousarray(cube.labels[repeat, done, 0])
                squares = held_out_ss(columns[repeat % data.m], labels)
                scores[repeat, done] = np.sqrt(squares / data.n)
        return scores


def per_condition(cube: PartitionCube, data: Dataset) -> NDArray[np.float64]:
    """Return FOM(e, k) of each column, shape (starts, columns, ks), from a run's cube.

    With a result of fom or fom-r: ``per_condition(result.cube, result.data)``. Not
    adjusted: divide by sqrt((n - k) / n) to compare different ks.
    """
    scores = HeldOut().collect(cube, data)
    starts = len(scores) // data.m
    return scores[: starts * data.m].reshape(starts, data.m, -1)


def refuse_distances(data: Dataset) -> None:
    """Refuse a distance matrix: these statistics need the items' values."""
    if data.precomputed:
        raise InputError(
            "this measure needs the items' values, not distances between them; "
            "use fc, consensus or me with a distance matrix"
        )
