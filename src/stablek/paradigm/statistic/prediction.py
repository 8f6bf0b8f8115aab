"""Prediction strength: how well one part predicts the clusters of the other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.kernels.contingency import contingency
from stablek.paradigm.cube import PartitionCube

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class PredictionStrength:
    r"""The share of pairs that stay together, in the cluster where it is smallest.

    Role 0 holds the labels that a classifier predicts for a part, role 1 the clusters
    found in that part itself. With :math:`n_{cd}` items of cluster c predicted as d,

    .. math:: ps = \min_c \frac{\sum_d n_{cd} (n_{cd} - 1)}{n_c (n_c - 1)}

    A cluster of one item has no pair and counts 0. Collected as scores of shape
    (repeats, ks).

    References
    ----------
    Tibshirani, Walther (2005), J. Computational and Graphical Statistics 14, 511-528,
    Eq. 2.1.
    """

    gives = "scores"
    roles = 2
    original = False

    def collect(self, cube: PartitionCube, data: Dataset) -> Scores:
        """Return the prediction strength of every repeat and k."""
        scores = np.full(cube.filled.shape, np.nan)
        for repeat, column in np.argwhere(cube.filled):
            predicted, own = cube.labels[repeat, column, :2]
            held = own != cube.missing
            scores[repeat, column] = strength(
                contingency(
                    own[held].astype(np.int64), predicted[held].astype(np.int64)
                )
            )
        return scores


def strength(table: NDArray[np.int64]) -> float:
    """Return the prediction strength of a table: clusters in rows, predicted across.

    Examples
    --------
    >>> strength(np.array([[3, 1], [0, 4]]))
    0.5
    """
    size = table.sum(axis=1)
    size, table = size[size > 0], table[size > 0]
    kept = (table * (table - 1)).sum(axis=1)
    pairs = size * (size - 1)
    return float(np.where(pairs > 0, kept / np.maximum(pairs, 1), 0.0).min())
