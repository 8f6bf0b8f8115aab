"""Where new items belong: the nearest cluster, and how sure that is.

Everything is measured in the coordinates that the clusters were judged in. A new item
gets a cluster, a distance, a doubt (0: clearly there, 1: as near to another cluster),
and a flag where it is like none of them, farther off than any item it was compared
with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from stablek.errors import InputError
from stablek.results.notebook import Shown

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

#: Nearest means stand for the clusters if they give so many items back to their own.
FAITHFUL = 0.99
#: Otherwise so many nearest items of every cluster do.
NEAREST = 5
#: Doubt from which an item is between two clusters: beyond a third of the way.
BETWEEN = 2 / 3
#: Distances that are held at once.
AT_ONCE = 4_000_000

#: Of the table of new items, in order.
ASSIGNMENT_COLUMNS = (
    "id", "cluster", "distance", "runner_up", "runner_up_distance", "doubt", "between",
    "like_none",
)  # fmt: skip


class Coordinates(Protocol):
    """What leads from values to the coordinates that clusters were judged in."""

    def scores(self, values: NDArray[Any]) -> Floats:
        """Return the coordinates of items, shape (n, r)."""


@dataclass(frozen=True, eq=False)
class Projection:
    """Coordinates as a file keeps them: components (values - mean) @ axes.

    ``length`` is the median length of what the components leave out, where it is one
    more coordinate, length log(own length / length); None where it is none.
    """

    mean: Floats
    axes: Floats
    length: float | None = None

    def scores(self, values: NDArray[Any]) -> Floats:
        """Return the coordinates of items."""
        centred = np.asarray(values, dtype=np.float64) - self.mean
        scores: Floats = centred @ self.axes
        if self.length is None:
            return scores
        rest = centred - scores @ self.axes.T
        off_axes = np.maximum(np.sqrt((rest * rest).sum(axis=1)), 1e-9 * self.length)
        return np.column_stack([scores, self.length * np.log(off_axes / self.length)])


@dataclass(frozen=True, eq=False, repr=False)
class Assignment(Shown):
    """New items and the clusters they are nearest to.

    Parameters
    ----------
    ids
        Of the new items.
    cluster, runner_up
        The nearest cluster and the next, numbered from 1; 0 where there is no next.
    distance, runner_up_distance
        How far they are, in the coordinates of the clusters.
    doubt
        0 at the cluster's own middle, 1 half-way to the runner-up; where nearest items
        count, the ratio of the two distances.
    between
        Whether the doubt is more than 2/3.
    like_none
        Whether it is farther off than any item of that cluster, and far above what is
        usual there.
    notes
        What was done to the new values, and which columns are lacking.
    """

    ids: tuple[str, ...]
    cluster: Labels
    distance: Floats
    runner_up: Labels
    runner_up_distance: Floats
    doubt: Floats
    between: NDArray[np.bool_]
    like_none: NDArray[np.bool_]
    notes: tuple[str, ...] = ()

    @property
    def table(self) -> pd.DataFrame:
        """One row per new item."""
        import pandas as pd

        columns = {name: getattr(self, name) for name in ASSIGNMENT_COLUMNS[1:]}
        return pd.DataFrame({"id": list(self.ids), **columns})

    @property
    def sentence(self) -> str:
        """How many items go where, in one sentence."""
        sizes = np.bincount(self.cluster, minlength=1)
        parts = [f"{n:,} to cluster {c}" for c, n in enumerate(sizes) if n]
        count = len(self.cluster)
        noun = "item" if count == 1 else "items"
        text = f"{count:,} {noun}: {', '.join(parts)}"
        strange, torn = int(self.like_none.sum()), int(self.between.sum())
        if strange:
            text += f"; {strange:,} unlike any cluster"
        if torn:
            text += f"; {torn:,} between two"
        return f"{text}."


@dataclass(frozen=True, eq=False)
class Reference:
    """What new items are compared with.

    Parameters
    ----------
    centres
        Shape (k, r): the means of the clusters.
    fences
        Shape (k,): beyond this distance an item is like none of them.
    scores, labels
        The items themselves, and their clusters from 0, where the means do not give
        the clusters back; empty otherwise.
    """

    centres: Floats
    fences: Floats
    scores: Floats = field(default_factory=lambda: np.empty((0, 0)))
    labels: Labels = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    @classmethod
    def of(cls, scores: Floats, labels: Labels) -> Reference:
        """Return what new items are compared with, from items with clusters 0 .. k - 1.

        The means of the clusters serve where 99 % of the items are nearest to their
        own. Clusters of unlike spread or odd shape are not represented by their means;
        then the five nearest items of each cluster count.
        """
        present, compact = np.unique(labels, return_inverse=True)
        if len(present) != int(labels.max()) + 1:
            raise InputError("every cluster needs at least one item")
        k = len(present)
        centres = np.array([scores[compact == c].mean(axis=0) for c in range(k)])
        away = cdist(scores, centres)
        right = float((away.argmin(axis=1) == compact).mean())
        if right >= FAITHFUL:
            distance = away[np.arange(len(scores)), compact]
            return cls(centres, _fences(distance, compact, k))
        kept = cls(centres, np.full(k, np.inf), scores, compact.astype(np.int64))
        distance = kept._without_itself()
        return cls(centres, _fences(distance, compact, k), scores, kept.labels)

    @property
    def by_items(self) -> bool:
        """Whether nearest items count, and not means."""
        return len(self.labels) > 0

    def assign(
        self, scores: Floats, ids: Sequence[str] = (), notes: Sequence[str] = ()
    ) -> Assignment:
        """Return where items with these coordinates belong."""
        n, k = len(scores), len(self.centres)
        step = max(1, AT_ONCE // max(len(self.labels), k, 1))
        parts = [
            self._compare(scores[start : start + step])
            for start in range(0, max(n, 1), step)
        ]
        away, order, doubt = (
            np.concatenate(column) for column in zip(*parts, strict=True)
        )
        each, first = np.arange(n), order[:, 0]
        distance = away[each, first]
        second = order[:, min(1, k - 1)]
        alone = k == 1
        return Assignment(
            tuple(ids) or tuple(str(i + 1) for i in range(n)),
            first + 1,
            distance,
            np.zeros(n, dtype=np.int64) if alone else second + 1,
            np.full(n, np.nan) if alone else away[each, second],
            doubt,
            doubt > BETWEEN,
            distance > self.fences[first],
            tuple(notes),
        )

    def distances(self, scores: Floats) -> Floats:
        """Return the distance of every item to every cluster, shape (n, k)."""
        step = max(1, AT_ONCE // max(len(self.labels), len(self.centres)))
        starts = range(0, max(len(scores), 1), step)
        return np.concatenate([self._compare(scores[a : a + step])[0] for a in starts])

    def _compare(self, scores: Floats) -> tuple[Floats, Labels, Floats]:
        """Return distances to all clusters, their order for each item, and doubts."""
        n, k = len(scores), len(self.centres)
        each = np.arange(n)
        if self.by_items:
            away, same = self._by_items(scores)
            order = np.argsort(np.where(same, -1.0, away), axis=1, kind="stable")
            near, far = (away[each, order[:, j]] for j in (0, min(1, k - 1)))
            doubt = np.clip(near / np.maximum(far, 1e-300), 0.0, 1.0) * (k > 1)
            return away, order.astype(np.int64), doubt
        away = cdist(scores, self.centres)
        order = np.argsort(away, axis=1, kind="stable").astype(np.int64)
        if k == 1:
            return away, order, np.zeros(n)
        first = order[:, 0]
        gaps = cdist(self.centres, self.centres)[first]
        gaps[each, first] = np.inf
        # How far along the way from the own mean to another, twice.
        way = (
            1 + (away[each, first, None] ** 2 - away**2) / np.maximum(gaps, 1e-300) ** 2
        )
        way[each, first] = -np.inf
        return away, order, np.clip(way.max(axis=1), 0.0, 1.0)

    def _by_items(self, scores: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Return mean distances to the nearest items, and whether one is the same."""
        k = len(self.centres)
        away, same = np.empty((len(scores), k)), np.zeros((len(scores), k), dtype=bool)
        for c in range(k):
            some = np.sort(cdist(scores, self.scores[self.labels == c]), axis=1)
            away[:, c] = some[:, :NEAREST].mean(axis=1)
            same[:, c] = some[:, 0] <= 1e-9 * np.maximum(away[:, c], 1e-300)
        return away, same

    def _without_itself(self) -> Floats:
        """Return the mean distance of every item to the nearest others of its own."""
        distance = np.zeros(len(self.scores))
        for c in range(len(self.centres)):
            rows = np.flatnonzero(self.labels == c)
            step = max(1, AT_ONCE // len(rows))
            for start in range(0, len(rows), step):
                some = rows[start : start + step]
                near = np.sort(cdist(self.scores[some], self.scores[rows]), axis=1)
                others = near[:, 1 : NEAREST + 1]
                distance[some] = others.mean(axis=1) if others.shape[1] else 0.0
        return distance


def _fences(distance: Floats, labels: Labels, k: int) -> Floats:
    """Return for every cluster how far off an item is like none of its own.

    At least as far as the farthest of its own, and beyond Tukey's fence, the third
    quartile plus 1.5 interquartile ranges. For a cluster of few items that of all
    items serves, too.
    """
    fences = np.empty(k)
    for c in range(k):
        mine = distance[labels == c]
        fences[c] = max(float(mine.max()), fence(mine))
        if len(mine) < 2 * NEAREST:
            fences[c] = max(fences[c], fence(distance))
    return fences


def fence(values: Floats) -> float:
    """Return the third quartile plus 1.5 interquartile ranges (Tukey's fence)."""
    low, high = np.quantile(values, [0.25, 0.75])
    return float(high + 1.5 * (high - low))
