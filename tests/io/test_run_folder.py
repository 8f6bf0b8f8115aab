"""A killed run loses nothing, a damaged folder is noticed, two runs never mix."""

import errno
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from blobs import blobs

from stablek.api.choose_k import choose_k
from stablek.data import from_arrays
from stablek.engine.plan import Output, Task
from stablek.errors import InputError, TryAgainError
from stablek.io.store import atomic, folder
from stablek.io.store.chunks import TornChunkError, decode, encode
from stablek.io.store.folder import RunFolder
from stablek.io.store.manifest import manifest_of


def some_outputs():
    labels = np.arange(12, dtype=np.uint8).reshape(2, 1, 6)
    curve = {"pac": np.array([0.5, np.nan]), "area": np.array([1.0, 2.0])}
    return [
        Output(Task("repeat", (2, 3), repeat=4), labels=labels),
        Output(Task("null", (2, 3), run=1, null=2, model="ps"), columns=curve),
        Output(Task("repeat", (2, 3), repeat=5), failure="no luck"),
    ]


def equal(first, second):
    if first.task != second.task or first.failure != second.failure:
        return False
    if (first.labels is None) != (second.labels is None):
        return False
    if first.labels is not None and not np.array_equal(first.labels, second.labels):
        return False
    names = set(first.columns or {}) | set(second.columns or {})
    return all(first.columns[n].tobytes() == second.columns[n].tobytes() for n in names)


def data(seed=0):
    return from_arrays(blobs(24, 3, seed=seed))


def run_in(path, repeats=30, seed=0, restart=False, X=None):
    X = X or data()
    what = {"measure": "fc", "repeats": repeats, "seed": seed}
    with RunFolder(Path(path), manifest_of(X, what), restart) as kept:
        result = choose_k(
            X, "fc", "hier-a", range(2, 6), seed=seed, repeats=repeats,
            journal=kept.journal(), backend="serial",
        )  # fmt: skip
    return result, kept


def test_a_chunk_gives_back_what_was_put_in():
    outputs = some_outputs()
    again = decode(encode(outputs))
    assert all(equal(a, b) for a, b in zip(outputs, again, strict=True))


def test_a_chunk_cut_anywhere_is_noticed():
    raw = encode(some_outputs())
    for length in range(len(raw)):
        with pytest.raises(TornChunkError):
            decode(raw[:length])


def test_a_chunk_with_one_flipped_bit_is_noticed():
    raw = encode(some_outputs())
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(raw), 200):
        bad = bytearray(raw)
        bad[place] ^= 1 << int(rng.integers(8))
        with pytest.raises(TornChunkError):
            decode(bytes(bad))


def test_a_second_run_in_the_folder_takes_what_the_first_left(tmp_path, monkeypatch):
    first, _ = run_in(tmp_path / "run")
    from stablek.engine.execution import execute

    def refuse(*_):
        raise AssertionError("a task was run again")

    monkeypatch.setattr(execute, "carry_out_all", refuse)
    second, kept = run_in(tmp_path / "run")
    assert second.to_json() == first.to_json()
    assert kept.kept > 0


def test_a_damaged_chunk_is_set_aside_and_its_tasks_are_run_again(tmp_path):
    first, kept = run_in(tmp_path / "run")
    victim = sorted(kept.chunks.glob("*.chunk"))[-1]
    raw = bytearray(victim.read_bytes())
    raw[len(raw) // 2] ^= 1
    victim.write_bytes(bytes(raw))
    second, again = run_in(tmp_path / "run")
    assert second.to_json() == first.to_json()
    assert "1 damaged chunk(s)" in again.notes[0]
    assert list(kept.chunks.glob("*.bad-*"))


def test_a_chunk_planted_as_a_link_is_not_followed(tmp_path):
    canary = tmp_path / "canary"
    canary.write_text("untouched")
    first, kept = run_in(tmp_path / "run")
    (kept.chunks / "run-000099.chunk").symlink_to(canary)
    second, _ = run_in(tmp_path / "run")
    assert second.to_json() == first.to_json()
    assert canary.read_text() == "untouched"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"repeats": 31}, "repeats 30 -> 31"),
        ({"seed": 7}, "seed 0 -> 7"),
        ({"X": data(5)}, "the input changed (sha256"),
    ],
)
def test_another_run_in_the_same_folder_is_refused_with_the_difference(
    tmp_path, change, message
):
    run_in(tmp_path / "run")
    with pytest.raises(InputError) as error:
        run_in(tmp_path / "run", **change)
    assert message in str(error.value)
    run_in(tmp_path / "run", restart=True, **change)


def test_another_version_is_refused(tmp_path, monkeypatch):
    run_in(tmp_path / "run")
    monkeypatch.setattr("stablek.version.__version__", "99.0")
    with pytest.raises(InputError, match=r"stablek 0\..* -> 99\.0"):
        run_in(tmp_path / "run")


def test_a_folder_in_use_is_refused_and_the_holder_named(tmp_path):
    here = tmp_path / "run"
    in_use = pytest.raises(TryAgainError, match=f"in use by process {os.getpid()}")
    with RunFolder(here, {"schema": 1}), in_use, RunFolder(here, {"schema": 1}):
        pass
    with RunFolder(here, {"schema": 1}):
        pass


