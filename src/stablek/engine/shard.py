"""A part of a run's tasks, for clusters without a scheduler of ours.

All tasks of a run are known beforehand. Shard i of n carries out every n-th of them,
from the i-th on, and keeps the outputs; when all shards are there, the run finishes
from what is kept, to the same bits as one process.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from stablek.engine.execution.cost import check_memory
from stablek.engine.execution.execute import Execution
from stablek.engine.plan import Plan, Section, sections
from stablek.engine.run import Journal, Watch, Worker
from stablek.errors import InputError
from stablek.paradigm.contracts import NullModel


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
            raise InputError(
                f"shard '{text}' is not a shard; write e.g. 3/16: 1/16, 2/16, ... 16/16"
            )
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


def check_divisible(plan: Plan, nulls: Sequence[tuple[NullModel, int]]) -> None:
    """Refuse a run whose later tasks depend on the outcome of earlier ones."""
    with_nulls = any(model is not None for _, _, model in sections(plan, nulls))
    if len(plan.checkpoints) > 1 and with_nulls:
        raise InputError(
            "an adaptive number of repeats with null sets cannot be cut into shards: "
            "null sets have as many repeats as the data turn out to need. Use "
            "--set adaptive=false"
        )


def run_shard(
    plan: Plan,
    shard: Shard,
    journal: Journal,
    execution: Execution,
    watch: Watch | None,
    nulls: Sequence[tuple[NullModel, int]],
) -> int:
    """Carry out one shard's tasks and keep them; return how many there are."""
    check_divisible(plan, nulls)
    check_memory(plan, execution, nulls)
    plan.clusterer.prepare(plan.data)
    worker = Worker(plan, execution, journal, watch)
    count = 0
    for what, tasks, model in shard.part(sections(plan, nulls)):
        for _ in worker.outputs(what, tasks, model):
            count += 1
    return count
