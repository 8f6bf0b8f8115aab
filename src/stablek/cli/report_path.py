"""Where a command puts its page; ``stablek report`` may want it elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from stablek.data import Dataset
    from stablek.results.result import Failed, Result
    from stablek.results.verdict import Verdict

F = TypeVar("F", bound=Callable[..., Any])

#: What each command that fills a folder with a page leaves last.
LAST = {
    "run": "result.json", "compare": "comparison.csv", "verdict": "verdict.json"
}  # fmt: skip

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


_WANTED: ContextVar[PageOptions | None] = ContextVar("wanted", default=None)
#: What --embedding names, and the plane that was read from there.
_ASKED: ContextVar[str | None] = ContextVar("asked", default=None)
_PLANE: ContextVar[Dataset | None] = ContextVar("plane", default=None)


@contextmanager
def page_options(wanted: PageOptions) -> Iterator[None]:
    """Let the commands given inside write their pages as wanted."""
    token = _WANTED.set(wanted)
    try:
        yield
    finally:
        _WANTED.reset(token)


def page_command() -> tuple[str, ...]:
    """Return the command that the one given stands for, if it stands for another."""
    wanted = _WANTED.get()
    return wanted.command if wanted else ()


def page_path(folder: Path) -> Path:
    """Return where the page of a command goes."""
    wanted = _WANTED.get() or PageOptions()
    return wanted.path or folder / "report.html"


def write_page(
    results: Sequence[Result | Failed],
    folder: Path,
    verdict: Verdict | None = None,
    banner: str = "",
    reload: int = 0,
) -> Path:
    """Write the page of a command: report.html in its folder, or where it is wanted."""
    from stablek.cli.words import repeatable
    from stablek.report import write_report

    wanted = _WANTED.get() or PageOptions()
    return write_report(
        results,
        page_path(folder),
        verdict=verdict,
        title=wanted.title,
        anonymous=wanted.anonymous,
        embedding=_PLANE.get(),
        banner=banner,
        reload=reload,
        command=repeatable(wanted.command or kept_words(folder)),
    )


def kept_words(folder: Path) -> list[str]:
    """Return the command that filled a folder, to be shown; none if it is not known.

    It is not carried out, and so not distrusted as :func:`kept_command` does.
    """
    import json

    from stablek.results.json_form import regular_text

    try:
        kept = json.loads(regular_text(folder / "run.json"))
        words = list(map(str, kept["arguments"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    return words if words[:1] and words[0] in LAST else []


def _embedding(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> str | None:
    del param
    asked, plane = _ASKED.set(value), _PLANE.set(None)

    def forget() -> None:
        _ASKED.reset(asked)
        _PLANE.reset(plane)

    ctx.call_on_close(forget)
    return value


PAGE_OPTIONS: tuple[Callable[[F], F], ...] = (
    click.option(
        "--embedding",
        metavar="FILE|NAME",
        expose_value=False,
        callback=_embedding,
        help="Draw the items of the report in your own embedding, such as UMAP: a "
        "table of ids and two columns, or the name of a representation in an H5AD, "
        "e.g. X_umap.",
    ),
)


def asked_embedding() -> str | None:
    """Return what --embedding names, if anything."""
    wanted = _WANTED.get()
    return (wanted.embedding if wanted else None) or _ASKED.get()


def read_embedding(source: str, data: Dataset, reading: Mapping[str, Any]) -> None:
    """Read the plane that --embedding names, if any, and see that it fits the data."""
    asked = asked_embedding()
    if not asked:
        return
    from stablek.errors import InputError
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
        msg = f"--embedding {asked}: {error}"
        raise InputError(msg) from None
    _PLANE.set(data_read)
