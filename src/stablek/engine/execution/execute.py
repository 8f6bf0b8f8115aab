"""Where tasks run: here, in threads, in processes, or on any joblib backend."""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import Any

from stablek.engine.execution.dask_cluster import checked_address, dask_workers, on_dask
from stablek.engine.execution.deadline import carry_out_each, check_timeout
from stablek.engine.execution.processes import BACKENDS, in_parallel
from stablek.engine.execution.worker import batches, tapered
from stablek.engine.execution.worker import single_blas as single_blas  # for others
from stablek.engine.plan import Output, Plan, Task
from stablek.engine.steps import carry_out_all
from stablek.errors import InputError, unknown_name
from stablek.machine.memory import budget
from stablek.machine.threads import in_threads
from stablek.paradigm.contracts import NullModel

#: A batch should last about this long: long enough to hide the cost of sending it,
#: short enough that little is lost when a run is killed.
BATCH_SECONDS = 0.5

#: Work of fewer seconds than this is done before workers would have begun.
WORTHWHILE = 0.05

#: A batch of fewer seconds than this costs more to send than to carry out.
SHORTEST = 0.02

#: Threads of this process begin, and take a batch, so many times sooner.
THREADS_SOONER = 16


@dataclass(frozen=True)
class Execution:
    """How to run. It changes how long a result takes, but not the result.

    Parameters
    ----------
    jobs
        Number of workers; 0 means one per core.
    backend
        "auto" (threads for compiled algorithms, processes for foreign ones), "serial",
        "threads", "processes", "dask" (a cluster started here), or the name of any
        joblib backend that is registered.
    scheduler
        With "dask": the address of a running cluster; ``jobs`` is then ignored.
    memory
        The most memory to use, in bytes or as "8G"; half of what is free if None. A run
        that needs more is refused before it starts.
    timeout
        Seconds that a task (a repeat, a null set) of your own algorithm may take. A
        task that takes longer fails; the others continue. Compiled code that does not
        return to Python is ended a little later, together with its process. With
        "serial" there is no such process, and only Python code is interrupted.
    """

    jobs: int = 0
    backend: str = "auto"
    scheduler: str | None = None
    memory: int | str | None = None
    timeout: float | None = None

    def __post_init__(self) -> None:
        check_backend(self.backend)
        check_timeout(self.timeout, self.backend)
        if self.jobs < 0:
            raise InputError(f"jobs = {self.jobs} must be 0 (one per core) or more")
        if self.scheduler is not None:
            if self.backend != "dask":
                raise InputError(f"a scheduler needs backend dask, not {self.backend}")
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


def execution_from(
    execution: Execution | None = None, *, n_jobs: int | None = None, **fields: Any
) -> Execution:
    """Return how to run: an :class:`Execution`, or one made of its fields.

    ``n_jobs`` is scikit-learn's word for ``jobs``. A field that is given as well as an
    execution is refused, unless it has its default.

    Examples
    --------
    >>> execution_from(jobs=2, backend="threads").workers()
    2
    >>> execution_from(Execution(jobs=2), n_jobs=None).jobs
    2
    """
    if n_jobs is not None:
        if fields.get("jobs"):
            raise InputError("jobs and n_jobs mean the same; give one of them")
        fields["jobs"] = jobs_of(n_jobs)
    if execution is None:
        return Execution(**fields)
    for name, value in fields.items():
        if value != getattr(Execution, name):
            raise InputError(
                f"{name} and execution are both given; write Execution({name}=...)"
            )
    return execution


def jobs_of(n_jobs: int | None) -> int:
    """Return the number of workers, 0 for one per core, from scikit-learn's number."""
    if n_jobs in (None, -1):
        return 0
    from joblib import effective_n_jobs

    return int(effective_n_jobs(n_jobs))


def check_backend(name: str) -> None:
    """Refuse a backend that neither stablek nor joblib has, however small the run."""
    known = ("auto", "serial", *BACKENDS, "dask")
    if name in known:
        return
    from joblib import parallel

    if name not in {*parallel.BACKENDS, *parallel.EXTERNAL_BACKENDS}:
        raise unknown_name("backend", name, known)


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
    paces: dict[str, float] | None = None,
) -> Iterator[list[Output]]:
    """Carry out tasks; yield their outputs in batches, in the order they finish.

    ``paces`` holds the seconds that a task of each kind takes, where they are known;
    they are added where they are not.
    """
    backend = execution.resolved(plan)
    workers = 1 if backend == "serial" else execution.workers()
    rest = list(tasks)
    paces = {} if paces is None else paces
    kind = rest[0].kind if rest else ""
    with single_blas():
        if rest and plan.clusterer.native and kind not in paces:
            # The first task runs here: it compiles the kernels once, before workers
            # would do so all at the same time, and tells how long one task takes.
            yield _timed(plan, rest, 1, model, paces)
            if rest and paces[kind] > 0.05:  # compiled just now, perhaps: look again
                yield _timed(plan, rest, 1, model, paces)
            elif rest and paces[kind] * len(rest) < WORTHWHILE:
                # Small tasks cost less each when several are carried out in one go.
                yield _timed(plan, rest, 8, model, paces)
        each = paces.get(kind, BATCH_SECONDS)
        size = max(1, int(BATCH_SECONDS / each))
        # Foreign code on a clock needs a process that can be ended without this one.
        clocked = execution.timeout is not None and not plan.clusterer.native
        here = workers == 1 and backend != "dask"
        here = here and not (clocked and backend == "processes")
        threads = backend == "threads" and plan.clusterer.native
        sooner = THREADS_SOONER if threads else 1
        if here or each * len(rest) <= WORTHWHILE / sooner:
            for batch in batches(rest, size):
                yield carry_out_each(plan, batch, model, execution.timeout)
            return
        if backend == "dask":
            workers = dask_workers(execution)
        # Several batches per worker, so that none waits long for the last one, but
        # none so short that sending it costs more than carrying it out.
        least = int(SHORTEST / sooner / each) + 1
        size = min(size, max(-(-len(rest) // (8 * workers)), least))
        if backend == "dask":
            suspects: list[Task] = []
            cut = tapered(rest, size, least, workers)
            yield from on_dask(plan, list(cut), model, execution, suspects)
            if not suspects:
                return
            # Tried once more when all others are done; never in this process.
            rest, size, workers, backend = suspects, 1, 2, "processes"
        if threads:
            cut = tapered(rest, size, least, workers)
            yield from in_threads(cut, partial(until_stopped, plan, model), workers)
            return
        yield from in_parallel(
            plan, rest, size, workers, backend, model, execution.timeout
        )


def _timed(
    plan: Plan,
    rest: list[Task],
    count: int,
    model: NullModel | None,
    paces: dict[str, float],
) -> list[Output]:
    """Take tasks off the list, carry them out here, and note how long one takes."""
    batch, rest[:count] = rest[:count], []
    began = time.perf_counter()
    outputs = list(carry_out_all(plan, batch, model))
    paces[batch[0].kind] = max((time.perf_counter() - began) / len(batch), 1e-6)
    return outputs


def until_stopped(
    plan: Plan, model: NullModel | None, batch: Sequence[Task], stop: Event
) -> list[Output]:
    """Carry out a batch of tasks; leave the rest of it when nobody waits any more."""
    done: list[Output] = []
    outputs = carry_out_all(plan, batch, model)
    while len(done) < len(batch) and not stop.is_set():
        done.append(next(outputs))
    return done
