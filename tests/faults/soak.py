"""Random commands, kills, full disks and wrong clocks, against a model.

``python tests/faults/soak.py --minutes 60``; not part of the test suite. Every command
works on a folder of its own and is disturbed at random. The model: a result file that
is there is that of an undisturbed run, byte by byte; a command that was finished once
stays finished; a command ends with a code that says what to do; and in the end each
one, given again, leaves exactly what an undisturbed one leaves.
"""

import argparse
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import fault_child
import numpy as np
from fault_tools import SHORT

FEW = ("-k", "2:4", "--repeats", "6", "-q", "-j", "1")
OUT = ("-o", "{out}")
SHARD = ("run", "x.csv", *FEW, *OUT, "--shard")
VERDICT = ("verdict", "x.csv", *FEW, "--repeats", "10", "--null-sets", "4", *OUT)

#: What is given, in folders of their own: commands, the last of which finishes it.
COMMANDS = {
    "fc": (("run", "x.csv", *FEW, *OUT),),
    "two": (
        ("run", "x.csv", "-m", "consensus", "-a", "kmeans-r", *FEW, "-j", "2", *OUT),
    ),
    "null": (("run", "x.csv", "-m", "gap-pc", "-k", "2:4", "-q", "-j", "1", *OUT),),
    "nmf": (("run", "x.csv", "-a", "nmf-r", "--nonnegative", "fold", *FEW, *OUT),),
    "shards": ((*SHARD, "1/2"), (*SHARD, "2/2"), ("merge", "{out}", "-q")),
    "compare": (("compare", "x.csv", "-m", "fc,wcss", "-a", "hier-a", *FEW, *OUT),),
    "assess": (
        ("assess", "x.csv", "-k", "3", "--repeats", "20", "-q", "-j", "1", *OUT),
    ),
    "verdict": (VERDICT,),
    "annotations": (
        (
            *VERDICT,
            "--annotations",
            "about.csv",
            "--adjust",
            "batch",
            "--keep-matrices",
        ),
    ),
    "assign": (("assign", "verdict-alone", "x.csv", "-q", *OUT),),
    "validate": (
        ("validate", "verdict-alone", "x.csv", "--null-sets", "19", "-q", *OUT),
    ),
    "factorize": (
        ("factorize", "x.csv", "-k", "2", "--nonnegative", "fold", "-q", *OUT),
    ),
}

#: What goes wrong with a command: it is killed at some time, gets a signal, dies at a
#: write, may write no large file, finds the disk full, the clock wrong, or a chunk bad.
FAULTS = (
    "kill", "kill", "signal", "write", "write", "large", "full", "full", "clock",
    "chunk", "nothing",
)  # fmt: skip

#: Codes that say what to do: done, a part failed, try again, interrupted, killed.
KNOWN = {0, 4, 75, 130, 143, -signal.SIGTERM, -signal.SIGKILL, 137}


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the result files of a folder, with their bytes."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
        and file.parent.name != "chunks"
        and not file.name.startswith(".")
        and file.name != "run.json"
    }


