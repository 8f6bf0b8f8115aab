"""Where a command puts its page; ``stablek report`` may want it elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stablek.result import Failed, Result


@dataclass(frozen=True)
class Wanted:
    """What is wanted of a page, where it differs from what the command would do."""

    path: Path | None = None
    title: str | None = None
    anonymous: bool = False


_WANTED: ContextVar[Wanted | None] = ContextVar("wanted", default=None)


@contextmanager
def wanting(wanted: Wanted) -> Iterator[None]:
    """Let the commands given inside write their pages as wanted."""
    token = _WANTED.set(wanted)
    try:
        yield
    finally:
        _WANTED.reset(token)


def write_page(
    results: Sequence[Result | Failed], folder: Path, verdict: object | None = None
) -> Path:
    """Write the page of a command: report.html in its folder, or where it is wanted."""
    from stablek.report import write_report

    wanted = _WANTED.get() or Wanted()
    return write_report(
        results,
        wanted.path or folder / "report.html",
        verdict=verdict,
        title=wanted.title,
        anonymous=wanted.anonymous,
    )
