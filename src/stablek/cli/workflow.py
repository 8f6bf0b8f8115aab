"""Options for pipelines: a file of options, a log, more to read, and a dry run."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from stablek.cli.config import read_config
from stablek.cli.trust import TRUST_CONFIG
from stablek.errors import InputError
from stablek.version import __version__

#: The files a run leaves in its folder; a stub leaves them empty.
FILES = (
    "result.json", "curve.tsv", "labels.tsv", "report.html", "stablek_mqc.json",
    "versions.yml",
)  # fmt: skip


def _verbose(ctx: click.Context, param: click.Parameter, value: bool) -> bool:  # noqa: FBT001
    if value and not ctx.resilient_parsing:
        began = time.perf_counter()
        ctx.call_on_close(lambda: click.echo(usage_line(began), err=True))
    return value


def usage_line(began: float) -> str:
    """Return versions, time and memory of this process, in one line."""
    import platform
    from importlib.metadata import version as installed

    from stablek.machine.memory import peak_memory

    return (
        f"stablek {__version__}, numpy {installed('numpy')}, "
        f"scipy {installed('scipy')}, numba {installed('numba')}, "
        f"python {platform.python_version()}; {time.perf_counter() - began:.2f} s; "
        f"peak memory {peak_memory() / 2**20:.0f} MiB"
    )


def _safe_tables(ctx: click.Context, param: click.Parameter, value: bool) -> bool:  # noqa: FBT001
    if value:
        from stablek.io.store.results import SAFE_TABLES

        token = SAFE_TABLES.set(True)
        ctx.call_on_close(lambda: SAFE_TABLES.reset(token))
    return value


WORKFLOW_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--config",
        type=click.Path(dir_okay=False, path_type=Path),
        is_eager=True,
        expose_value=False,
        callback=read_config,
        metavar="FILE",
        help="Read options from a TOML file, by their long names; those on the command "
        "line win.",
    ),
    TRUST_CONFIG,
    click.option(
        "--log",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Also write notes, progress and errors to a file.",
    ),
    click.option(
        "--safe-tables",
        is_flag=True,
        expose_value=False,
        callback=_safe_tables,
        help="In TSV files, put ' before ids that look like formulas.",
    ),
    click.option(
        "-v",
        "--verbose",
        is_flag=True,
        expose_value=False,
        callback=_verbose,
        help="At the end, print versions, time and memory used.",
    ),
)


def write_stub(out: str | None) -> None:
    """Write the files of a run, empty, so that a pipeline can be tried out."""
    from stablek.io.store.results import check_writable

    if out is None:
        raise InputError("--stub writes empty results; name a folder for them with -o")
    folder = check_writable(Path(out))
    for name in FILES:
        (folder / name).touch()
    click.echo(f"stub: data and options are fine; empty files in {folder}", err=True)


def complete(kind: str) -> Callable[..., list[str]]:
    """Return a function that completes names of measures or algorithms in a shell."""

    def names(ctx: click.Context, param: click.Parameter, start: str) -> list[str]:
        from stablek.measures import MEASURES
        from stablek.paradigm.cluster import ALGORITHMS

        known = ALGORITHMS if kind == "algorithm" else MEASURES
        return [name for name in known if name.startswith(start)]

    return names
