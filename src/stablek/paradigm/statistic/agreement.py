"""How far two partitions of a repeat agree, by an external index."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.kernels.contingency import agreement_sums, contingency
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.indices import OF_SUMS, index

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Agreement:
    r"""The external index of roles 0 and 1, on the items both of them hold.

    For the partitions P and Q of repeat h, restricted to their common items,

    .. math:: S_h(k) = I(P_h^k, Q_h^k)

    where I is an index of :mod:`stablek.paradigm.indices`.
    Collected as scores of shape (repeats, ks); NaN where a repeat is missing, or where
    the common items tell nothing: fewer than two, or at most half of a sample and in
    either partition all together or all apart. Among few items chance does that, and
    the agreement would be perfect.

    References
    ----------
    Thesis, section 3.2.2. Ben-Hur, Elisseeff, Guyon (2002), Pacific Symposium on
    Biocomputing 7, 6-17.
    """

    index: str = "fm"
    gives = "scores"
    roles = 2
    original = False

    def __post_init__(self) -> None:
        index(self.index)

    def collect(self, cube: PartitionCube, data: Dataset) -> Scores:
        """Return the index for every repeat and k."""
        pairs = cube.labels[cube.filled]
        sums = agreement_sums(
            np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
        ).astype(np.float64)
        n = sums[:, 3]
        both, first, second = ((sums[:, i] - n) / 2 for i in range(3))
        every = n * (n - 1) / 2
        if self.index in OF_SUMS:
            agreed = OF_SUMS[self.index](both, first, second, every)
        else:
            compare = index(self.index)
            agreed = np.array([compare(contingency(a, b)) for a, b in pairs[:, :2]])
        held = ((pairs[:, role] != cube.missing).sum(axis=1) for role in (0, 1))
        few = 2 * n <= np.minimum(*held)
        idle = _trivial(first, every) & _trivial(second, every) & (few | (n < 2))
        scores = np.full(cube.filled.shape, np.nan)
        scores[cube.filled] = np.where(idle, np.nan, agreed)
        return scores


def _trivial(together: Scores, every: Scores) -> NDArray[np.bool_]:
    """Tell whether a partition holds all pairs together, or none."""
    return (together == 0) | (together == every)
