"""Perturbations that choose rows and leave values alone."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stablek.data import Dataset, Sample
from stablek.errors import InputError


@dataclass(frozen=True)
class Unchanged:
    """Take the data as they are: no perturbation.

    With a clusterer that starts at random, several repeats of it are Brunet's
    restarts: the whole data, a new random start each time.
    """

    def draw(self, data: Dataset, rng: np.random.Generator, repeat: int) -> Sample:
        """Return all items."""
        del rng, repeat
        return data.whole()

    def size(self, n: int) -> int:
        """Return n."""
        return n


@dataclass(frozen=True)
class Subsample:
    """Draw ceil(fraction n) items without replacement (thesis, section 1.5.1).

    The rows are in increasing order, so that ties between items fall as they do in
    the whole data.
    """

    fraction: float = 0.8

    def __post_init__(self) -> None:
        if not 0 < self.fraction < 1:
            msg = f"fraction = {self.fraction:g} must lie between 0 and 1, e.g. 0.8"
            raise InputError(msg)

    def draw(self, data: Dataset, rng: np.random.Generator, repeat: int) -> Sample:
        """Return a random subset of the items."""
        del repeat
        rows = rng.permutation(data.n)[: self.size(data.n)]
        rows.sort()
        return Sample(data, rows.astype(np.intp, copy=False))

    def size(self, n: int) -> int:
        """Return ceil(fraction n), with a guard against 0.8 * 35 = 28.000000000000004.

        Examples
        --------
        >>> Subsample(0.8).size(38), Subsample(0.8).size(35), Subsample(0.66).size(38)
        (31, 28, 26)
        """
        return math.ceil(round(self.fraction * n, 9))
