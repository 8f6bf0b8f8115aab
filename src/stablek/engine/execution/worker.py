"""Inside a worker: batches of tasks, with one BLAS thread; its end when all is over."""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any

from stablek.engine.execution.deadline import carry_out_each
from stablek.engine.plan import Output, Plan, Task
from stablek.paradigm.contracts import NullModel


def carry_out_batch(
    plan: Plan,
    tasks: Sequence[Task],
    model: NullModel | None,
    timeout: float | None = None,
    marks: Sequence[Path] = (),
) -> list[Output]:
    """Carry out a batch in a worker; ``marks`` are a file for each task on a clock."""
    with single_blas():
        return carry_out_each(plan, tasks, model, timeout, marks)


def batches(tasks: Sequence[Task], size: int) -> Iterator[Sequence[Task]]:
    """Cut the tasks into batches of a size."""
    for first in range(0, len(tasks), size):
        yield tasks[first : first + size]


def tapered(
    tasks: Sequence[Task], size: int, least: int, workers: int
) -> Iterator[Sequence[Task]]:
    """Cut the tasks into batches that shrink in the end: the workers end together.

    No batch is larger than ``size``, and none but the last smaller than ``least``
    (which is at most ``size``).
    """
    first = 0
    while first < len(tasks):
        share = (len(tasks) - first) // (2 * workers)
        last = first + min(size, max(share, least))
        yield tasks[first:last]
        first = last


def single_blas() -> AbstractContextManager[Any]:
    """Keep BLAS at one thread: parallelism is over tasks, and bits must not vary."""
    return _controller().limit(limits=1)


@cache
def _controller() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@cache
def parent_pipe() -> tuple[int, int]:
    """Return a pipe that this process alone holds open, for as long as it lives."""
    return os.pipe()


def begin(read_end: int | None = None) -> None:
    """Begin as a worker process: end with its parent, and print no results."""
    if multiprocessing.parent_process() is not None:
        # What foreign code prints must not stand among the answer on stdout.
        with contextlib.suppress(OSError):  # both may be closed
            os.dup2(2, 1)
    end_with_parent(read_end)


@cache
def end_with_parent(read_end: int | None = None) -> None:
    """End this worker process when its parent is gone, however it went.

    Without this, the workers of a killed run would still work when it is resumed.
    ``read_end`` is that of the parent's pipe. On Linux the kernel ends the worker when
    the other end closes, even in compiled code that never comes back to Python.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    number = parent.pid
    if read_end is not None and number is not None:
        _killed_at_end_of(f"/proc/{number}/fd/{read_end}")

    def watch() -> None:
        while os.getppid() == number:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="stablek-parent-watch").start()


def _killed_at_end_of(pipe: str) -> None:
    """Ask the kernel for SIGKILL when a pipe's other end closes; Linux only."""
    try:
        import fcntl

        end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        fcntl.fcntl(end, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(end, fcntl.F_SETSIG, signal.SIGKILL)
        flags = fcntl.fcntl(end, fcntl.F_GETFL)
        fcntl.fcntl(end, fcntl.F_SETFL, flags | os.O_ASYNC)
    except (ImportError, AttributeError, OSError):
        return  # another system: the thread above has to do
