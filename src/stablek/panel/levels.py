"""Levels: two groups that are really five."""

from __future__ import annotations

import numpy as np

from stablek.panel.panel import Panel
from stablek.panel.picks import MEMBERS
from stablek.results.trust import nested

NEAR = 0.6  # of the best k's excess stability: below, a level is not worth naming
NESTED = 0.95  # share of the items a coarser level must keep together


def levels_of(panel: Panel) -> tuple[int, ...]:
    """Return the ks at which the data fall into stable groups, coarse to fine.

    A level is the k voted for, and any other k at which the excess of stability over
    the null (the curve of the member "consensus") has a local maximum of at least 60 %
    of the largest, all clusters are admissible at the gate, and the finer partition
    splits the clusters of the coarser one (95 % of the items). Empty where there is one
    level only.
    """
    observed = panel.observed
    member = next(m for m in MEMBERS if m.name == "consensus")
    curve = member.curve(observed.columns, panel.nulls)
    padded = np.concatenate([[-np.inf], curve, [-np.inf]])
    peak = (padded[1:-1] > padded[:-2]) & (padded[1:-1] >= padded[2:])
    peak &= (curve >= NEAR * curve.max()) & panel.gate.admissible
    at = observed.ks.index(panel.k)
    levels = [panel.k]
    for place in np.flatnonzero(peak):
        if place == at:
            continue
        coarse, fine = sorted((int(place), at))
        kept = nested(
            observed.partitions[coarse].astype(np.int64),
            observed.partitions[fine].astype(np.int64),
        )
        if kept >= NESTED:
            levels.append(observed.ks[place])
    return tuple(sorted(levels)) if len(levels) > 1 else ()
