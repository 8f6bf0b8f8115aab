"""A run folder seen from outside while another process fills it; read only."""

import contextlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.engine.interim import SoFar, so_far
from stablek.engine.plan import Plan
from stablek.io.store.atomic import alive
from stablek.io.store.chunks import TornChunkError, chunk_bytes, decode
from stablek.io.store.folder import CHUNK
from stablek.io.store.lock import HOLDER, this_machine
from stablek.paradigm.contracts import NullCurves
from stablek.paradigm.cube import PartitionCube
from stablek.results.json_form import regular_text


@dataclass
class RunSnapshot:
    """The work of one plan that is in a folder by now."""

    folder: Path
    plan: Plan
    key: str = "run"
    cube: PartitionCube = field(init=False)
    nulls: dict[str, dict[tuple[int, int], dict[str, NDArray[Any]]]] = field(
        default_factory=dict
    )
    _seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.cube = self.plan.cube(self.plan.checkpoints[-1])

    def read(self) -> int:
        """Take in the chunks that are new; return how many there were.

        A chunk is written under another name and renamed, so one that cannot be read is
        damaged: the run itself will set it aside.
        """
        new = 0
        for file in sorted((self.folder / "chunks").glob("*.chunk")):
            named = CHUNK.fullmatch(file.name)
            if named is None or named["key"] != self.key or file.name in self._seen:
                continue
            self._seen.add(file.name)
            with contextlib.suppress(
                TornChunkError, OSError, ValueError, KeyError, TypeError, IndexError
            ):
                for output in decode(chunk_bytes(file), self.plan.data.n):
                    self._take(output.task, output.labels, output.columns)
                new += 1
        return new

    def _take(self, task: Any, labels: Any, columns: Any) -> None:
        if task.kind == "null" and columns is not None:
            sets = self.nulls.setdefault(task.model, {})
            sets[task.run, task.null] = columns
        elif task.kind == "original" and labels is not None:
            self.cube.original = labels
        elif labels is not None and task.repeat < self.cube.repeats:
            self.cube.put(task.repeat, task.ks, labels)

    def so_far(self) -> SoFar | None:
        """Return what the work that is there would answer; None if it is too little."""
        model = self.plan.measure.null
        runs = self.nulls.get(model.name, {}) if model else {}
        first = [columns for (run, _), columns in sorted(runs.items()) if run == 0]
        nulls = None
        if model and first:
            stacked = {
                name: np.stack([columns[name] for columns in first])[None]
                for name in first[0]
            }
            nulls = NullCurves(model.name, stacked)
        return so_far(self.plan, self.cube, nulls)

    def words(self) -> str:
        """Return how much is there, in words."""
        done = int(self.cube.filled.all(axis=1).sum())
        parts = [f"{done} of {self.cube.repeats} repeats"]
        parts += [f"{len(sets)} null sets" for sets in self.nulls.values()]
        return ", ".join(parts)


def at_work(folder: Path) -> bool:
    """Tell whether the process that holds a folder seems to be alive.

    The lock is not tried: a run that starts at that moment would find it taken. A
    process on another machine counts as alive.
    """
    try:
        held = HOLDER.match(regular_text(folder / ".holder"))
    except (OSError, ValueError):
        return False
    if held is None or held[2] != this_machine():
        return held is not None
    return alive(int(held[1]))
