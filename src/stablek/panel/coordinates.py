"""The coordinates that items are judged in: components, and the length of the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Streams
from stablek.kernels.distances import pairwise
from stablek.panel.components import BLOCK, principal
from stablek.panel.some_rows import SomeRows

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

NEIGHBOURS = 5
STEP = 2.0**-30  # of the spread of the items: finer, coordinates are noise
LENGTH_FROM = 10  # dimensions left out, for their length to be a coordinate
LENGTH_VARIES = 2.0  # times the spread of the length of noise
LENGTH_OF_PLACE = 0.75  # share of the spread that is left among neighbours
LENGTH_IN_TWO = 0.42  # share that two parts leave; of anything uniform they leave 0.5


def sphere_of(values: Floats | SomeRows, mean: Floats) -> float | None:
    """Return the radius of the sphere that all rows lie on, if they do.

    To a part in a million: rows that were standardised, or scaled to one length. Any
    cloud far from zero looks so, too; its lengths differ as much as its rows do.
    """
    if values.shape[1] < 3:
        return None
    length = np.concatenate(
        [np.sqrt((rows * rows).sum(axis=1)) for _, rows in row_blocks(values)]
    )
    radius = float(np.median(length))
    most = float(np.abs(length - radius).max())
    if radius == 0 or most > 1e-6 * radius:
        return None
    away = sum(float(((rows - mean) ** 2).sum()) for _, rows in row_blocks(values))
    return radius if most <= 1e-3 * np.sqrt(away / len(length)) else None


@dataclass(frozen=True, eq=False)
class Coordinates:
    """The coordinates that items are judged in.

    Parameters
    ----------
    mean, axes
        What leads from values to scores: (values - mean) @ axes.
    share
        The share of the variance that the components kept hold.
    found
        How many coordinates stand out from noise; None where it was not asked.
    length
        Median length of what the components leave out, where it is a coordinate.
    sphere
        The radius of the sphere that the rows lie on, if they were scaled so.
    """

    mean: Floats
    axes: Floats
    share: float
    found: int | None
    length: float | None = None
    sphere: float | None = None

    @classmethod
    def of(cls, values: Floats | SomeRows, streams: Streams) -> Coordinates:
        """Return components that stand out, and the length of the rest if it varies.

        In many columns a cluster of another spread shows in the length of what the
        components leave out, which is nearly the same for all its items: with s the
        standard deviation and d the number of dimensions left, s sqrt(d) give or take
        s / sqrt(2). It is one more coordinate, L log(length / L) with L the median, in
        the units of the others, where its spread (from the lowest to the highest tenth)
        is at least twice that of noise of one spread and of the tails that the entries
        have, and where it goes with clusters (:func:`goes_with_clusters`). Rows on a
        sphere have no such freedom.
        """
        mean, axes, share, standing = principal(values, streams)
        left_columns = values.shape[1] - axes.shape[1]
        sphere = sphere_of(values, mean)
        few = min(len(values) - axes.shape[1], left_columns) < LENGTH_FROM
        if few or sphere is not None:
            return cls(mean, axes, share, standing, sphere=sphere)
        bare = cls(mean, axes, share, standing)
        lengths, kurtosis = rest_of(values, mean, axes)
        # Of the log length of d independent entries; 1 / sqrt(2 d) if they are normal.
        noise = 0.5 * np.sqrt(max(kurtosis - 1, 2.0) / left_columns)
        if spread(np.log(lengths)) < LENGTH_VARIES * noise:
            return bare
        place = bare.scores(values)
        if not goes_with_clusters(np.log(lengths), without_last_bits(place, place)):
            return bare
        return replace(
            bare, found=(standing or 0) + 1, length=float(np.median(lengths))
        )

    @property
    def size(self) -> int:
        """How many coordinates there are."""
        return int(self.axes.shape[1]) + (self.length is not None)

    def scores(self, values: NDArray[np.floating[Any]] | SomeRows) -> Floats:
        """Return the coordinates of items, in blocks that take little memory."""
        scores = np.empty((len(values), self.size))
        for rows, some in row_blocks(values):
            centred = some - self.mean
            scores[rows, : self.axes.shape[1]] = centred @ self.axes
            if self.length is not None:
                lengths = lengths_of(leave_out(centred, self.axes))
                scores[rows, -1] = self.length * np.log(lengths / self.length)
        return scores

    def for_columns(self, order: Rows, row: NDArray[Any]) -> Coordinates:
        """Return coordinates for tables whose columns are not in canonical order.

        ``order[j]`` is the given column that stands at place j of the canonical order;
        those that are not among them are the same for all items, as in ``row``.
        """
        mean = np.array(row, dtype=self.mean.dtype)
        axes = np.zeros((len(mean), self.axes.shape[1]))
        mean[order], axes[order] = self.mean, self.axes
        return replace(self, mean=mean, axes=axes)


def row_blocks(
    values: NDArray[np.floating[Any]] | SomeRows,
) -> Iterator[tuple[slice, Floats]]:
    """Yield rows in double precision, some at a time."""
    size = max(1, BLOCK // max(values.shape[1], 1))
    for first in range(0, len(values), size):
        rows = slice(first, first + size)
        yield rows, np.asarray(values[rows], dtype=np.float64)


def rest_of(
    values: Floats | SomeRows, mean: Floats, axes: Floats
) -> tuple[Floats, float]:
    """Return the length of what the axes leave out of rows, and its kurtosis."""
    lengths, second, fourth = np.empty(len(values)), 0.0, 0.0
    for rows, some in row_blocks(values):
        squares = leave_out(some - mean, axes) ** 2
        lengths[rows] = np.sqrt(squares.sum(axis=1))
        second += float(squares.sum())
        fourth += float((squares * squares).sum())
    size = values.shape[0] * values.shape[1]
    kurtosis = fourth / size / max(second / size, 1e-300) ** 2
    return not_zero(lengths), kurtosis


def without_last_bits(scores: Floats, some: Floats) -> Floats:
    """Return coordinates rounded to a billionth of the spread of ``some`` of them.

    The last bits of a product of matrices differ from processor to processor. Where
    many items are equally far apart, as in tables of whole numbers, those bits would
    decide which clusters are joined. The spread is that between the quartiles, so that
    a few far items leave the others as they are.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0 + 1e-15], [2.0], [3.0], [1e9 + 0.25]])
    >>> without_last_bits(x, x).ravel().tolist()
    [0.0, 1.0, 2.0, 3.0, 1000000000.25]
    """
    low, high = np.quantile(some, [0.25, 0.75], axis=0)
    widest = float((high - low).max())
    if not 0 < widest < np.inf:
        return scores
    step = STEP * 2.0 ** np.floor(np.log2(widest))
    with np.errstate(over="ignore"):
        rounded = np.rint(scores / step) * step
    return np.where(np.isfinite(rounded), rounded, scores)


def leave_out(centred: Floats, axes: Floats) -> Floats:
    """Return what the axes leave out of each row."""
    return centred - (centred @ axes) @ axes.T


def lengths_of(rest: Floats) -> Floats:
    """Return the lengths of rows, none of them zero."""
    return not_zero(np.sqrt((rest * rest).sum(axis=1)))


def not_zero(lengths: Floats) -> Floats:
    """Return lengths of which none is zero."""
    return np.maximum(lengths, 1e-9 * max(float(lengths.max()), 1e-300))


def spread(values: Floats) -> float:
    """Return the standard deviation of a normal variable with these outer tenths."""
    low, high = np.quantile(values, [0.1, 0.9])
    return float(high - low) / 2.563


def goes_with_clusters(lengths: Floats, scores: Floats) -> bool:
    """Tell whether log lengths follow the place of an item, or fall into two parts.

    An item and its five neighbours are often of one cluster; if clusters have each
    their own spread, some of the variation is gone among them: of simulated mixtures a
    fifth to a half is left, of overlapping ones up to three quarters. Where the quality
    of a measurement varies from item to item, as the depth of sequencing does, more
    is left; such a coordinate would cut clusters in pieces. Clusters that lie in one
    place show as two parts, each far narrower than all.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> place = np.repeat([[0.0, 0.0], [9.0, 9.0]], 40, axis=0)
    >>> place += rng.normal(size=place.shape)
    >>> noise = rng.normal(size=80)
    >>> goes_with_clusters(noise, place)
    False
    >>> goes_with_clusters(noise + np.repeat([0.0, 6.0], 40), place)
    True
    """
    near, _ = nearest(scores)
    # Less the mean of five others: noise alone would vary by 1 + 1 / 5.
    local = (lengths - lengths[near].mean(axis=1)) / np.sqrt(1 + 1 / near.shape[1])
    if spread(local) <= LENGTH_OF_PLACE * spread(lengths):
        return True
    # The best cut in two: the sums of squares on both sides of every place.
    x = np.sort(lengths - lengths.mean())
    below, squares, count = np.cumsum(x), np.cumsum(x * x), np.arange(1, len(x))
    above = len(x) - count
    within = squares[-1] - below[:-1] ** 2 * (1 / count + 1 / above)
    return bool(within.min() <= LENGTH_IN_TWO**2 * squares[-1])


def nearest(values: Floats) -> tuple[Rows, Floats]:
    """Return the five nearest others of every row, nearest first, and all distances."""
    square = pairwise(values, "euclidean")
    others = square.copy()
    np.fill_diagonal(others, np.inf)
    near = np.argpartition(others, NEIGHBOURS - 1, axis=1)[:, :NEIGHBOURS]
    away = np.take_along_axis(others, near, axis=1)
    # By distance, then by place: what is equally near must not depend on the sorting.
    order = np.lexsort((near, away), axis=1)
    return np.take_along_axis(near, order, axis=1).astype(np.intp), square
