"""Outcomes of a long bench, one line of JSON each: a kill loses what is in flight.

A line is written and flushed to disk when its set is done. A last line that was cut
short by a kill, or one that was damaged since, is left out, and its set is run again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any

from stablek.bench.trust import Case, Outcome
from stablek.errors import TryAgainError
from stablek.version import __version__

FILE = "outcomes.jsonl"


class Kept:
    """The outcomes in a folder, held by one process; without a folder, in memory."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.outcomes: dict[Case, Outcome] = {}
        self.notes: list[str] = []
        self._lock: Any = None

    def __enter__(self) -> Kept:
        if self.folder is None:
            return self
        import filelock

        # flock is released by the kernel when a process dies, however it dies.
        self._lock = filelock.FileLock(self.folder / ".lock", timeout=0)
        try:
            self._lock.acquire()
        except filelock.Timeout:
            msg = f"{self.folder} is in use by another process; wait, or use another -o"
            raise TryAgainError(msg) from None
        self._read(self.folder / FILE)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._lock is not None:
            self._lock.release()

    def keep(self, outcome: Outcome) -> None:
        """Keep an outcome: in the file before anything else happens."""
        if self.folder is not None:
            line = json.dumps({**outcome.to_dict(), "stablek": __version__}) + "\n"
            with (self.folder / FILE).open("ab") as file:
                file.write(line.encode())
                file.flush()
                os.fsync(file.fileno())
        self.outcomes[outcome.case] = outcome

    def read_again(self) -> None:
        """Look into the file again: a signal may strike while a line is kept."""
        if self.folder is not None:
            self._read(self.folder / FILE)

    def _read(self, file: Path) -> None:
        if not file.exists():
            return
        raw = file.read_bytes()
        if raw and not raw.endswith(b"\n"):
            # The next line must not be glued to what a kill left of the last one.
            with file.open("ab") as end:
                end.write(b"\n")
        torn, others = 0, 0
        for line in raw.splitlines():
            if not line.strip():
                continue
            try:
                found = json.loads(line)
                # Files of the first studies do not name their version.
                if found.pop("stablek", __version__) != __version__:
                    others += 1
                    continue
                one = Outcome.from_dict(found)
            except (ValueError, KeyError, TypeError, AttributeError):
                torn += 1
                continue
            self.outcomes[one.case] = one
        if torn:
            self.notes.append(f"{torn} damaged line(s) in {file}: run again")
        if others:
            self.notes.append(f"{others} line(s) of another version: run again")
