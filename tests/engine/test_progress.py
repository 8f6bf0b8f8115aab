"""Progress tells the truth: from the pace of the tasks, where one can see it."""

import io
import sys
from types import ModuleType

import numpy as np
import pytest

import stablek
from stablek.engine import progress as progress_module
from stablek.engine.pace import Pace
from stablek.engine.progress import Cell, Progress, display_here


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("stablek.engine.progress.time.monotonic", lambda: now[0])
    return now


def test_time_spent_on_compiling_is_no_pace():
    """A first task of 60 s, then one a second: 97 s are left, not 97 minutes."""
    pace = Pace()
    pace.note(0, 0)
    pace.note(60, 1)
    assert pace.left(60, 100) is None
    pace.note(61, 2)
    assert pace.left(61, 100) is None
    pace.note(62, 3)
    assert pace.left(62, 100) == pytest.approx(97)


def test_work_that_was_kept_is_no_pace():
    """A run resumed at 90 of 100 has seen 90 tasks end at once."""
    pace = Pace()
    for second, done in [(0, 90), (5, 91), (7, 92), (9, 93)]:
        pace.note(second, done)
    assert pace.left(9, 100) == pytest.approx(14)


def test_the_pace_follows_the_machine():
    pace = Pace()
    for done in range(200):
        pace.note(done, done)
    for done in range(200, 400):
        pace.note(200 + 10 * (done - 200), done)
    assert pace.left(200 + 10 * 199, 500) == pytest.approx(1010, rel=0.02)


def test_a_step_that_begins_again_keeps_what_is_known_of_slow_starts():
    pace = Pace()
    for second, done in [(0, 0), (9, 1), (10, 2), (11, 3), (12, 0), (13, 1)]:
        pace.note(second, done)
    assert pace.left(13, 4) == pytest.approx(3)


def test_while_nothing_ends_the_time_left_runs_down():
    pace = Pace()
    for second, done in [(0, 0), (1, 1), (2, 2), (4, 3)]:
        pace.note(second, done)
    assert pace.left(5, 10) == pytest.approx(13)
    assert pace.left(500, 10) == 0


def test_the_first_line_promises_nothing_false(clock, capsys):
    told = Progress()
    told("repeats", 0, 100)
    clock[0] = 40.0  # kernels were compiled
    told("repeats", 1, 100)
    first = capsys.readouterr().err
    assert first == "repeats: 1 of 100\n"
    for done in range(2, 62):
        clock[0] = 40.0 + done
        told("repeats", done, 100)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "repeats: 30 of 100; about 70 s left",
        "repeats: 60 of 100; about 40 s left",
    ]


class Handle:
    def __init__(self, texts):
        self.texts = texts

    def update(self, data, raw):
        assert raw
        self.texts.append(data["text/plain"])


def test_in_a_notebook_one_line_changes_in_place(monkeypatch):
    """IPython is not needed for tests: modules of its names stand in for it."""
    texts = []

    def display(data, raw, display_id):
        assert raw
        assert display_id
        texts.append(data["text/plain"])
        return Handle(texts)

    shell = type("Shell", (), {"kernel": object()})
    stand_ins = {
        "IPython": {}, "IPython.core": {}, "IPython.display": {"display": display},
        "IPython.core.getipython": {"get_ipython": shell},
    }  # fmt: skip
    for name, content in stand_ins.items():
        module = ModuleType(name)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(Cell, "PAUSE", 0.0)
    assert display_here() is Cell
    X = np.random.default_rng(0).normal(size=(30, 2))
    stablek.choose_k(X, "me", "hier-a", range(2, 4), repeats=12, progress=True)
    assert texts[0].startswith("repeats \u2591")
    assert any("24/24" in text for text in texts)
    assert texts[-1] == ""


@pytest.mark.parametrize(
    "call",
    [
        lambda X, **how: stablek.verdict(X, range(2, 4), null_sets=4, **how),
        lambda X, **how: stablek.choose_k(X, "wcss", "hier-a", range(2, 4), **how),
        lambda X, **how: stablek.compare(X, ["wcss"], ["hier-a"], range(2, 4), **how),
        lambda X, **how: stablek.assess(X, 2, "bagclust1", repeats=4, **how),
        lambda X, **how: stablek.significance(X, 2, null_sets=4, **how),
    ],
)
def test_from_python_it_is_shown_if_asked_for(call, monkeypatch):
    seen = []

    class Seen:
        def show(self, *told):
            seen.append(told)

        def close(self):
            seen.append("closed")

    monkeypatch.setattr(progress_module, "display_here", lambda: Seen)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    X = np.random.default_rng(0).normal(size=(30, 2))
    call(X)
    assert not seen
    call(X, progress=True)
    assert len(seen) > 1
    assert seen[-1] == "closed"
