"""What the evidence amounts to: clusters, groups of any shape, a hint, or nothing."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.panel import words
from stablek.panel.answer import Judged
from stablek.panel.borders import TOUCHING, Borders, borders_of
from stablek.panel.connected import groups_of
from stablek.panel.gate import CLEAR_GAP, Gate, sets_needed
from stablek.panel.p_value import PValue
from stablek.panel.panel import most_clusters

Labels = NDArray[np.int64]

#: At some k, prediction strength must reach this: clusters that do not come back in the
#: other half of the items are no evidence, unless the gate is clear.
COMES_BACK = 0.6

#: What a finding can be. Of these, only the first two are evidence of clusters.
COMPACT = "compact"  # clusters around centres
CONNECTED = "connected"  # groups of any shape with gaps between them
TOUCHING_GROUPS = "touching"  # a hint: they stand out, but no gap lies between them
UNSTEADY_GROUPS = "unsteady"  # a hint: they stand out, but do not come back
FEW_NULL_SETS = "few null sets"  # a hint: no more could be seen
NARROW_GAPS = "narrow gaps"  # a hint: gaps that null sets lack, but narrow ones
OTHER_GROUPS = "other groups"  # groups of any shape, but not as many as asked for
HINT = "hint"
NOTHING = "nothing"
NO_DIRECTION = "no direction"  # none varies more than noise does


@dataclass(frozen=True, eq=False)
class Finding:
    """What the evidence amounts to.

    Parameters
    ----------
    kind
        Clusters ("compact" or "connected"), why there is only a hint, or why there is
        none.
    k
        The number of clusters; 1 without evidence.
    part
        The cluster of each item judged, from 0.
    strength
        How sure the answer is, in a word.
    borders
        What lies between the clusters of the best partition.
    wider
        The largest k to try next, where k is the largest k tried.
    clusters
        How far to trust each compact cluster.
    groups
        How many groups of any shape there are, where another number was asked for, or
        where wide gaps part groups of compact clusters.
    """

    kind: str
    k: int
    part: Labels
    strength: str
    borders: Borders = field(default_factory=Borders)
    wider: int | None = None
    clusters: tuple[dict[str, Any], ...] = ()
    groups: int = 0

    @property
    def compact(self) -> bool:
        """Whether the answer is clusters around centres."""
        return self.kind == COMPACT

    @property
    def connected(self) -> bool:
        """Whether the answer is groups of any shape."""
        return self.kind == CONNECTED


def find(judged: Judged, *, level: float, null_sets: int) -> Finding:
    """Return what gate, borders and panel amount to at a level."""
    gate, panel = judged.gate, judged.the_panel
    one = np.zeros(len(judged.prepared.rows), dtype=np.int64)
    if gate is None:
        return Finding(NO_DIRECTION, 1, one, "none")
    borders = borders_of(judged)
    doubt = None if gate.clear else doubt_of(borders.valley, panel.comes_back)
    evident = gate.open(level) and doubt is None
    groups = groups_of(judged) if gate.gaps(level) else None
    other = groups is not None and panel.one_k and groups.count != panel.ks[0]
    if groups is not None and not other and (not evident or groups.replaces(judged)):
        strength = "moderate" if gate.gap >= CLEAR_GAP else "weak"
        return Finding(CONNECTED, groups.count, groups.part, strength, borders)
    if evident:
        k = panel.choice.k
        wider = None if panel.one_k else wider_range(k, panel.ks[-1], len(one))
        # A k that nothing was compared with is not strong, and weak if it is shaky.
        strength = "moderate" if panel.one_k else panel.choice.strength
        strength = gate.at_most(strength, continuum=borders.continuum)
        strength = settled(strength, k, k_as_given=judged.k_as_given, wider=wider)
        clusters = judged.cluster_records(panel.at(k))
        shaky = panel.one_k and any(words.is_shaky(cluster) for cluster in clusters)
        strength = "weak" if shaky else strength
        around = groups.around(judged, panel.at(k)) if groups is not None else 0
        return Finding(
            COMPACT, k, panel.at(k), strength, borders, wider, clusters, around
        )
    if groups is not None:
        return Finding(OTHER_GROUPS, 1, one, "suggestive", borders, groups=groups.count)
    if gate.beaten and null_sets < sets_needed(level):
        return Finding(FEW_NULL_SETS, 1, one, "suggestive", borders)
    if doubt is not None and gate.open(level):
        return Finding(doubt, 1, one, "suggestive", borders)
    if gate.suggestive:
        return Finding(HINT, 1, one, "suggestive", borders)
    if gate.narrow_gaps:
        return Finding(NARROW_GAPS, 1, one, "suggestive", borders)
    return Finding(NOTHING, 1, one, "none", borders)


def doubt_of(
    valley: float, comes_back: float, touching: float = TOUCHING
) -> str | None:
    """Return why groups that stand out are no evidence; None if nothing speaks against.

    Examples
    --------
    >>> doubt_of(0.2, 0.9), doubt_of(0.7, 0.9), doubt_of(0.2, 0.4)
    (None, 'touching', 'unsteady')
    """
    if valley > touching:
        return TOUCHING_GROUPS
    return None if comes_back >= COMES_BACK else UNSTEADY_GROUPS


def settled(strength: str, k: int, *, k_as_given: int | None, wider: int | None) -> str:
    """Return the strength of an answer, lowered where another number may be right.

    It is weak if k is the largest number tried and a ``wider`` range can be, and
    moderate at most if the columns as given say another number of clusters.

    Examples
    --------
    >>> settled("strong", 3, k_as_given=3, wider=None)
    'strong'
    >>> settled("strong", 3, k_as_given=2, wider=None)
    'moderate'
    >>> settled("strong", 15, k_as_given=None, wider=30)
    'weak'
    """
    if wider is not None:
        return "weak"
    if strength == "strong" and k_as_given not in (None, 1, k):
        return "moderate"
    return strength


def wider_range(k: int, largest: int, n: int) -> int | None:
    """Return the largest k to try next where k is the largest tried; None otherwise.

    Examples
    --------
    >>> wider_range(15, 15, 1000), wider_range(14, 15, 1000), wider_range(9, 9, 20)
    (30, None, None)
    """
    most = most_clusters(n)
    return min(2 * k, most) if k == largest < most else None


def p_of_finding(gate: Gate | None, finding: Finding) -> PValue | None:
    """Return the p of what was found: clusters, or gaps between groups."""
    if gate is None:
        return None
    return PValue(gate.p_connected if by_gaps(gate, finding) else gate.p, gate.least)


def by_gaps(gate: Gate, finding: Finding) -> bool:
    """Tell whether a finding rests on gaps between groups, not on compact clusters."""
    if finding.kind == FEW_NULL_SETS:
        return gate.connected and gate.p_connected < gate.p
    return finding.kind in (CONNECTED, OTHER_GROUPS, NARROW_GAPS)
