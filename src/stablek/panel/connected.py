"""Groups of any shape with gaps between them, beside the compact clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.distances import pairwise
from stablek.kernels.separations import separations
from stablek.panel.answer import Judged
from stablek.panel.gate import gate_rows
from stablek.paradigm.indices import contingency
from stablek.paradigm.statistic.connected import connected_groups

Labels = NDArray[np.int64]

#: A compact cluster lies within a group that holds this share of its items.
PURE = 0.9

#: Compact clusters of one group with a higher density between them are pieces of it.
NO_VALLEY = 0.6


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of neighbours; ``part`` numbers the items judged from 0."""

    part: Labels

    @property
    def count(self) -> int:
        """How many groups there are."""
        return int(self.part.max()) + 1

    def replaces(self, judged: Judged) -> bool:
        """Tell whether the groups are the better answer than the compact clusters.

        They are where compact clusters cut through groups, or are mere pieces of them:
        every cluster lies within one group, and most have no valley towards another of
        the same group. Where both say the same, or the groups are a coarser level, the
        clusters stay.
        """
        panel = judged.panel
        assert panel is not None  # groups are looked for beside a panel
        clusters = panel.at(panel.choice.k)
        table = contingency(clusters, self.part).astype(float)
        sizes = table.sum(axis=1)
        home, pure = table.argmax(axis=1), table.max(axis=1) / np.maximum(sizes, 1)
        if (pure < PURE).any():
            whole = table.max(axis=0) / np.maximum(table.sum(axis=0), 1)
            return not bool((whole >= PURE).all())
        valley = separations(judged.prepared.judged, clusters)[1]
        tops = [
            max(valley[c, d] for d in mates)
            for c in range(len(home))
            if (mates := [d for d in range(len(home)) if d != c and home[d] == home[c]])
        ]
        return bool(tops) and float(np.median(tops)) > NO_VALLEY


def groups_of(judged: Judged) -> Groups | None:
    """Return the groups of neighbours, where gaps between them are evident."""
    gate = judged.gate
    if gate is None or not gate.connected:
        return None
    scores = judged.prepared.judged
    rows = gate_rows(len(scores), judged.streams)
    square = pairwise(np.ascontiguousarray(scores[rows]), "euclidean")
    some = connected_groups(square, gate.gap_bound)
    if some.max() < 1:
        return None
    part = some
    if len(rows) < len(scores):
        # The others go with the nearest item that the gate looked at.
        from scipy.spatial import cKDTree

        part = some[cKDTree(scores[rows]).query(scores)[1]]
    return Groups(part.astype(np.int64))
