"""What to do now: the last words of a verdict."""

from __future__ import annotations

from dataclasses import dataclass

from stablek.errors import advice, ks_advice
from stablek.panel.finding import (
    COMPACT,
    CONNECTED,
    FEW_NULL_SETS,
    HINT,
    NO_DIRECTION,
    OTHER_GROUPS,
    TOUCHING_GROUPS,
    UNSTEADY_GROUPS,
)

#: What to do where items run on from group to group.
TRAJECTORY = "Look at how the items change from group to group, as along a trajectory."


@dataclass(frozen=True)
class Seen:
    """What the advice depends on.

    Parameters
    ----------
    kind, strength
        What the evidence amounts to, and how sure it is; see
        :class:`stablek.panel.finding.Finding`.
    n
        How many items there are.
    between, isolated, rare
        How many items lie between clusters, were set aside, or form a small group.
    continuum
        Whether the clusters may be pieces of a continuum.
    wider
        The largest k to try next, where the answer is the largest k tried.
    groups
        How many groups of any shape there are, where another number was asked for.
    levels
        How many numbers of clusters are named, the answer among them.
    one_k
        Whether the user asked for one k.
    prepared
        Whether the user, or the verdict itself, has prepared the columns, or there are
        none to prepare.
    null_sets
        How many null sets evidence takes.
    """

    kind: str
    strength: str
    n: int
    between: int = 0
    isolated: int = 0
    rare: int = 0
    continuum: bool = False
    wider: int | None = None
    groups: int = 0
    levels: int = 0
    one_k: bool = False
    prepared: bool = False
    null_sets: int = 0


def next_steps(seen: Seen) -> tuple[str, ...]:
    """Return what to do now, one sentence each."""
    steps = []
    if seen.rare:
        steps.append(
            f"Look at the {seen.rare:,} items of small groups; their ids are in "
            "rare_items."
        )
    if seen.kind not in (COMPACT, CONNECTED):
        return (*steps, *_without_clusters(seen))
    if seen.wider is not None:
        steps.append(f"Repeat with more clusters: {ks_advice(2, seen.wider)}.")
    if seen.one_k:
        steps.append(
            f"Leave out {advice('-k', 'ks')} to see which number of clusters fits best."
        )
    elif seen.continuum:
        steps.append(TRAJECTORY + " Report the pieces as a choice, not as a finding.")
    elif seen.strength == "weak" and seen.kind == CONNECTED:
        steps.append(
            "The gaps are narrow. Look at the map of the items in the report before "
            "you rely on them."
        )
    elif seen.strength == "weak":
        others = "the levels" if seen.levels > 1 else "other numbers of clusters"
        steps.append(
            f"Compare {others} in the report and choose by what the clusters mean. "
            "Do not report one number as a finding."
        )
    elif seen.strength == "moderate":
        steps.append("Check the partition against what you know before you rely on it.")
    elif seen.wider is None:
        steps.append("Use the partition, and look at what sets each cluster apart.")
    if seen.between:
        lone = seen.between == 1
        items, them = ("item that lies", "it") if lone else ("items that lie", "them")
        steps.append(f"Leave out the {items} between clusters, or mark {them}.")
    if seen.isolated:
        steps.append("Check the isolated items for measurement errors.")
    return tuple(steps)


def _without_clusters(seen: Seen) -> list[str]:
    steps = []
    if seen.kind == FEW_NULL_SETS:
        more = seen.null_sets
        use = advice(f"--null-sets {more}", f"null_sets={more}")
        steps.append(f"Repeat with more null sets: {use}.")
    elif seen.kind == OTHER_GROUPS:
        use = advice(f"-k {seen.groups}", f"ks={seen.groups}")
        steps.append(f"Ask for {seen.groups} groups: {use}.")
    elif seen.kind == TOUCHING_GROUPS:
        steps.append(TRAJECTORY + " If you split them, say that the groups touch.")
    elif seen.kind in (HINT, UNSTEADY_GROUPS):
        steps.append("Collect more items: with more, a hint may become evidence.")
    elif seen.kind == NO_DIRECTION:
        steps.append("With more items, weaker structure could be seen.")
    else:
        steps.append(
            "Describe the main directions of variation instead of types of items."
        )
        if seen.n < 60:
            steps.append("With more items, weaker structure could be seen.")
    if not seen.prepared:
        steps.append(
            "Check the scale of the columns: one wide column, or counts without "
            "logarithms, can hide clusters. "
            "To standardise columns or take logarithms, use "
            + advice("--prepare.", "stablek.data.preparation.prepare.")
        )
    return steps
