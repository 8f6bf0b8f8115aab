"""Null sets of the gate: clouds without clusters, in the coordinates of the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.data.seeds import Streams
from stablek.panel.components import Centred, column_means, falling
from stablek.panel.coordinates import Coordinates
from stablek.panel.some_rows import SomeRows
from stablek.paradigm.contracts import NullModel
from stablek.paradigm.perturb.poisson import PoissonBox
from stablek.paradigm.perturb.skewed import Elliptical, SkewedNormal

Floats = NDArray[np.float64]

#: Null models of the coordinates. A box is beaten by few clouds at k = 2; the others
#: have the skewness and the tails that a box lacks, and are normal where data are. The
#: coordinates have an order of their own, which is kept.
MODELS: tuple[NullModel, ...] = (
    PoissonBox("box", by_column=False),
    SkewedNormal("skewed", by_column=False),
    Elliptical("elliptical", by_column=False),
)

#: Up to this many columns null sets are skewed column by column as well; the skewness
#: of more averages out.
MOST_COLUMNS = 100

#: Directions in which rows spread less than this, times the widest, are none: inner
#: products hold no more digits.
SMALLEST = 1e-6

#: Rounds of the fixed point of :func:`spreads_before_bending`.
ROUNDS = 8


@dataclass(frozen=True, eq=False)
class InCoordinates:
    """A null model of the columns, seen in the coordinates that items are judged in.

    ``values`` are the columns of the items that the gate looks at.
    """

    model: NullModel
    coordinates: Coordinates
    values: Floats

    @property
    def name(self) -> str:
        """The word for the null model."""
        return f"{self.model.name} columns"

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return coordinates of items without clusters; ``data`` holds the scores."""
        drawn = self.model.draw(Dataset(self.values), rng).values
        return data.with_values(self.coordinates.scores(drawn))


@dataclass(frozen=True, eq=False)
class OnSphere:
    """A null model for rows of one length, such as standardised rows.

    A cloud bent onto a sphere falls into more stable parts than a flat one, so null
    sets are bent, too. They are drawn with such spreads that, after bending, those of
    the data come out. Everything happens in the space that the rows span.

    Parameters
    ----------
    model
        The null model of the components.
    components
        The rows on the components of their span, as a data set.
    stretch
        By how much each component is widened before bending.
    centre
        The mean row, in the same space.
    radius
        The length of all rows.
    axes
        What leads from the space to the coordinates.
    """

    model: NullModel
    components: Dataset
    stretch: Floats
    centre: Floats
    radius: float
    axes: Floats

    @property
    def name(self) -> str:
        """The word for the null model."""
        return self.model.name

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return coordinates of items without clusters on the sphere."""
        flat = self.model.draw(self.components, rng).values * self.stretch
        rows = bend(flat, self.centre, self.radius)
        return data.with_values(np.ascontiguousarray((rows - self.centre) @ self.axes))


def null_models(
    coordinates: Coordinates, values: Floats | SomeRows, streams: Streams
) -> tuple[NullModel, ...]:
    """Return the gate's null models for items with these values."""
    sphere = coordinates.sphere
    if sphere is None:
        if values.shape[1] > MOST_COLUMNS:
            return MODELS
        box, skewed, *elliptical = MODELS
        if coordinates.axes.shape[1] == 1:
            # A line has two directions: null sets would have the clusters of the data.
            elliptical = []
        columns = InCoordinates(skewed, coordinates, values[:])
        return box, columns, skewed, *elliptical
    rows, centre, axes = in_span(values, coordinates.axes)
    spread = rows.std(axis=0)
    drawn = spreads_before_bending(spread, centre, sphere, len(values), streams)
    stretch = np.divide(drawn, spread, out=np.zeros_like(drawn), where=spread > 0)
    cloud = Dataset(rows)
    return tuple(
        OnSphere(model, cloud, stretch, centre, sphere, axes) for model in MODELS[:2]
    )


def in_span(values: Floats | SomeRows, axes: Floats) -> tuple[Floats, Floats, Floats]:
    """Return rows, their mean and axes in the space that the rows span.

    Its directions are the components of the rows, and last the part of the mean that
    lies across them. They follow from inner products, so a wide table is read in
    blocks of columns and not copied.
    """
    mean = column_means(values)
    centred = Centred(values, mean)
    gram: Any = sum(block @ block.T for _, block in centred.blocks())
    variance, left = falling(gram)
    kept = variance > SMALLEST**2 * variance[0]
    size = np.sqrt(variance[kept])
    left = left[:, kept]
    back = left / size  # what leads from rows to directions
    along = back.T @ sum(block @ mean[part] for part, block in centred.blocks())
    across = mean - np.concatenate(
        [block.T @ (back @ along) for _, block in centred.blocks()]
    )
    length = float(np.linalg.norm(across))
    turned: Any = sum(block @ axes[part] for part, block in centred.blocks())
    rows = np.column_stack([left * size, np.zeros(len(values))])
    return (
        rows,
        np.append(along, length),
        np.vstack([back.T @ turned, across @ axes / length]),
    )


def bend(rows: Floats, centre: Floats, radius: float) -> Floats:
    """Return rows around a centre, scaled to one length."""
    placed = rows + centre
    length = np.sqrt((placed * placed).sum(axis=1, keepdims=True))
    bent: Floats = placed * (radius / np.maximum(length, 1e-300))
    return bent


def spreads_before_bending(
    spread: Floats, centre: Floats, radius: float, n: int, streams: Streams
) -> Floats:
    """Return the spreads that, bent onto the sphere, become those given."""
    free = streams("bend").standard_normal((max(n, 400), len(spread)))
    drawn = spread.copy()
    for _ in range(ROUNDS):
        rows = bend(free * drawn, centre, radius)
        now = rows.std(axis=0)
        drawn = np.where(now > 0, drawn * spread / np.maximum(now, 1e-300), 0.0)
    return drawn
