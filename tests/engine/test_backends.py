"""Every long question goes to every backend by the same word, with the same bits."""

import os
import signal

import psutil
import pytest
from blobs import blobs

import stablek

QUESTIONS = {
    "verdict": lambda X, **how: stablek.verdict(
        X, range(2, 5), repeats=10, null_sets=19, level=0.05, **how
    ),
    "choose_k": lambda X, **how: stablek.choose_k(
        X, "gap-pc", "kmeans-r", range(2, 5), **how
    ),
    "compare": lambda X, **how: stablek.compare(
        X, ["fc", "gap-pc"], ["hier-a"], range(2, 5), **how
    ),
    "assess": lambda X, **how: stablek.assess(X, 3, "bagclust1", repeats=20, **how),
    "significance": lambda X, **how: stablek.significance(X, 3, null_sets=39, **how),
}


@pytest.fixture(autouse=True)
def everything_is_sent(monkeypatch):
    """Let no work be too small for workers, and no batch larger than a task."""
    for name in ("WORTHWHILE", "SHORTEST"):
        monkeypatch.setattr(f"stablek.engine.execution.execute.{name}", 0.0)


@pytest.fixture(scope="module")
def alone():
    """Return every answer of one process, once."""
    answers = {}

    def ask(name):
        if name not in answers:
            answers[name] = written(QUESTIONS[name](blobs(), backend="serial"))
        return answers[name]

    return ask


def written(answer):
    if hasattr(answer, "results"):  # a comparison
        return [repr(result.to_dict()) for result in answer.results]
    return repr(answer.to_dict())


@pytest.mark.parametrize("backend", ["threads", "processes"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_bits_are_those_of_one_process(alone, name, backend):
    answer = QUESTIONS[name](blobs(), backend=backend, jobs=2)
    assert written(answer) == alone(name)


def test_a_process_killed_under_a_verdict_costs_time_only(alone):
    victims = []

    def kill_one(what, done, total):
        if not victims and what.startswith("null sets") and done > 2:
            workers = [
                child.pid
                for child in psutil.Process().children(recursive=True)
                if any("LokyProcess" in word for word in child.cmdline())
            ]
            victims.append(min(workers))
            os.kill(victims[0], signal.SIGKILL)

    answer = QUESTIONS["verdict"](blobs(), backend="processes", jobs=2, watch=kill_one)
    assert victims
    assert written(answer) == alone("verdict")
