"""The thresholds of the gate, chosen in folds by group from what was kept of it.

The protocol (docs/protocol.md). The level is 0.05, the convention. Separation and
neighbour graph may not look worse than in the typical null set: p up to 0.5. Clusters
come back from a prediction strength of 0.6. Two thresholds are chosen: how dense the
clearest border may be before clusters touch, and how far the silhouette must lead for
neither to matter. A choice is worth the share of sets that it finds clusters in, less
what its false claims cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stablek.panel.against_nulls import apart
from stablek.panel.borders import TOUCHING
from stablek.panel.finding import doubt_of
from stablek.panel.gate import FAR, LEVEL
from stablek_bench.markdown import table
from stablek_bench.real_look import RealOutcome

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


class Thresholds(NamedTuple):
    """How dense a border may be, and the lead that settles every doubt."""

    touching: float
    far: float

    def __str__(self) -> str:
        return f"{self.touching:g} and {self.far:g}"


#: Those in the source, and those that are tried.
IN_SOURCE = Thresholds(TOUCHING, FAR)
BORDERS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.6)
LEADS = (6.0, 7.0, 8.0, 10.0, 12.0, 14.0)
GRID = tuple(Thresholds(*pair) for pair in product(BORDERS, LEADS))


def opens(one: RealOutcome, by: Thresholds) -> bool:
    """Tell whether clusters are claimed with these thresholds."""
    if one.shape == "connected" and one.k > 1:  # by gaps, which are not chosen here
        return True
    if one.valley is None or one.lead is None or one.p is None:
        return False
    evident = one.p <= LEVEL + 1e-12 and apart(one.p_by)
    doubt = doubt_of(one.valley, one.comes_back, by.touching)
    return evident and (one.lead >= by.far or doubt is None)


@dataclass(frozen=True, eq=False)
class Claims:
    """What all thresholds would claim: one row each, one column per set."""

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
                return IN_SOURCE
            worth += value * self.opened[:, own].mean(axis=1)
        return GRID[int(worth.argmax())]


def claims_of(outcomes: Sequence[RealOutcome]) -> Claims:
    """Return what all thresholds would claim, of the sets that weigh."""
    own = [one for one in outcomes if one.case.part in WORTH]
    opened = np.array([[opens(one, by) for one in own] for by in GRID])
    return Claims(own, np.array([one.case.part for one in own]), opened)


def gate_text(
    claims: Claims, chosen: Sequence[tuple[Thresholds, Sequence[RealOutcome]]]
) -> str:
    """Return the section on the gate; ``chosen`` has each fold's choice and sets."""
    every = claims.best(np.ones(len(claims.outcomes), dtype=bool))
    counts = Counter(str(by) for by, _ in chosen).most_common(3)
    often = ", ".join(f"{count} chose {name}" for name, count in counts)
    rows = [["sets", "how many", "outer folds", "as in the source"]]
    for part, name in NAMES.items():
        own = [one for one in claims.outcomes if one.case.part == part]
        outer = [
            opens(one, by)
            for by, sets in chosen
            for one in sets
            if one.case.part == part
        ]
        if not own or not outer:
            continue
        here = np.mean([opens(one, IN_SOURCE) for one in own])
        rows.append(
            [name, str(len(own)), f"{np.mean(outer):.1%}", f"{here:.1%}"]
        )  # fmt: skip
    return (
        "## The gate\n\nTwo thresholds are [chosen in folds](protocol.md). Clusters "
        "touch if the density at the clearest border is above a share of the lower "
        "peak. And from a lead of so many standard deviations of the silhouette, "
        "clusters count although they touch, or do not come back. The source has "
        f"{IN_SOURCE}; the best on all sets of this run are {every}. Of "
        f"{len(chosen)} folds, {often}. Share of the sets with clusters claimed:\n\n"
        + table(rows)
    )
