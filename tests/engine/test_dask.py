"""A Dask cluster gives the bits of one process, also when its parts are killed."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from blobs import blobs

import stablek
from stablek.api.choose_k import choose_k
from stablek.engine.execution import dask_cluster as cluster_backend
from stablek.engine.execution.execute import Execution
from stablek.errors import InputError, TryAgainError

pytestmark = [
    # Sockets and pipes of a cluster that is killed are closed by the collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

#: A clusterer that users might bring; a module of its own, so that workers import it.
FOREIGN = '''
import os
import time
from pathlib import Path


class Halves:
    """Cut the first column into n_clusters; slow, and deadly where a file says so."""

    def __init__(self, n_clusters=2, deadly=None, pause=0.0):
        self.n_clusters, self.deadly, self.pause = n_clusters, deadly, pause

    def fit_predict(self, X):
        time.sleep(self.pause)
        if self.deadly and self.n_clusters == 4:
            os.kill(os.getpid(), 9)
        order = X[:, 0].argsort().argsort()
        return order * self.n_clusters // len(X)
'''


def same(first, second):
    assert first.to_json() == second.to_json()
    assert np.array_equal(first.cube.labels, second.cube.labels)


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("foreign")
    (folder / "halves_for_dask.py").write_text(FOREIGN)
    sys.path.insert(0, str(folder))
    before = os.environ.get("PYTHONPATH")
    paths = [str(folder), *filter(None, [before])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    import halves_for_dask

    yield halves_for_dask.Halves
    sys.path.remove(str(folder))
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="module")
def cluster(foreign):
    """Two worker processes, shared by the tests of this file."""
    import dask
    import distributed  # noqa: F401  its settings must be there before one is changed

    with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
        client = cluster_backend._client(None, 2)
    yield client
    cluster_backend._client.cache_clear()
    client.close()
    client.cluster.close()


@pytest.mark.parametrize("name", ["fc", "gap-ps", "clest", "levine-domany"])
def test_two_dask_workers_give_the_same_bits_as_one_process(cluster, name):
    from stablek.measures import settings_of

    small = {"repeats": 40, "null_sets": 6}
    known = {key: v for key, v in small.items() if key in settings_of(name)}
    one, two = (
        choose_k(blobs(60), name, "kmeans-r", range(2, 6), backend=b, jobs=2, **known)
        for b in ("serial", "dask")
    )
    same(one, two)


VERDICT = {
    "ks": range(2, 5), "repeats": 10, "null_sets": 19, "level": 0.05, "jobs": 2,
}  # fmt: skip


@pytest.fixture(scope="module")
def judged():
    """Return a verdict that was given without a cluster."""
    return stablek.verdict(blobs(60), backend="serial", **VERDICT)


def test_a_verdict_on_dask_has_the_bits_of_a_local_one(cluster, judged):
    there = stablek.verdict(blobs(60), backend="dask", **VERDICT)
    same(judged.result, there.result)
    assert there.to_json() == judged.to_json()


def test_a_verdict_interrupted_on_dask_goes_on_with_what_is_kept(cluster, judged):
    kept = {}

    class Keeper:
        def __init__(self, name):
            self.own = kept.setdefault(name, {})

        def kept(self, tasks):
            return [self.own[task] for task in tasks if task in self.own]

        def keep(self, outputs):
            self.own.update({output.task: output for output in outputs})

    def count():
        return sum(map(len, kept.values()))

    def stop(what, done, total):
        if count() > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stablek.verdict(
            blobs(60), backend="dask", journal=Keeper, watch=stop, **VERDICT
        )
    before = count()
    again = stablek.verdict(blobs(60), backend="threads", journal=Keeper, **VERDICT)
    assert again.to_json() == judged.to_json()
    assert count() > before > 20


def test_a_worker_killed_under_a_verdict_costs_time_only(cluster, judged):
    victims = []

    def kill_one(what, done, total):
        if not victims and what.startswith("null sets"):
            victims.append(min(cluster.run(os.getpid).values()))
            os.kill(victims[0], signal.SIGKILL)

    got = stablek.verdict(blobs(60), backend="dask", watch=kill_one, **VERDICT)
    assert victims
    assert got.to_json() == judged.to_json()


def test_a_local_cluster_listens_on_the_loopback_only_and_shows_no_page(cluster):
    import urllib.error
    import urllib.request

    import psutil

    pids = [os.getpid(), *cluster.run(os.getpid).values()]
    listening = [
        c.laddr
        for pid in pids
        for c in psutil.Process(pid).net_connections("inet")
        if c.status == psutil.CONN_LISTEN
    ]
    assert listening
    assert {place.ip for place in listening} == {"127.0.0.1"}
    port = cluster.cluster.scheduler.http_server.port
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/info/main/workers.html")


def test_the_cluster_started_here_is_not_that_of_the_process(cluster, monkeypatch):
    import dask
    import distributed
    from distributed.deploy.spec import SpecCluster

    with pytest.raises(ValueError, match="No global client found"):
        distributed.get_client()
    assert dask.config.get("distributed.scheduler.http.routes")
    seen = []

    def look(self, op, told):
        seen.append(dask.config.get("distributed.deploy.lost-worker-timeout"))

    monkeypatch.setattr(SpecCluster, "_update_worker_status", look)
    cluster.cluster._update_worker_status("remove", "nobody")
    assert seen == ["10m"]
    assert dask.config.get("distributed.deploy.lost-worker-timeout") != "10m"


def test_a_killed_worker_costs_time_and_not_the_run(cluster, foreign):
    made = foreign(pause=0.02)
    want = choose_k(
        blobs(60), "fc", foreign(), range(2, 5), repeats=40, backend="serial"
    )
    victims = []

    def kill_one(what, done, total):
        if not victims and done > 5:
            victims.append(min(cluster.run(os.getpid).values()))
            os.kill(victims[0], signal.SIGKILL)

    got = choose_k(
        blobs(60), "fc", made, range(2, 5), repeats=40, backend="dask", jobs=2,
        watch=kill_one,
    )  # fmt: skip
    assert victims
    same(want, got)


@pytest.mark.timeout(120)
def test_data_are_sent_though_a_worker_has_just_died(cluster):
    """The scheduler does not know it yet, and must not wait for that worker."""
    killed = set()
    for _ in range(2):
        pids = {}
        while len(pids) < 2 or killed & set(pids.values()):
            time.sleep(0.1)
            with contextlib.suppress(OSError):  # one that is dead is still asked
                pids = cluster.run(os.getpid)
        killed.add(min(pids.values()))
        os.kill(min(pids.values()), signal.SIGKILL)
        assert cluster_backend._sent(cluster, "data").result() == "data"


def test_a_task_that_kills_every_worker_is_named_when_all_others_are_kept(
    cluster, foreign
):
    kept = []

    class Keeper:
        def kept(self, tasks):
            return []

        def keep(self, outputs):
            kept.extend(output.task for output in outputs)

    with pytest.raises(TryAgainError, match=r"repeat 0, k = 4 killed its process"):
        choose_k(
            blobs(60), "consensus", foreign(deadly=True), range(2, 4), repeats=1,
            backend="dask", jobs=2, journal=Keeper(),
        )  # fmt: skip
    assert sorted(task.ks for task in kept) == [(2,), (3,)]


@pytest.fixture
def scheduler(tmp_path, foreign):
    """A scheduler and a worker as others start them; yields address and processes."""
    file = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    start = [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    first = subprocess.Popen(
        [*start, "--scheduler-file", str(file)], cwd=tmp_path, **quiet
    )
    work = [*dask, "worker", "--scheduler-file", str(file), "--nthreads", "1"]
    second = subprocess.Popen(
        [*work, "--no-dashboard", "--local-directory", str(tmp_path)],
        cwd=tmp_path, **quiet,
    )  # fmt: skip
    import json

    deadline, address = time.monotonic() + 60, None
    while address is None and time.monotonic() < deadline:
        time.sleep(0.1)
        with contextlib.suppress(OSError, ValueError):  # not there, or half written
            address = json.loads(file.read_text())["address"]
    yield address, first
    for process in (second, first):
        process.kill()
        process.wait()


def test_a_lost_scheduler_leaves_a_run_that_can_go_on(scheduler, foreign, monkeypatch):
    address, process = scheduler
    monkeypatch.setattr(cluster_backend, "PATIENCE", 15)

    def kill(what, done, total):
        if done > 3:
            process.kill()

    with pytest.raises(TryAgainError, match=rf"connection to {address} was lost"):
        choose_k(
            blobs(60), "fc", foreign(pause=0.05), range(2, 5), repeats=60,
            backend="dask", scheduler=address, watch=kill,
        )  # fmt: skip


def test_a_scheduler_that_does_not_answer_is_told(monkeypatch):
    monkeypatch.setattr(cluster_backend, "PATIENCE", 1)
    with pytest.raises(TryAgainError, match="no scheduler with workers answers"):
        cluster_backend._client("tcp://127.0.0.1:9", 1)


@pytest.mark.parametrize("address", ["host", "host:1", "tcp://", "tcp://a b:1"])
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(InputError, match="is not an address"):
        Execution(backend="dask", scheduler=address)


def test_a_scheduler_without_the_backend_is_refused():
    with pytest.raises(InputError, match="needs backend dask"):
        Execution(scheduler="tcp://127.0.0.1:8786")


def test_without_dask_the_message_names_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.setattr("stablek.engine.execution.execute.WORTHWHILE", 0.0)
    made = cluster_backend._client.__wrapped__
    monkeypatch.setattr(cluster_backend, "_client", made)  # none that is kept
    with pytest.raises(InputError, match=r"pip install 'stablek\[dask\]'"):
        choose_k(blobs(), "fc", ks=range(2, 4), repeats=4, backend="dask")


def test_ctrl_c_while_a_cluster_starts_leaves_dask_nothing_to_fail_at(monkeypatch):
    import atexit

    import distributed
    from distributed.deploy import spec

    class Interrupted:
        def __init__(self, **_):
            raise KeyboardInterrupt

    left = []
    monkeypatch.setattr(distributed, "LocalCluster", Interrupted)
    monkeypatch.setattr(atexit, "unregister", left.append)
    with pytest.raises(KeyboardInterrupt):
        cluster_backend._client.__wrapped__(None, 2)
    assert left == [spec.close_clusters]
