"""Progress on stderr: a bar with ETA on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

import click

from stablek.errors import reraise_signals


class Progress:
    """Tells how far a run is; used as the engine's ``watch``."""

    #: Without a terminal, one line at most every so many seconds.
    EVERY = 30.0
    #: Seconds between two looks at what the answer would be by now; and a look may
    #: take no more than this share of the time.
    LOOK = 2.0
    SHARE = 0.05

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self._bar: Any = None
        self._tasks: dict[str, Any] = {}
        self._said = time.monotonic()
        self._began: dict[str, float] = {}
        self._best = ""
        self._next = self._said + self.LOOK

    def __enter__(self) -> Progress:
        if not self.quiet and not are_kernels_compiled():
            click.echo(
                "compiling kernels for this machine (first run only, half a minute)",
                err=True,
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` are finished."""
        if self.quiet:
            return
        if sys.stderr.isatty():
            self._show(what, done, total)
        elif done < total and time.monotonic() - self._said >= self.EVERY:
            self._said = time.monotonic()
            began = self._began.setdefault(what, self._said - self.EVERY)
            left = (self._said - began) / max(done, 1) * (total - done)
            best = f"; {self._best}" if self._best else ""
            click.echo(
                f"{what}: {done} of {total}, about {left:.0f} s left{best}", err=True
            )

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
        pause = self.LOOK if sys.stderr.isatty() else self.EVERY / 2
        self._next = began + took + max(pause, took / self.SHARE)
        self._best = "" if k is None else f"so far k = {k}"

    def _show(self, what: str, done: int, total: int) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                TextColumn,
                TimeRemainingColumn,
            )
            from rich.progress import (
                Progress as Bar,
            )

            self._bar = Bar(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[best]}", markup=False),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
        if what not in self._tasks:
            self._tasks[what] = self._bar.add_task(what, total=total, best="")
        self._bar.update(
            self._tasks[what], completed=done, total=total, best=self._best
        )


def are_kernels_compiled() -> bool:
    """Tell whether the kernels were compiled before, on this machine."""
    import contextlib
    import os
    from pathlib import Path

    import stablek.kernels

    beside = Path(stablek.kernels.__file__).parent / "__pycache__"
    elsewhere = os.environ.get("NUMBA_CACHE_DIR")
    folders = [Path(elsewhere)] if elsewhere else [beside]
    with contextlib.suppress(RuntimeError):  # no home, as in containers
        folders.append(Path.home() / ".cache/numba")
    return any(next(folder.rglob("*.nbi"), None) for folder in folders)
