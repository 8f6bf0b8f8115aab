"""Ctrl-C and SIGTERM: the first stops in good order, a second at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from stablek.errors import StablekError, Terminated, unwrapped

SIGNALS = (signal.SIGINT, signal.SIGTERM)

#: What the signal that came has raised.
_struck: list[type[KeyboardInterrupt]] = []


@contextmanager
def stoppable() -> Iterator[None]:
    """Let signals stop what runs inside; its work is kept where a folder was named.

    After the first one, a second ends the process there and then: whatever is on disk
    is whole, since files are written beside and renamed, and workers end with their
    parent.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set handlers, and only it is interrupted
        return
    _struck.clear()
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in SIGNALS:
        signal.signal(number, _stop)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is _stop:  # else it stops even now
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def heard() -> Iterator[None]:
    """Raise what a signal raised, whatever foreign code has made of it.

    NumPy, for one, takes an exception that strikes while it compares two types for
    their difference, and raises a TypeError that knows of nothing else.
    """
    try:
        with unwrapped():
            yield
    except Exception as error:
        if _struck and not isinstance(error, StablekError):
            raise _struck[0] from None
        raise


def _stop(number: int, frame: FrameType | None) -> None:
    del frame
    for each in SIGNALS:
        signal.signal(each, _at_once)
    _struck.append(Terminated if number == signal.SIGTERM else KeyboardInterrupt)
    raise _struck[0]


def _at_once(number: int, frame: FrameType | None) -> None:
    del frame
    os._exit(128 + number)
