"""How far a column of annotations goes with a partition: numbers in place of words."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from stablek.kernels.distances import average_ranks

Floats = NDArray[np.float64]
Codes = NDArray[np.integer[Any]]
Table = NDArray[Any]


def mutual_information(table: Table) -> Floats:
    """Return the mutual information of contingency tables, in nats.

    MI = sum_ij n_ij / n log(n n_ij / (n_i. n_.j)); ``table`` has shape (..., R, C).
    """
    counts = np.asarray(table, dtype=np.float64)
    n = counts.sum(axis=(-2, -1))
    cells = _x_log_x(counts).sum(axis=(-2, -1))
    rows = _x_log_x(counts.sum(axis=-1)).sum(axis=-1)
    columns = _x_log_x(counts.sum(axis=-2)).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        information = (cells - rows - columns) / n + np.log(n)
    return np.maximum(np.where(n > 0, information, 0.0), 0.0)


def expected_information(rows: Codes, columns: Codes) -> float:
    """Return the mean mutual information of random partitions with these sizes.

    Under the hypergeometric model of a random table with given margins (Vinh, Epps,
    Bailey 2010, Eq. 24a). Sizes that occur more than once are computed once.
    """
    n = int(np.sum(rows))
    a, many_a = np.unique(np.asarray(rows)[np.asarray(rows) > 0], return_counts=True)
    b, many_b = np.unique(
        np.asarray(columns)[np.asarray(columns) > 0], return_counts=True
    )
    total = 0.0
    for one, times in zip(a.tolist(), many_a.tolist(), strict=True):
        for other, again in zip(b.tolist(), many_b.tolist(), strict=True):
            low, high = max(1, one + other - n), min(one, other)
            both = np.arange(low, high + 1, dtype=np.float64)
            chance = np.exp(
                gammaln(one + 1) + gammaln(other + 1)
                + gammaln(n - one + 1) + gammaln(n - other + 1)
                - gammaln(n + 1) - gammaln(both + 1) - gammaln(one - both + 1)
                - gammaln(other - both + 1) - gammaln(n - one - other + both + 1)
            )  # fmt: skip
            part = both / n * np.log(n * both / (one * other)) * chance
            total += times * again * float(part.sum())
    return total


def adjusted_information(table: Table) -> float:
    """Return the adjusted mutual information: 1 for the same partition, 0 by chance.

    AMI = (MI - E[MI]) / ((H(a) + H(b)) / 2 - E[MI]).

    References
    ----------
    Vinh, Epps, Bailey (2010), J. Machine Learning Research 11, 2837-2854.

    Examples
    --------
    >>> adjusted_information(np.array([[3, 0], [0, 3]]))
    1.0
    """
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    if (rows > 0).sum() == 1 and (columns > 0).sum() == 1:
        return 1.0
    expected = expected_information(rows, columns)
    entropy = (_entropy(rows) + _entropy(columns)) / 2
    below = entropy - expected
    if abs(below) < 1e-12:
        return 1.0 if entropy > 0 else 0.0
    value = (float(mutual_information(table)) - expected) / below
    return float(min(value, 1.0)) if value < 1 - 1e-12 else 1.0


def eta_squared(values: Floats, labels: Codes) -> float:
    """Return the share of the variance of ranks that lies between clusters.

    eta^2 = SS_between / SS_total of the ranks, which is H / (n - 1) with H of Kruskal
    and Wallis (1952): 0 none, 1 all.

    Examples
    --------
    >>> round(eta_squared(np.array([1.0, 2, 8, 9]), np.array([0, 0, 1, 1])), 2)
    0.8
    """
    ranks = centred_ranks(values)
    total = float(ranks @ ranks)
    return 0.0 if total == 0 else float(_between(ranks, labels[None])[0]) / total


def centred_ranks(values: Floats) -> Floats:
    """Return ranks less their mean."""
    row = np.asarray(values, dtype=np.float64)[None]
    return average_ranks(row)[0] - (len(values) + 1) / 2


def against_shuffles(
    codes: Codes | None, values: Floats | None, labels: Codes
) -> Callable[[NDArray[Any]], Floats]:
    """Return the statistic of a column under orders of the labels.

    The function takes orders of the items, shape (B, n), and returns the mutual
    information (categorical) or the variance of ranks between clusters (numeric) of
    the labels taken in each order; items that lack the column are left out.
    """
    if codes is not None:
        known = np.flatnonzero(codes >= 0)
        present, classes = np.unique(codes[known], return_inverse=True)
        wide, high = max(len(present), 1), int(labels.max()) + 1

        def information(orders: NDArray[Any]) -> Floats:
            cells = labels[orders[:, known]] * wide + classes
            cells += np.arange(len(orders))[:, None] * (wide * high)
            flat = np.bincount(cells.ravel(), minlength=len(orders) * wide * high)
            return mutual_information(flat.reshape(len(orders), high, wide))

        return information
    assert values is not None
    known = np.flatnonzero(np.isfinite(values))
    ranks = centred_ranks(values[known])
    return lambda orders: _between(ranks, labels[orders[:, known]])


def _between(ranks: Floats, labels: Codes) -> Floats:
    """Return the sums of squares between clusters of labels, shape (B, n)."""
    total = np.zeros(len(labels))
    for c in range(int(labels.max()) + 1):
        mine = labels == c
        total += (mine @ ranks) ** 2 / np.maximum(mine.sum(axis=1), 1)
    return total


def _x_log_x(values: Floats) -> Floats:
    positive = values > 0
    return np.where(positive, values * np.log(np.where(positive, values, 1)), 0)


def _entropy(counts: Codes) -> float:
    share = counts[counts > 0] / counts.sum()
    return float(-(share * np.log(share)).sum())
