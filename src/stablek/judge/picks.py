"""Picks: after the gate, five members of the panel each name a k."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.significance.against_null import gaps, max_place

Floats = NDArray[np.float64]
Columns = Mapping[str, Floats]


@dataclass(frozen=True)
class Member:
    """A member of the panel: what it reads, against which nulls, how near the top.

    ``d(k)`` is the sum over the statistics of data minus mean null, the smallest over
    the nulls; the member names the largest k with d(k) >= share x its maximum. The
    largest, not the best: where groups of clusters lie far apart, a few coarse groups
    are as stable as the clusters in them.
    """

    name: str
    reads: tuple[str, ...]
    nulls: tuple[str, ...]
    share: float

    def curve(self, data: Columns, nulls: Mapping[str, Columns]) -> Floats:
        """Return d(k)."""
        each = [
            sum(data[s] - nulls[kind][s].mean(axis=0) for s in self.reads)
            for kind in self.nulls
        ]
        return np.asarray(np.min(each, axis=0))

    def pick(
        self, ks: Sequence[int], data: Columns, nulls: Mapping[str, Columns]
    ) -> int:
        """Return the k it names."""
        curve = self.curve(data, nulls)
        top = float(curve.max())
        if top <= 0:
            return int(ks[int(curve.argmax())])
        return int(ks[int(np.flatnonzero(curve >= self.share * top)[-1])])


MEMBERS = (
    Member("prediction", ("ps", "sil"), ("gaussian", "box"), 0.85),
    Member("mixed", ("ps", "ent", "gap"), ("gaussian",), 0.85),
    Member("consensus", ("ent", "minjac"), ("gaussian",), 0.75),
)


def gap_pick(
    ks: Sequence[int], data: Floats, alone: float, nulls: Floats, null_alone: Floats
) -> int:
    """Return the k of the Gap statistic against the Gaussian null (firstSEmax).

    An answer of 1 counts as 2: that there is structure was decided before.
    """
    logs = -np.concatenate([[alone], data])
    null_logs = -np.column_stack([null_alone, nulls])
    gap, s = gaps(null_logs, logs)
    place = max_place(gap, s, "firstSEmax")
    return max(2, [1, *ks][place])


def vote(picks: Sequence[int]) -> int:
    """Return the k named most often; of ties the nearest to the median, then smaller.

    Examples
    --------
    >>> vote([3, 3, 4, 4, 7])
    4
    """
    counts = Counter(picks)
    most = max(counts.values())
    middle = float(np.median(picks))
    tied = [k for k, count in counts.items() if count == most]
    return min(tied, key=lambda k: (abs(k - middle), k))
