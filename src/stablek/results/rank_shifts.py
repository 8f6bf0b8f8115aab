"""How far the ranks of a cluster lie from those of the rest, for all columns at once.

A matrix product per block of columns: that is what makes 50,000 columns and every
subsample affordable.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.inputs import signed_labels
from stablek.kernels.ranks import column_ranks

Labels = NDArray[np.integer[Any]]

#: Entries of a block of columns.
BLOCK = 4_000_000

#: Shifts of clusters in subsamples that are held together, if one cluster has no more.
SHIFTS = 1 << 24


def contrasts(partition: Labels, k: int) -> NDArray[np.float32]:
    """Return weights whose product with ranks is the shift of each cluster.

    Row c holds 1 / n_c for the items of cluster c and -1 / (the number of others) for
    the others; zeros where either is empty. With u the ranks divided by n, the product
    is AUC - 1/2: the mean of u inside less the mean outside.

    Examples
    --------
    >>> contrasts(np.array([0, 0, 1, 2]), 3)[0].tolist()
    [0.5, 0.5, -0.5, -0.5]
    """
    inside = partition[None, :] == np.arange(k)[:, None]
    outside = ~inside & (partition >= 0)
    many, rest = inside.sum(1, keepdims=True), outside.sum(1, keepdims=True)
    both = (many > 0) & (rest > 0)
    weights = inside / np.maximum(many, 1) - outside / np.maximum(rest, 1)
    return np.where(both, weights, 0.0).astype(np.float32)


def matched_contrasts(
    partition: Labels, drawn: NDArray[Any] | None, k: int
) -> NDArray[np.float32]:
    """Return the contrasts of every cluster as it was found in every subsample.

    The cluster found is the one with the largest Jaccard coefficient.
    """
    if drawn is None or len(drawn) == 0:
        return np.zeros((0, len(partition)), np.float32)
    parts = []
    for labels in signed_labels(drawn):
        seen = (labels >= 0) & (partition >= 0)
        most = int(labels.max()) + 1
        table = np.zeros((k, most))
        np.add.at(table, (partition[seen], labels[seen]), 1)
        joint = table.sum(1, keepdims=True) + table.sum(0, keepdims=True) - table
        best = (table / np.maximum(joint, 1)).argmax(axis=1)
        each = contrasts(np.where(seen, labels, -1), most)
        lost = table.sum(axis=1) == 0
        parts.append(np.where(lost[:, None], np.float32(0), each[best]))
    return np.concatenate(parts)


def rank_shifts(
    values: NDArray[Any],
    weights: NDArray[np.float32],
    again: NDArray[np.float32] | None = None,
) -> NDArray[np.float32]:
    """Return the shift of ranks of every cluster, here and in subsamples."""
    rows = weights
    if again is not None and len(again):
        rows = np.concatenate([weights, again])
    shifts = np.empty((len(rows), values.shape[1]), np.float32)
    for block in _blocks(values.shape):
        ranks = column_ranks(values[:, block])
        if np.isnan(ranks).any():
            shifts[:, block] = _known_shifts(rows, ranks)
        else:
            shifts[:, block] = rows @ ranks
        del ranks  # before those of the next block are made
    return shifts


def cluster_blocks(k: int, repeats: int, m: int) -> Iterator[slice]:
    """Yield as many clusters at a time as have shifts that can be held.

    Examples
    --------
    >>> [(b.start, b.stop) for b in cluster_blocks(5, 1, SHIFTS // 4)]
    [(0, 2), (2, 4), (4, 5)]
    """
    size = max(1, SHIFTS // ((1 + repeats) * m))
    for first in range(0, k, size):
        yield slice(first, min(first + size, k))


def _known_shifts(
    rows: NDArray[np.float32], ranks: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the shifts where ranks are missing: each mean over the items known."""
    known = np.isfinite(ranks).astype(np.float32)
    filled = np.where(known > 0, ranks, np.float32(0))
    sides = []
    for side in (np.maximum(rows, 0), np.maximum(-rows, 0)):
        weight = side @ known
        with np.errstate(invalid="ignore", divide="ignore"):
            sides.append(np.where(weight > 0, (side @ filled) / weight, np.nan))
    return np.nan_to_num(sides[0] - sides[1])


def _blocks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Yield slices of columns with about as many entries each."""
    width = max(1, BLOCK // max(shape[0], 1))
    for start in range(0, shape[1], width):
        yield slice(start, min(start + width, shape[1]))
