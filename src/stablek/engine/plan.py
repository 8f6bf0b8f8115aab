"""What will be run: validated once, here, and trusted from then on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.data.seeds import Streams
from stablek.errors import InputError, ks_advice, whole_ks
from stablek.paradigm.contracts import Clusterer, Facts, NullModel, draws
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.measure import Measure

DEFAULT_K_MAX = 30

#: Tasks of one kind, with the name of the kind and the null model they draw from.
Section: TypeAlias = "tuple[str, list[Task], NullModel | None]"


@dataclass(frozen=True, order=True)
class Task:
    """One unit of work: a repeat (for one k or all), a null set, or the original.

    ``kind`` is "repeat", "null" or "original". A null set is one task whatever the
    measure: its whole curve is computed where its data are drawn, and ``repeat`` is
    then the number of its repeats.
    """

    kind: str
    ks: tuple[int, ...]
    repeat: int = 0
    run: int = 0
    null: int = 0
    model: str = ""


@dataclass(frozen=True)
class Output:
    """What a task gives back: labels, or the curve of a null set, or why it failed."""

    task: Task
    labels: NDArray[Any] | None = None
    columns: dict[str, NDArray[np.float64]] | None = None
    failure: str | None = None


@dataclass(frozen=True)
class Plan:
    """A measure, an algorithm, data, ks and a seed: all that determines a result."""

    measure: Measure
    clusterer: Clusterer
    data: Dataset
    asked: tuple[int, ...]
    ks: tuple[int, ...]
    seed: int
    notes: tuple[str, ...] = ()

    @property
    def streams(self) -> Streams:
        """The streams of the data's own repeats."""
        return Streams(self.seed, ("data",))

    @property
    def shared(self) -> bool:
        """Whether all ks of a repeat share the sample.

        Either the measure says so (Fast_Stability_Measure), or nothing is drawn, so
        that the sample is the same for every k anyway.
        """
        measure = self.measure
        drawn = any(draws(dgp) for dgp in measure.perturb)
        return measure.share_samples or not (drawn or measure.split.random)

    @property
    def checkpoints(self) -> tuple[int, ...]:
        """The numbers of repeats after which the run may end; the last is the most."""
        return self.measure.stop.checkpoints(self.data, self.clusterer)

    @property
    def roles(self) -> int:
        """How many partitions one repeat gives for one k."""
        return self.measure.collect.roles

    def cube(self, repeats: int, path: Path | None = None) -> PartitionCube:
        """Return room for the labels of some repeats: in memory, or in a file."""
        return PartitionCube(repeats, self.ks, self.roles, self.data.n, path)

    def facts(self, repeats: int) -> Facts:
        """Return what synopsis and significance may know."""
        return Facts(
            n=self.data.n, m=self.data.m, ks=self.ks, asked=self.asked, repeats=repeats
        )

    def repeat_tasks(self, first: int, last: int) -> list[Task]:
        """Return the tasks of repeats first..last-1: one k each, or all ks at once."""
        groups = [self.ks] if self.shared else [(k,) for k in self.ks]
        return [
            Task("repeat", ks, repeat=repeat)
            for repeat in range(first, last)
            for ks in groups
        ]

    def null_tasks(
        self, model: NullModel, sets: int, runs: int, repeats: int
    ) -> list[Task]:
        """Return one task per null set, each of as many repeats as the data had."""
        return [
            Task("null", self.ks, repeat=repeats, run=run, null=b, model=model.name)
            for run in range(runs)
            for b in range(sets)
        ]


