"""``stablek inspect``: what the reader makes of a file, without a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.execution import MEMORY_OPTION
from stablek.cli.input import READER_OPTIONS, reader_options
from stablek.cli.options import JSON_OPTION, options

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
    from stablek.cli.show import table
    from stablek.errors import InputError
    from stablek.io.inspect import inspect

    found = inspect(data, **reader_options(given, metric))
    if as_json:
        click.echo(json.dumps(found.to_dict(), allow_nan=False))
    else:
        click.echo(table([("what", "found"), *rows_of(found)]))
    if found.refused is not None:
        raise InputError(found.refused)
    return 0


def rows_of(found: Inspection) -> list[tuple[str, str]]:
    """Return what was understood as the rows of a table."""
    from stablek.cli.show import plain

    rows = [("file", found.source)]
    if found.format:
        packed = f" ({found.compression})" if found.compression else ""
        rows.append(("format", found.format + packed))
    rows += list(found.layout.items())
    if found.rows is not None:
        rows.append(("numbers", f"{found.rows:,} rows x {found.columns:,} columns"))
        rows.append(("ids", few(found.ids, found.rows)))
        rows.append(("columns", few(found.names, found.columns or 0)))
    for name, cell in (("first cell", found.first), ("last cell", found.last)):
        if cell is not None:
            rows.append((name, f"row {cell[0]}, column {cell[1]}: {cell[2]!r}"))
    if found.missing:
        rows.append(("missing", f"{found.missing:,} values"))
    if found.items is not None:
        size = f"{found.items:,} items x {found.features:,} columns"
        rows.append(("to cluster", size))
    rows += [("note", note) for note in found.notes]
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
