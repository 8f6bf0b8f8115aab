"""Outcomes of a long bench, one line of JSON each: a kill loses what is in flight.

A line is written and flushed to disk when its set is done. A last line that was cut
short by a kill, or one that was damaged since, is left out, and its set is run again.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from stablek.cli.signals import resumable
from stablek.engine.execution.execute import Execution
from stablek.engine.run import Watch
from stablek.io.store.lock import take_hold
from stablek.version import __version__
from stablek_bench.spread import spread

FILE = "outcomes.jsonl"


def check(found: Any) -> int:
    """Return the sum by which a change to what was kept is noticed.

    Examples
    --------
    >>> check({"k": 3, "of": [1, 2]}) == check({"of": [1, 2], "k": 3})
    True
    >>> check({"k": 3}) == check({"k": 2})
    False
    """
    read = json.loads(json.dumps(found))  # keys of text, and no tuples
    return zlib.crc32(json.dumps(read, sort_keys=True).encode())


class Keepable(Protocol):
    """An outcome that can be kept: of one case, and as plain numbers and strings."""

    @property
    def case(self) -> Any:
        """What was run; no two outcomes have the same."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain numbers and strings."""

    @classmethod
    def from_dict(cls, found: dict[str, Any]) -> Self:
        """Return the outcome that to_dict wrote."""


One = TypeVar("One", bound=Keepable)


class Kept(Generic[One]):
    """The outcomes in a folder, held by one process; without a folder, in memory."""

    def __init__(self, folder: Path | None, kind: type[One]) -> None:
        self.folder = folder
        self.kind = kind
        self.outcomes: dict[Any, One] = {}
        self.notes: list[str] = []
        self._lock: Any = None

    def __enter__(self) -> Self:
        if self.folder is None:
            return self
        self._lock = take_hold(self.folder)
        self._read(self.folder / FILE)
        return self

    def __exit__(self, *error: object) -> None:
        if self._lock is not None:
            self._lock.release()

    def keep(self, outcome: One) -> None:
        """Keep an outcome: in the file before anything else happens."""
        if self.folder is not None:
            found = {**outcome.to_dict(), "stablek": __version__}
            line = json.dumps({**found, "check": check(found)}) + "\n"
            with (self.folder / FILE).open("ab") as file:
                file.write(line.encode())
                file.flush()
                os.fsync(file.fileno())
        self.outcomes[outcome.case] = outcome

    def add(
        self,
        ask: Callable[[Any], One | None],
        wanted: Sequence[Any],
        execution: Execution,
        progress: Watch,
        option: str,
    ) -> int:
        """Ask the cases that are not kept, and keep the answers; return how many.

        ``option`` names the folder on the command line, for a run that is stopped.
        """
        rest = [case for case in wanted if case not in self.outcomes]
        done = len(wanted) - len(rest)
        progress("sets", done, len(wanted))

        def left() -> str:
            if self.folder is None:
                return f"nothing is kept without {option}"
            self.read_again()
            count = sum(case in self.outcomes for case in wanted)
            return f"{count} sets are kept; resume with: the same command"

        with resumable(left):
            for one in spread(ask, rest, execution):
                if one is not None:
                    self.keep(one)
                done += 1
                progress("sets", done, len(wanted))
        return len(rest)

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
                # Files of the first studies have no check, and name no version.
                right = found.pop("check", None) in (None, check(found))
                if found.pop("stablek", __version__) != __version__:
                    others += 1
                    continue
                if not right:
                    torn += 1
                    continue
                one = self.kind.from_dict(found)
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                torn += 1
                continue
            self.outcomes[one.case] = one
        if torn:
            self.notes.append(f"{torn} damaged line(s) in {file}: run again")
        if others:
            self.notes.append(f"{others} line(s) of another version: run again")
