"""Where tasks run: here, in threads, in processes, or on any joblib backend."""

from __future__ import annotations

import logging
import multiprocessing
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import Any

from stablek.contracts import NullModel
from stablek.engine.cluster_backend import checked_address, dask_workers, on_dask
from stablek.engine.deadline import carry_out_in_time, check_timeout
from stablek.engine.plan import Output, Plan, Task
from stablek.engine.steps import carry_out
from stablek.errors import InputError, TryAgainError
from stablek.memory import budget

#: A batch should last about this long: long enough to hide the cost of sending it,
#: short enough that little is lost when a run is killed.
BATCH_SECONDS = 0.5

#: Work of fewer seconds than this is done before workers would have begun.
WORTHWHILE = 0.05

BACKENDS = {"threads": "threading", "processes": "loky"}


@dataclass(frozen=True)
class Execution:
    """How to run: it changes the time a result takes, and not one bit of the result.

    Parameters
    ----------
    jobs
        Number of workers; 0 means one per core.
    backend
        "auto" (threads for compiled algorithms, processes for foreign ones), "serial",
        "threads", "processes", "dask" (a cluster started here), or the name of any
        joblib backend that is registered.
    scheduler
        With "dask": the address of a cluster that is already there; ``jobs`` then has
        no say.
    memory
        The most memory to use, in bytes or as "8G"; half of what is free if None. A run
        that needs more is refused before it starts.
    timeout
        Seconds that a task (a repeat, a null set) may take where the clusterer is
        foreign; one that takes longer has failed, and the others go on.
    """

    jobs: int = 0
    backend: str = "auto"
    scheduler: str | None = None
    memory: int | str | None = None
    timeout: float | None = None

    def __post_init__(self) -> None:
        check_timeout(self.timeout, self.backend)
        if self.jobs < 0:
            msg = f"jobs = {self.jobs} must be 0 (one per core) or more"
            raise InputError(msg)
        if self.scheduler is not None:
            if self.backend != "dask":
                msg = f"a scheduler needs backend dask, not {self.backend}"
                raise InputError(msg)
            checked_address(self.scheduler)

    def workers(self) -> int:
        """Return the number of workers."""
        return self.jobs or cores()

    def allowed(self) -> int:
        """Return the bytes that may be used."""
        return budget(self.memory)

    def resolved(self, plan: Plan) -> str:
        """Return the backend for this plan."""
        if self.backend != "auto":
            return self.backend
        return "threads" if plan.clusterer.native else "processes"


