"""What happens to the data before a verdict: isolated rows and coordinates."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Streams
from stablek.panel.coordinates import (
    NEIGHBOURS,
    Coordinates,
    nearest,
    without_last_bits,
)
from stablek.panel.some_rows import SomeRows
from stablek.results.assign import fence

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

#: Judged are at most this many items, drawn at random; the others join the nearest
#: cluster afterwards. Distances of 2500 items take 50 MB.
LARGEST = 2500

ISOLATED_SHARE = 0.15


@dataclass(frozen=True, eq=False)
class Prepared:
    """Which items are judged, and the coordinates of all of them.

    Parameters
    ----------
    coordinates
        What leads from values to scores.
    scores
        Shape (n, r): every item in these coordinates.
    rows
        The items that are judged, in increasing order.
    isolated
        The items set aside as isolated, farthest first.
    values
        The values of the items that are judged.
    far
        Of the isolated items those in tiny clusters, which hid the others.
    """

    coordinates: Coordinates
    scores: Floats
    rows: Rows
    isolated: Rows
    values: SomeRows
    far: Rows = field(default_factory=lambda: np.empty(0, np.intp))

    @property
    def components(self) -> int | None:
        """How many coordinates stand out from noise; None where it was not asked."""
        return self.coordinates.found

    @property
    def drawn(self) -> bool:
        """Whether only some of the items are judged, drawn at random."""
        return len(self.rows) + len(self.isolated) < len(self.scores)

    @property
    def judged(self) -> Floats:
        """The scores of the items that are judged."""
        return np.ascontiguousarray(self.scores[self.rows])

    def without_values(self) -> Prepared:
        """Return this without the table, which is large and not needed for long."""
        none = np.empty((0, self.values.shape[1]))
        return replace(self, values=SomeRows(none, np.empty(0, np.intp)))


def prepare(values: NDArray[np.floating[Any]], streams: Streams) -> Prepared:
    """Set isolated rows aside and keep the components that stand out from noise."""
    n = len(values)
    drawn = np.arange(n)
    if n > LARGEST:
        drawn = np.sort(streams("large").permutation(n)[:LARGEST])
    some = SomeRows.of(values, drawn)
    # Looked for among the scores: in many columns a wide cluster is far from itself,
    # and all its items would seem isolated.
    coordinates = Coordinates.of(some, streams.under("first"))
    first = coordinates.scores(some)
    isolated = isolated_rows(without_last_bits(first, first))
    kept = np.setdiff1d(np.arange(len(drawn)), isolated)
    if len(isolated):
        some = some.take(kept)
        coordinates = Coordinates.of(some, streams.under("kept"))
    scores = coordinates.scores(values)
    scores = without_last_bits(scores, scores[drawn[kept]])
    return Prepared(coordinates, scores, drawn[kept], drawn[isolated], some)


def without_far(
    prepared: Prepared,
    values: NDArray[np.floating[Any]],
    far: NDArray[np.bool_],
    streams: Streams,
) -> Prepared | None:
    """Set some of the items judged aside, too; None if they are none or too many."""
    isolated = np.append(prepared.isolated, prepared.rows[far])
    most = ISOLATED_SHARE * (len(prepared.rows) + len(prepared.isolated))
    if not far.any() or len(isolated) > most:
        return None
    some = prepared.values.take(np.flatnonzero(~far))
    coordinates = Coordinates.of(some, streams.under("kept"))
    scores, rows = coordinates.scores(values), prepared.rows
    scores = without_last_bits(scores, scores[rows[~far]])
    return Prepared(coordinates, scores, rows[~far], isolated, some, rows[far])


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
