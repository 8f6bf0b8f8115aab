"""What happens to the data before a verdict: isolated rows and components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.data.seeds import Streams
from stablek.panel.frame import NEIGHBOURS, Frame, Sphere, nearest, sphere_of

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

#: Judged are at most this many items, drawn at random; the others join the nearest
#: cluster afterwards. Distances of 2500 items take 50 MB.
LARGEST = 2500

ISOLATED_SHARE = 0.15


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
        sphere_of(values),
        frame,
        values[kept],
    )


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
    near, square = nearest(values)
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
