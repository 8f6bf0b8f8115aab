"""The test H on the adequacy of the statistic: how many repeats are enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stablek.contracts import Clusterer, Curve
from stablek.data import Dataset
from stablek.errors import InputError


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

    def enough(self, collected: Any, curve: Curve, repeats: int) -> str | None:
        """Return the reason: the number that was asked for."""
        del collected, curve
        return f"{repeats} repeats were asked for"


@dataclass(frozen=True)
class Starts:
    """Repeat only what is random: one run, or several random starts (thesis: five)."""

    starts: int = 5

    def checkpoints(self, data: Dataset, clusterer: Clusterer) -> tuple[int, ...]:
        """Return 1 for an algorithm without randomness."""
        del data
        return (self.starts if clusterer.random else 1,)

    def enough(self, collected: Any, curve: Curve, repeats: int) -> str | None:
        """Return the reason."""
        del collected, curve
        return f"{repeats} start(s)"


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

    def enough(self, collected: Any, curve: Curve, repeats: int) -> str | None:
        """Return the reason."""
        del collected, curve
        return f"{repeats} column(s) left out"
