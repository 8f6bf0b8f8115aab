"""How often two items fall together: the connectivity and consensus statistics."""

from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.data.seeds import stream
from stablek.kernels.comembership import (
    all_pair_counts,
    consensus_distances,
    pair_counts,
    shares_of_pairs,
)
from stablek.kernels.histogram import cells_of, drawn_together, pair_histogram
from stablek.kernels.linkage import linkage
from stablek.machine.threads import in_threads
from stablek.paradigm.cube import PartitionCube

#: Up to this many items the cophenetic correlation is computed without being asked for:
#: it needs the consensus matrix and its dendrogram, for every k.
COPHENETIC_ITEMS = 500

#: Up to this many items every pair is counted; above, a sample of the pairs is, and
#: its Monte Carlo error is reported.
ALL_PAIRS_ITEMS = 10_000
SAMPLED_PAIRS = 500_000

#: Above so many cells (16 MB) a table of counts is not made for a few pairs.
LARGE_TABLE = 2_000_000

#: So many values of consensus matrices are made at once for the correlation: they stay
#: in the cache.
STACKED = 40_000

#: Below this many items one k is done before a second thread would have begun.
THREADED_ITEMS = 500

#: How many threads may work on one statistic. One, unless the engine says otherwise:
#: most statistics are computed inside workers that run side by side.
THREADS: ContextVar[int] = ContextVar("threads", default=1)

Counts = NDArray[np.int64]
Found = TypeVar("Found")


def each_of(work: Callable[[int], Found], ks: Sequence[int], n: int) -> Iterable[Found]:
    """Return the work's outcome at each k, in order; kernels let threads run."""
    if THREADS.get() < 2 or n < THREADED_ITEMS:
        return map(work, ks)

    def at(k: int, stop: object) -> tuple[int, Found]:
        del stop  # one k is soon done
        return k, work(k)

    by_k = dict(in_threads(iter(ks), at, THREADS.get()))
    return [by_k[k] for k in ks]


def threads_for(n: int, ks: int, threads: int) -> int:
    """Return on how many ks :func:`each_of` works at a time."""
    return 1 if n < THREADED_ITEMS else max(1, min(ks, threads))


def histogram_bytes(n: int, repeats: int) -> int:
    """Return the bytes of one k's histogram while it is made.

    Pairs that are listed take eight numbers each; a table of their counts is four
    tables and their sum, or one where pairs are sampled.

    Examples
    --------
    >>> histogram_bytes(1000, 6000), histogram_bytes(1000, 250)
    (31968000, 2520040)
    """
    table = 8 * (repeats + 1) ** 2
    pairs = n * (n - 1) // 2
    if n > ALL_PAIRS_ITEMS:
        return table + 8 * 8 * SAMPLED_PAIRS
    return 8 * 8 * pairs if is_sparse(pairs, repeats) else 5 * table


