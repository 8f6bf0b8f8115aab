"""The thresholds of the gate, chosen in folds by group from what was kept of it.

The protocol (docs/protocol.md). The level is 0.05, the convention. Separation and
neighbour graph may not look worse than in the typical null set: p up to 0.5. Clusters
come back from a prediction strength of 0.6. Two thresholds are chosen: how dense the
clearest border may be before clusters touch, and how far the silhouette must lead for
neither to matter (nor the graph, where the separation has p up to 0.02). The best
choice finds clusters in the largest share of the sets that have them, without claiming
them more often than is allowed where there are none.
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

#: Parts with clusters, of which the gate should find as many as it can.
WITH_CLUSTERS = ("fair", "half", "mixture", "unequal")

#: Clusters may be claimed in this share of each part without them. Resampled residuals
#: can keep columns with two humps. Single classes can have parts: the first gate, which
#: was chosen before any of these thresholds, claimed clusters in 27 % of them.
ALLOWED = {"null": 0.02, "residual": 0.05, "class": 0.27}

#: All parts that the choice rests on.
WEIGHED = (*WITH_CLUSTERS, *ALLOWED)

NAMES = {
    "fair": "fair", "half": "half", "mixture": "mixtures",
    "unequal": "a large and a small cluster", "null": "simulated sets without clusters",
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
    clear = one.lead >= by.far
    evident = one.p <= LEVEL + 1e-12 and apart(one.p_by, clear=clear)
    doubt = doubt_of(one.valley, one.comes_back, by.touching)
    return evident and (clear or doubt is None)


@dataclass(frozen=True, eq=False)
class Claims:
    """What all thresholds would claim: one row each, one column per set."""

    outcomes: list[RealOutcome]
    parts: NDArray[np.str_]
    opened: Mask

    def best(self, among: Mask) -> Thresholds:
        """Return the thresholds that find most on some of the sets, as far as allowed.

        Where a part is missing, or all thresholds claim too much: those in the source.
        """
        share = {}
        for part in WEIGHED:
            own = among & (self.parts == part)
            if not own.any():
                return IN_SOURCE
            share[part] = self.opened[:, own].mean(axis=1)
        power = sum(share[part] for part in WITH_CLUSTERS)
        fine = [share[part] <= most + 1e-9 for part, most in ALLOWED.items()]
        allowed = np.all(fine, axis=0)
        if not allowed.any():
            return IN_SOURCE
        return GRID[int(np.where(allowed, power, -1.0).argmax())]


def _allowed_text() -> str:
    """Return the largest shares that may be claimed, in words."""
    *first, last = (f"{most:.0%} of {NAMES[part]}" for part, most in ALLOWED.items())
    return ", ".join(first) + f", and {last}"


def claims_of(outcomes: Sequence[RealOutcome]) -> Claims:
    """Return what all thresholds would claim, of the sets that weigh."""
    own = [one for one in outcomes if one.case.part in WEIGHED]
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
        "## The gate\n\nTwo thresholds are [chosen in folds](protocol.md): of those "
        f"that claim clusters in at most {_allowed_text()}, the two that find most. "
        "The first is a share of the lower peak: clusters touch if the density at the "
        "clearest border is above it. The second is a lead of the silhouette, in "
        "standard deviations: from there on, clusters count even if they touch or do "
        f"not come back. The source has {IN_SOURCE}; the best on all sets of this run "
        f"are {every}. Of "
        f"{len(chosen)} folds, {often}. Share of the sets with clusters claimed:\n\n"
        + table(rows)
    )
