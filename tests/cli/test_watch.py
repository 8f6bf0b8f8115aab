"""A page that is redrawn while a run goes on, and the answer it would give by now."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from blobs import blobs

from stablek.api.choose_k import choose_k, request
from stablek.cli import guarded
from stablek.engine.interim import best_so_far, so_far
from stablek.engine.plan import Output, Task
from stablek.engine.progress import Progress
from stablek.engine.steps import carry_out
from stablek.io.store.chunks import encode
from stablek.io.store.snapshot import RunSnapshot, at_work


def written(folder, X):
    rows = "\n".join(",".join(map(repr, row)) for row in X.tolist())
    (folder / "data.csv").write_text(f"a,b,c,d\n{rows}\n")


class Told:
    """A watch that asks for every answer it is offered."""

    def __init__(self):
        self.ks = []

    def __call__(self, what, done, total):
        pass

    def best(self, answer):
        self.ks.append(answer())


@pytest.mark.parametrize("measure", ["fc", "consensus", "me", "levine-domany"])
def test_looking_ahead_changes_nothing_and_ends_with_the_answer(measure):
    told = Told()
    settings = {"repeats": 12, "jobs": 1}
    seen = choose_k(blobs(60), measure, ks=range(2, 6), watch=told, **settings)
    blind = choose_k(blobs(60), measure, ks=range(2, 6), **settings)
    assert seen.to_json() == blind.to_json()
    assert told.ks[0] is None
    assert told.ks[-1] == seen.k_star
    assert 3 in told.ks[:-1]


def test_a_measure_with_null_sets_has_an_answer_from_the_fourth_on():
    told = Told()
    found = choose_k(blobs(60), "gap-pc", ks=range(1, 6), watch=told, jobs=1)
    assert told.ks[-1] == found.k_star == 3
    assert None in told.ks
    assert told.ks.count(3) > 1


def half_done(repeats=20, done=9):
    plan = request(blobs(60), "fc", ks=range(2, 6), repeats=repeats).plan
    outputs = [carry_out(plan, task) for task in plan.repeat_tasks(0, done)]
    return plan, outputs


def test_what_is_there_equals_a_run_of_so_many_repeats(tmp_path):
    plan, outputs = half_done()
    growing = RunSnapshot(tmp_path, plan)
    (tmp_path / "chunks").mkdir()
    assert growing.so_far() is None
    (tmp_path / "chunks" / "run-000001.chunk").write_bytes(encode(outputs[:5]))
    assert growing.read() == 1
    (tmp_path / "chunks" / "run-000002.chunk").write_bytes(encode(outputs[5:]))
    (tmp_path / "chunks" / "run-000003.chunk").write_bytes(b"torn")
    (tmp_path / "chunks" / "other-000001.chunk").write_bytes(encode(outputs))
    assert growing.read() == 1
    assert growing.read() == 0
    assert growing.words() == "9 of 20 repeats"
    found = growing.so_far()
    whole = choose_k(blobs(60), "fc", ks=range(2, 6), repeats=9)
    assert found.decision.k_star == whole.k_star
    np.testing.assert_array_equal(
        found.curve.at((2, 3, 4, 5)).columns["area"], whole.columns["area"]
    )


def test_a_repeat_that_is_half_there_is_not_looked_at():
    plan = request(blobs(60), "consensus", ks=range(2, 6), repeats=6).plan
    growing = RunSnapshot(Path("nowhere"), plan)
    for task in plan.repeat_tasks(0, 5)[:-1]:
        output = carry_out(plan, task)
        growing.cube.put(task.repeat, task.ks, output.labels)
    assert so_far(plan, growing.cube).cube.repeats == 4
    assert best_so_far(plan, growing.cube) == 3


def test_a_failed_repeat_leaves_the_others(tmp_path):
    plan, outputs = half_done()
    outputs[0] = Output(Task("repeat", plan.ks, repeat=0), failure="no")
    (tmp_path / "chunks").mkdir()
    (tmp_path / "chunks" / "run-000001.chunk").write_bytes(encode(outputs))
    growing = RunSnapshot(tmp_path, plan)
    growing.read()
    assert growing.words() == "8 of 20 repeats"


def test_the_line_of_progress_tells_the_best_k(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("stablek.engine.progress.time.monotonic", lambda: now[0])
    progress = Progress()
    progress.best(lambda: pytest.fail("too early"))
    now[0] = 16.0
    progress.best(lambda: 4)
    now[0] = 17.0
    progress.best(lambda: pytest.fail("too soon again"))
    now[0] = 31.0
    progress("repeats", 40, 100)
    assert "40 of 100" in (said := capsys.readouterr().err)
    assert "so far k = 4" in said
    now[0] = 64.0
    progress.best(lambda: 1 / 0)  # a look ahead must not end the run
    progress("repeats", 50, 100)
    assert "so far" not in capsys.readouterr().err


def test_a_look_takes_a_small_share_of_the_time(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("stablek.engine.progress.time.monotonic", lambda: now[0])
    progress = Progress()
    looks = []

    def slow():
        looks.append(now[0])
        now[0] += 10

    for _ in range(1000):
        now[0] += 1.0
        progress.best(slow)
    assert len(looks) * 10 <= 0.06 * (now[0] - 100)


#: A run that keeps eight repeats one by one and waits until its page was seen.
SLOW = """
import itertools, pathlib, sys, time
import stablek.engine.run as run
real = run.run_tasks
def slow(*given):
    for place, output in enumerate(itertools.chain.from_iterable(real(*given))):
        if place == 8:
            pathlib.Path("waiting").touch()
            until = time.monotonic() + 60
            while not pathlib.Path("seen").exists() and time.monotonic() < until:
                time.sleep(0.02)
        yield [output]
