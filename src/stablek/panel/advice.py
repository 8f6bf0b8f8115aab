"""What to do now: the last words of a verdict."""

import shlex
from dataclasses import dataclass

from stablek.data import Dataset
from stablek.errors import advice, ks_advice
from stablek.panel.finding import (
    COMPACT,
    CONNECTED,
    FEW_NULL_SETS,
    HINT,
    NARROW_GAPS,
    NO_DIRECTION,
    OTHER_GROUPS,
    TOUCHING_GROUPS,
    UNSTEADY_GROUPS,
)
from stablek.panel.scale import STANDARDISED, Scale
from stablek.results.annotations import Explained

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
    between, far, rare
        How many items lie between clusters, are isolated and far from all others, or
        form a small group.
    drawn
        Whether only some of the items were judged, drawn at random.
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
    unlike
        Whether columns were left on unlike scales, which may hide clusters.
    null_sets
        How many null sets evidence takes.
    batch
        What to do about a batch effect; "" if there is none.
    column
        The column that alone makes the clusters; "" if there is none.
    """

    kind: str
    strength: str
    n: int
    between: int = 0
    far: int = 0
    rare: int = 0
    continuum: bool = False
    wider: int | None = None
    groups: int = 0
    levels: int = 0
    one_k: bool = False
    unlike: bool = False
    null_sets: int = 0
    batch: str = ""
    column: str = ""
    drawn: bool = False


def next_steps(seen: Seen) -> tuple[str, ...]:
    """Return what to do now, one sentence each."""
    steps = [seen.batch] if seen.batch else []
    if seen.column:
        drop = advice(f"--drop {shlex.quote(seen.column)}", "a table without it")
        steps.append(
            f"If column '{seen.column}' is not what you look for, run it again with "
            f"{drop}: there may be other clusters."
        )
    if seen.rare:
        where = advice(
            "with -o DIR, the column rare of items.tsv marks them",
            "their ids are in v.rare_items",
        )
        steps.append(f"Look at the {seen.rare:,} items in small groups: {where}.")
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
    elif seen.wider is None and not seen.batch and not seen.column:
        steps.append("Use the partition, and look at what sets each cluster apart.")
    if seen.between:
        lone = seen.between == 1
        items, them = ("item that lies", "it") if lone else ("items that lie", "them")
        steps.append(f"Leave out the {items} between clusters, or mark {them}.")
    if seen.far:
        they = "one of them lies" if seen.far == 1 else f"{seen.far} of them lie"
        steps.append(
            f"Check the isolated items for measurement errors: {they} far from all "
            "others."
        )
    return tuple(steps)


def batch_step(data: Dataset, explained: Explained, scaling: Scale) -> str:
    """Return what to do if clusters follow a batch; "" if they follow none.

    The batch is removed after the steps that the verdict did itself to counts, which
    are no longer counts afterwards.
    """
    if not explained.batches:
        return ""
    name = explained.batches[0]
    if any(step.name == "adjust" and name in step.columns for step in data.steps):
        return (
            f"The clusters follow '{name}' although its means were removed. Do not "
            "take them for kinds of items."
        )
    if data.precomputed:
        return (
            f"Remove the effect of '{name}' from the values that the distances were "
            "computed from, run it again, and see which clusters remain."
        )
    steps = () if scaling.steps == STANDARDISED else scaling.steps
    options = "".join(f"--prepare {step} " for step in steps)
    values, modules = "v.data", "from stablek.data.adjustment import adjust"
    if steps:
        values = f"prepare(v.data, {list(steps)})"
        modules = f"from stablek.data.preparation import prepare; {modules}"
    use = advice(
        f"{options}--adjust {shlex.quote(name)}",
        f"{modules}; stablek.verdict(adjust({values}, [{name!r}]))",
    )
    return (
        f"Run it again without the effect of '{name}' and see which clusters remain: "
        f"{use}. If each class of '{name}' holds a different kind of item, no "
        "calculation can separate the two."
    )


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
    elif seen.kind == NARROW_GAPS:
        steps.append(
            "Look at the map of the items in the report: there may be groups of any "
            "shape, side by side or one around another."
        )
    elif seen.kind in (HINT, UNSTEADY_GROUPS):
        steps.append(
            "Look for the same groups in new data: a hint also comes from data without "
            "clusters now and then, and only new data can tell."
        )
    elif seen.kind == NO_DIRECTION:
        steps.append(
            "Look at single columns: together they show no direction that stands out."
            if seen.drawn
            else "With more items, weaker structure could be seen."
        )
    else:
        steps.append(
            "Describe the main directions of variation instead of types of items."
        )
        if seen.n < 60:
            steps.append("With more items, weaker structure could be seen.")
    if seen.unlike:
        steps.append(
            "Check the scale of the columns: one wide column, or counts without "
            "logarithms, can hide clusters. "
            "To standardise columns or take logarithms, use "
            + advice("--prepare.", "stablek.data.preparation.prepare.")
        )
    return steps
