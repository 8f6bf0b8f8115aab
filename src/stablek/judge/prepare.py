"""What happens to the data before a verdict: isolated rows and components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.judge.components import principal
from stablek.kernels.distances import pairwise
from stablek.seeds import Streams

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

#: Judged are at most this many items, drawn at random; the others join the nearest
#: cluster afterwards. Distances of 2500 items take 50 MB.
LARGEST = 2500

NEIGHBOURS = 5  # an item is as isolated as its fifth neighbour is far
ISOLATED_SHARE = 0.15
LENGTH_FROM = 10  # dimensions left out, for their length to be a coordinate
LENGTH_VARIES = 2.0  # times the spread of the length of noise


@dataclass(frozen=True)
class Sphere:
    """Rows of one length: row-standardised, or scaled to a common norm."""

    centred: bool
    radius: float

    def bend(self, rows: Floats) -> Floats:
        """Return rows centred, where the data's are, and of the common length."""
        if self.centred:
            rows = rows - rows.mean(axis=1, keepdims=True)
        length = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        bent: Floats = rows * (self.radius / np.maximum(length, 1e-300))
        return bent


def sphere_of(values: Floats) -> Sphere | None:
    """Return the sphere that all rows lie on, if they do (to a part in a million)."""
    if values.shape[1] < 3:
        return None
    length = np.sqrt((values * values).sum(axis=1))
    radius = float(np.median(length))
    if radius == 0 or (np.abs(length - radius) > 1e-6 * radius).any():
        return None
    centred = bool((np.abs(values.mean(axis=1)) <= 1e-6 * radius).all())
    return Sphere(centred, radius)


@dataclass(frozen=True, eq=False)
class Prepared:
    """Scores of all items on the components kept, and which items are judged.

    Parameters
    ----------
    scores
        Shape (n, r): every item on the components kept.
    rows
        The items that are judged; the others join the nearest cluster afterwards.
    isolated
        The items set aside as isolated, farthest first.
    components
        How many components parallel analysis found; None where it was not asked.
    explained
        The share of the variance that the components kept hold.
    mean, axes
        What leads from values to scores: (values - mean) @ axes.
    length
        Median length of what the components leave out, where it is a coordinate.
    sphere
        The sphere that the rows lie on, if they were scaled so.
    frame, values
        The coordinates, and the rows that are judged, for null sets of the columns.
    """

    scores: Floats
    rows: Rows
    isolated: Rows
    components: int | None
    explained: float
    mean: Floats
    axes: Floats
    length: float | None = None
    sphere: Sphere | None = None
    frame: Frame | None = None
    values: Floats | None = None

    def as_prepared(self, scores: Floats) -> Floats:
        """Return drawn scores after what was done to the rows of the data.

        Rows that were standardised lie on a sphere, and a cloud bent onto a sphere
        falls into more stable parts than a flat one: null sets must be bent alike.
        """
        if self.sphere is None:
            return scores
        rows = self.sphere.bend(scores @ self.axes.T + self.mean)
        return np.ascontiguousarray((rows - self.mean) @ self.axes)

    @property
    def judged(self) -> Floats:
        """The scores of the items that are judged."""
        return np.ascontiguousarray(self.scores[self.rows])


def prepare(data: Dataset, streams: Streams) -> Prepared:
    """Set isolated rows aside and keep the components that stand out of noise."""
    values = np.asarray(data.values, dtype=np.float64)
    n = len(values)
    drawn = np.arange(n)
    if n > LARGEST:
        drawn = np.sort(streams("large").permutation(n)[:LARGEST])
    # Looked for among the scores: in many columns a wide cluster is far from itself,
    # and all its items would seem isolated.
    frame = Frame.of(values[drawn], streams.under("first"))
    isolated = isolated_rows(frame.scores(values[drawn]))
    kept = np.setdiff1d(drawn, drawn[isolated])
    if len(isolated):
        frame = Frame.of(values[kept], streams.under("kept"))
    return Prepared(
        np.ascontiguousarray(frame.scores(values)),
        kept,
        drawn[isolated],
        frame.found,
        frame.share,
        frame.mean,
        frame.axes,
        frame.length,
        sphere_of(values),
        frame,
        values[kept],
    )


