"""Shards of a run, brought together from one folder or several."""

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stablek.engine.plan import Section, Task
from stablek.engine.shard import Shard
from stablek.errors import InputError
from stablek.io.store.atomic import write_bytes
from stablek.io.store.chunks import TornChunkError, chunk_bytes, decode
from stablek.io.store.folder import RunFolder
from stablek.io.store.manifest import differences, read_manifest, run_of

#: Number and count of the shard, and the plan where a command has several.
CHUNK = re.compile(r"shard-(\d+)-of-(\d+)-(?:(.+)-)?\d{6,}\.chunk")


@dataclass
class Shards:
    """What the shards in some folders have kept.

    The same task may be there several times: streams are keyed, so all are equal, and
    merging twice is merging once.
    """

    folders: Sequence[Path]
    tasks: dict[str, set[Task]] = field(default_factory=dict)
    files: dict[str, list[Path]] = field(default_factory=dict)
    found: Counter[Shard] = field(default_factory=Counter)
    damaged: Counter[Shard] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        first = read_manifest(self.folders[0])
        for folder in self.folders:
            self._check_same(folder, first)
            for file in sorted((folder / "chunks").glob("shard-*.chunk")):
                self._read(file, run_of(first))
        if not self.found:
            where = ", ".join(map(str, self.folders))
            raise InputError(f"no shard in {where}; make them with --shard 1/N -o DIR")

    def check_complete(self, todo: Sequence[Section], plan: str = "") -> None:
        """Refuse to finish while tasks of a plan are missing; say of which shards."""
        there = self.tasks.get(plan, set())
        if all(task in there for _, tasks, _ in todo for task in tasks):
            return
        of = Counter(shard.of for shard in self.found).most_common(1)[0][0]
        said = []
        for number in range(1, of + 1):
            shard = Shard(number, of)
            own = [task for _, tasks, _ in shard.part(todo) for task in tasks]
            done = sum(task in there for task in own)
            if done == len(own):
                continue
            if not self.found[shard]:
                said.append(f"shard {shard} missing")
                continue
            hurt = self.damaged[shard]
            also = f", {hurt} damaged file(s)" if hurt else ""
            said.append(
                f"shard {shard} not finished ({done} of {len(own)} tasks{also})"
            )
        shown = "; ".join(said[:5]) + (" ..." if len(said) > 5 else "")
        raise InputError(
            f"{shown}; have {of - len(said)}. Run the missing shards, then merge"
        )

    def hand_over(self, folder: RunFolder) -> None:
        """Put what was kept into a folder, as if one process had kept it there."""
        changed = differences(read_manifest(self.folders[0]), folder.manifest)
        if changed:
            raise InputError(
                f"the shards were made from another input: {'; '.join(changed)}"
            )
        for plan, tasks in self.tasks.items():
            key = plan or "run"
            if len(list(folder.journal(key).kept(sorted(tasks)))) < len(tasks):
                self._link(folder, key, self.files[plan])

    def _link(self, folder: RunFolder, key: str, files: Sequence[Path]) -> None:
        for number, file in enumerate(files, 1):
            place = folder.chunks / f"{key}-{number:06d}.chunk"
            place.unlink(missing_ok=True)
            try:
                os.link(file, place)
            except OSError:  # another file system, or one without links
                write_bytes(place, file.read_bytes())

    def _check_same(self, folder: Path, first: dict[str, Any]) -> None:
        changed = differences(first, read_manifest(folder))
        if not changed:
            return
        names = (CHUNK.fullmatch(f.name) for f in (folder / "chunks").glob("shard-*"))
        numbers = sorted({int(name[1]) for name in names if name})
        who = ", ".join(map(str, numbers)) or "?"
        raise InputError(
            f"shard {who} in {folder} was made from another input or other settings "
            f"than {self.folders[0]}: {'; '.join(changed)}"
        )

    def _read(self, file: Path, run: str) -> None:
        name = CHUNK.fullmatch(file.name)
        if name is None:
            return
        shard = Shard(int(name[1]), int(name[2]))
        self.found[shard] += 1
        try:
            outputs = decode(chunk_bytes(file), run=run)
        except (TornChunkError, OSError, ValueError, KeyError, TypeError):
            self.damaged[shard] += 1
            return
        plan = name[3] or ""
        self.tasks.setdefault(plan, set()).update(output.task for output in outputs)
        self.files.setdefault(plan, []).append(file)
