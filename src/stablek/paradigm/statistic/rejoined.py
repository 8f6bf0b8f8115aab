"""How often pairs of the whole data's partition fall together again in a sample."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.kernels.contingency import agreement_sums
from stablek.paradigm.cube import PartitionCube


@dataclass(frozen=True)
class Rejoined:
    r"""The share of the original partition's pairs that fall together again.

    With :math:`P` the pairs that repeat h drew and that are together in the partition
    of the whole data, and :math:`P_h` those together in the partition of its sample,

    .. math:: S_h(k) = |P \cap P_h| / |P|

    Scores of shape (repeats, ks); NaN where a sample holds no such pair, so that the
    mean over repeats skips it.

    References
    ----------
    Thesis, section 3.3.2, the inner average of R^k. Levine, Domany (2001), Neural
    Computation 13, 2573-2593, Eqs. 2-3.
    """

    gives = "scores"
    roles = 1
    original = True

    def collect(self, cube: PartitionCube, data: Dataset) -> NDArray[np.float64]:
        """Return the share for every repeat and k."""
        assert cube.original is not None  # the engine fills it: `original` is true
        scores = np.full(cube.filled.shape, np.nan)
        for column in range(len(cube.ks)):
            done = cube.filled[:, column]
            again = np.ascontiguousarray(cube.labels[done, column, 0])
            whole = np.broadcast_to(cube.original[column], again.shape)
            sums = agreement_sums(np.ascontiguousarray(whole), again)
            both, first = sums[:, 0] - sums[:, 3], sums[:, 1] - sums[:, 3]
            share = np.full(len(both), np.nan)
            np.divide(both, first, out=share, where=first > 0)
            scores[done, column] = share
        return scores