def is_sparse(pairs: int, repeats: int) -> bool:
    """Tell whether so few pairs would leave most of a large table of counts empty."""
    return (repeats + 1) ** 2 > max(8 * pairs, LARGE_TABLE)


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
    cophenetic
        For each k: the cophenetic correlation of the consensus matrix; NaN where it
        was not computed.
    sampled
        How many pairs were used, where not all of them were.
    """

    ks: tuple[int, ...]
    drawn: tuple[NDArray[np.int64], ...]
    together: tuple[NDArray[np.int64], ...]
    weight: tuple[NDArray[np.int64], ...]
    never: NDArray[np.int64]
    shares: NDArray[np.float64]
    cophenetic: NDArray[np.float64]
    sampled: int | None = None


@dataclass(frozen=True)
class CoMembership:
    r"""For each pair, in how many repeats it was drawn and fell together.

    :math:`I_h(i, j)` is 1 where repeat h drew both items, :math:`C_h(i, j)` where it
    also gave them one label:

    .. math:: M(i, j) = \frac{\sum_h C_h(i, j)}{\sum_h I_h(i, j)}

    Only the histogram of the counts is kept, never a matrix per k: n = 2329 items and
    29 ks would need 1.2 GB. The cophenetic correlation needs the matrix of one k at a
    time; ``cophenetic`` None computes it up to 500 items, True always, False never.

    References
    ----------
    Monti, Tamayo, Mesirov, Golub (2003), Machine Learning 52, 91-118, Eq. 1.
    """

    cophenetic: bool | None = None
    gives = "pairs"
    roles = 1
    original = False

    def memory(self, n: int, repeats: int, ks: int, threads: int) -> int:
        """Return the bytes of the histograms that are made at the same time."""
        return threads_for(n, ks, threads) * histogram_bytes(n, repeats)

    def collect(self, cube: PartitionCube, data: Dataset) -> PairCounts:
        """Return the histogram of the pairs' counts, for every k."""
        wanted = self.cophenetic
        if wanted is None:
            wanted = cube.n <= COPHENETIC_ITEMS
        some = sampled_pairs(cube.n) if cube.n > ALL_PAIRS_ITEMS else None
        pairs = cube.n * (cube.n - 1) // 2
        listed = some is not None or is_sparse(pairs, cube.repeats)
        draws = None if listed else draws_of_all(cube)

        def of_one(k: int) -> tuple[Counts, Counts, Counts, int]:
            labels = np.ascontiguousarray(cube.of_k(k))
            if not listed:
                return without_never(cells_of(pair_histogram(labels, draws)))
            counts = (
                all_pair_counts(labels) if some is None else pair_counts(labels, some)
            )
            return without_never(cells_of_pairs(*counts, len(labels)))

        drawn, together, weight, never = zip(
            *each_of(of_one, cube.ks, cube.n), strict=True
        )
        correlation = np.full(len(cube.ks), np.nan)
        if wanted:
            at_once = max(1, STACKED // cube.n**2)
            groups = range(0, len(cube.ks), at_once)

            def of_some(first: int) -> NDArray[np.float64]:
                some = cube.ks[first : first + at_once]
                labels = (np.ascontiguousarray(cube.of_k(k)) for k in some)
                apart = [*map(consensus_distances, labels)]
                # One matrix may be large: it is not copied.
                stack = apart[0][None] if len(apart) == 1 else np.stack(apart)
                return cophenetic_correlations(stack)

            correlation[:] = np.concatenate([*each_of(of_some, groups, cube.n)])
        return PairCounts(
            cube.ks,
            drawn,
            together,
            weight,
            np.asarray(never, dtype=np.int64),
            shares_together(cube),
            correlation,
            SAMPLED_PAIRS if cube.n > ALL_PAIRS_ITEMS else None,
        )


def cophenetic_correlations(apart: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how well average linkage keeps the distances d(i, j) = 1 - M(i, j).

    It is the correlation, over all pairs, of d(i, j) with the height at which i and j
    first meet in the dendrogram of d. For average linkage that height is the mean of d
    over the pairs that meet there, so cov(d, c) = var(c), and the correlation is
    sd(c) / sd(d): it follows from the merges alone, without the matrix of heights. 1
    for a matrix of zeros and ones made of blocks. Where all d are equal there is
    nothing to keep: 1. ``apart`` has the shape (matrices, n, n), and is spoilt.

    References
    ----------
    Thesis, section 3.3.1. Brunet, Tamayo, Golub, Mesirov (2004), PNAS 101, 4164-4169.
    Sokal, Rohlf (1962), Taxon 11, 33-40.

    Examples
    --------
    >>> import numpy as np
    >>> blocks = np.kron(np.eye(2), np.ones((3, 3)))
    >>> cophenetic_correlations(1 - blocks[None])
    array([1.])
    """
    n = apart.shape[1]
    pairs = n * (n - 1) / 2
    flat = apart.reshape(len(apart), n * n)
    mean = flat.sum(axis=1) / 2 / pairs  # the diagonal of 1 - M is zero
    spread = np.square(flat).sum(axis=1) / 2 / pairs - mean * mean
    correlations = np.ones(len(apart))
    some = np.flatnonzero(spread > 1e-15)
    if not len(some):
        return correlations
    merges = np.stack([linkage(apart[i], "average") for i in some])
    sizes = np.ones((len(some), 2 * n - 1))
    sizes[:, n:] = merges[:, :, 3]
    joined = merges[:, :, :2].astype(np.intp)
    each = np.arange(len(some))[:, None]
    meet = sizes[each, joined[:, :, 0]] * sizes[each, joined[:, :, 1]]
    heights = np.square(merges[:, :, 2])
    kept = (meet * heights).sum(axis=1) / pairs - mean[some] * mean[some]
    correlations[some] = np.sqrt(np.clip(kept / spread[some], 0.0, 1.0))
    return correlations


def sampled_pairs(n: int) -> NDArray[np.int64]:
    """Return SAMPLED_PAIRS pairs of different items, drawn at random, always the same.

    Which pairs are used depends on the number of items alone, not on the seed of
    a run, so that two runs are compared on the same pairs.
    """
    rng = stream(0, "pairs of items", n)
    first = rng.integers(0, n, SAMPLED_PAIRS)
    second = (first + rng.integers(1, n, SAMPLED_PAIRS)) % n
    return np.stack([first, second], axis=1)


def cells_of_pairs(together: Counts, drawn: Counts, repeats: int) -> Counts:
    """Return drawn, together and how many pairs have these, as for a histogram."""
    wide = repeats + 1
    codes = drawn * wide + together
    if is_sparse(len(codes), repeats):
        known, pairs = np.unique(codes, return_counts=True)
    else:
        table = np.bincount(codes)
        known = table.nonzero()[0]
        pairs = table[known]
    return np.array([known // wide, known % wide, pairs])


def without_never(cells: Counts) -> tuple[Counts, Counts, Counts, int]:
    """Return the cells of pairs drawn together, and how many pairs never were."""
    drawn, together, pairs = cells
    met = drawn > 0
    return drawn[met], together[met], pairs[met], int(pairs[~met].sum())


def draws_of_all(cube: PartitionCube) -> Counts | None:
    """Return how often pairs were drawn together, if that is the same for all ks."""
    labels = cube.labels[:, :, 0]
    absent = labels == cube.missing
    if not cube.filled.all() or (absent != absent[:, :1]).any():
        return None
    return drawn_together(np.ascontiguousarray(labels[:, 0]))


def shares_together(cube: PartitionCube) -> NDArray[np.float64]:
    """Return the share of drawn pairs that fall together, per repeat and k.

    It needs the sizes of the clusters only: sum n_c (n_c - 1) / (n' (n' - 1)). NaN for
    a partition that is not there.
    """
    return shares_of_pairs(cube.labels[:, :, 0])
