"""A time limit for tasks that run foreign code, which may never end."""

import faulthandler
import math
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from stablek.engine.plan import Output, Plan, Task
from stablek.engine.steps import carry_out, carry_out_all
from stablek.errors import InputError, OutOfTime, reraise_signals
from stablek.paradigm.cluster.adapter import ClustererError
from stablek.paradigm.contracts import NullModel

#: Seconds that compiled code has, beyond its time, to come back to Python.
GRACE = 2.0


def carry_out_in_time(
    plan: Plan,
    task: Task,
    model: NullModel | None,
    seconds: float,
    mark: Path | None = None,
) -> Output:
    """Carry out a task; one that takes longer than this has failed."""
    try:
        with deadline(seconds, mark):
            return carry_out(plan, task, model)
    except ClustererError as error:
        return Output(task, failure=str(error))


def carry_out_each(
    plan: Plan,
    tasks: Sequence[Task],
    model: NullModel | None,
    seconds: float | None,
    marks: Sequence[Path] = (),
) -> list[Output]:
    """Carry out several tasks, each in its time; ``marks`` are a file for each."""
    if seconds is None or plan.clusterer.native:
        return list(carry_out_all(plan, tasks, model))
    where: Sequence[Path | None] = marks or [None] * len(tasks)
    return [
        carry_out_in_time(plan, task, model, seconds, mark)
        for task, mark in zip(tasks, where, strict=True)
    ]


def out_of_time(seconds: float | None) -> str:
    """Return what is said of a task that took too long."""
    return (
        f"took longer than {seconds:g} s (the limit that timeout sets) and was stopped"
    )


def is_overdue(mark: Path) -> bool:
    """Tell whether a task's process was ended because the task was out of time."""
    try:
        return mark.read_bytes().startswith(b"Timeout")
    except FileNotFoundError:
        return False


def check_timeout(seconds: float | None, backend: str) -> None:
    """Refuse a time limit that could not be kept."""
    if seconds is None:
        return
    if not 0 < seconds < math.inf:
        raise InputError(
            f"timeout = {seconds} must be more than 0 seconds, and a number"
        )
    if backend not in ("auto", "serial", "processes"):
        raise InputError(f"a timeout needs backend processes or serial, not {backend}")
    main = threading.current_thread() is threading.main_thread()
    if not (hasattr(signal, "SIGALRM") and main):
        raise InputError(
            "a timeout needs the alarm signal, which is not available here"
        )


@contextmanager
def deadline(seconds: float, mark: Path | None = None) -> Iterator[None]:
    """Fail what runs inside, as a clusterer fails, when it takes longer than this.

    An alarm interrupts Python code. Compiled code that does not come back to Python
    hears no alarm, and may not let any other Python code run: where ``mark`` is given,
    a clock outside Python ends this whole process ``GRACE`` seconds later, and writes
    into that file that it did.
    """
    before = signal.signal(signal.SIGALRM, _rang)
    try:
        with reraise_signals(), _ended_after(seconds + GRACE, mark):
            try:
                # Again every second: foreign code may have caught the first.
                signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
                yield
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
    except OutOfTime:
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise ClustererError(out_of_time(seconds)) from None
    finally:
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _ended_after(seconds: float, mark: Path | None) -> Iterator[None]:
    if mark is None:
        yield
        return
    with mark.open("wb") as file:
        faulthandler.dump_traceback_later(seconds, exit=True, file=file)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


def _rang(number: int, frame: FrameType | None) -> None:
    raise OutOfTime
