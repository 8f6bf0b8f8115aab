"""A time limit for tasks that run foreign code, which may never end."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType

from stablek.cluster.adapter import ClustererError
from stablek.contracts import NullModel
from stablek.engine.plan import Output, Plan, Task
from stablek.engine.steps import carry_out
from stablek.errors import InputError


class OutOfTime(BaseException):
    """A task took too long; no ``except Exception`` of foreign code may swallow it."""


def carry_out_in_time(
    plan: Plan, task: Task, model: NullModel | None, seconds: float | None
) -> Output:
    """Carry out a task; one that takes longer than this has failed."""
    if seconds is None or plan.clusterer.native:
        return carry_out(plan, task, model)
    try:
        with deadline(seconds):
            return carry_out(plan, task, model)
    except ClustererError as error:
        return Output(task, failure=str(error))


def check_timeout(seconds: float | None, backend: str) -> None:
    """Refuse a time limit that could not be kept."""
    if seconds is None:
        return
    if not seconds > 0:
        msg = f"timeout = {seconds} must be more than 0 seconds"
        raise InputError(msg)
    if backend not in ("auto", "serial", "processes"):
        msg = f"a timeout needs backend processes or serial, not {backend}"
        raise InputError(msg)
    main = threading.current_thread() is threading.main_thread()
    if not (hasattr(signal, "SIGALRM") and main):
        msg = "a timeout needs the alarm signal, which is not to be had here"
        raise InputError(msg)


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Fail what runs inside, as a clusterer fails, when it takes longer than this.

    An alarm interrupts Python code. Compiled code that never returns to Python hears
    no alarm: a worker process is then ended a little later, as a whole, and the engine
    goes on as after any other death of a worker.
    """
    before = signal.signal(signal.SIGALRM, _rang)
    if multiprocessing.parent_process() is not None:
        faulthandler.dump_traceback_later(2 * seconds + 5, exit=True, file=_nowhere())
    try:
        try:
            # Again every second: foreign code may have caught the first.
            signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except OutOfTime:
        signal.setitimer(signal.ITIMER_REAL, 0)
        msg = f"took longer than {seconds:g} s (--timeout) and was stopped"
        raise ClustererError(msg) from None
    finally:
        signal.signal(signal.SIGALRM, before)
        faulthandler.cancel_dump_traceback_later()


def _rang(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise OutOfTime


@cache
def _nowhere() -> int:
    """Return where the traceback of a process that is ended goes."""
    return os.open(os.devnull, os.O_WRONLY)
