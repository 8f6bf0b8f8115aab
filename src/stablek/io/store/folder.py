"""The run folder: a manifest, the cube in chunks, a lock, the results.

Everything a killed run had finished is in it; the same command (or ``stablek resume
DIR``) continues from there, to the same bits as an undisturbed run.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from stablek.engine.plan import Output, Task
from stablek.errors import NO_ROOM, InputError, TryAgainError
from stablek.io.store.atomic import sweep, write_bytes
from stablek.io.store.chunks import (
    ForeignChunkError,
    HugeChunkError,
    TornChunkError,
    chunk_bytes,
    decode,
    encode,
)
from stablek.io.store.lock import lock_file, take_hold
from stablek.io.store.manifest import MANIFEST, read_manifest, refuse_other_run, run_of
from stablek.io.store.results import check_writable, missing_folders

#: Seconds that a shard waits for another one to open their folder.
SHARD_PATIENCE = 30

#: The key of a plan, and a number; what was set aside ends in bad-1, bad-2 ...
CHUNK = re.compile(r"(?P<key>.+)-(?P<number>\d{6,})\.(chunk|bad-\d+)")


@dataclass
class RunFolder:
    """A folder that one process holds while it runs.

    Use as a context manager. ``journal(key)`` keeps the outputs of one plan; several
    plans (compare, verdict) have a key each. With ``shard`` the process holds only the
    shard of that name: others may run in the same folder at the same time.

    Nothing but a lock is written until the run begins; ``at_begin`` is called then.
    """

    path: Path
    manifest: dict[str, Any]
    restart: bool = False
    shard: str | None = None
    notes: list[str] = field(default_factory=list)
    kept: int = 0
    at_begin: Callable[[], None] | None = None
    begun: bool = False
    _hold: Any = None
    _new: bool = False

    def __enter__(self) -> RunFolder:
        made = missing_folders(self.path)
        check_writable(self.path)
        self._hold = take_hold(self.path, f"-{self.shard}" if self.shard else "", made)
        try:
            with self._alone():
                self._check()
        except BaseException:
            self._hold.release(leave_nothing=True)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.begin()
            refused = kind is not None and issubclass(kind, ValueError)
            if self.begun and self._new and refused and not self.left():
                self._forget()
        finally:
            self._hold.release(leave_nothing=not self.begun)

    def begin(self) -> None:
        """Write the manifest: from now on the folder is that of this run.

        Called when the first task is about to be run, or at the end: a command that is
        refused before leaves nothing behind, and throws nothing away.
        """
        if self.begun:
            return
        with self._alone():
            self._check()
            self._new = not (self.path / MANIFEST).exists()
            self._open()
            self.begun = True
            if self.at_begin is not None:
                self.at_begin()

    def journal(self, key: str = "run") -> FolderJournal:
        """Return the journal of one plan."""
        return FolderJournal(self, key)

    @property
    def chunks(self) -> Path:
        """Where the chunks are."""
        return self.path / "chunks"

    @property
    def items(self) -> int | None:
        """How many items are labelled, if the manifest tells.

        A verdict judges some of them: without isolated items, copies, and what goes
        beyond a few thousand.
        """
        count = self.manifest.get("data", {}).get("n")
        judged = self.manifest.get("settings", {}).get("command") == "verdict"
        return None if count is None or judged else int(count)

    def left(self) -> int:
        """Return how many chunks an earlier run left."""
        return len(list(self.chunks.glob("*.chunk")))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let no other shard open the folder meanwhile."""
        if self.shard is None:
            yield
            return
        import filelock

        try:
            with filelock.FileLock(lock_file(self.path), timeout=SHARD_PATIENCE):
                yield
        except filelock.Timeout:
            raise TryAgainError(
                f"{self.path} is in use by a whole run; wait, or use another -o"
            ) from None

    def _replaced(self) -> list[Path]:
        """Return the chunks that --restart throws away: of a shard its own only."""
        return [
            file
            for file in self._own_chunks()
            if self.shard is None or file.name.startswith(f"{self.shard}-")
        ]

    def _own_chunks(self) -> list[Path]:
        # Only files of ours: the folder may hold a user's own "chunks".
        return [f for f in self.chunks.glob("*") if CHUNK.fullmatch(f.name)]

    def _check(self) -> None:
        """Refuse a folder that holds another run; change nothing."""
        file = self.path / MANIFEST
        if self.chunks.is_symlink():
            raise InputError(f"{self.chunks} is a link; remove it, or use another -o")
        ours = self._own_chunks()
        anew = self.restart and len(self._replaced()) == len(ours)
        if file.exists() and not anew:
            refuse_other_run(self.path, read_manifest(self.path), self.manifest)
        if ours and not anew and not file.exists():
            raise InputError(
                f"{self.path} holds {len(ours)} chunks of work but no {MANIFEST} that "
                "says which run they belong to; restore it, use a new folder, or use "
                "--restart to delete them"
            )

    def _open(self) -> None:
        if self.restart:
            for chunk in self._replaced():
                chunk.unlink()
        self.chunks.mkdir(mode=0o700, exist_ok=True)
        if self.shard is not None:
            sweep(self.chunks, f"{self.shard}-")
            # Written by one shard at a time, or not missed.
            names = (f".holder-{self.shard}.", f"{MANIFEST}.", "run.json.", "probe.")
            for name in names:
                sweep(self.path, name)
        else:
            folders = [p for p in self.path.iterdir() if p.is_dir()]
            for folder in (self.path, *folders):
                if not folder.is_symlink():
                    sweep(folder, leave="shard-")
        text = json.dumps(self.manifest, indent=1, sort_keys=True) + "\n"
        self._write(self.path / MANIFEST, text.encode())

    def _forget(self) -> None:
        """Remove what a run has written that was refused before it kept anything."""
        for name in (MANIFEST, "run.json"):
            (self.path / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # somebody else's files in it
            self.chunks.rmdir()
        self.begun = False

    def _write(self, path: Path, raw: bytes) -> None:
        try:
            write_bytes(path, raw)
        except OSError as error:
            if error.errno in NO_ROOM:
                raise TryAgainError(
                    f"no space left on {self.path} while writing {path.name}; free some"
                ) from None
            raise TryAgainError(f"cannot write {path}: {error.strerror}") from None


@dataclass
class FolderJournal:
    """Outputs of one plan's tasks, in chunks of the run folder."""

    folder: RunFolder
    key: str
    _number: int = 0
    _known: dict[Task, Output] | None = None

    def kept(self, tasks: Sequence[Task]) -> Iterable[Output]:
        """Return the outputs of ``tasks`` that an earlier run left.

        What failed is not among them: the same command tries it again.
        """
        outputs_of = self._read()
        outputs = [outputs_of[task] for task in tasks if task in outputs_of]
        return [output for output in outputs if output.failure is None]

    def keep(self, outputs: Sequence[Output]) -> None:
        """Write a batch of outputs as one chunk."""
        self._read()
        self._number += 1
        name = f"{self.key}-{self._number:06d}.chunk"
        raw = encode(outputs, run_of(self.folder.manifest))
        self.folder._write(self.folder.chunks / name, raw)
        self.folder.kept += len(outputs)

    def _read(self) -> dict[Task, Output]:
        if self._known is not None:
            return self._known
        self.folder.begin()
        self._known = {}
        torn, foreign, huge = 0, 0, 0
        run = run_of(self.folder.manifest)
        for file in sorted(self.folder.chunks.glob("*.chunk")):
            named = CHUNK.fullmatch(file.name)
            if named is None or named["key"] != self.key:
                continue
            self._number = max(self._number, int(named["number"]))
            try:
                outputs = decode(chunk_bytes(file), self.folder.items, run)
            except (TornChunkError, OSError, ValueError, KeyError, TypeError) as error:
                torn += 1
                foreign += isinstance(error, ForeignChunkError)
                huge += isinstance(error, HugeChunkError)
                file.replace(file.with_suffix(f".bad-{torn}"))
                continue
            self._known.update({output.task: output for output in outputs})
        if torn:
            of = f" ({foreign} of another run)" if foreign else ""
            of += f" ({huge} larger than memory may hold)" if huge else ""
            self.folder.notes.append(
                f"{torn} damaged chunk(s){of} were set aside; their tasks are run again"
            )
        self.folder.kept += len(self._known)
        return self._known
