"""Threads of this process: the same outputs, no waiting at the end, errors told."""

import threading
import time

import numpy as np
import pytest

from stablek.choose import request
from stablek.engine import threads
from stablek.engine.execute import Execution, batches, run_tasks
from stablek.engine.steps import carry_out
from stablek.engine.threads import in_threads


@pytest.fixture
def plan():
    X = np.random.default_rng(0).normal(size=(30, 3))
    return request(X, "fc", "hier-a", range(2, 5), repeats=40).plan


def left():
    return [t for t in threading.enumerate() if t.name.startswith("stablek-")]


def test_threads_give_what_one_after_another_gives(plan):
    tasks = plan.repeat_tasks(0, 40)
    found = [o for b in in_threads(plan, batches(tasks, 3), 4, None) for o in b]
    assert {o.task for o in found} == set(tasks)
    for output in found:
        again = carry_out(plan, output.task)
        assert np.array_equal(output.labels, again.labels)


def test_threads_end_with_their_last_task(plan):
    tasks = plan.repeat_tasks(0, 40)
    list(in_threads(plan, batches(tasks, 3), 2, None))
    for thread in left():
        thread.join(1)
    assert not left()


def test_an_error_in_a_thread_is_raised_where_the_outputs_are_read(plan, monkeypatch):
    def broken(plan, task, model=None):
        if task.repeat == 7:
            raise ZeroDivisionError
        return carry_out(plan, task, model)

    monkeypatch.setattr(threads, "carry_out", broken)
    with pytest.raises(ZeroDivisionError):
        list(in_threads(plan, batches(plan.repeat_tasks(0, 40), 2), 2, None))


def test_who_stops_listening_stops_the_threads(plan, monkeypatch):
    begun = []

    def slow(plan, task, model=None):
        begun.append(task)
        time.sleep(0.01)
        return carry_out(plan, task, model)

    monkeypatch.setattr(threads, "carry_out", slow)
    running = in_threads(plan, batches(plan.repeat_tasks(0, 40), 1), 2, None)
    next(running)
    running.close()
    for thread in left():
        thread.join(2)
    assert not left()
    assert len(begun) < 40


def test_compiled_algorithms_need_no_joblib_for_threads(plan, monkeypatch):
    def steady(plan, task, model=None):
        time.sleep(0.002)
        return carry_out(plan, task, model)

    monkeypatch.setattr(threads, "carry_out", steady)
    monkeypatch.setattr("stablek.engine.execute.WORTHWHILE", 0.0)
    monkeypatch.setattr("joblib.Parallel", None)  # not needed for threads
    tasks = plan.repeat_tasks(0, 40)
    done = [o for b in run_tasks(plan, tasks, Execution(jobs=2)) for o in b]
    assert len(done) == 40
