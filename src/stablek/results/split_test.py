"""p-values of markers that can be believed: from a split by items and columns.

Clusters found in some values make these values differ between them, whether there are
clusters or not. So no value is used twice here: items and columns are split in halves;
one half of the items is clustered by one half of the columns; the other items get the
nearest of these clusters by the same columns; and only there, in the columns that had
no say, is the difference tested. All four ways of doing so are used.

What such a p-value tells is that a column goes with the division seen in *other*
columns. Columns that vary together along one gradient do so without any clusters:
whether there are clusters at all is the verdict's question, not this one's.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from scipy.special import ndtr

from stablek.data import Dataset
from stablek.data.seeds import Streams
from stablek.kernels.ranks import column_ranks
from stablek.paradigm.cluster import kmeans_w
from stablek.paradigm.indices import contingency
from stablek.results.rank_shifts import contrasts

Floats = NDArray[np.float64]
Labels = NDArray[np.integer[Any]]

#: At most so many items are used, drawn at random.
LARGEST = 2000


def split_p_values(values: NDArray[Any], partition: Labels, streams: Streams) -> Floats:
    """Return p-values of every column for every cluster, corrected over the columns.

    The clusters 0 .. k - 1 of a split are named after those of ``partition`` that they
    resemble. Each p-value, shape (k, m), is the smaller of two (one per half of the
    items), doubled, then adjusted by Benjamini and Hochberg over the columns; it is 1
    where a cluster was not found.

    References
    ----------
    Mann, Whitney (1947), Annals of Mathematical Statistics 18, 50-60. Benjamini,
    Hochberg (1995), J. Royal Statistical Society B 57, 289-300.
    """
    n, m = values.shape
    k = int(partition.max()) + 1
    smallest = np.ones((k, m))
    if m < 2 or n < 4 * k or k < 2:
        return smallest
    rows = np.sort(streams("rows").permutation(n)[:LARGEST])
    rows = streams("items").permutation(rows)
    columns = streams("columns").permutation(m)
    halves = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    sides = columns[: m // 2], columns[m // 2 :]
    for a, b in (halves, halves[::-1]):
        for seen, unseen in (sides, sides[::-1]):
            carried = _carried(values[np.ix_(a, seen)], values[np.ix_(b, seen)], k)
            named = _named(carried, partition[b], k)
            p = rank_p_values(values[np.ix_(b, unseen)], named, k)
            smallest[:, unseen] = np.minimum(smallest[:, unseen], 2 * p)
    return np.array([benjamini_hochberg(row) for row in np.minimum(smallest, 1.0)])


def rank_p_values(values: NDArray[Any], partition: Labels, k: int) -> Floats:
    """Return two-sided p-values of Mann and Whitney's test, each cluster with the rest.

    By the normal approximation with the variance that ties leave: with u the ranks over
    n, Var(AUC) = n sum (u - mean)^2 / ((n - 1) n_in n_out).
    """
    known = partition >= 0
    ranks = column_ranks(values[known]).astype(np.float64)
    inside = partition[known]
    n = len(inside)
    shift = contrasts(inside, k).astype(np.float64) @ ranks
    squares = ((ranks - ranks.mean(axis=0)) ** 2).sum(axis=0)
    many = np.bincount(inside, minlength=k)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(n * squares / ((n - 1) * many * (n - many)))
        p: Floats = 2 * ndtr(-np.abs(shift) / spread)
    return np.nan_to_num(p, nan=1.0)


def benjamini_hochberg(p: Floats) -> Floats:
    """Return p-values adjusted for the false discovery rate.

    Examples
    --------
    >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.04, 0.04]
    """
    order = np.argsort(p)[::-1]
    steps = len(p) / np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum.accumulate(np.minimum(p[order] * steps, 1.0))
    return adjusted


def _carried(values: Floats, others: Floats, k: int) -> Labels:
    """Return the clusters of other items, by the nearest mean of these."""
    data = Dataset(np.ascontiguousarray(values, dtype=np.float64))
    labels = kmeans_w().partitions(data.whole(), [k], Streams(0))[0]
    means = np.array([values[labels == c].mean(axis=0) for c in range(k)])
    return cdist(others, means).argmin(axis=1)


def _named(labels: Labels, partition: Labels, k: int) -> Labels:
    """Return the clusters found, called as the ones they share most items with."""
    from scipy.optimize import linear_sum_assignment

    table = np.zeros((k, k))
    table[np.ix_(np.unique(labels), np.unique(partition))] = contingency(
        labels, partition
    )
    rows, names = linear_sum_assignment(-table)
    place = np.empty(k, dtype=np.int64)
    place[rows] = names
    return place[labels]
