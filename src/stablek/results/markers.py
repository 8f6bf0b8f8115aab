"""What sets a cluster apart: the columns in which it differs most from the rest.

Everything here is a function of values, a partition, and the partitions of subsamples,
so it serves our clusters and the classes a user brings alike.

There is no p-value per column. The clusters were found in these values, so every test
of the same values would call differences significant that clustering has made ("double
dipping"). Instead there is `stability`: in how many subsamples, each
clustered on its own, a column is again among the first. For a p-value that can be
believed see :mod:`stablek.results.split_test`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.results.rank_shifts import (
    cluster_blocks,
    contrasts,
    matched_contrasts,
    rank_shifts,
)
from stablek.results.robust import robust_difference

Labels = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]

#: Columns listed for each cluster.
TOP = 50
#: "Among the first" means among the first fifth of the columns.
FIRST = 5
#: Values whose robust difference is taken together.
BLOCK = 500_000
#: A column is called stable that is among the first in this share of the subsamples.
STABLE = 0.9
#: A column differs clearly if its AUC is so far from 1/2: at least 0.7, or at most 0.3.
#: Columns of noise do not.
CLEAR = 0.2


@dataclass(frozen=True)
class Marker:
    """One column that sets one cluster apart.

    The fields are those of markers.tsv; :data:`stablek.results.glossary.COLUMNS` says
    what each means. ``direction`` is "higher", "lower" or "none". Ties count half in
    ``auc``. ``difference`` is trimmed means over the winsorised standard deviation
    within. ``stability`` counts subsamples with the same direction, and is NaN where
    none are known; ``stable`` asks for 0.9 of them, and that the clusters themselves
    are believed.
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
        from stablek.results.json_form import plain_form

        return {name: plain_form(value) for name, value in vars(self).items()}


#: Of the table of markers, in order.
MARKER_COLUMNS = tuple(field.name for field in fields(Marker))


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
    again = matched_contrasts(partition, drawn, k).reshape(-1, k, len(partition))
    main, steady = np.empty((k, m), np.float32), np.empty((k, m))
    for some in cluster_blocks(k, len(again), m):
        size = some.stop - some.start
        found_again = again[:, some].reshape(-1, len(partition))
        shifted = rank_shifts(values, weights[some], found_again)
        main[some] = shifted[:size]
        steady[some] = stability(main[some], shifted[size:].reshape(-1, size, m))
        del shifted  # before those of the next clusters are made
    listed = []
    for c in range(k):
        if not weights[c].any():
            continue
        inside, outside = partition == c, (partition != c) & (partition >= 0)
        order, auc, gap = _ordered(values, main[c], inside, outside, count)
        with np.errstate(invalid="ignore"):
            means = [_mean(values, rows, order) for rows in (inside, outside)]
        for place, j in enumerate(order):
            share = float(steady[c, j])
            listed.append(
                Marker(
                    k, c + 1, place + 1, names[j],
                    _direction(float(main[c, j])),
                    float(auc[place]), float(gap[place]), float(means[0][place]),
                    float(means[1][place]), share,
                    bool(believed and share >= STABLE),
                )
            )  # fmt: skip
    return tuple(listed)


def stability(main: NDArray[Any], again: NDArray[Any]) -> Floats:
    """Return how often each column is among the first of each cluster, shape (k, m).

    ``main`` is AUC - 1/2 in all items, ``again`` the same in subsamples, shape
    (repeats, k, m), with zeros where the cluster was not found. Over the subsamples
    that hold the cluster, this is the share in which the column is among the first (see
    :func:`among_first`) in the same direction.
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

    A fifth, from 5 to 50 of them, but at most half.

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
    parts = -(-len(values) * len(near) // BLOCK)
    gap = np.concatenate(
        [
            robust_difference(values[:, some], inside, outside)
            for some in np.array_split(near, parts)
        ]
    )
    order = np.lexsort((near, -np.abs(gap), -size[near]))[:count]
    auc = np.clip(0.5 + shift[near[order]].astype(np.float64), 0.0, 1.0)
    return near[order], np.round(auc, 6), gap[order]


def _mean(
    values: NDArray[Any], rows: NDArray[np.bool_], columns: NDArray[np.intp]
) -> Floats:
    """Return the means of columns over the values known; NaN where there are none."""
    values = values.T[np.ix_(columns, rows)].T  # no other column is copied
    known = np.isfinite(values)
    total = np.where(known, values, 0.0).sum(axis=0, dtype=np.float64)
    return total / known.sum(axis=0)
