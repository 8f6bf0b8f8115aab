"""``stablek inspect``: what the reader makes of a file, without a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.execution import MEMORY_OPTION
from stablek.cli.input import READER_OPTIONS, reader_options
from stablek.cli.options import JSON_OPTION, options
from stablek.cli.show import plain, table
from stablek.errors import InputError

if TYPE_CHECKING:
    from stablek.io.inspect import Inspection


@click.command("inspect")
@click.argument("data")
@click.option(
    "--metric",
    default="euclidean",
    show_default=True,
    help="The metric of the command you will run; precomputed or similarity if DATA is "
    "a matrix of distances or similarities.",
)
@MEMORY_OPTION
@options(READER_OPTIONS)
@JSON_OPTION
def command(data: str, metric: str, *, as_json: bool, **given: Any) -> int:
    """Show how DATA would be read, without running anything.

    Prints the format, delimiter, decimal mark, header, ids, the numbers of rows and
    columns, the first and last cell, and what would be left out. The exit code is 2 if
    DATA would be refused.

    Example: stablek inspect expression.tsv
    """
    from stablek.io.inspect import inspect

    seen = inspect(data, **reader_options(given, metric))
    if as_json:
        click.echo(json.dumps(seen.to_dict(), allow_nan=False))
    else:
        click.echo(table([("what", "found"), *rows_of(seen)]))
    if seen.refused is not None:
        raise InputError(seen.refused)
    return 0


def rows_of(seen: Inspection) -> list[tuple[str, str]]:
    """Return what was understood as the rows of a table."""
    rows = [("file", seen.source)]
    if seen.format:
        packed = f" ({seen.compression})" if seen.compression else ""
        rows.append(("format", seen.format + packed))
    rows += list(seen.layout.items())
    if seen.rows is not None:
        rows.append(("numbers", f"{seen.rows:,} rows x {seen.columns:,} columns"))
        rows.append(("ids", few(seen.ids, seen.rows)))
        rows.append(("columns", few(seen.names, seen.columns or 0)))
    for name, cell in (("first cell", seen.first), ("last cell", seen.last)):
        if cell is not None:
            rows.append((name, f"row {cell[0]}, column {cell[1]}: {cell[2]!r}"))
    if seen.missing:
        rows.append(("missing", f"{seen.missing:,} values"))
    if seen.items is not None:
        size = f"{seen.items:,} items x {seen.features:,} columns"
        rows.append(("to cluster", size))
    rows += [("note", note) for note in seen.notes]
    return [(what, plain(text)) for what, text in rows]


def few(names: tuple[str, ...], count: int) -> str:
    """Return the first names of many.

    Examples
    --------
    >>> few(("a", "b"), 9), few(("a", "b"), 2), few((), 9)
    ('a, b, ...', 'a, b', 'none: numbered')
    """
    if not names:
        return "none: numbered"
    return ", ".join(names) + (", ..." if count > len(names) else "")