def test_a_full_disk_keeps_what_was_finished(tmp_path, monkeypatch):
    written = []

    def full(path, raw):
        if path.suffix == ".chunk":
            written.append(path)
            if len(written) == 2:
                raise OSError(errno.ENOSPC, "No space left on device")
        atomic.write_bytes(path, raw)

    monkeypatch.setattr(folder, "write_bytes", full)
    with pytest.raises(TryAgainError, match="no space left"):
        run_in(tmp_path / "run", repeats=4000)
    monkeypatch.setattr(folder, "write_bytes", atomic.write_bytes)
    resumed, kept = run_in(tmp_path / "run", repeats=4000)
    undisturbed, _ = run_in(tmp_path / "other", repeats=4000)
    assert resumed.to_json() == undisturbed.to_json()
    assert kept.kept > 0


SLOW = """
import pathlib
import time
import numpy as np


class Slow:
    def __init__(self, n_clusters=2, random_state=0):
        self.n_clusters, self.random_state = n_clusters, random_state

    def get_params(self, deep=True):
        return {"n_clusters": self.n_clusters, "random_state": self.random_state}

    def fit_predict(self, X):
        if not pathlib.Path("go").exists():
            time.sleep(0.02)
        order = np.argsort(X[:, 0], kind="stable")
        labels = np.empty(len(X), int)
        labels[order] = np.arange(len(X)) * self.n_clusters // len(X)
        return labels


slow = Slow()
"""


@pytest.fixture
def slow_run(tmp_path):
    """Return what starts a run that is slow until there is a file ``go``."""
    (tmp_path / "slowly.py").write_text(SLOW)
    values = np.random.default_rng(0).normal(size=(30, 2))
    np.savetxt(tmp_path / "x.csv", values, delimiter=",", header="a,b", comments="")

    def start(out, backend="serial", repeats=600):
        command = [
            sys.executable, "-m", "stablek", "run", "x.csv", "-a", "slowly:slow", "-k",
            "2:4", "--repeats", str(repeats), "-o", out, "--backend", backend,
            "--jobs", "2",
        ]  # fmt: skip
        return subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env={**os.environ, "PYTHONPATH": paths()},
        )  # fmt: skip

    return start, tmp_path


def paths():
    import stablek

    source = str(Path(stablek.__file__).parents[1])
    return os.pathsep.join([source, *filter(None, [os.environ.get("PYTHONPATH")])])


def wait_for_chunks(folder, count=2, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if len(list(folder.glob("chunks/*.chunk"))) >= count:
            return
        time.sleep(0.02)
    raise AssertionError("no chunk was written in time")


def test_a_killed_run_resumes_to_the_same_bytes(slow_run):
    start, place = slow_run
    run = start("killed")
    wait_for_chunks(place / "killed")
    run.kill()
    run.communicate()
    assert not (place / "killed" / "result.json").exists()
    (place / "go").touch()
    for out in ("killed", "whole"):
        done = start(out)
        _, err = done.communicate(timeout=120)
        assert done.returncode == 0, err
    for file in ("result.json", "labels.tsv", "curve.tsv"):
        killed, whole = ((place / d / file).read_bytes() for d in ("killed", "whole"))
        assert killed == whole


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)]
)
def test_a_signal_leaves_a_resumable_folder_and_says_how_to_go_on(
    slow_run, number, code
):
    start, place = slow_run
    run = start("stopped")
    wait_for_chunks(place / "stopped")
    run.send_signal(number)
    out, err = run.communicate(timeout=30)
    assert run.returncode == code
    assert "tasks are kept; resume with: the same command" in err
    assert out == ""
    assert "Traceback" not in err


def test_two_runs_in_one_folder_never_mix(slow_run):
    start, place = slow_run
    first = start("shared")
    wait_for_chunks(place / "shared", 1)
    second = start("shared")
    _, err = second.communicate(timeout=60)
    assert second.returncode == 75
    assert f"in use by process {first.pid}" in err
    first.kill()
    first.communicate()
    (place / "go").touch()
    third = start("shared")
    _, err = third.communicate(timeout=120)
    assert third.returncode == 0, err


def test_no_worker_outlives_a_killed_parent(slow_run):
    import psutil

    start, place = slow_run
    run = start("orphans", backend="processes")
    wait_for_chunks(place / "orphans", 1)
    children = psutil.Process(run.pid).children(recursive=True)
    assert children
    run.kill()
    run.communicate()
    _, alive = psutil.wait_procs(children, timeout=10)
    busy = [p for p in alive if "resource_tracker" not in " ".join(p.cmdline())]
    assert not busy


def test_resume_runs_the_command_that_was_kept(tmp_path, cli):
    np.savetxt(
        tmp_path / "x.csv", blobs(30, 2), delimiter=",", header="a,b", comments=""
    )
    code, first, err = cli("run", "x.csv", "-k", "2:4", "-o", "out", "--json")
    assert code == 0, err
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    code, again, err = cli("resume", tmp_path / "out", cwd=elsewhere)
    assert code == 0, err
    one, two = json.loads(first), json.loads(again)
    one.pop("seconds")
    two.pop("seconds")
    assert one == two


def test_resume_imports_nothing_that_a_folder_names(tmp_path):
    (tmp_path / "evil.py").write_text(
        textwrap.dedent(
            """
            from pathlib import Path
            Path("pwned").write_text("x")
            """
        )
    )
    made = {"arguments": ["run", "x.csv", "-m", "evil:x"], "folder": str(tmp_path)}
    (tmp_path / "run.json").write_text(json.dumps(made))
    done = subprocess.run(
        [sys.executable, "-m", "stablek", "resume", str(tmp_path)], cwd=tmp_path,
        capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": paths()},
    )  # fmt: skip
    assert done.returncode == 2
    assert not (tmp_path / "pwned").exists()
