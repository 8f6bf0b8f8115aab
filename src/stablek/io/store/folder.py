"""The run folder: a manifest, the cube in chunks, a lock, the results.

Everything a killed run had finished is in it; the same command (or ``stablek resume
DIR``) goes on from there, to the same bits as a run that was never disturbed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from stablek import version
from stablek.data import Dataset
from stablek.engine.plan import Output, Task
from stablek.errors import InputError, TryAgainError
from stablek.io.store.atomic import NO_ROOM, write_bytes
from stablek.io.store.chunks import ForeignChunkError, TornChunkError, decode, encode
from stablek.io.store.lock import lock_file, take_hold
from stablek.io.store.results import check_writable
from stablek.results.json_form import regular_text

MANIFEST = "manifest.json"
SCHEMA = 1

#: Seconds that a shard waits for another one to open their folder.
SHARD_PATIENCE = 30

#: The key of a plan, and a number; what was set aside ends in bad-1, bad-2 ...
CHUNK = re.compile(r"(?P<key>.+)-(?P<number>\d{6,})\.(chunk|bad-\d+)")

#: What a kill leaves of a chunk that was being written; other shards may write theirs.
PART = re.compile(r"\.(?!shard-).+-\d{6,}\.chunk\.\d+")


def data_digest(data: Dataset) -> str:
    """Return the SHA-256 of the values, the ids and the classes."""
    digest = hashlib.sha256()
    digest.update(f"{data.values.shape} {data.values.dtype.str}".encode())
    digest.update(data.values.tobytes())
    digest.update(json.dumps([data.ids, data.classes]).encode())
    return digest.hexdigest()


def manifest_of(data: Dataset, what: Mapping[str, Any]) -> dict[str, Any]:
    """Return what determines a run: its data, its settings, the versions of numbers."""
    used = version.versions()
    return {
        "schema": SCHEMA,
        "stablek": version.__version__,
        "versions": {name: used[name] for name in ("numpy", "scipy", "numba")},
        "data": {"n": data.n, "m": data.m, "sha256": data_digest(data)},
        "settings": json.loads(json.dumps(what, default=str)),
    }


def run_of(manifest: Mapping[str, Any]) -> str:
    """Return the sum by which the chunks of a run know to which one they belong."""
    text = json.dumps(manifest, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a run folder."""
    file = folder / MANIFEST
    try:
        manifest = json.loads(regular_text(file))
    except OSError:
        msg = f"{folder} holds no run: there is no {MANIFEST} in it"
        raise InputError(msg) from None
    except (ValueError, RecursionError):
        manifest = None
    if not isinstance(manifest, dict):
        msg = f"{file} is damaged; start again with --restart"
        raise InputError(msg)
    return manifest


@dataclass
class RunFolder:
    """A folder that one process holds while it runs.

    Use as a context manager. ``journal(key)`` keeps the outputs of one plan; several
    plans (compare, verdict) have a key each. With ``shard`` the process holds only the
    shard of that name: others may run in the same folder at the same time.
    """

    path: Path
    manifest: dict[str, Any]
    restart: bool = False
    shard: str | None = None
    notes: list[str] = field(default_factory=list)
    kept: int = 0
    _lock: Any = None

    def __enter__(self) -> RunFolder:
        check_writable(self.path)
        self._lock = take_hold(self.path, f"-{self.shard}" if self.shard else "")
        try:
            if self.shard is None:
                self._open()
            else:
                self._open_shard()
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock.release()

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

    def _open_shard(self) -> None:
        """Open the folder while no other shard does; throw away this shard only."""
        import filelock

        try:
            with filelock.FileLock(lock_file(self.path), timeout=SHARD_PATIENCE):
                if self.restart and self.chunks.exists():
                    for chunk in self.chunks.glob(f"{self.shard}-*"):
                        chunk.unlink()
                others = self.chunks.exists() and any(self.chunks.iterdir())
                self.restart = self.restart and not others
                self._open()
        except filelock.Timeout:
            msg = f"{self.path} is in use by a whole run; wait, or use another -o"
            raise TryAgainError(msg) from None

    def _open(self) -> None:
        file = self.path / MANIFEST
        if file.exists() and not self.restart:
            old = read_manifest(self.path)
            changed = differences(old, self.manifest)
            if changed:
                msg = (
                    f"{self.path} holds another run: {'; '.join(changed)}. Use a new "
                    "folder, or --restart to throw the old run away"
                )
                raise InputError(msg)
        if self.chunks.is_symlink():
            msg = f"{self.chunks} is a link; remove it, or use another -o"
            raise InputError(msg)
        # Only files of ours: the folder may hold a user's own "chunks".
        ours = [f for f in self.chunks.glob("*") if CHUNK.fullmatch(f.name)]
        if ours and not self.restart and not file.exists():
            msg = (
                f"{self.path} holds {len(ours)} chunks of work and no {MANIFEST} that "
                "tells of which run; bring it back, use a new folder, or --restart to "
                "throw them away"
            )
            raise InputError(msg)
        if self.restart:
            for chunk in ours:
                chunk.unlink()
        self.chunks.mkdir(mode=0o700, exist_ok=True)
        if self.shard is None:
            for part in self.chunks.glob(".*"):
                if PART.fullmatch(part.name):
                    part.unlink(missing_ok=True)
        text = json.dumps(self.manifest, indent=1, sort_keys=True) + "\n"
        self._write(file, text.encode())

    def _write(self, path: Path, raw: bytes) -> None:
        try:
            write_bytes(path, raw)
        except OSError as error:
            if error.errno in NO_ROOM:
                msg = (
                    f"no space left on {self.path} while writing {path.name}; free some"
                )
                raise TryAgainError(msg) from None
            msg = f"cannot write {path}: {error.strerror}"
            raise TryAgainError(msg) from None


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
        known = self._read()
        outputs = [known[task] for task in tasks if task in known]
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
        self._known = {}
        torn, foreign = 0, 0
        run = run_of(self.folder.manifest)
        for file in sorted(self.folder.chunks.glob("*.chunk")):
            named = CHUNK.fullmatch(file.name)
            if named is None or named["key"] != self.key:
                continue
            self._number = max(self._number, int(named["number"]))
            try:
                if file.is_symlink() or not file.is_file():
                    raise TornChunkError
                outputs = decode(file.read_bytes(), self.folder.items, run)
            except (TornChunkError, OSError, ValueError, KeyError, TypeError) as error:
                torn += 1
                foreign += isinstance(error, ForeignChunkError)
                file.replace(file.with_suffix(f".bad-{torn}"))
                continue
            self._known.update({output.task: output for output in outputs})
        if torn:
            of = f" ({foreign} of another run)" if foreign else ""
            self.folder.notes.append(
                f"{torn} damaged chunk(s){of} were set aside; their tasks are run again"
            )
        self.folder.kept += len(self._known)
        return self._known


def differences(old: Any, new: Any, where: str = "") -> list[str]:
    """Return what changed between two manifests, in words."""
    if isinstance(old, dict) and isinstance(new, dict):
        changes = []
        for key in sorted(set(old) | set(new)):
            path = f"{where}.{key}" if where else key
            changes += differences(old.get(key), new.get(key), path)
        return changes
    if old == new:
        return []
    names = {
        "data.sha256": "the input changed (sha256",
        "data.n": "items",
        "data.m": "columns",
    }
    word = names.get(where, where.removeprefix("settings."))
    close = ")" if word.endswith("(sha256") else ""
    return [f"{word} {_short(old)} -> {_short(new)}{close}"]


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:8] + "..."
