"""The test H on the adequacy of the statistic: how many repeats are enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stablek.contracts import Clusterer, Column, Curve, Facts, Rule
from stablek.cube import PartitionCube
from stablek.data import Dataset
from stablek.errors import InputError
from stablek.statistic.comembership import shares_together


@dataclass(frozen=True)
class FixedRepeats:
    """Stop after a given number of repeats: the test written H_c in the thesis."""

    repeats: int

    def __post_init__(self) -> None:
        if self.repeats < 1:
            msg = f"repeats = {self.repeats} must be at least 1"
            raise InputError(msg)

    def checkpoints(self, data: Dataset, clusterer: Clusterer) -> tuple[int, ...]:
        """Return the one count."""
        del data, clusterer
        return (self.repeats,)

    def enough(self, cube: PartitionCube, asked: Sequence[int]) -> str | None:
        """Return the reason: the number that was asked for."""
        del asked
        return f"{cube.repeats} repeats were asked for"


@dataclass(frozen=True)
class Settled:
    """Stop when the curve and the decision no longer depend on more repeats.

    Looked at after fixed numbers of repeats. There the repeats are dealt into
    ``parts`` disjoint parts, and the area under the consensus CDF is taken from the
    cluster sizes of each, without any pair. Enough means that the rule chooses the same
    k in every part as in the whole, and that the standard error of the area is at most
    ``tolerance`` at every k.

    References
    ----------
    Thesis, section 3.2: H is "a test on the adequacy of a statistic".
    """

    rule: Rule
    counts: tuple[int, ...] = (24, 48, 72, 100, 148, 200, 250)
    parts: int = 4
    tolerance: float = 0.01

    def checkpoints(self, data: Dataset, clusterer: Clusterer) -> tuple[int, ...]:
        """Return the counts at which to look."""
        del data, clusterer
        return self.counts

    def enough(self, cube: PartitionCube, asked: Sequence[int]) -> str | None:
        """Return what agrees, if it does."""
        shares = shares_together(cube)
        done = np.isfinite(shares).sum(axis=0)
        if done.min() < 2 * self.parts:
            return None
        error = float((np.nanstd(shares, axis=0, ddof=1) / np.sqrt(done)).max())
        if error > self.tolerance:
            return None
        chosen = {
            self._choice(cube.ks, 1 - np.nanmean(part, axis=0), asked)
            for part in (shares, *(shares[i :: self.parts] for i in range(self.parts)))
        }
        if len(chosen) > 1:
            return None
        return (
            f"after {cube.repeats} repeats each of {self.parts} disjoint parts of them "
            f"chooses k = {chosen.pop()}, and the area is known to {error:.4f}"
        )

    def _choice(
        self, ks: tuple[int, ...], area: Column, asked: Sequence[int]
    ) -> int | None:
        facts = Facts(n=0, m=0, ks=ks, asked=tuple(asked))
        return self.rule(Curve(ks, {"area": area}, "area"), None, facts).k_star


@dataclass(frozen=True)
class Starts:
    """Repeat only what is random: one run, or several random starts (thesis: five)."""

    starts: int = 5

    def checkpoints(self, data: Dataset, clusterer: Clusterer) -> tuple[int, ...]:
        """Return 1 for an algorithm without randomness."""
        del data
        return (self.starts if clusterer.random else 1,)

    def enough(self, cube: PartitionCube, asked: Sequence[int]) -> str | None:
        """Return the reason."""
        del asked
        return f"{cube.repeats} start(s)"


@dataclass(frozen=True)
class EveryColumn:
    """Leave out every column once, for every start: FOM's jackknife.

    An algorithm with a random start is started ``starts`` times (thesis: five); repeat
    r leaves out column r mod m.
    """

    starts: int = 5

    def __post_init__(self) -> None:
        if self.starts < 1:
            msg = f"starts = {self.starts} must be at least 1"
            raise InputError(msg)

    def checkpoints(self, data: Dataset, clusterer: Clusterer) -> tuple[int, ...]:
        """Return the number of columns times the number of starts."""
        return (data.m * (self.starts if clusterer.random else 1),)

    def enough(self, cube: PartitionCube, asked: Sequence[int]) -> str | None:
        """Return the reason."""
        del asked
        return f"{cube.repeats} column(s) left out"
