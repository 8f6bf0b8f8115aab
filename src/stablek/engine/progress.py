"""Progress: a bar in a terminal, a line that changes in a notebook, else lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from stablek.engine.pace import Pace, left_text
from stablek.errors import reraise_signals

P = ParamSpec("P")
T = TypeVar("T")

#: Without a terminal, one line at most every so many seconds.
EVERY = 30.0


class Lines:
    """A line on stderr now and then.

    As every display: ``show`` tells that ``done`` of ``total`` are finished, and more.
    """

    def __init__(self) -> None:
        self._said = time.monotonic()

    def show(self, what: str, done: int, total: int, more: str) -> None:
        """Print a line, if the last one is long ago."""
        now = time.monotonic()
        if done < total and now - self._said >= EVERY:
            self._said = now
            line = f"{what}: {done} of {total}"
            print(f"{line}; {more}" if more else line, file=sys.stderr, flush=True)

    def close(self) -> None:
        """Do nothing: lines stay."""


class Bars:
    """A bar for every step, on a terminal; gone at the end."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[more]}", markup=False),
            console=Console(stderr=True),
            transient=True,
        )
        self._steps: dict[str, Any] = {}
        self._bars.start()

    def show(self, what: str, done: int, total: int, more: str) -> None:
        """Move the bar of a step."""
        if what not in self._steps:
            self._steps[what] = self._bars.add_task(what, total=total, more="")
        step = self._steps[what]
        self._bars.update(step, completed=done, total=total, more=more)

    def close(self) -> None:
        """Take the bars away."""
        self._bars.stop()


class Cell:
    """One line in a notebook that changes in place; gone at the end."""

    #: Seconds between two changes: a browser draws them.
    PAUSE = 0.2

    def __init__(self) -> None:
        self._handle: Any = None
        self._next = 0.0

    def show(self, what: str, done: int, total: int, more: str) -> None:
        """Change the line."""
        now = time.monotonic()
        if now < self._next and done < total:
            return
        self._next = now + self.PAUSE
        filled = 20 * done // max(total, 1)
        bar = "\u2588" * filled + "\u2591" * (20 - filled)
        self._put(" ".join(filter(None, (what, bar, f"{done}/{total}", more))))

    def close(self) -> None:
        """Leave the line empty."""
        if self._handle is not None:
            self._put("")

    def _put(self, text: str) -> None:
        from IPython.display import display

        data = {"text/plain": text}
        if self._handle is None:
            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)


def in_notebook() -> bool:
    """Tell whether a notebook shows what is displayed."""
    if "IPython" not in sys.modules:
        return False
    from IPython.core.getipython import get_ipython

    return getattr(get_ipython(), "kernel", None) is not None


def display_here() -> type[Cell] | type[Bars] | type[Lines]:
    """Return the kind of display that fits where this process runs."""
    if in_notebook():
        return Cell
    return Bars if sys.stderr is not None and sys.stderr.isatty() else Lines


class Progress:
    """Tells how far a run is; used as the engine's ``watch``."""

    #: Seconds between two looks at what the answer would be by now; and a look may
    #: take at most this share of the time.
    LOOK = 2.0
    SHARE = 0.05

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self._kind = display_here()
        # Lines count the time from the beginning on; the others wait for something.
        self._display: Cell | Bars | Lines | None = (
            Lines() if self._kind is Lines else None
        )
        self._paces: dict[str, Pace] = {}
        self._best = ""
        self._next = time.monotonic() + self.LOOK

    def __enter__(self) -> Progress:
        if not self.quiet:
            from stablek.kernels.helper import first_start_note

            note = first_start_note()
            if note:
                print(note, file=sys.stderr, flush=True)
        return self

    def __exit__(self, *error: object) -> None:
        if self._display is not None:
            self._display.close()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` are finished."""
        if self.quiet:
            return
        now = time.monotonic()
        pace = self._paces.setdefault(what, Pace())
        pace.note(now, done)
        if self._display is None:
            self._display = self._kind()
        left = left_text(pace.left(now, total) if done < total else None)
        more = "; ".join(filter(None, (left, self._best)))
        self._display.show(what, done, total, more)

    def best(self, answer: Callable[[], int | None]) -> None:
        """Show the k that the work done so far would give, now and then."""
        began = time.monotonic()
        if self.quiet or began < self._next:
            return
        try:
            with reraise_signals():
                k = answer()
        except Exception:  # a look ahead must not end the run it looks at
            k = None
        took = time.monotonic() - began
        pause = EVERY / 2 if self._kind is Lines else self.LOOK
        self._next = began + took + max(pause, took / self.SHARE)
        self._best = "" if k is None else f"so far k = {k}"


def shows_progress(function: Callable[P, T]) -> Callable[P, T]:
    """Let ``progress=True`` of a public function be its ``watch``."""

    @wraps(function)
    def shown(*args: P.args, **kwargs: P.kwargs) -> T:
        if not kwargs.pop("progress", False):
            return function(*args, **kwargs)
        with Progress() as progress:
            if kwargs.get("watch") is None:
                kwargs["watch"] = progress
            return function(*args, **kwargs)

    return shown