def plan(
    data: Dataset,
    measure: Measure,
    clusterer: Clusterer,
    ks: Iterable[int] | int | None = None,
    seed: int = 0,
) -> Plan:
    """Return the plan of a run, or say what is wrong with it.

    Without ``ks``, the range goes from the measure's smallest k to 30, or to one
    less than the size of the smallest part that is clustered.
    """
    largest = measure.smallest_part(data.n) - 1
    notes: tuple[str, ...] = ()
    if ks is None:
        asked = tuple(range(measure.smallest_k, min(DEFAULT_K_MAX, largest) + 1))
        if not asked:
            raise InputError(
                f"{data.n} items are too few for {measure.name}: the smallest part it "
                f"clusters has {largest + 1} items, k = {measure.smallest_k} needs "
                f"{measure.smallest_k + 1}"
            )
        if asked[-1] < DEFAULT_K_MAX:
            notes = (f"k goes up to {asked[-1]}, the largest {data.n} items allow",)
    else:
        asked = whole_ks(ks)
        check_range(asked, measure, data, largest)
    distinct = distinct_rows(data, asked[-1] + 1)
    if asked[-1] > max(distinct - 1, asked[0]):
        asked = tuple(k for k in asked if k <= max(distinct - 1, asked[0]))
        notes = (*notes, f"only {distinct} distinct rows: k goes up to {asked[-1]}")
    lowest = max(1, asked[0] - measure.below)
    return Plan(
        measure=measure,
        clusterer=measure.cluster(clusterer),
        data=data,
        asked=asked,
        ks=tuple(range(lowest, asked[-1] + measure.above + 1)),
        seed=int(seed),
        notes=notes,
    )


def sections(plan: Plan, nulls: Sequence[tuple[NullModel, int]] = ()) -> list[Section]:
    """Return all tasks a run may need, in order: original, repeats, null sets.

    ``nulls`` are further null models, with a number of sets each, that the caller will
    compare with. How many repeats the null sets have depends on the data where a run
    stops early.
    """
    measure = plan.measure
    repeats = plan.checkpoints[-1]
    listed: list[Section] = []
    if measure.collect.original:
        listed.append(("original", [Task("original", plan.ks)], None))
    listed.append(("repeats", plan.repeat_tasks(0, repeats), None))
    wanted = [(model, sets, 1) for model, sets in nulls]
    if measure.null is not None and measure.null_sets:
        wanted.insert(0, (measure.null, measure.null_sets, measure.runs))
    seen: set[Task] = set()
    for model, sets, runs in wanted:
        tasks = [
            task
            for task in plan.null_tasks(model, sets, runs, repeats)
            if task not in seen
        ]
        seen.update(tasks)
        listed.append((f"null sets ({model.name})", tasks, model))
    return listed


def distinct_rows(data: Dataset, most: int) -> int:
    """Return the number of distinct rows, or ``most`` as soon as there are so many."""
    if data.precomputed:
        return most
    seen: set[bytes] = set()
    for row in data.values:
        seen.add((row + 0.0).tobytes())  # 0.0 and -0.0 are one number, two patterns
        if len(seen) >= most:
            break
    return len(seen)


def check_range(
    asked: tuple[int, ...], measure: Measure, data: Dataset, largest: int
) -> None:
    """Refuse a range of ks that the measure or the data cannot serve."""
    if not asked:
        raise InputError(
            f"the range of ks is empty; the smaller comes first: {ks_advice(2, 10)}"
        )
    if any(b - a != 1 for a, b in pairwise(asked)):
        raise InputError(
            f"the ks must be consecutive, as in {ks_advice(2, 10)}; got {list(asked)}"
        )
    if asked[0] < measure.smallest_k:
        use = ks_advice(measure.smallest_k, max(asked[-1], measure.smallest_k))
        raise InputError(
            f"k = {asked[0]}: {measure.name} starts at k = {measure.smallest_k}; "
            f"use {use}"
        )
    if asked[-1] > largest:
        first = asked[0] if asked[0] <= largest else measure.smallest_k
        raise InputError(
            f"k = {asked[-1]} is too large: {measure.name} clusters parts of "
            f"{largest + 1} of the {data.n} items, so the largest possible k is "
            f"{largest}; use {ks_advice(first, largest)}"
            if largest >= first
            else f"{data.n} items are too few for {measure.name} at k = {asked[0]}"
        )