run.run_tasks = slow
from stablek.cli import main
sys.argv = ["stablek", *sys.argv[1:]]
main()
"""


@pytest.fixture
def slow_run(tmp_path):
    written(tmp_path, blobs(60))
    given = ["run", "data.csv", "-k", "2:4", "--repeats", "20", "-j", "1",
             "-o", "out", "--quiet"]  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, *given], cwd=tmp_path, stdout=subprocess.DEVNULL,
        env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    until = time.monotonic() + 60
    while time.monotonic() < until and not (tmp_path / "waiting").exists():
        time.sleep(0.05)
    yield tmp_path, process
    if process.poll() is None:
        process.kill()
    process.wait()


def test_a_watched_run_is_drawn_on_its_way_and_at_its_end(slow_run, monkeypatch):
    folder, process = slow_run
    monkeypatch.chdir(folder)
    pages = []
    reap = threading.Thread(target=process.wait, daemon=True)
    reap.start()  # a child that nobody waits for would seem to be alive
    from stablek.cli import watch as watching

    real = watching.write_page

    def kept(*given, **named):
        path = real(*given, **named)
        pages.append(path.read_text())
        (folder / "seen").touch()
        return path

    monkeypatch.setattr(watching, "write_page", kept)
    assert guarded(["report", "out", "--watch", "--every", "0.3"]) == 0
    assert process.wait(timeout=60) == 0
    assert pages
    assert "Still running" in pages[0]
    assert 'http-equiv="refresh"' in pages[0]
    last = (folder / "out" / "report.html").read_text()
    assert "Still running" not in last
    assert 'http-equiv="refresh"' not in last


def test_a_run_that_dies_ends_the_watch_and_its_page_says_so(
    slow_run, monkeypatch, capsys
):
    folder, process = slow_run
    monkeypatch.chdir(folder)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not at_work(folder / "out")
    assert guarded(["report", "out", "--watch", "--quiet"]) == 75
    assert "resume with: stablek resume out" in capsys.readouterr().err
    page = (folder / "out" / "report.html").read_text()
    assert "The run stopped early" in page
    assert 'http-equiv="refresh"' not in page
    assert not (folder / "out" / "result.json").exists()
