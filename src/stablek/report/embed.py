"""Two dimensions in which the items can be drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.report.look import even

#: Axes are found from at most so many items; all are then projected on them.
MOST = 1000

Floats = NDArray[np.float64]


def plane(data: Dataset, rows: NDArray[np.intp]) -> tuple[Floats, tuple[str, str]]:
    """Return coordinates of some items in a plane, and what its axes are.

    Principal components of the values; of a distance matrix, classical scaling of the
    items wanted. The sign of an axis is fixed: its largest loading is positive.
    """
    if data.precomputed:
        return _scaling(np.asarray(data.values, dtype=np.float64)[np.ix_(rows, rows)])
    values = np.asarray(data.values, dtype=np.float64)
    basis = values[even(data.n, MOST)]
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


def _scaling(distances: Floats) -> tuple[Floats, tuple[str, str]]:
    squares = distances**2
    inner = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None]
    spread, axes = np.linalg.eigh(-0.5 * (inner + squares.mean()))
    spread, axes = spread[::-1][:2], axes[:, ::-1][:, :2]
    axes = axes * np.where(axes[np.abs(axes).argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)
    points: Floats = axes * np.sqrt(np.maximum(spread, 0))
    return points, ("axis 1 of classical scaling", "axis 2")
