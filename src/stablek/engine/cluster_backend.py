"""Tasks on a Dask cluster: one started here on the loopback, or one that is there.

The plan is sent to every worker once; batches of task names go out, labels come back.
Streams are keyed, so a task gives the same bits on whatever worker it runs, and a task
lost with its worker is simply run again. A task under which workers die time after
time is set aside until all others are done, then tried alone, so that the one that
kills is named, and not one that happened to wait beside it.

A cluster runs the code it is sent: connect to one that you trust.
"""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from stablek.contracts import NullModel
from stablek.engine.plan import Output, Plan, Task
from stablek.engine.steps import carry_out
from stablek.errors import InputError, TryAgainError
from stablek.version import __version__

INSTALL = "pip install 'stablek[dask]'"

#: Seconds to wait for the scheduler and its first worker.
PATIENCE = 30

#: How often the plan is sent again after every copy of it was lost.
RESENDS = 5


def checked_address(scheduler: str) -> str:
    """Return the address of a scheduler, or say how one is written."""
    if not re.fullmatch(r"[a-z+]+://[^\s/]+:\d+", scheduler):
        msg = f"scheduler '{scheduler}' is no address; write e.g. tcp://HOST:8786"
        raise InputError(msg)
    return scheduler


def dask_workers(scheduler: str | None, jobs: int) -> int:
    """Return how many tasks the cluster carries out at a time; start it if need be."""
    return max(1, sum(map(int, _client(scheduler, jobs).nthreads().values())))


def on_dask(
    plan: Plan,
    batches: Sequence[Sequence[Task]],
    model: NullModel | None,
    scheduler: str | None,
    jobs: int,
) -> Iterator[list[Output]]:
    """Carry out batches of tasks on a cluster; yield outputs as they come back."""
    try:
        client = _client(scheduler, jobs)
        # Distances are not sent: a worker computes them faster than they travel.
        light = replace(plan, data=replace(plan.data, _distances={}))
        suspects: list[Task] = []
        room = 2 * dask_workers(scheduler, jobs)
        yield from _rounds(client, light, deque(batches), model, room, suspects)
        alone: deque[Sequence[Task]] = deque([task] for task in suspects)
        yield from _rounds(client, light, alone, model, 1, None)
    except (TimeoutError, OSError) as error:
        _client.cache_clear()
        raise _lost(scheduler) from error


def _rounds(
    client: Any,
    plan: Plan,
    waiting: deque[Sequence[Task]],
    model: NullModel | None,
    room: int,
    suspects: list[Task] | None,
) -> Iterator[list[Output]]:
    """Keep ``room`` batches under way; send the plan again if every copy was lost."""
    from distributed import KilledWorker

    for _ in range(RESENDS):
        if not waiting:
            return
        (sent,) = client.scatter([plan], broadcast=True, hash=False)
        for batch, future in _window(client, sent, waiting, model, room):
            if future.status == "finished":
                yield future.result()
            elif future.status != "error":
                waiting.append(batch)  # lost with the last copy of the plan
            elif not isinstance(error := future.exception(), KilledWorker):
                raise error
            elif len(batch) > 1:
                waiting.extend([task] for task in batch)
            elif suspects is None:
                task = batch[0]
                msg = (
                    f"repeat {task.repeat}, k = {task.ks[0]} killed its worker again "
                    "and again (often memory). Try workers with more memory, or a "
                    "smaller range of k"
                )
                raise TryAgainError(msg)
            else:
                suspects.append(batch[0])
    if waiting:
        msg = "the cluster lost its workers again and again; look at their logs"
        raise TryAgainError(msg)


def _window(
    client: Any,
    plan: Any,
    waiting: deque[Sequence[Task]],
    model: NullModel | None,
    room: int,
) -> Iterator[tuple[Sequence[Task], Any]]:
    """Yield batches with their finished futures; end early when the plan is lost."""
    from distributed import as_completed

    under_way: dict[Any, Sequence[Task]] = {}
    finished = as_completed()

    def send() -> None:
        batch = waiting.popleft()
        future = client.submit(carry_out_there, plan, batch, model, pure=False)
        under_way[future] = batch
        finished.add(future)

    while waiting and len(under_way) < room:
        send()
    while under_way:
        future = next(finished)
        yield under_way.pop(future), future
        while waiting and len(under_way) < room and plan.status == "finished":
            send()


def carry_out_there(
    plan: Plan, tasks: Sequence[Task], model: NullModel | None
) -> list[Output]:
    """Carry out a batch on a worker, with one BLAS thread."""
    from stablek.engine.execute import single_blas

    with single_blas():
        return [carry_out(plan, task, model) for task in tasks]


@cache
def _client(scheduler: str | None, jobs: int) -> Any:
    """Return the connection to a cluster; one is kept for the life of the process."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        msg = f"backend dask needs the package dask: {INSTALL}"
        raise InputError(msg) from None
    if scheduler is None:
        cluster = LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,  # no port that others could look into
            silence_logs=logging.CRITICAL,
        )
        return Client(cluster)
    try:
        client = Client(scheduler, timeout=PATIENCE, set_as_default=False)
        client.wait_for_workers(1, timeout=PATIENCE)
    except (OSError, TimeoutError):
        msg = f"no scheduler with workers answers at {scheduler}; is it running?"
        raise TryAgainError(msg) from None
    _check_versions(client)
    return client


def _check_versions(client: Any) -> None:
    """Refuse workers that would compute with other code."""
    try:
        found = client.run(_version)
    except Exception as error:
        msg = (
            f"the workers cannot run stablek ({error}); install stablek {__version__} "
            "where they run"
        )
        raise InputError(msg) from None
    for worker, version in found.items():
        if version != __version__:
            msg = (
                f"worker {worker} has stablek {version}, here is {__version__}: "
                "install the same version everywhere"
            )
            raise InputError(msg)


def _version() -> str:
    return __version__


def _lost(scheduler: str | None) -> TryAgainError:
    where = scheduler or "the local Dask cluster"
    return TryAgainError(f"the connection to {where} was lost")
