"""Tasks on a Dask cluster: one started here on the loopback, or one that is there.

The plan is sent to every worker once; batches of task names go out, labels come back.
Streams are keyed, so a task gives the same bits on whatever worker it runs, and a task
lost with its worker is simply run again. A task under which workers die time after
time is left to the caller, so that all others are done and kept before it is tried in
a process here.

A cluster runs the code it is sent: connect to one that you trust.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import logging
import re
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from stablek.engine.execution.worker import carry_out_batch
from stablek.engine.plan import Output, Plan, Task
from stablek.errors import InputError, TryAgainError
from stablek.paradigm.contracts import NullModel
from stablek.version import __version__, versions

if TYPE_CHECKING:
    from stablek.engine.execution.execute import Execution

INSTALL = "pip install 'stablek[dask]'"

#: Seconds to wait for the scheduler and its first worker.
PATIENCE = 30

#: What must be the same everywhere for the same bits.
SAME_BITS = ("stablek", "numpy", "scipy", "numba")

#: How often sending the plan is tried, while workers die and come back.
RESENDS = 3

#: How often a task may be lost with its worker before it is suspected.
LOSSES = 3


def checked_address(scheduler: str) -> str:
    """Return the address of a scheduler, or say how one is written."""
    if not re.fullmatch(r"[a-z+]+://[^\s/]+:\d+", scheduler):
        raise InputError(
            f"scheduler '{scheduler}' is not an address; write e.g. tcp://HOST:8786"
        )
    return scheduler


def dask_workers(execution: Execution) -> int:
    """Return how many tasks the cluster carries out at a time; start it if need be."""
    client = _client(execution.scheduler, execution.workers())
    return max(1, sum(map(int, client.nthreads().values())))


def on_dask(
    plan: Plan,
    batches: Sequence[Sequence[Task]],
    model: NullModel | None,
    execution: Execution,
    suspects: list[Task],
) -> Iterator[list[Output]]:
    """Carry out batches of tasks on a cluster; yield outputs as they come back.

    ``suspects`` takes the tasks under which workers died again and again.
    """
    carry_out = partial(carry_out_there, timeout=execution.timeout)
    # A null model may hold the data, too: it goes with the plan, once.
    shared = (light(plan), model)
    yield from spread_out(shared, batches, carry_out, execution, suspects)


def light(plan: Plan) -> Plan:
    """Return the plan without distances: workers compute them sooner than they come."""
    return replace(plan, data=replace(plan.data, _distances={}))


def spread_out(
    shared: Any,
    batches: Sequence[Sequence[Task]],
    carry_out: Callable[[Any, Sequence[Task]], list[Output]],
    execution: Execution,
    suspects: list[Task],
) -> Iterator[list[Output]]:
    """Send what the tasks share to the workers once, then batches of their names.

    ``carry_out(shared, batch)`` runs on a worker, so it must be picklable.
    """
    try:
        client = _client(execution.scheduler, execution.workers())
        room = 2 * dask_workers(execution)
        yield from _rounds(client, shared, deque(batches), carry_out, room, suspects)
    except (TimeoutError, OSError) as error:
        _client.cache_clear()
        raise _lost(execution.scheduler) from error


def _rounds(
    client: Any,
    shared: Any,
    waiting: deque[Sequence[Task]],
    carry_out: Callable[[Any, Sequence[Task]], list[Output]],
    room: int,
    suspects: list[Task],
) -> Iterator[list[Output]]:
    """Keep ``room`` batches under way; send again what is shared if it was lost."""
    from distributed import KilledWorker

    losses: Counter[Task] = Counter()
    while waiting:
        sent = _sent(client, shared)
        for batch, future in _window(client, sent, waiting, carry_out, room):
            if client.status != "running":
                raise ConnectionError
            done = _result(future)
            if done is not None:
                yield done
                continue
            error = future.exception() if future.status == "error" else None
            if error is not None and not isinstance(error, KilledWorker):
                raise error
            if len(batch) > 1:
                waiting.extend([task] for task in batch)
                continue
            task = batch[0]
            losses[task] += 1
            if losses[task] < LOSSES and error is None:
                waiting.append(batch)
            else:
                suspects.append(task)


def _sent(client: Any, shared: Any) -> Any:
    """Send something to a worker, from which others fetch it when they need it.

    To try again helps where workers die and come back. Not ``broadcast=True``: the
    scheduler would try for ever to reach a worker that died meanwhile.
    """
    for attempt in range(RESENDS):
        try:
            return client.scatter([shared], hash=False)[0]
        except (OSError, TimeoutError, KeyError):
            # KeyError: the scheduler forgot a worker while it was sending to it.
            if client.status != "running" or attempt == RESENDS - 1:
                raise
            time.sleep(1)
    raise AssertionError  # the last attempt returns or raises


def _window(
    client: Any,
    shared: Any,
    waiting: deque[Sequence[Task]],
    carry_out: Callable[[Any, Sequence[Task]], list[Output]],
    room: int,
) -> Iterator[tuple[Sequence[Task], Any]]:
    """Yield batches with finished futures; end early when what is shared is lost."""
    from distributed import as_completed

    under_way: dict[Any, Sequence[Task]] = {}
    finished = as_completed(loop=client.loop)  # of no other client

    def send() -> None:
        batch = waiting.popleft()
        future = client.submit(carry_out, shared, batch, pure=False)
        under_way[future] = batch
        finished.add(future)

    while waiting and len(under_way) < room:
        send()
    while under_way:
        future = next(finished)
        yield under_way.pop(future), future
        while waiting and len(under_way) < room and shared.status == "finished":
            send()


def _result(future: Any) -> list[Output] | None:
    """Return what came back; None if it failed, or was lost on the way."""
    if future.status != "finished":
        return None
    try:
        outputs: list[Output] = future.result()
    except (asyncio.CancelledError, concurrent.futures.CancelledError):
        return None
    return outputs


def carry_out_there(
    shared: tuple[Plan, NullModel | None], tasks: Sequence[Task], timeout: float | None
) -> list[Output]:
    """Carry out a batch on a worker."""
    plan, model = shared
    return carry_out_batch(plan, tasks, model, timeout)


@cache
def _client(scheduler: str | None, jobs: int) -> Any:
    """Return the connection to a cluster; one is kept for the life of the process."""
    try:
        import dask
        from distributed import Client, LocalCluster
        from distributed.deploy import spec
    except ImportError:
        raise InputError(f"backend dask needs the package dask: {INSTALL}") from None
    if scheduler is None:
        # The scheduler and each worker open a port for a web page: serve none.
        none: dict[str, list[str]] = {
            f"distributed.{who}.http.routes": [] for who in ("scheduler", "worker")
        }
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            # Only while it starts: the settings of the process are not ours.
            with dask.config.set(none):
                cluster = _patient(LocalCluster)(
                    n_workers=jobs,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address=None,
                    # Without this it takes port 8787, or warns that another has it.
                    scheduler_kwargs={
                        "dashboard": False,
                        "dashboard_address": "127.0.0.1:0",
                    },
                    silence_logs=logging.CRITICAL,
                )
        except KeyboardInterrupt:
            # At its end Dask would close what is half there, fail, and print how. The
            # workers end with this process anyway.
            atexit.unregister(spec.close_clusters)
            raise
        return Client(cluster, set_as_default=False)
    try:
        client = Client(scheduler, timeout=PATIENCE, set_as_default=False)
        client.wait_for_workers(1, timeout=PATIENCE)
    except (OSError, TimeoutError):
        raise TryAgainError(
            f"no scheduler with workers answers at {scheduler}; is it running?"
        ) from None
    _check_versions(client)
    return client


def _patient(local: type[Any]) -> type[Any]:
    """Return a local cluster that gives a dead worker the time to come back.

    A busy machine may need minutes. Dask reads how long at the moment of the loss.
    """
    import dask

    class Patient(local):  # type: ignore[misc]
        def _update_worker_status(self, *status: Any) -> None:
            with dask.config.set({"distributed.deploy.lost-worker-timeout": "10m"}):
                super()._update_worker_status(*status)

    return Patient


def _check_versions(client: Any) -> None:
    """Refuse workers that would compute with other code."""
    try:
        reported = client.run(versions)
    except Exception as error:
        raise InputError(
            f"the workers cannot run stablek ({error}); install stablek {__version__} "
            "where they run"
        ) from None
    here = versions()
    for worker, installed in reported.items():
        for name in SAME_BITS:
            if installed.get(name) != here[name]:
                raise InputError(
                    f"worker {worker} has {name} {installed.get(name)}, here is "
                    f"{here[name]}: install the same version everywhere"
                )


def _lost(scheduler: str | None) -> TryAgainError:
    where = scheduler or "the local Dask cluster"
    return TryAgainError(f"the connection to {where} was lost")
