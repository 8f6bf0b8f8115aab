"""Where a command puts its page; ``stablek report`` may want it elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.kept import kept_words
from stablek.cli.words import repeatable
from stablek.errors import InputError

if TYPE_CHECKING:
    from stablek.data import Dataset
    from stablek.results.result import Failed, Result
    from stablek.results.verdict import Verdict

#: What an H5AD given as the file of an embedding is asked for.
USUAL = "X_umap"


@dataclass(frozen=True)
class PageOptions:
    """What is wanted of a page, where it differs from what the command would do."""

    path: Path | None = None
    title: str | None = None
    anonymous: bool = False
    embedding: str | None = None
    command: tuple[str, ...] = ()


_WANTED: ContextVar[PageOptions] = ContextVar("wanted", default=PageOptions())  # noqa: B039

#: Where a click context keeps the plane that --embedding names.
PLANE = "stablek.plane"


@contextmanager
def page_options(wanted: PageOptions) -> Iterator[None]:
    """Let the commands given inside write their pages as wanted."""
    token = _WANTED.set(wanted)
    try:
        yield
    finally:
        _WANTED.reset(token)


def wanted_page() -> PageOptions:
    """Return what is wanted of the page of the command at work."""
    return _WANTED.get()


def page_path(folder: Path) -> Path:
    """Return where the page of a command goes."""
    return wanted_page().path or folder / "report.html"


def report_line(folder: Path) -> None:
    """Print where the report is, as the last line; a terminal makes it a link."""
    click.echo(f"\nReport: {page_path(folder)}", err=True)


def write_page(
    results: Sequence[Result | Failed],
    folder: Path,
    verdict: Verdict | None = None,
    banner: str = "",
    reload: int = 0,
) -> Path:
    """Write the page of a command: report.html in its folder, or where it is wanted."""
    from stablek.report import write_report

    wanted, context = wanted_page(), click.get_current_context(silent=True)
    return write_report(
        results,
        page_path(folder),
        verdict=verdict,
        title=wanted.title,
        anonymous=wanted.anonymous,
        embedding=context.meta.get(PLANE) if context else None,
        banner=banner,
        reload=reload,
        command=repeatable(wanted.command or kept_words(folder)),
    )


PAGE_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--embedding",
        metavar="FILE|NAME",
        help="Draw the items of the report in your own embedding, such as UMAP: a "
        "table of ids and two columns, or the name of a representation in an H5AD, "
        "e.g. X_umap.",
    ),
)


def read_embedding(
    asked: str, source: str, data: Dataset, reading: Mapping[str, Any]
) -> Dataset:
    """Return the plane that --embedding names, if it fits the data."""
    from stablek.io import read
    from stablek.report.charts.embed import embedding_of

    memory = reading.get("memory")
    if Path(asked).is_file():
        usual = USUAL if asked.endswith(".h5ad") else None
        data_read = read(asked, use_rep=usual, memory=memory)
    elif source.endswith(".h5ad"):
        outside = bool(reading.get("allow_external"))
        data_read = read(source, use_rep=asked, memory=memory, allow_external=outside)
    else:
        msg = f"--embedding {asked}: there is no such file"
        if asked.startswith("X_"):
            msg += ", and only an H5AD holds representations by name"
        raise InputError(msg)
    try:
        embedding_of(data_read, data.n, data.ids)
    except InputError as error:
        raise InputError(f"--embedding {asked}: {error}") from None
    return data_read
