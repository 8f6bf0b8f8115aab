"""How often pairs were drawn and joined, as two tables of all pairs: for small work.

Plain NumPy, as `stablek.kernels.tier` explains; the counts are whole numbers, so all
that is made from them has the bits that the kernels give.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def pair_tables(labels: npt.NDArray[Any]) -> tuple[Counts, Counts]:
    """Return together and drawn for all pairs, each of shape (n, n).

    ``labels`` are of shape (H, n); the largest value of their type means "not drawn".

    Examples
    --------
    >>> together, drawn = pair_tables(np.array([[0, 0, 1], [0, 1, 255]], np.uint8))
    >>> together[0].tolist(), drawn[0].tolist()
    ([2, 1, 0], [2, 2, 1])
    """
    n = labels.shape[1]
    is_drawn = labels != np.iinfo(labels.dtype).max
    together = np.zeros((n, n), np.int64)
    for row, known in zip(labels, is_drawn, strict=True):
        together += (row[:, None] == row) & known[:, None]
    known = is_drawn.astype(np.float64)
    return together, (known.T @ known).astype(np.int64)


def histogram(labels: npt.NDArray[Any]) -> Counts:
    """Return what :func:`stablek.kernels.histogram.pair_histogram` returns."""
    together, drawn = pair_tables(labels)
    side = len(labels) + 1
    above = np.triu_indices(labels.shape[1], 1)
    cells = drawn[above] * side + together[above]
    return np.bincount(cells, minlength=side * side).reshape(side, side)


def consensus(labels: npt.NDArray[Any]) -> Floats:
    """Return what :func:`stablek.kernels.comembership.consensus_matrix` returns."""
    together, drawn = pair_tables(labels)
    matrix = np.full(drawn.shape, np.nan)
    np.divide(together, drawn, out=matrix, where=drawn > 0)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def item_means(
    labels: npt.NDArray[Any], partition: npt.NDArray[Any], items: npt.NDArray[Any]
) -> Floats:
    """Return what :func:`stablek.kernels.comembership.item_consensus` returns."""
    matrix = consensus(labels)
    k = int(partition.max()) + 1
    means = np.full((len(items), k), np.nan)
    for mean, i in zip(means, items, strict=True):
        met = ~np.isnan(matrix[i])
        met[i] = False
        count = np.bincount(partition[met], minlength=k)
        # bincount adds one after the other, as the kernel does.
        total = np.bincount(partition[met], matrix[i, met], minlength=k)
        np.divide(total, count, out=mean, where=count > 0)
    return means


def shares(labels: npt.NDArray[Any]) -> Floats:
    """Return what :func:`stablek.kernels.comembership.shares_of_pairs` returns.

    ``labels`` are of shape (P, n).
    """
    missing = np.iinfo(labels.dtype).max
    found = np.full(len(labels), np.nan)
    for place, row in enumerate(labels):
        sizes = np.bincount(row[row != missing])
        drawn = int(sizes.sum())
        if drawn > 1:
            found[place] = (sizes * (sizes - 1)).sum() / (drawn * (drawn - 1))
    return found
