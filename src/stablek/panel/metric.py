"""Other distances than the Euclidean: the values that a verdict looks at instead."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.data.preparation import WRITERS, row_blocks
from stablek.data.reduction import classical_scaling
from stablek.data.seeds import Streams
from stablek.errors import InputError, unknown_name
from stablek.kernels.distances import average_ranks
from stablek.panel.components import rotation

METRICS = ("euclidean", "correlation", "spearman", "cosine", "precomputed")

#: Coordinates of more items than this would take minutes.
MOST_DISTANCES = 6000

#: How the note begins that says where coordinates come from.
COORDINATES = "coordinates by classical scaling"

#: A larger share of the distances that no coordinates can give is reported.
BENT = 0.05


def to_euclidean(values: NDArray[Any], metric: str) -> tuple[str, ...]:
    """Turn a table so that Euclidean distances say what a metric says; return notes.

    Rows standardised, of ranks or not, or scaled to one length: the squares of their
    distances are 2 (1 - r) times a constant, with r the correlation or the cosine.
    """
    if metric not in METRICS:
        known = [name for name in METRICS if name != "precomputed"]
        unknown = unknown_name("metric", metric, known)
        raise InputError(
            f"{unknown}; for another one give a matrix of distances, with --metric "
            "precomputed"
        )
    if metric == "euclidean":
        return ()
    if metric == "cosine":
        for rows in row_blocks(values.shape):
            some = values[rows]
            length = np.sqrt((some * some).sum(axis=1, keepdims=True))
            some /= np.where(length > 0, length, 1.0)
        return ("rows scaled to length 1",)
    ranked: tuple[str, ...] = ()
    if metric == "spearman":
        for rows in row_blocks(values.shape):
            values[rows] = average_ranks(values[rows])
        ranked = ("values ranked in every row",)
    return (*ranked, WRITERS["standardise-rows"](values, values))


def from_distances(data: Dataset, streams: Streams) -> Dataset:
    """Return coordinates of items whose distances are known: classical scaling.

    Axes count whose eigenvalue is larger than the most negative one, for that much is
    due to distances that no coordinates can give. They are turned at random: what
    stands out of noise is found by flipping signs, which must not meet one component
    in each column. Items at distance 0 get the same coordinates.

    References
    ----------
    Torgerson (1952), Psychometrika 17, 401-419. Cox, Cox (2000), Multidimensional
    Scaling, section 2.2.
    """
    if data.n > MOST_DISTANCES:
        raise InputError(
            f"a verdict on distances takes up to {MOST_DISTANCES:,} items, not "
            f"{data.n:,}; give their values, or a part of the items"
        )
    distances = np.asarray(data.values, dtype=np.float64)
    largest = float(distances.max())
    spread, axes = classical_scaling(distances / (largest if largest > 0 else 1.0))
    spread = np.where(np.abs(spread) > 1e-12 * data.n, spread, 0.0)
    real = spread > max(float(-spread[-1]), 0.0)
    if not real.any():
        real[0] = True
    scores = axes[:, real] * (largest * np.sqrt(np.maximum(spread[real], 0.0)))
    twin = np.argmax(distances == 0, axis=1)  # the first item in the same place
    turned = scores[twin] @ rotation(int(real.sum()), streams)
    bent = float(-spread[spread < 0].sum() / max(np.abs(spread).sum(), 1e-300))
    note = f"{COORDINATES}: {int(real.sum()):,} axes"
    if bent > BENT:
        note += f" ({bent:.0%} of the distances cannot be represented)"
    return replace(
        data, values=turned, precomputed=False, columns=(),
        notes=(*data.notes, note), _distances={},
    )  # fmt: skip
