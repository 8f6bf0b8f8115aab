"""The clusters as items far from them see them: centres, spread, and a fence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Streams
from stablek.panel.components import BLOCK, spectrum
from stablek.results.assign import fence

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

#: Directions in which items are compared: all columns, up to this many.
MOST_AXES = 64

#: A column with so few values among the rows judged may be a count or a grade.
FEW_VALUES = 50
#: A value that this share of the rows judged holds is a common one.
COMMON = 0.025


@dataclass(frozen=True, eq=False)
class Surroundings:
    """Centres of clusters, and coordinates in which each is about as wide as a unit.

    Parameters
    ----------
    mean, axes
        What leads from values to these coordinates: (values - mean) @ axes.
    centres
        Shape (clusters, axes).
    fences
        Per cluster: an item farther from the centre than this is far.
    steps
        Per column: how far its common values lie apart if it has few, otherwise 0.
    """

    mean: Floats
    axes: Floats
    centres: Floats
    fences: Floats
    steps: Floats

    @classmethod
    def of(cls, values: Floats, part: Labels) -> Surroundings:
        """Return the surroundings of clusters, given values and cluster of some rows.

        The spread is that within clusters. It is taken twice, the second time without
        the far rows, which would hide how far they are.
        """
        mean = values.mean(axis=0)
        centred = values - mean
        clusters = range(int(part.max()) + 1)
        near = np.ones(len(values), dtype=bool)
        for _ in range(2):
            inside = [np.flatnonzero((part == c) & near) for c in clusters]
            centres = np.array([centred[rows].mean(axis=0) for rows in inside])
            within = centred - centres[part]
            variance, axes = spectrum(within[near])
            real = int((variance > 1e-9 * max(variance[0], 1e-300)).sum())
            kept = slice(0, max(min(real, MOST_AXES), 1))
            spread = np.sqrt(variance[kept] / near.sum())
            axes = axes[:, kept] / np.where(spread > 0, spread, 1.0)
            length = np.sqrt(((within @ axes) ** 2).sum(axis=1))
            fences = np.array([fence(length[part == c]) for c in clusters])
            near = length <= fences[part]
        return cls(mean, axes, centres @ axes, fences, steps_of(values))

    def blocks(
        self, values: NDArray[np.floating[Any]], streams: Streams
    ) -> Iterator[tuple[int, Floats]]:
        """Yield the first row of every block of rows, and their coordinates."""
        size = max(1, BLOCK // max(values.shape[1], self.axes.shape[1]))
        coarse = np.flatnonzero(self.steps)
        for first in range(0, len(values), size):
            rows = np.asarray(values[first : first + size], dtype=np.float64)
            centred = rows - self.mean
            if len(coarse):
                within = streams("within steps", first).random((len(rows), len(coarse)))
                centred[:, coarse] += (within - 0.5) * self.steps[coarse]
            yield first, centred @ self.axes


def steps_of(values: Floats) -> Floats:
    """Return how far the common values of coarse columns lie apart; 0 for others.

    Between the values of a count there is nothing, which is no gap between groups.
    Items are therefore spread over the steps.

    Examples
    --------
    >>> fine = np.linspace(0, 1, 100)
    >>> steps_of(np.column_stack([fine, np.repeat([0.0, 1.0, 2.0, 50.0], 25)]))[0]
    np.float64(0.0)
    >>> steps_of(np.repeat([[0.0], [1.0], [50.0]], [97, 2, 1], axis=0))
    array([1.])
    """
    steps = np.zeros(values.shape[1])
    for j in range(values.shape[1]):
        distinct, counts = np.unique(values[:, j], return_counts=True)
        if 2 <= len(distinct) <= min(FEW_VALUES, len(values) // 2):
            order = np.argsort(-counts, kind="stable")
            many = int((counts >= COMMON * len(values)).sum())
            steps[j] = np.diff(np.sort(distinct[order[: max(many, 2)]])).max()
    return steps


def distances(rows: Floats, centres: Floats) -> Floats:
    """Return the distance of every row to every centre."""
    squares = (rows * rows).sum(axis=1)[:, None] - 2 * rows @ centres.T
    squares += (centres * centres).sum(axis=1)
    return np.sqrt(np.maximum(squares, 0.0))
