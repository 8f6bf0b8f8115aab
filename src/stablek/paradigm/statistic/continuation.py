"""What areas, PAC and counts of pairs would be with other repeats, like those seen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import stream
from stablek.kernels.weighted_pac import ambiguous_shares
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.comembership import (
    PairCounts,
    cells_of_pairs,
    without_never,
)

#: How many pairs are used, at most.
PAIRS = 2000
#: The same where only PAC is wanted. The repeats are then counted in blocks.
PAC_PAIRS, BLOCKS = 5000, 25


def weighted_areas(
    shares: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the areas, shape (weightings, ks), of repeats that are weighted."""
    known = np.isfinite(shares)
    # Not a product of BLAS: its last bits depend on its threads.
    sums = np.einsum("ch,hk->ck", weights, np.where(known, shares, 0.0))
    with np.errstate(invalid="ignore"):
        areas: NDArray[np.float64] = 1 - sums / np.einsum("ch,hk->ck", weights, known)
    return areas


def block_sizes(repeats: int) -> NDArray[np.int64]:
    """Return how many of the repeats are in each block.

    Examples
    --------
    >>> block_sizes(8)
    array([1, 1, 1, 1, 1, 1, 1, 1])
    >>> block_sizes(250).tolist() == [10] * 25
    True
    """
    blocks = min(BLOCKS, repeats)
    return np.diff(np.arange(blocks + 1) * repeats // blocks)


def weighted_pacs(
    cube: PartitionCube, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return PAC, shape (weightings, ks), of blocks of repeats that are weighted.

    ``weights`` has shape (weightings, blocks): the weight of each repeat of a block.
    """
    pairs = some_pairs(cube.n, PAC_PAIRS)
    ends = np.cumsum(block_sizes(cube.repeats))
    whole = np.rint(weights * 2.0**16)
    pacs = np.empty((len(weights), len(cube.ks)))
    for column in range(len(cube.ks)):
        labels = np.ascontiguousarray(cube.labels[:, column, 0])
        pacs[:, column] = ambiguous_shares(labels, ends, pairs, whole)
    return pacs


def some_pairs(n: int, most: int = PAIRS) -> NDArray[np.int64]:
    """Return at most so many pairs of different items, the same for the same n."""
    if n * (n - 1) // 2 <= most:
        return np.stack(np.triu_indices(n, 1), axis=1).astype(np.int64)
    rng = stream(0, "pairs to go on with", n)
    first = rng.integers(0, n, most)
    second = (first + rng.integers(1, n, most)) % n
    return np.stack([first, second], axis=1)


def continued_pairs(
    cube: PartitionCube, shares: NDArray[np.float64], times: NDArray[np.int64]
) -> Iterator[PairCounts]:
    """Yield the counts of some pairs, repeat h being taken ``times[c, h]`` times.

    The cophenetic correlation is not computed: NaN.
    """
    pairs = some_pairs(cube.n)
    drawn, together = [], []
    weights = times.astype(np.float64)
    for column in range(len(cube.ks)):
        labels = cube.labels[:, column, 0]
        first, second = labels[:, pairs[:, 0]], labels[:, pairs[:, 1]]
        both = (first != cube.missing) & (second != cube.missing)
        # Products of small whole numbers: exact, however BLAS orders its sums.
        drawn.append((weights @ both).astype(np.int64))
        together.append((weights @ (both & (first == second))).astype(np.int64))
    for c in range(len(times)):
        yield _counts(cube, shares, times[c], together, drawn, c)


def _counts(
    cube: PartitionCube,
    shares: NDArray[np.float64],
    times: NDArray[np.int64],
    together: list[NDArray[np.int64]],
    drawn: list[NDArray[np.int64]],
    c: int,
) -> PairCounts:
    found = []
    for some, all_drawn in zip(together, drawn, strict=True):
        cells = cells_of_pairs(some[c], all_drawn[c], int(times.sum()))
        found.append(without_never(cells))
    return PairCounts(
        cube.ks,
        tuple(row[0] for row in found),
        tuple(row[1] for row in found),
        tuple(row[2] for row in found),
        np.array([row[3] for row in found], dtype=np.int64),
        np.repeat(shares, times, axis=0),
        np.full(len(cube.ks), np.nan),
    )
