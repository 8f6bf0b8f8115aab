"""A part of a run's tasks, for clusters without a scheduler of ours.

All tasks of a run are known beforehand. Shard i of n carries out every n-th of them,
from the i-th on, and keeps the outputs; when all shards are there, the run finishes
from what is kept, to the same bits as one process.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from stablek.engine.plan import Plan, Task
from stablek.errors import InputError
from stablek.paradigm.contracts import NullModel

Section = tuple[str, list[Task], NullModel | None]


@dataclass(frozen=True)
class Shard:
    """Part ``number`` (from 1) of ``of`` parts."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Return the shard written as 3/16.

        Examples
        --------
        >>> Shard.parse("3/16")
        Shard(number=3, of=16)
        """
        match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text.strip())
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            msg = (
                f"shard '{text}' is not a shard; write e.g. 3/16: 1/16, 2/16, ... 16/16"
            )
            raise InputError(msg)
        return cls(int(match[1]), int(match[2]))

    @property
    def key(self) -> str:
        """The name under which its outputs are kept."""
        return f"shard-{self.number}-of-{self.of}"

    def part(self, todo: Sequence[Section]) -> list[Section]:
        """Return this shard's tasks of each section."""
        own, before = [], 0
        for what, tasks, model in todo:
            first = (self.number - 1 - before) % self.of
            own.append((what, tasks[first :: self.of], model))
            before += len(tasks)
        return own

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def sections(plan: Plan, nulls: Sequence[tuple[NullModel, int]] = ()) -> list[Section]:
    """Return all tasks a run may need, in order: original, repeats, null sets.

    ``nulls`` are further null models, with a number of sets each, that the caller will
    compare with. How many repeats the null sets have depends on the data where a run
    stops early.
    """
    measure = plan.measure
    repeats = measure.stop.checkpoints(plan.data, plan.clusterer)[-1]
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


def check_divisible(plan: Plan, nulls: Sequence[tuple[NullModel, int]]) -> None:
    """Refuse a run whose later tasks depend on the outcome of earlier ones."""
    counts = plan.measure.stop.checkpoints(plan.data, plan.clusterer)
    with_nulls = any(model is not None for _, _, model in sections(plan, nulls))
    if len(counts) > 1 and with_nulls:
        msg = (
            "an adaptive number of repeats with null sets cannot be cut into shards: "
            "null sets have as many repeats as the data turn out to need. Use "
            "--set adaptive=false"
        )
        raise InputError(msg)