class Soak:
    """A place with folders, what is expected in each, and what was counted."""

    def __init__(self, place: Path, seed: int) -> None:
        self.place = place
        self.rng = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self.finished: set[str] = set()
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(["fault_child"])
        rng = np.random.default_rng(0)
        values = np.arange(36)[:, None] % 3 * 9 + rng.normal(size=(36, 2))
        rows = [f"s{i},{a!r},{b!r}" for i, (a, b) in enumerate(values.tolist())]
        (place / "x.csv").write_text("\n".join(["id,a,b", *rows]) + "\n")
        about = [f"s{i},b{i // 18}" for i in range(36)]
        (place / "about.csv").write_text("\n".join(["id,batch", *about]) + "\n")
        self.expected = {name: self.undisturbed(name) for name in COMMANDS}

    def begin(self, command, out: str, patches=(), limits=None, fail=None):
        """Start a command, and return its process."""
        given = [word.replace("{out}", out) for word in command]
        said = [str(self.place / f".said.{kind}") for kind in ("out", "err")]
        process = self.context.Process(
            target=fault_child.run,
            args=(
                given, str(self.place), *said, (*SHORT, *patches), limits or {}, None,
                (), fail,
            ),
        )  # fmt: skip
        process.start()
        self.counts["commands"] += 1
        return process

    def give(self, name: str, out: str) -> int:
        """Give commands to their end, or to the first that fails; return its code."""
        for command in COMMANDS[name]:
            process = self.begin(command, out)
            process.join()
            if process.exitcode not in (0, 4):
                break
        return process.exitcode

    def undisturbed(self, name: str) -> dict[str, bytes]:
        """Return what a command leaves that nothing disturbs."""
        code = self.give(name, f"{name}-alone")
        assert code in (0, 4), self.said()
        return files_of(self.place / f"{name}-alone")

    def said(self) -> str:
        """Return what the last command said."""
        return (self.place / ".said.err").read_text(errors="replace")[-400:]

    def disturb(self, name: str) -> None:
        """Give commands, and let something go wrong with one of them."""
        fault = self.rng.choice(FAULTS)
        # A shard with a bad chunk must be given again before it can be merged.
        first = fault == "chunk"
        wrong = 0 if first else self.rng.randrange(len(COMMANDS[name]))
        for number, command in enumerate(COMMANDS[name]):
            how = fault if number == wrong else "nothing"
            process = self.begin_disturbed(name, command, how)
            process.join(200)
            if process.is_alive():
                process.kill()
                process.join()
                self.faults.append(f"{name}: hangs after {how}")
            self.counts[how] += number == wrong
            last = number == len(COMMANDS[name]) - 1
            self.check(name, process.exitcode, how, last)
            if process.exitcode not in (0, 4):
                return

    def begin_disturbed(self, name: str, command, how: str):
        """Start a command that goes wrong in one way."""
        out = self.place / name
        draw = self.rng.randrange
        change: dict[str, Any] = {}
        if how == "chunk":
            self.damage_chunk(out)
        elif how == "clock":
            self.shift_times(out)
            clock = fault_child.JumpingClock(draw(2**32))
            change["patches"] = (("time", "time", clock),)
        elif how == "large":
            change["limits"] = {"RLIMIT_FSIZE": draw(200, 60_000)}
        elif how in ("write", "full"):
            way = {"write": "die", "full": "full"}[how]
            change["fail"] = (draw(1, 120), str(out), str(self.place / ".counted"), way)
        process = self.begin(command, name, **change)
        if how in ("kill", "signal"):
            process.join(self.rng.random() ** 2 * 3)
            number = signal.SIGKILL
            if how == "signal":
                # Before a command has begun, only SIGTERM says what it did.
                begun = (out / ".holder").exists()
                usual = [signal.SIGTERM, signal.SIGINT]
                number = self.rng.choice(usual if begun else usual[:1])
            if process.is_alive():
                os.kill(process.pid, number)
        return process

    def check(self, name: str, code: int, how: str, last: bool) -> None:
        """Compare a folder with the model."""
        if code not in KNOWN:
            self.faults.append(f"{name}: {code} after {how}: {self.said()}")
        expected = self.expected[name]
        there = files_of(self.place / name) if (self.place / name).exists() else {}
        for file, content in there.items():
            self.counts["files compared"] += 1
            if expected.get(file) != content and file != "manifest.json":
                self.faults.append(f"{name}: {file} is another after {how}")
        if last and code in (0, 4):
            self.finished.add(name)
        if name in self.finished and set(expected) - set(there):
            lost = sorted(set(expected) - set(there))
            self.faults.append(f"{name}: {lost} lost after {how}")

    def shift_times(self, out: Path) -> None:
        """Let files be of another time: the clock was wrong."""
        when = time.time() + self.rng.choice([-3e8, -3600, 3600, 3e8])
        for file in out.rglob("*") if out.exists() else ():
            os.utime(file, (when, when))

    def damage_chunk(self, out: Path) -> None:
        """Flip a bit of a chunk, or cut it."""
        files = sorted(out.glob("chunks/*.chunk"))
        if not files:
            return
        file = self.rng.choice(files)
        raw = bytearray(file.read_bytes())
        place = self.rng.randrange(len(raw))
        raw[place] ^= 1 << self.rng.randrange(8)
        file.write_bytes(raw if self.rng.random() < 0.5 else raw[:place])

    def run(self, seconds: float) -> None:
        """Disturb until the time is over, then give every command once more."""
        end = time.monotonic() + seconds
        names = list(COMMANDS)
        while time.monotonic() < end and not self.faults:
            name = self.rng.choice(names)
            self.disturb(name)
            if name in self.finished and self.rng.random() < 0.3:
                self.start_over(name)
        for name in names:
            self.check(name, self.give(name, name), "the end", last=True)
            if name not in self.finished:
                self.faults.append(f"{name}: not finished in the end: {self.said()}")
            left = [f.name for f in (self.place / name).rglob(".*.stablek")]
            if left:
                self.faults.append(f"{name}: {left} left over")

    def start_over(self, name: str) -> None:
        """Remove the folder of a command that was finished."""
        shutil.rmtree(self.place / name)
        self.finished.discard(name)


def main() -> int:
    """Soak, and print what was counted; 1 if the model was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        soak = Soak(Path(place), given.seed)
        soak.run(60 * given.minutes)
    print(", ".join(f"{name} {count:,}" for name, count in soak.counts.items()))
    print("\n".join(soak.faults) or "nothing lost, nothing half-written")
    return 1 if soak.faults else 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    sys.exit(main())
