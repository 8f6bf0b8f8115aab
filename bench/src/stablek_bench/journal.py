"""Partitions of a pass that are kept: for its length, or in a folder.

Factorisation takes minutes to hours for a cell. Its partitions are kept as they are
made, so that a kill loses seconds, and that another rule can read them again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from stablek.engine.execution.execute import Execution
from stablek.engine.plan import Output, Task
from stablek.io.store.atomic import write_bytes
from stablek.io.store.chunks import TornChunkError, chunk_bytes, decode, encode


def clock(how: Execution) -> Callable[[], float]:
    """Return the clock of a run: processor time, so that other work does not count.

    Workers that are processes of their own are timed by the wall clock.
    """
    here = how.backend in ("auto", "serial", "threads")
    return time.process_time if here else time.perf_counter


@dataclass
class Memory:
    """A journal for the length of a pass: what it holds is not run again."""

    outputs: dict[Task, Output] = field(default_factory=dict)
    #: What earlier runs took to make the outputs that it began with.
    seconds = 0.0

    def kept(self, tasks: Sequence[Task]) -> Iterable[Output]:
        """Return the outputs held among those of ``tasks``."""
        return [self.outputs[task] for task in tasks if task in self.outputs]

    def keep(self, outputs: Sequence[Output]) -> None:
        """Hold a batch of outputs."""
        self.outputs.update({output.task: output for output in outputs})


class Files(Memory):
    """A journal that also writes its outputs to a folder, and begins with its files.

    A file holds the outputs of one batch, and its name the milliseconds it took.
    ``run`` names what they belong to; files of another run, and torn ones, are passed
    over.
    """

    def __init__(
        self, folder: Path, run: str, now: Callable[[], float] = time.process_time
    ) -> None:
        super().__init__()
        self._now = now
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.run = folder, run
        for file in sorted(folder.glob("*.chunk")):
            try:
                outputs = decode(chunk_bytes(file), run=run)
            except (TornChunkError, OSError):
                continue
            super().keep(outputs)
            self.seconds += int(file.stem.partition("-")[2]) / 1000
        self._since = self._now()

    def keep(self, outputs: Sequence[Output]) -> None:
        """Hold a batch of outputs, and write it."""
        super().keep(outputs)
        now = self._now()
        took, self._since = round(1000 * (now - self._since)), now
        name = f"{len(self.outputs):06d}-{took}.chunk"
        write_bytes(self.folder / name, encode(outputs, self.run))
