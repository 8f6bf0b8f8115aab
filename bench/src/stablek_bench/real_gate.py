"""The thresholds of the gate, chosen in folds by group from what was kept of it.

The protocol (docs/protocol.md). The level is 0.05, the convention, and clusters touch
from one link across their borders for each inside, which is what a continuum has. Three
thresholds are chosen: how high the p of the separation and of the neighbour graph may
be, and how far the silhouette must lead for touching not to matter. A choice is worth
the share of sets that it finds clusters in, less what its false claims cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from stablek.panel.against_nulls import LENIENT
from stablek.panel.borders import TOUCHING
from stablek.panel.gate import FAR, LEVEL
from stablek_bench.real_look import RealOutcome
from stablek_bench.wrong import markdown

Mask = NDArray[np.bool_]

#: What a share of 1 is worth on each part: found where clusters are, or claimed where
#: there are none. Single classes may have parts, so a claim costs less there.
WORTH = {
    "fair": 3.0, "half": 1.0, "mixture": 1.0, "unequal": 1.0,
    "null": -10.0, "residual": -5.0, "class": -2.0,
}  # fmt: skip

NAMES = {
    "fair": "fair", "half": "half", "mixture": "mixtures",
    "unequal": "a large and a small cluster", "null": "simulated, without clusters",
    "residual": "resampled residuals", "class": "single classes",
}  # fmt: skip


@dataclass(frozen=True)
class Thresholds:
    """When the gate opens for a set whose silhouette stands out."""

    separation: float
    modularity: float
    far: float

    def open(self, one: RealOutcome) -> bool:
        """Tell whether clusters are claimed."""
        if one.shape == "connected" and one.k > 1:  # by gaps, which are not chosen here
            return True
        if one.links is None or one.lead is None or not one.p_by:
            return False
        evident = (
            one.p_by["silhouette"] <= LEVEL + 1e-12
            and one.p_by["separation"] <= self.separation + 1e-12
            and one.p_by["modularity"] <= self.modularity + 1e-12
        )
        return evident and (one.links < TOUCHING or one.lead >= self.far)

    def __str__(self) -> str:
        return " / ".join(f"{value:g}" for value in astuple(self))


#: Those in the source.
SOURCE = Thresholds(
    round(LENIENT["separation"] * LEVEL, 9),
    round(LENIENT["modularity"] * LEVEL, 9),
    FAR,
)

GRID = tuple(
    Thresholds(*values)
    for values in product(
        (0.3, 0.4, 0.5, 0.6, 0.7, 0.8),
        (0.1, 0.2, 0.3, 0.5, 0.7),
        (6.0, 8.0, 10.0, 14.0),
    )
)


@dataclass(frozen=True, eq=False)
class Claims:
    """What every choice of thresholds would claim: one row each, one column per set."""

    outcomes: list[RealOutcome]
    parts: NDArray[np.str_]
    opened: Mask

    def best(self, among: Mask) -> Thresholds:
        """Return the thresholds that are worth most on some of the sets.

        Where a part is missing nothing can be weighed: those in the source.
        """
        worth = np.zeros(len(GRID))
        for part, value in WORTH.items():
            own = among & (self.parts == part)
            if not own.any():
                return SOURCE
            worth += value * self.opened[:, own].mean(axis=1)
        return GRID[int(worth.argmax())]


def claims_of(outcomes: Sequence[RealOutcome]) -> Claims:
    """Return what every choice of thresholds would claim, of the sets that weigh."""
    own = [one for one in outcomes if one.case.part in WORTH]
    opened = np.array([[each.open(one) for one in own] for each in GRID])
    return Claims(own, np.array([one.case.part for one in own]), opened)


def gate_text(
    claims: Claims, chosen: Sequence[tuple[Thresholds, Sequence[RealOutcome]]]
) -> str:
    """Return the section on the thresholds; ``chosen`` in each fold, and its sets."""
    every = claims.best(np.ones(len(claims.outcomes), dtype=bool))
    counts = Counter(str(one) for one, _ in chosen).most_common(3)
    often = ", ".join(f"{count} chose {name}" for name, count in counts)
    rows = [["sets", "how many", "outer folds", "as in the source"]]
    for part, name in NAMES.items():
        own = [one for one in claims.outcomes if one.case.part == part]
        outer = [
            each.open(one)
            for each, sets in chosen
            for one in sets
            if one.case.part == part
        ]
        if not own or not outer:
            continue
        here = np.mean([SOURCE.open(one) for one in own])
        rows.append(
            [name, str(len(own)), f"{np.mean(outer):.1%}", f"{here:.1%}"]
        )  # fmt: skip
    return (
        "## The gate\n\nThree thresholds are [chosen in folds](protocol.md): the "
        "largest p of the separation, the largest p of the neighbour graph, and by how "
        "many standard deviations the silhouette must lead if clusters touch. The "
        f"source has {SOURCE}; the best on all sets of this run are {every}. Of "
        f"{len(chosen)} folds, {often}. Share of the sets with clusters "
        "claimed:\n\n" + markdown(rows)
    )
