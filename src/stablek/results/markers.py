"""What sets a cluster apart: the columns in which it differs most from the rest.

Everything here is a function of values, a partition, and the partitions of subsamples,
so it serves our clusters and the classes a user brings alike.

There is no p-value per column. The clusters were found in these values, so every test
of the same values would call differences significant that clustering has made ("double
dipping"). What stands in its place is `stability`: in how many subsamples, each
clustered on its own, a column is again among the first. For a p-value that can be
believed see :mod:`stablek.results.split_test`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.inputs import signed_labels
from stablek.kernels.ranks import column_ranks
from stablek.results.robust import robust_difference

Labels = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]

#: Columns listed for each cluster.
TOP = 50
#: "Among the first" means among the first fifth of the columns.
FIRST = 5
#: A column is called stable that is among the first in this share of the subsamples.
STABLE = 0.9
#: Entries of a block of columns.
BLOCK = 4_000_000

#: Of the table of markers, in order.
MARKER_COLUMNS = (
    "k", "cluster", "place", "column", "direction", "auc", "difference", "mean_inside",
    "mean_outside", "stability", "stable",
)  # fmt: skip


@dataclass(frozen=True)
class Marker:
    """One column that sets one cluster apart.

    Parameters
    ----------
    k, cluster
        The level, and the number of the cluster, from 1.
    place
        1 for the column that differs most.
    column
        Its name.
    direction
        "higher" or "lower" in the cluster than outside; "none" for no difference.
    auc
        The chance that an item of the cluster has a larger value than an item outside,
        ties counting half: 1 always larger, 0.5 no difference, 0 always smaller.
    difference
        Standardised mean difference, robust: trimmed means over the winsorised
        standard deviation within.
    mean_inside, mean_outside
        Plain means of the values.
    stability
        The share of the subsamples in which the column is again among the first, in
        the same direction; NaN where no subsamples are known.
    stable
        Whether that share is at least 0.9 and the clusters themselves are believed.
    """

    k: int
    cluster: int
    place: int
    column: str
    direction: str
    auc: float
    difference: float
    mean_inside: float
    mean_outside: float
    stability: float
    stable: bool

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain numbers and strings; NaN becomes None."""
        from stablek.results.json_form import plain_record

        return plain_record(asdict(self))


def markers(
    values: NDArray[Any],
    partition: Labels,
    columns: Sequence[str] = (),
    *,
    drawn: NDArray[Any] | None = None,
    top: int | None = TOP,
    believed: bool = True,
) -> tuple[Marker, ...]:
    """Return the columns in which every cluster differs most from all other items.

    Columns are ordered by their AUC, ties by the standardised difference.

    Parameters
    ----------
    values : array of shape (n, m)
        NaN means "not known"; such items are left out of that column.
    partition : array of shape (n,)
        Clusters 0 .. k - 1; items below 0 count nowhere.
    columns : sequence of str
        Names; numbers from 1 if not given.
    drawn : array of unsigned integers, shape (repeats, n)
        Partitions of subsamples into as many clusters; the largest value means "not
        drawn".
    top : int
        Columns per cluster; None for all.
    believed : bool
        Whether there is evidence of these clusters. If not, no column is called stable.

    References
    ----------
    Mann, Whitney (1947), Annals of Mathematical Statistics 18, 50-60. Algina,
    Keselman, Penfield (2005), Psychological Methods 10, 317-328.

    Examples
    --------
    >>> values = np.array([[0, 5.0], [1, 5], [9, 5], [8, 5]])
    >>> first = markers(values, np.array([0, 0, 1, 1]), ["a", "b"])[0]
    >>> first.column, first.direction, first.auc
    ('a', 'lower', 0.0)
    """
    partition = np.asarray(partition)
    k, m = int(partition.max()) + 1, values.shape[1]
    if k < 2:
        return ()
    count = m if top is None else min(top, m)
    names = tuple(columns) or tuple(str(j + 1) for j in range(m))
    weights = contrasts(partition, k)
    shifted = _rank_shifts(values, weights, _matched(partition, drawn, k))
    main, again = shifted[:k], shifted[k:].reshape(-1, k, m)
    steady = stability(main, again)
    found = []
    for c in range(k):
        if not weights[c].any():
            continue
        inside, outside = partition == c, (partition != c) & (partition >= 0)
        order, auc, gap = _ordered(values, main[c], inside, outside, count)
        with np.errstate(invalid="ignore"):
            means = [_mean(values[rows][:, order]) for rows in (inside, outside)]
        for place, j in enumerate(order):
            share = float(steady[c, j])
            found.append(
                Marker(
                    k, c + 1, place + 1, names[j],
                    _direction(float(main[c, j])),
                    float(auc[place]), float(gap[place]), float(means[0][place]),
                    float(means[1][place]), share,
                    bool(believed and share >= STABLE),
                )
            )  # fmt: skip
    return tuple(found)


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


