"""Null models: data sets that keep some features of the data and no clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stablek.data import Dataset


@dataclass(frozen=True)
class PoissonBox:
    """Ps: items placed uniformly in the box that encloses the data.

    Each column is uniform between its minimum and its maximum, independently.

    References
    ----------
    Thesis, section 1.4 (random position hypothesis). Tibshirani, Walther, Hastie
    (2001), JRSS B 63, 411-423, choice (a) of section 3.
    """

    name: str = "ps"

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items drawn uniformly from the bounding box."""
        low, high = data.values.min(axis=0), data.values.max(axis=0)
        values = low + (high - low) * rng.random(data.values.shape)
        return data.with_values(values.astype(data.values.dtype, copy=False))