def cores() -> int:
    """Return the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_tasks(
    plan: Plan,
    tasks: Sequence[Task],
    execution: Execution,
    model: NullModel | None = None,
) -> Iterator[list[Output]]:
    """Carry out tasks; yield their outputs in batches, in the order they finish."""
    backend = execution.resolved(plan)
    workers = 1 if backend == "serial" else execution.workers()
    rest = list(tasks)
    each = BATCH_SECONDS
    with single_blas():
        if rest and plan.clusterer.native:
            # The first task runs here: it compiles the kernels once, before workers
            # would do so all at the same time, and tells how long one task takes.
            began = time.perf_counter()
            yield [carry_out(plan, rest.pop(0), model)]
            each = max(time.perf_counter() - began, 1e-6)
            if rest and each > 0.05:  # compiled just now, perhaps: look again
                began = time.perf_counter()
                yield [carry_out(plan, rest.pop(0), model)]
                each = max(time.perf_counter() - began, 1e-6)
        size = max(1, int(BATCH_SECONDS / each))
        if (workers == 1 and backend != "dask") or each * len(rest) <= WORTHWHILE:
            for batch in batches(rest, size):
                yield [
                    carry_out_in_time(plan, task, model, execution.timeout)
                    for task in batch
                ]
            return
        if backend == "dask":
            workers = dask_workers(execution)
        # Several batches per worker, so that none waits long for the last one, but
        # none so short that sending it costs more than carrying it out.
        short = max(-(-len(rest) // (8 * workers)), int(0.02 / each) + 1)
        size = min(size, short)
        if backend == "dask":
            cut, suspects = list(batches(rest, size)), list[Task]()
            yield from on_dask(plan, cut, model, execution, suspects)
            if not suspects:
                return
            # Tried once more when all others are done; never in this process.
            rest, size, workers, backend = suspects, 1, 2, "processes"
        yield from in_parallel(
            plan, rest, size, workers, backend, model, execution.timeout
        )


def in_parallel(
    plan: Plan,
    tasks: Sequence[Task],
    size: int,
    workers: int,
    backend: str,
    model: NullModel | None,
    timeout: float | None = None,
) -> Iterator[list[Output]]:
    """Carry out batches of tasks through joblib; survive the death of a worker.

    A worker that dies (out of memory, a crash in foreign code) takes the pool with it:
    what is not finished yet is run again, and at the second death one task at a time,
    so that a task that kills its process every time is found and named.
    """
    waiting = dict.fromkeys(tasks)
    for attempt in range(3):
        try:
            alone = attempt == 2
            for done in _parallel(backend, workers, alone=alone)(
                _delayed(plan, batch, model, timeout)
                for batch in batches(list(waiting), 1 if alone else size)
            ):
                for output in done:
                    del waiting[output.task]
                yield done
        except _worker_died():
            if not alone:
                logging.getLogger("stablek").warning(
                    "a worker process died (often memory); %d tasks are run again",
                    len(waiting),
                )
                continue
            task = next(iter(waiting))
            msg = (
                f"repeat {task.repeat}, k = {task.ks[0]} killed its process again and "
                "again (often memory). Try fewer --jobs, or a smaller range of k"
            )
            raise TryAgainError(msg) from None
        return


def _parallel(backend: str, workers: int, *, alone: bool) -> Any:
    import joblib

    loky = BACKENDS.get(backend, backend) == "loky"
    try:
        return joblib.Parallel(
            # Alone means one task at a time, but never in this process.
            n_jobs=max(workers, 2) if alone else workers,
            pre_dispatch=1 if alone else "2 * n_jobs",
            backend=BACKENDS.get(backend, backend),
            return_as="generator_unordered",
            batch_size=1,
            # A worker that never got a task must go with its parent as well.
            **({"initializer": _end_with_parent} if loky else {}),
        )
    except ValueError as error:
        known = ", ".join(["auto", "serial", *BACKENDS, "dask"])
        msg = f"unknown backend '{backend}': {error}. Known: {known}"
        raise InputError(msg) from None


def _delayed(
    plan: Plan, batch: Sequence[Task], model: NullModel | None, timeout: float | None
) -> Any:
    import joblib

    return joblib.delayed(carry_out_batch)(plan, batch, model, timeout)


def _worker_died() -> type[BaseException]:
    from concurrent.futures import BrokenExecutor

    return BrokenExecutor


def carry_out_batch(
    plan: Plan,
    tasks: Sequence[Task],
    model: NullModel | None,
    timeout: float | None = None,
) -> list[Output]:
    """Carry out a batch in a worker, with one BLAS thread."""
    with single_blas():
        return [carry_out_in_time(plan, task, model, timeout) for task in tasks]


@cache
def _end_with_parent() -> None:
    """End this worker process when its parent is gone, however it went.

    Without this, the workers of a run that was killed live on beside the resumed one.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    number = parent.pid

    def watch() -> None:
        while os.getppid() == number:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="stablek-parent-watch").start()


def batches(tasks: Sequence[Task], size: int) -> Iterator[Sequence[Task]]:
    """Cut the tasks into batches of a size."""
    for first in range(0, len(tasks), size):
        yield tasks[first : first + size]


def single_blas() -> AbstractContextManager[Any]:
    """Keep BLAS at one thread: parallelism is over tasks, and bits must not vary."""
    limiter: AbstractContextManager[Any] = _controller().limit(limits=1)
    return limiter


@cache
def _controller() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
