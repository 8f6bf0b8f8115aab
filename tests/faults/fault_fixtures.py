"""Fixtures for commands to start, kill and starve."""

import multiprocessing
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import fault_child
import numpy as np
import pytest
from fault_tools import CLUSTERERS


@dataclass
class Started:
    """A command that runs in a process of its own."""

    process: Any
    out_file: Path
    err_file: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    def send(self, number: int) -> None:
        os.kill(self.process.pid, number)

    def kill(self) -> None:
        self.send(signal.SIGKILL)
        self.wait()

    def wait(self, seconds: float = 200) -> int:
        self.process.join(seconds)
        if self.process.exitcode is None:
            self.process.kill()
            raise AssertionError(f"still running after {seconds} s: {self.err}")
        return self.process.exitcode

    def alive(self) -> bool:
        return self.process.is_alive()

    @property
    def out(self) -> str:
        return self.out_file.read_text(encoding="utf-8")

    @property
    def err(self) -> str:
        return self.err_file.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def forks():
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["fault_child"])
    # The server of Python 3.11 knows our path by the environment alone, and says
    # nothing of a module that it cannot find.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
        forkserver.ensure_running()
    return context


@pytest.fixture
def keepers():
    """Name what keeps finished work: module, class, method."""
    return (("stablek.io.store.folder", "FolderJournal", "keep"),)


@pytest.fixture
def start(forks, keepers, tmp_path):
    """Start ``stablek`` in ``tmp_path``; whatever runs then ends with the test."""
    running = []

    def begin(*arguments, patches=(), limits=None, cwd=None, hold=None, fail=None):
        number = len(running)
        files = [tmp_path / f".{number}.{kind}" for kind in ("out", "err")]
        process = forks.Process(
            target=fault_child.run,
            args=(
                [str(a) for a in arguments], str(cwd or tmp_path), *map(str, files),
                tuple(patches), dict(limits or {}), hold, keepers, fail,
            ),
        )  # fmt: skip
        process.start()
        running.append(process)
        return Started(process, *files)

    yield begin
    for process in running:
        if process.is_alive():
            process.kill()
        process.join()
        process.close()


@pytest.fixture
def cli(start):
    """Run ``stablek`` to its end; return code, stdout, stderr."""

    def finished(*arguments, **how):
        run = start(*arguments, **how)
        code = run.wait()
        assert "Traceback" not in run.err, run.err
        return code, run.out, run.err

    return finished


@pytest.fixture
def shell(tmp_path):
    """Run ``python -m stablek`` itself, for what a fork inherits from its parent."""
    import stablek

    source = str(Path(stablek.__file__).parents[1])

    def finished(*arguments, env=None, code=None, **how):
        first = (
            [sys.executable, "-c", code] if code else [sys.executable, "-m", "stablek"]
        )
        known = {**os.environ, "PYTHONPATH": source} if env is None else env
        return subprocess.run(
            [*first, *map(str, arguments)], cwd=tmp_path, capture_output=True,
            env=known, timeout=250, check=False, **how,
        )  # fmt: skip

    return finished


@pytest.fixture
def table(tmp_path):
    """Return a table of three clear groups; beside it, clusterers that misbehave."""
    rng = np.random.default_rng(0)
    values = np.arange(36)[:, None] % 3 * 9 + rng.normal(size=(36, 2))
    path = tmp_path / "x.csv"
    rows = [f"s{i},{a!r},{b!r}" for i, (a, b) in enumerate(values.tolist())]
    path.write_text("\n".join(["id,a,b", *rows]) + "\n")
    (tmp_path / "mine.py").write_text(CLUSTERERS)
    return path
