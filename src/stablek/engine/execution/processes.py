"""Work in other processes, through joblib: what dies there is run again."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

from stablek.engine.execution.deadline import is_overdue, out_of_time
from stablek.engine.execution.worker import batches, begin, carry_out_batch, parent_pipe
from stablek.engine.plan import Output, Plan, Task
from stablek.errors import InputError, TryAgainError, advice
from stablek.machine.temporary import temporary_folder
from stablek.paradigm.contracts import NullModel

#: How often workers may die before tasks are tried one by one, and how many of these
#: may kill their process before the rest is left.
MOST_DEATHS = 2

BACKENDS = {"threads": "threading", "processes": "loky"}


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
    what is not finished yet is run again, and after the second death one task at a
    time. So a task that kills its process every time is found and named, once all
    others are done. A worker that was ended because its task was out of time leaves a
    mark: that task has failed, and only the others are run again.
    """
    waiting = dict.fromkeys(tasks)
    deaths = 0
    with temporary_folder() as folder:
        marks = {task: folder / str(i) for i, task in enumerate(tasks)}

        def carried_out(some: Sequence[Task]) -> Iterator[list[Output]]:
            for done in _parallel(backend, workers)(
                _delayed(plan, batch, model, timeout, marks)
                for batch in batches(some, size)
            ):
                for output in done:
                    del waiting[output.task]
                yield done

        def late() -> Iterator[list[Output]]:
            for task in [task for task in waiting if is_overdue(marks[task])]:
                del waiting[task]
                yield [Output(task, failure=out_of_time(timeout))]

        while waiting and deaths < MOST_DEATHS:
            try:
                yield from carried_out(list(waiting))
            except BrokenExecutor:
                overdue = list(late())
                yield from overdue
                if not overdue:
                    deaths += 1
                    logging.getLogger("stablek").warning(
                        "a worker process died (often memory); %d tasks are run again",
                        len(waiting),
                    )
        deadly: list[Task] = []
        for task in list(waiting):
            try:
                yield from carried_out([task])
            except BrokenExecutor as error:
                if "task has failed to un-serialize" in str(error):
                    raise _unknown_there(plan) from None
                yield from late()
                if task in waiting:
                    deadly.append(task)
                if len(deadly) > MOST_DEATHS:
                    break
        if deadly:
            raise _deadly(deadly[0])


def _unknown_there(plan: Plan) -> InputError:
    return InputError(
        f"{plan.clusterer.name} cannot be loaded in a worker process: put its class "
        "into a module that can be imported from anywhere, or use "
        + advice("--backend serial", 'backend="serial"')
    )


def _deadly(task: Task) -> TryAgainError:
    return TryAgainError(
        f"repeat {task.repeat}, k = {task.ks[0]} killed its process again and "
        "again (often memory). Try fewer jobs, or a smaller range of k"
    )


def _parallel(backend: str, workers: int) -> Any:
    import joblib

    loky = BACKENDS.get(backend, backend) == "loky"
    # A worker that never got a task must go with its parent as well.
    ending = {"initializer": begin, "initargs": parent_pipe()[:1]}
    try:
        return joblib.Parallel(
            # With one job, joblib would work in this process: two, and one task sent.
            n_jobs=max(workers, 2),
            pre_dispatch=1 if workers == 1 else "2 * n_jobs",
            backend=BACKENDS.get(backend, backend),
            return_as="generator_unordered",
            batch_size=1,
            **(ending if loky else {}),
        )
    except ValueError as error:
        known = ", ".join(["auto", "serial", *BACKENDS, "dask"])
        msg = f"unknown backend '{backend}': {error}. Known: {known}"
        raise InputError(msg) from None


def _delayed(
    plan: Plan,
    batch: Sequence[Task],
    model: NullModel | None,
    timeout: float | None,
    marks: Mapping[Task, Path],
) -> Any:
    import joblib

    on_clock = [] if timeout is None else [marks[task] for task in batch]
    return joblib.delayed(carry_out_batch)(plan, batch, model, timeout, on_clock)
