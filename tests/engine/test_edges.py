"""Corners of the engine: clocks, lost workers, fake clusters, orders to stop."""

import signal
import threading
import time
from concurrent.futures import CancelledError
from types import SimpleNamespace

import numpy as np
import pytest

from stablek.api.choose_k import request
from stablek.engine.execution import dask_cluster as cluster_backend
from stablek.engine.execution import worker
from stablek.engine.execution.cost import estimate
from stablek.engine.execution.deadline import carry_out_in_time, check_timeout, deadline
from stablek.engine.execution.execute import Execution, until_stopped
from stablek.engine.plan import Task
from stablek.errors import InputError
from stablek.paradigm.cluster.adapter import ClustererError
from stablek.version import versions

X = np.random.default_rng(0).normal(size=(20, 3))


def spin_for_30_seconds(mark):
    end = time.monotonic() + 30
    with deadline(0.05, mark):
        while time.monotonic() < end:
            pass


def test_what_takes_too_long_is_interrupted_and_the_alarm_is_given_back(tmp_path):
    before = signal.getsignal(signal.SIGALRM)
    mark = tmp_path / "mark"
    began = time.monotonic()
    with pytest.raises(ClustererError, match=r"longer than 0.05 s"):
        spin_for_30_seconds(mark)
    assert time.monotonic() - began < 20
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert mark.read_bytes() == b""


def test_what_is_in_time_is_left_alone():
    with deadline(60):
        found = sum(range(10))
    assert found == 45
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


class Sleepy:
    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def get_params(self, deep=True):
        return {"n_clusters": self.n_clusters}

    def fit_predict(self, X):
        time.sleep(30)


def test_a_task_out_of_time_is_an_output_with_a_failure():
    planned = request(X, "fc", Sleepy(), range(2, 4), repeats=2).plan
    task = planned.repeat_tasks(0, 1)[0]
    output = carry_out_in_time(planned, task, None, 0.05)
    assert output.labels is None
    assert output.failure == (
        "took longer than 0.05 s (the limit that timeout sets) and was stopped"
    )


def test_a_time_limit_needs_the_main_thread():
    told = []

    def ask():
        try:
            check_timeout(1.0, "auto")
        except InputError as error:
            told.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert told == ["a timeout needs the alarm signal, which is not available here"]


def test_a_batch_is_left_when_nobody_waits_any_more():
    planned = request(X, "fc", "hier-a", range(2, 4), repeats=4).plan
    tasks = planned.repeat_tasks(0, 4)
    stop = threading.Event()
    assert len(until_stopped(planned, None, tasks, stop)) == 4
    stop.set()
    assert until_stopped(planned, None, tasks, stop) == []


def test_the_watch_for_a_parent_needs_one_and_a_system_that_tells():
    worker.end_with_parent.cache_clear()
    before = threading.active_count()
    worker.end_with_parent()
    assert threading.active_count() == before
    worker._killed_at_end_of("/nowhere/at/all")
    worker.end_with_parent.cache_clear()


def test_a_worker_ends_when_its_parent_is_another(monkeypatch):
    ended, began = [], []
    monkeypatch.setattr(
        worker.multiprocessing, "parent_process", lambda: SimpleNamespace(pid=-1)
    )
    monkeypatch.setattr(worker.os, "_exit", ended.append)

    class Now:
        def __init__(self, target, daemon, name):
            self.target = target

        def start(self):
            began.append(True)
            self.target()

    monkeypatch.setattr(worker.threading, "Thread", Now)
    worker.end_with_parent.cache_clear()
    worker.end_with_parent()
    worker.end_with_parent.cache_clear()
    assert (began, ended) == ([True], [1])


def test_workers_with_other_code_are_refused():
    def client(answer):
        return SimpleNamespace(run=answer)

    def absent(_):
        raise ModuleNotFoundError("No module named 'stablek'")

    with pytest.raises(InputError, match=r"workers cannot run stablek \(No module"):
        cluster_backend._check_versions(client(absent))
    with pytest.raises(InputError, match="worker tcp://a has stablek 0, here is"):
        cluster_backend._check_versions(client(lambda _: {"tcp://a": {"stablek": "0"}}))
    other = {**versions(), "numba": "0"}
    with pytest.raises(InputError, match=r"worker tcp://a has numba 0, here is"):
        cluster_backend._check_versions(client(lambda _: {"tcp://a": other}))
    cluster_backend._check_versions(client(lambda f: {"tcp://a": f()}))


