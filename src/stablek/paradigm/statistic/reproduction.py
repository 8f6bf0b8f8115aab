"""How far the partitions of two subsamples agree, where no k tells their size."""

from dataclasses import dataclass

import numpy as np

from stablek.data import Dataset
from stablek.kernels.contingency import agreement_sums
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.indices import adjusted_rand_of
from stablek.paradigm.statistic.agreement import Scores
from stablek.paradigm.statistic.comembership import CoMembership, PairCounts


@dataclass(frozen=True)
class Reproduced:
    """What :class:`Reproduction` collects, for every setting."""

    agreement: Scores
    clusters: Scores
    pairs: PairCounts


@dataclass(frozen=True)
class Reproduction:
    r"""How far repeats agree, two by two, and how many clusters each of them has.

    .. math:: S_h = R_A(P_{2h}, P_{2h+1})

    Repeats 1 and 2, 3 and 4 and so on are compared on the items both hold, by the
    adjusted Rand index: pairs of repeats that share none are independent, so that the
    spread gives a standard error. A partition with one cluster, or with every item
    alone, reproduces no cluster, and its agreement counts as 0.

    References
    ----------
    Ben-Hur, Elisseeff, Guyon (2002), Pacific Symposium on Biocomputing 7, 6-17.
    """

    gives = "reproduced"
    roles = 1
    original = False

    def memory(self, n: int, repeats: int, ks: int, threads: int) -> int:
        """Return the bytes of the counts of pairs while they are made."""
        return CoMembership().memory(n, repeats, ks, threads)

    def collect(self, cube: PartitionCube, data: Dataset) -> Reproduced:
        """Return agreements, numbers of clusters, and counts of pairs."""
        return Reproduced(
            agreement_two_by_two(cube),
            numbers_of_clusters(cube),
            CoMembership(cophenetic=False).collect(cube, data),
        )


def agreement_two_by_two(cube: PartitionCube) -> Scores:
    """Return the adjusted Rand index of repeats 0 and 1, 2 and 3 ..., at every k."""
    half = cube.repeats // 2
    done = cube.filled[: 2 * half : 2] & cube.filled[1 : 2 * half : 2]
    first = np.ascontiguousarray(cube.labels[: 2 * half : 2, :, 0][done])
    second = np.ascontiguousarray(cube.labels[1 : 2 * half : 2, :, 0][done])
    sums = agreement_sums(first, second).astype(np.float64)
    n = sums[:, 3]
    both, one, other = ((sums[:, i] - n) / 2 for i in range(3))
    pairs = n * (n - 1) / 2
    trivial = (one == 0) | (one == pairs) | (other == 0) | (other == pairs)
    scores = np.full(done.shape, np.nan)
    scores[done] = np.where(trivial, 0.0, adjusted_rand_of(both, one, other, pairs))
    return scores


def numbers_of_clusters(cube: PartitionCube) -> Scores:
    """Return how many clusters every repeat has at every k; NaN where it failed."""
    numbers = np.full(cube.filled.shape, np.nan)
    for repeat, place in np.argwhere(cube.filled):
        labels = cube.labels[repeat, place, 0]
        numbers[repeat, place] = len(np.unique(labels[labels != cube.missing]))
    return numbers
