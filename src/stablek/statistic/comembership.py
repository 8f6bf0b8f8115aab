"""How often two items fall together: the connectivity and consensus statistics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.cube import PartitionCube
from stablek.data import Dataset
from stablek.kernels.comembership import pair_histogram


@dataclass(frozen=True)
class PairCounts:
    """Counts over pairs of items, enough for every function of the values M(i, j).

    Parameters
    ----------
    ks
        The numbers of clusters.
    drawn, together
        For each k, over its distinct values: in how many repeats the pair was drawn
        together, and in how many of those it fell together. M = together / drawn.
    weight
        For each k: how many pairs have these two counts.
    never
        For each k: how many pairs were never drawn together.
    shares
        Shape (repeats, ks): the share of the drawn pairs that fall together, in each
        repeat. Its spread over repeats gives the error of the area.
    """

    ks: tuple[int, ...]
    drawn: tuple[NDArray[np.int64], ...]
    together: tuple[NDArray[np.int64], ...]
    weight: tuple[NDArray[np.int64], ...]
    never: NDArray[np.int64]
    shares: NDArray[np.float64]


@dataclass(frozen=True)
class CoMembership:
    """For each pair, in how many repeats it was drawn and fell together.

    Only the histogram of the counts is kept, never a matrix per k: n = 2329 items and
    29 ks would need 1.2 GB.
    """

    gives = "pairs"
    roles = 1
    original = False

    def collect(self, cube: PartitionCube, data: Dataset) -> PairCounts:
        """Return the histogram of the pairs' counts, for every k."""
        del data
        drawn, together, weight, never = [], [], [], []
        for k in cube.ks:
            counts = pair_histogram(np.ascontiguousarray(cube.of_k(k)))
            never.append(int(counts[0].sum()))
            d, t = np.nonzero(counts[1:])
            drawn.append(d + 1)
            together.append(t)
            weight.append(counts[1:][d, t])
        return PairCounts(
            cube.ks,
            tuple(drawn),
            tuple(together),
            tuple(weight),
            np.asarray(never, dtype=np.int64),
            shares_together(cube),
        )


def shares_together(cube: PartitionCube, role: int = 0) -> NDArray[np.float64]:
    """Return the share of drawn pairs that fall together, per repeat and k.

    It needs the sizes of the clusters only: sum n_c (n_c - 1) / (n' (n' - 1)).
    """
    shares = np.full(cube.filled.shape, np.nan)
    width = max(cube.ks) + 1
    for column in range(len(cube.ks)):
        done = np.flatnonzero(cube.filled[:, column])
        labels = cube.labels[done, column, role].astype(np.int64)
        labels[labels == cube.missing] = width - 1
        flat = (labels + width * np.arange(len(done))[:, None]).ravel()
        sizes = np.bincount(flat, minlength=width * len(done)).reshape(-1, width)
        sizes = sizes[:, :-1].astype(np.float64)
        n = sizes.sum(axis=1)
        shares[done, column] = (sizes * (sizes - 1)).sum(axis=1) / (n * (n - 1))
    return shares
