"""Two dimensions in which the items can be drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.data.reduction import classical_scaling
from stablek.errors import InputError
from stablek.report.page.look import evenly_spaced

#: Axes are found from at most so many items; all are then projected on them.
MOST = 1000

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Embedding:
    """Coordinates of all items in a plane of the user's own, such as a UMAP."""

    points: Floats
    axes: tuple[str, str]


def embedding_of(given: Any, n: int, ids: Sequence[str] = ()) -> Embedding:
    """Return an embedding from what a user has: an array, a DataFrame, a Dataset.

    A row per item, in the order of the data; where both have ids, they decide. The
    first two columns are drawn.
    """
    axes: Sequence[str] = ()
    names: Sequence[str] = ()
    if isinstance(given, Embedding):
        points, axes = given.points, given.axes
    elif isinstance(given, Dataset):
        points = np.asarray(given.values, dtype=np.float64)
        axes, names = given.columns, given.ids
    else:
        points = np.asarray(given, dtype=np.float64)
        axes = [str(name) for name in getattr(given, "columns", ())]
        index = getattr(given, "index", None)
        if index is not None and not callable(index):
            names = [str(name) for name in index]
        if names == [str(i) for i in range(len(points))]:
            names = ()  # a DataFrame without an index of its own
    if points.ndim != 2 or points.shape[1] < 2:
        raise InputError(
            f"an embedding has two columns; this one has shape {points.shape}"
        )
    if len(names) and len(ids):
        points = points[_rows_of(names, ids)]
    if len(points) != n:
        raise InputError(
            f"the embedding has {len(points)} rows for {n} items, and no ids to match"
        )
    if not np.isfinite(points[:, :2]).all():
        raise InputError("the embedding has values that are missing or not finite")
    first, second = axes[:2] if len(axes) >= 2 else ("axis 1", "axis 2")
    return Embedding(points[:, :2], (first, second))


def _rows_of(names: Sequence[str], ids: Sequence[str]) -> list[int]:
    places = {name: row for row, name in enumerate(names)}
    missing = [name for name in ids if name not in places]
    if missing:
        raise InputError(
            f"{len(missing)} of {len(ids)} items are not in the embedding, e.g. "
            f"'{missing[0][:40]}'; it has e.g. '{next(iter(places), '')[:40]}'"
        )
    return [places[name] for name in ids]


def plane(data: Dataset, rows: NDArray[np.intp]) -> tuple[Floats, tuple[str, str]]:
    """Return coordinates of some items in a plane, and what its axes are.

    Principal components of the values; of a distance matrix, classical scaling of the
    items wanted. The sign of an axis is fixed: its largest loading is positive.
    """
    if data.precomputed:
        distances = np.asarray(data.values, dtype=np.float64)[np.ix_(rows, rows)]
        spread, axes = classical_scaling(distances)
        points = axes[:, :2] * np.sqrt(np.maximum(spread[:2], 0))
        return points, ("axis 1 of classical scaling", "axis 2")
    values = np.asarray(data.values, dtype=np.float64)
    basis = values[evenly_spaced(data.n, MOST)]
    centre = basis.mean(axis=0)
    centred = basis - centre
    variance = float((centred**2).sum())
    if data.m == 1 or variance == 0:
        points = np.zeros((len(rows), 2))
        points[:, 0] = (values[rows] - centre)[:, 0]
        return points, ("the only column" if data.m == 1 else "PC 1", "")
    if data.m <= len(basis):
        spread, axes = np.linalg.eigh(centred.T @ centred)
        axes, spread = axes[:, ::-1][:, :2], spread[::-1][:2]
    else:
        spread, left = np.linalg.eigh(centred @ centred.T)
        spread, left = spread[::-1][:2], left[:, ::-1][:, :2]
        axes = centred.T @ left / np.sqrt(np.maximum(spread, 1e-300))
    axes = axes * np.where(
        axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])] < 0, -1.0, 1.0
    )
    points = (values[rows] - centre) @ axes
    shares = np.maximum(spread, 0) / variance
    return points, (f"PC 1 ({shares[0]:.0%})", f"PC 2 ({shares[1]:.0%})")