@pytest.mark.parametrize("error", [OSError, TimeoutError, KeyError])
def test_sending_is_tried_again_while_the_cluster_lives(monkeypatch, error):
    monkeypatch.setattr(cluster_backend.time, "sleep", lambda _: None)
    left = [2]

    def scatter(what, hash):
        left[0] -= 1
        if left[0] >= 0:
            raise error
        return what

    client = SimpleNamespace(scatter=scatter, status="running")
    assert cluster_backend._sent(client, "plan") == "plan"
    left[0] = 1
    client.status = "closed"
    with pytest.raises(error):
        cluster_backend._sent(client, "plan")


def test_a_result_that_is_lost_on_its_way_is_none():
    def lost():
        raise CancelledError

    future = SimpleNamespace(status="finished", result=lost)
    assert cluster_backend._result(future) is None
    assert cluster_backend._result(SimpleNamespace(status="lost")) is None


def future(status, error=None, outcome=None):
    return SimpleNamespace(
        status=status, exception=lambda: error, result=lambda: outcome
    )


def rounds(monkeypatch, told, batches, status="running"):
    """Run rounds on a cluster that answers each batch as ``told`` says."""
    from collections import deque

    asked = []

    def window(client, sent, waiting, carry_out, room):
        while waiting:
            batch = waiting.popleft()
            asked.append(list(batch))
            yield batch, told(batch, len(asked))

    monkeypatch.setattr(cluster_backend, "_window", window)
    monkeypatch.setattr(cluster_backend, "_sent", lambda *_: None)
    suspects = []
    client = SimpleNamespace(status=status)
    done = list(
        cluster_backend._rounds(client, None, deque(batches), None, 4, suspects)
    )
    return done, suspects, asked


A, B = Task("repeat", (2,), repeat=0), Task("repeat", (2,), repeat=1)


def test_a_batch_that_is_lost_is_sent_again_task_by_task(monkeypatch):
    def told(batch, number):
        if len(batch) > 1:
            return future("lost")
        return future("finished", outcome=list(batch))

    done, suspects, asked = rounds(monkeypatch, told, [[A, B]])
    assert (done, suspects) == ([[A], [B]], [])
    assert asked == [[A, B], [A], [B]]


def test_a_task_that_is_lost_time_after_time_is_suspected(monkeypatch):
    done, suspects, asked = rounds(monkeypatch, lambda *_: future("lost"), [[A]])
    assert (done, suspects) == ([], [A])
    assert len(asked) == cluster_backend.LOSSES


def test_an_error_of_ours_comes_back_from_a_cluster(monkeypatch):
    def told(batch, number):
        return future("error", error=InputError("not this data"))

    with pytest.raises(InputError, match="not this data"):
        rounds(monkeypatch, told, [[A]])


def test_a_connection_that_is_closed_is_told(monkeypatch):
    with pytest.raises(ConnectionError):
        rounds(monkeypatch, lambda *_: future("lost"), [[A]], status="closed")


def test_the_cost_counts_tasks_that_fail_too():
    planned = request(X, "fc", Failing(), range(2, 4), repeats=3).plan
    cost = estimate(planned, Execution(1))
    assert cost.timed >= 1
    assert cost.seconds >= 0


class Failing:
    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def fit_predict(self, X):
        raise RuntimeError("never")


def test_the_first_repeats_stop_being_timed_when_they_took_long_enough(monkeypatch):
    planned = request(X, "fc", "hier-a", range(2, 4), repeats=50).plan
    clock = iter(range(0, 10_000, 10))
    monkeypatch.setattr(
        "stablek.engine.execution.cost.time.perf_counter", lambda: next(clock)
    )
    assert estimate(planned, Execution(1)).timed == 1


@pytest.mark.parametrize("backend", ["treads", "lokky", ""])
def test_a_backend_that_nobody_has_is_refused_however_small_the_run(backend):
    with pytest.raises(InputError, match=f"unknown backend '{backend}'"):
        Execution(jobs=1, backend=backend)
    Execution(backend="loky")  # joblib's own name