@dataclass(frozen=True, eq=False)
class Frame:
    """The coordinates that items are judged in."""

    mean: Floats
    axes: Floats
    share: float
    found: int | None
    length: float | None

    @classmethod
    def of(cls, values: Floats, streams: Streams) -> Frame:
        """Return components that stand out, and the length of the rest if it varies.

        In many columns a cluster of another spread shows in the length of what the
        components leave out, which is nearly the same for all its items: with s the
        standard deviation and d the number of dimensions left, s sqrt(d) give or take
        s / sqrt(2). It is one more coordinate, L log(length / L) with L the median, in
        the units of the others, where its spread (from the lowest to the highest tenth)
        is at least twice that of noise of one spread and of the tails that the entries
        have. Rows on a sphere have no such freedom.
        """
        mean, axes, share, found = principal(values, streams)
        left_columns = values.shape[1] - axes.shape[1]
        if (
            min(len(values) - axes.shape[1], left_columns) < LENGTH_FROM
            or sphere_of(values) is not None
        ):
            return cls(mean, axes, share, found, None)
        rest = leave_out(values - mean, axes)
        lengths = lengths_of(rest)
        middle = float(np.median(lengths))
        low, high = np.quantile(np.log(lengths), [0.1, 0.9])
        squares = rest * rest
        kurtosis = float((squares * squares).mean() / max(squares.mean(), 1e-300) ** 2)
        # Of the log length of d independent entries; 1 / sqrt(2 d) if they are normal.
        noise = 0.5 * np.sqrt(max(kurtosis - 1, 2.0) / left_columns)
        # 2.563 standard deviations lie between those quantiles of a normal variable.
        if (high - low) / 2.563 < LENGTH_VARIES * noise:
            return cls(mean, axes, share, found, None)
        return cls(mean, axes, share, (found or 0) + 1, middle)

    def scores(self, values: Floats) -> Floats:
        """Return the coordinates of items."""
        centred = values - self.mean
        scores: Floats = centred @ self.axes
        if self.length is None:
            return scores
        lengths = lengths_of(leave_out(centred, self.axes))
        return np.column_stack([scores, self.length * np.log(lengths / self.length)])


def leave_out(centred: Floats, axes: Floats) -> Floats:
    """Return what the axes leave out of each row."""
    rest: Floats = centred - (centred @ axes) @ axes.T
    return rest


def lengths_of(rest: Floats) -> Floats:
    """Return the lengths of rows, none of them zero."""
    lengths: Floats = np.sqrt((rest * rest).sum(axis=1))
    return np.maximum(lengths, 1e-9 * max(float(lengths.max()), 1e-300))


def isolated_rows(values: Floats) -> Rows:
    """Return the rows far from their neighbours, farther than those from theirs.

    With d the logarithm of the distance to the fifth neighbour and rho its difference
    from the median d of the five neighbours, a row is isolated if both d and rho lie
    more than 1.5 interquartile ranges above the third quartile; at most 15 % of the
    rows, the farthest. The first fence alone would take the members of a wide cluster.
    """
    n = len(values)
    if n <= 2 * NEIGHBOURS:
        return np.empty(0, dtype=np.intp)
    square = pairwise(values, "euclidean")
    near = np.argsort(square, axis=1, kind="stable")[:, : NEIGHBOURS + 1]
    # A row is its own nearest, save where duplicates come first: leave out itself.
    near = np.array(
        [row[row != i][:NEIGHBOURS] for i, row in enumerate(near)], dtype=np.intp
    )
    fifth = square[np.arange(n), near[:, -1]]
    if not fifth.any():
        return np.empty(0, dtype=np.intp)
    far = np.log(np.maximum(fifth, 1e-9 * fifth.max()))
    beyond = far - np.median(far[near], axis=1)
    out = np.flatnonzero((far > fence(far)) & (beyond > fence(beyond)))
    out = out[np.argsort(-far[out], kind="stable")]
    return out[: int(ISOLATED_SHARE * n)]


def fence(values: Floats) -> float:
    """Return the third quartile plus 1.5 interquartile ranges (Tukey's fence)."""
    low, high = np.quantile(values, [0.25, 0.75])
    return float(high + 1.5 * (high - low))