def stability(main: NDArray[Any], again: NDArray[Any]) -> Floats:
    """Return how often each column is among the first of each cluster.

    Parameters
    ----------
    main : array of shape (k, m)
        AUC - 1/2 in all items.
    again : array of shape (repeats, k, m)
        The same in subsamples; zeros where the cluster was not found.

    Returns
    -------
    array of shape (k, m)
        Over the subsamples that hold the cluster, the share in which the column is
        among the first (see :func:`among_first`) in the same direction.
    """
    repeats, _, m = again.shape
    if repeats == 0:
        return np.full(main.shape, np.nan)
    first = among_first(m)
    hits = np.zeros(main.shape)
    seen = np.zeros(len(main))
    for at in again:
        for c, (shift, own) in enumerate(zip(at, main, strict=True)):
            size = np.abs(shift)
            least = np.partition(size, m - first)[m - first]
            if least > 0 or size.any():
                hits[c] += (size >= max(least, 1e-9)) & (shift * own > 0)
                seen[c] += 1
    with np.errstate(invalid="ignore", divide="ignore"):
        share: Floats = hits / seen[:, None]
    return share


def among_first(m: int) -> int:
    """Return how many of m columns count as the first ones.

    A fifth, from 5 to 50 of them, but no more than half.

    Examples
    --------
    >>> [among_first(m) for m in (1, 4, 12, 100, 5000)]
    [1, 2, 5, 20, 50]
    """
    return max(1, min(TOP, max(5, m // FIRST), m // 2))


def _direction(shift: float) -> str:
    """Return the direction of a shift, in words."""
    if abs(shift) < 1e-6:
        return "none"
    return "higher" if shift > 0 else "lower"


def _ordered(
    values: NDArray[Any],
    shift: NDArray[Any],
    inside: NDArray[np.bool_],
    outside: NDArray[np.bool_],
    count: int,
) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Return the first columns of a cluster, with AUC and robust difference."""
    size = np.round(np.abs(shift), 6)  # ranks are single precision
    least = np.partition(size, len(size) - count)[len(size) - count]
    near = np.flatnonzero(size >= least)
    gap = robust_difference(values[:, near], inside, outside)
    order = np.lexsort((near, -np.abs(gap), -size[near]))[:count]
    auc = np.clip(0.5 + shift[near[order]].astype(np.float64), 0.0, 1.0)
    return near[order], np.round(auc, 6), gap[order]


def _rank_shifts(
    values: NDArray[Any], weights: NDArray[np.float32], again: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the shift of ranks of every cluster, here and in subsamples."""
    rows = np.concatenate([weights, again]) if len(again) else weights
    shifts = np.empty((len(rows), values.shape[1]), np.float32)
    for block in _blocks(values.shape):
        ranks = column_ranks(values[:, block])
        if np.isnan(ranks).any():
            shifts[:, block] = _known_shifts(rows, ranks)
        else:
            shifts[:, block] = rows @ ranks
    return shifts


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
    shift: NDArray[np.float32] = np.nan_to_num(sides[0] - sides[1])
    return shift


def _matched(
    partition: Labels, drawn: NDArray[Any] | None, k: int
) -> NDArray[np.float32]:
    """Return the contrasts of every cluster as it was found in every subsample.

    The cluster found is the one with the largest Jaccard coefficient.
    """
    if drawn is None or len(drawn) == 0:
        return np.zeros((0, len(partition)), np.float32)
    found = []
    for labels in signed_labels(drawn):
        seen = (labels >= 0) & (partition >= 0)
        most = int(labels.max()) + 1
        table = np.zeros((k, most))
        np.add.at(table, (partition[seen], labels[seen]), 1)
        joint = table.sum(1, keepdims=True) + table.sum(0, keepdims=True) - table
        best = (table / np.maximum(joint, 1)).argmax(axis=1)
        each = contrasts(np.where(seen, labels, -1), most)
        lost = table.sum(axis=1) == 0
        found.append(np.where(lost[:, None], np.float32(0), each[best]))
    return np.concatenate(found)


def _blocks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Yield slices of columns with about as many entries each."""
    width = max(1, BLOCK // max(shape[0], 1))
    for start in range(0, shape[1], width):
        yield slice(start, min(start + width, shape[1]))


def _mean(values: NDArray[Any]) -> Floats:
    """Return the means of columns over the values known; NaN where there are none."""
    known = np.isfinite(values)
    total = np.where(known, values, 0.0).sum(axis=0, dtype=np.float64)
    mean: Floats = total / known.sum(axis=0)
    return mean
