"""Simulated sets: a large and a small cluster, and continua without any."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Streams

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

#: Of a large and a small cluster: items, columns, share of the small one, and by how
#: many standard deviations of the large one it is shifted, with its own spread.
UNEQUAL = tuple(
    product((60, 100, 200, 400), (2, 5, 20, 100), (0.1, 0.2, 0.3),
            ((5.0, 1.0), (6.0, 0.6)))
)  # fmt: skip
UNEQUAL_SEED = 900_000

#: The lines along which the items of a continuum lie.
CONTINUA = ("arc", "s-curve", "fork", "switches", "waves")
CONTINUUM_SIZES = tuple(product((100, 200, 500), (3, 30)))
CONTINUUM_SEED = 950_000


def unequal(number: int) -> tuple[Floats, Labels]:
    """Return a large cluster and a small one, the ``number``-th such set."""
    n, m, share, (apart, spread) = UNEQUAL[number]
    rng = Streams(UNEQUAL_SEED + number, ("unequal",))("draw")
    small = np.arange(n) < round(share * n)
    direction = rng.standard_normal(m)
    values = rng.standard_normal((n, m))
    values[small] *= spread
    values[small] += apart * direction / np.linalg.norm(direction)
    return values, small.astype(np.int64)


def continuum(shape: str, number: int) -> Floats:
    """Return items spread evenly along a line, with noise around it.

    An arc, an S or a fork of three arms lies in a plane of the columns. "switches" and
    "waves" are trajectories of cells: every column is switched on at its own time, or
    is high around it.
    """
    n, m = CONTINUUM_SIZES[number % len(CONTINUUM_SIZES)]
    rng = Streams(CONTINUUM_SEED + number, ("continuum", shape))("draw")
    time, noise = rng.random(n)[:, None], rng.standard_normal((n, m))
    away = time - rng.random(m)
    if shape == "switches":
        return np.asarray(3 / (1 + np.exp(-away / 0.1)) + 0.7 * noise)
    if shape == "waves":
        return np.asarray(3 * np.exp(-(away**2) / 0.03) + 0.7 * noise)
    if shape == "s-curve":
        line = np.hstack([8 * time, 3 * np.sin(7 * time)])
    elif shape == "arc":
        line = 4 * _circle(1.2 * np.pi * time)
    else:
        line = 6 * time * _circle(2 * np.pi / 3 * rng.integers(0, 3, n)[:, None])
    plane = np.linalg.qr(rng.standard_normal((m, 2)))[0]
    return np.asarray(line @ plane.T + 0.7 * noise)


def _circle(angle: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    return np.hstack([np.cos(angle), np.sin(angle)])
