"""Ctrl-C and SIGTERM: the first stops in good order, a second at once."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from stablek.errors import (
    InterruptedRunError,
    StablekError,
    Terminated,
    reraise_signals,
)

SIGNALS = (signal.SIGINT, signal.SIGTERM)

#: What the signal that came has raised.
_struck: list[type[KeyboardInterrupt]] = []

#: Seconds after which a signal is sent again that nobody could hear.
AGAIN = 0.02


@contextmanager
def stoppable() -> Iterator[None]:
    """Let signals stop what runs inside; its work is kept where a folder was named.

    After the first one, a second ends the process there and then: whatever is on disk
    is whole, since files are written under another name first, and workers end with
    their parent.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set handlers, and only it is interrupted
        return
    _struck.clear()
    before = {number: signal.getsignal(number) for number in SIGNALS}
    usual_hook = sys.unraisablehook

    def not_raised(unraised: Any) -> None:
        if _struck and issubclass(unraised.exc_type, KeyboardInterrupt):
            _send_again()
        else:
            usual_hook(unraised)

    sys.unraisablehook = not_raised
    for number in SIGNALS:
        signal.signal(number, _stop)
    try:
        yield
    finally:
        sys.unraisablehook = usual_hook
        if signal.getsignal(signal.SIGINT) is _stop:  # else it stops even now
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def raise_missed_signals() -> Iterator[None]:
    """Raise what a signal raised, whatever foreign code has made of it.

    NumPy, for one, takes an exception that strikes while it compares two types for
    their difference, and raises a TypeError that knows of nothing else.
    """
    try:
        with reraise_signals():
            yield
    except Exception as error:
        if _struck and not isinstance(error, StablekError):
            raise _struck[0] from None
        raise


@contextmanager
def resumable(kept: Callable[[], str]) -> Iterator[None]:
    """Say what is kept, and how to go on, where a signal stops what runs inside."""
    try:
        with raise_missed_signals():
            yield
    except KeyboardInterrupt as stop:
        raise InterruptedRunError(f"interrupted; {kept()}", exit_code(stop)) from None


def exit_code(stop: BaseException) -> int:
    """Return the exit code of a signal, by what it raised or what click made of it."""
    ended = isinstance(stop, Terminated) or isinstance(stop.__cause__, Terminated)
    return 128 + (signal.SIGTERM if ended else signal.SIGINT)


def _stop(number: int, frame: FrameType | None) -> None:
    for each in SIGNALS:
        signal.signal(each, _at_once)
    _struck.append(Terminated if number == signal.SIGTERM else KeyboardInterrupt)
    raise _struck[0]


def _send_again() -> None:
    """Have the signal once more, soon.

    What strikes while an object is being deleted is written to stderr and forgotten:
    Python has no place to raise it. The main thread is the one to be woken.
    """
    number = signal.SIGTERM if _struck.pop() is Terminated else signal.SIGINT
    for each in SIGNALS:
        signal.signal(each, _stop)
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        later = threading.Timer(AGAIN, signal.pthread_kill, (main, number))
    else:
        later = threading.Timer(AGAIN, signal.raise_signal, (number,))
    later.daemon = True
    later.start()


def _at_once(number: int, frame: FrameType | None) -> None:
    os._exit(128 + number)
