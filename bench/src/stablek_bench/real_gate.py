"""The threshold of the gate, chosen in folds by group from what was kept of it.

The protocol (docs/protocol.md). The level is 0.05, the convention. Separation and
neighbour graph may not look worse than in the typical null set: p up to 0.5. Clusters
touch if the density between them nowhere falls to half of the lower peak, and come back
from a prediction strength of 0.6. One threshold is chosen: how far the silhouette must
lead for neither to matter. A choice is worth the share of sets that it finds clusters
in, less what its false claims cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.panel.against_nulls import apart
from stablek.panel.borders import Borders
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


def opens(one: RealOutcome, far: float) -> bool:
    """Tell whether clusters are claimed, if a lead of ``far`` settles every doubt."""
    if one.shape == "connected" and one.k > 1:  # by gaps, which are not chosen here
        return True
    if one.valley is None or one.lead is None or one.p is None:
        return False
    evident = one.p <= LEVEL + 1e-12 and apart(one.p_by)
    doubt = doubt_of(Borders(one.valley), one.comes_back)
    return evident and (one.lead >= far or doubt is None)


#: What is tried.
GRID = (6.0, 7.0, 8.0, 10.0, 12.0, 14.0)


@dataclass(frozen=True, eq=False)
class Claims:
    """What every threshold would claim: one row each, one column per set."""

    outcomes: list[RealOutcome]
    parts: NDArray[np.str_]
    opened: Mask

    def best(self, among: Mask) -> float:
        """Return the threshold that is worth most on some of the sets.

        Where a part is missing nothing can be weighed: that in the source.
        """
        worth = np.zeros(len(GRID))
        for part, value in WORTH.items():
            own = among & (self.parts == part)
            if not own.any():
                return FAR
            worth += value * self.opened[:, own].mean(axis=1)
        return GRID[int(worth.argmax())]


def claims_of(outcomes: Sequence[RealOutcome]) -> Claims:
    """Return what every threshold would claim, of the sets that weigh."""
    own = [one for one in outcomes if one.case.part in WORTH]
    opened = np.array([[opens(one, far) for one in own] for far in GRID])
    return Claims(own, np.array([one.case.part for one in own]), opened)


def gate_text(
    claims: Claims, chosen: Sequence[tuple[float, Sequence[RealOutcome]]]
) -> str:
    """Return the section on the gate; ``chosen`` has each fold's choice and sets."""
    every = claims.best(np.ones(len(claims.outcomes), dtype=bool))
    counts = Counter(f"{far:g}" for far, _ in chosen).most_common(3)
    often = ", ".join(f"{count} chose {name}" for name, count in counts)
    rows = [["sets", "how many", "outer folds", "as in the source"]]
    for part, name in NAMES.items():
        own = [one for one in claims.outcomes if one.case.part == part]
        outer = [
            opens(one, far)
            for far, sets in chosen
            for one in sets
            if one.case.part == part
        ]
        if not own or not outer:
            continue
        here = np.mean([opens(one, FAR) for one in own])
        rows.append(
            [name, str(len(own)), f"{np.mean(outer):.1%}", f"{here:.1%}"]
        )  # fmt: skip
    return (
        "## The gate\n\nOne threshold is [chosen in folds](protocol.md): by how many "
        "standard deviations the silhouette must lead for clusters to count although "
        f"they touch, or do not come back. The source has {FAR:g}; the best on all "
        f"sets of this run is {every:g}. Of {len(chosen)} folds, {often}. Share of the "
        "sets with clusters claimed:\n\n" + table(rows)
    )
