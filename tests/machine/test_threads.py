"""Threads of this process: the same outcomes, no waiting at the end, errors told."""

import _thread
import time

import numpy as np
import pytest

from stablek.api.choose_k import request
from stablek.engine.execution import execute
from stablek.engine.execution.execute import Execution, run_tasks
from stablek.engine.steps import carry_out
from stablek.machine import threads
from stablek.machine.threads import in_threads


def square(item, stop):
    return item, item * item


def test_every_item_is_worked_on_once():
    found = list(in_threads(iter(range(500)), square, 4))
    assert sorted(found) == [(i, i * i) for i in range(500)]


def test_more_threads_than_items_and_no_items_end_too():
    assert list(in_threads(iter([3]), square, 8)) == [(3, 9)]
    assert list(in_threads(iter([]), square, 2)) == []


def test_an_error_in_a_thread_is_raised_where_the_outcomes_are_read():
    def broken(item, stop):
        return 1 // (item - 7)

    with pytest.raises(ZeroDivisionError):
        list(in_threads(iter(range(40)), broken, 2))


def test_who_stops_listening_stops_the_threads():
    begun, told = [], []

    def slow(item, stop):
        begun.append(item)
        told.append(stop)
        time.sleep(0.005)

    running = in_threads(iter(range(400)), slow, 2)
    next(running)
    running.close()
    assert told[0].is_set()
    time.sleep(0.2)  # each may end the item it was at
    seen = len(begun)
    time.sleep(0.2)
    assert len(begun) == seen < 400


def test_a_thread_that_never_begins_costs_nothing(monkeypatch):
    started = []

    class Some:
        @staticmethod
        def start_new_thread(function, arguments):
            started.append(function)
            if len(started) != 2:  # as where there is no memory left for it
                _thread.start_new_thread(function, arguments)

    monkeypatch.setattr(threads, "_thread", Some)
    found = list(in_threads(iter(range(50)), square, 3))
    assert len(started) == 3
    assert len(found) == 50


def test_threads_none_of_which_begins_are_told_as_memory(monkeypatch):
    class Nothing:
        @staticmethod
        def start_new_thread(function, arguments):
            pass

    monkeypatch.setattr(threads, "_thread", Nothing)
    monkeypatch.setattr(threads, "PATIENCE", 0.05)
    with pytest.raises(MemoryError, match="no thread"):
        list(in_threads(iter(range(5)), square, 2))


def test_tasks_in_threads_give_what_one_after_another_gives(monkeypatch):
    X = np.random.default_rng(0).normal(size=(30, 3))
    plan = request(X, "fc", "hier-a", range(2, 5), repeats=40).plan
    tasks = plan.repeat_tasks(0, 40)

    def steady(plan, tasks, model=None):
        for task in tasks:
            time.sleep(0.002)
            yield carry_out(plan, task, model)

    monkeypatch.setattr(execute, "carry_out_all", steady)
    monkeypatch.setattr("joblib.Parallel", None)  # not needed for threads
    found = [o for b in run_tasks(plan, tasks, Execution(jobs=2)) for o in b]
    assert {o.task for o in found} == set(tasks)
    for output in found:
        assert np.array_equal(output.labels, carry_out(plan, output.task).labels)
