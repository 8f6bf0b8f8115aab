"""Several measures that share their clusterings, as one measure.

Measures with the same perturbation, split, assignment and algorithm read the same cube.
Joined, they are one measure whose statistic collects what each of them collects, so the
engine clusters once, on the data and on every null set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stablek.paradigm.contracts import (
    Column,
    Curve,
    Decision,
    Facts,
    NullCurves,
    Nulls,
    TellsMemory,
)
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.measure import Measure
from stablek.paradigm.stop import FixedRepeats

if TYPE_CHECKING:
    from stablek.data import Dataset


@dataclass(frozen=True)
class Member:
    """A measure in a joint one, with the ks and repeats that it reads."""

    measure: Measure
    ks: tuple[int, ...]
    asked: tuple[int, ...]
    repeats: int

    def cube(self, whole: PartitionCube) -> PartitionCube:
        """Return the part of the cube that the measure reads."""
        return whole.at(self.ks).first(self.repeats)

    def facts(self, whole: Facts) -> Facts:
        """Return the facts as the measure alone would have them."""
        repeats = min(self.repeats, whole.repeats)
        return replace(whole, ks=self.ks, asked=self.asked, repeats=repeats)


@dataclass(frozen=True)
class JointCurve(Curve):
    """The curves of all members, and their columns side by side."""

    parts: tuple[Curve, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class JointStatistic:
    """What every member collects from its part of the cube."""

    members: tuple[Member, ...]
    gives = "joint"

    @property
    def roles(self) -> int:
        """How many partitions of a repeat are read."""
        return max(member.measure.collect.roles for member in self.members)

    @property
    def original(self) -> bool:
        """Whether any member needs the partition of the whole data."""
        return any(member.measure.collect.original for member in self.members)

    def collect(self, cube: PartitionCube, data: Dataset) -> tuple[Any, ...]:
        """Return the statistic of each member."""
        return tuple(
            member.measure.collect.collect(member.cube(cube), data)
            for member in self.members
        )

    def memory(self, n: int, repeats: int, ks: int, threads: int) -> int:
        """Return the bytes of the member that takes most: they collect in turn."""
        parts = (member.measure.collect for member in self.members)
        known = (part for part in parts if isinstance(part, TellsMemory))
        return max((part.memory(n, repeats, ks, threads) for part in known), default=0)


@dataclass(frozen=True)
class JointSynopsis:
    """The curve of each member, with columns named by its place."""

    members: tuple[Member, ...]
    takes = "joint"

    def __call__(self, collected: tuple[Any, ...], facts: Facts) -> JointCurve:
        """Return the curves of all members."""
        parts = tuple(
            member.measure.synopsis(own, member.facts(facts))
            for member, own in zip(self.members, collected, strict=True)
        )
        return joint_curve(parts, facts.ks)


def joint_curve(parts: Sequence[Curve], ks: tuple[int, ...]) -> JointCurve:
    """Return several curves as one over all ks, NaN where a curve has no value."""
    columns = {
        column_name(place, name): padded(column, curve.ks, ks)
        for place, curve in enumerate(parts)
        for name, column in curve.columns.items()
    }
    main = column_name(0, parts[0].main)
    return JointCurve(ks, columns, main, parts=tuple(parts))


def column_name(place: int, name: str) -> str:
    """Return the name of a member's column in the joint curve."""
    return f"{place}:{name}"


def padded(column: Column, ks: Sequence[int], wanted: Sequence[int]) -> Column:
    """Return a column over more ks, NaN where it has no value."""
    whole = np.full(len(wanted), np.nan)
    whole[[tuple(wanted).index(k) for k in ks]] = column
    return whole


def undecided(curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
    """Decide nothing: every member has a rule of its own."""
    return Decision(None, "each measure by its own rule")


def join_measures(members: Sequence[Member]) -> Measure:
    """Return several measures as one; alone, a measure stays what it is."""
    if len(members) == 1:
        return members[0].measure
    first = members[0].measure
    each = tuple(members)
    return Measure(
        name="+".join(member.measure.name for member in each),
        perturb=first.perturb,
        split=first.split,
        assign=first.assign,
        train=first.train,
        cluster=first.cluster,
        collect=JointStatistic(each),
        synopsis=JointSynopsis(each),
        significance=undecided,
        stop=FixedRepeats(max(member.repeats for member in each)),
        share_samples=first.share_samples,
        smallest_k=min(member.measure.smallest_k for member in each),
    )


def nulls_of(
    joint: NullCurves, ks: Sequence[int], place: int, curve: Curve
) -> NullCurves:
    """Return the null curves of one member.

    ``ks`` are those of the joint curves, ``place`` is the member's, and ``curve`` its
    curve on the data.
    """
    where = [tuple(ks).index(k) for k in curve.ks]
    columns = {
        name: joint.columns[column_name(place, name)][..., where]
        for name in curve.columns
    }
    return replace(joint, columns=columns)
