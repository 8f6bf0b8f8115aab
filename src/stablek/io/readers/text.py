"""Read a text table: a strict front that checks every line, then numpy.loadtxt.

The front checks the number of fields of every line, keeps names and labels apart and
hands the numbers on as text; ``numpy.loadtxt`` turns them into the nearest doubles,
exactly, without holding the text. Only where that fails is the file read again,
slowly: once with the missing values marked, and once more to name the first cells
that are not numbers.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from stablek.errors import InputError
from stablek.io.readers.cells import refuse_bad_cells
from stablek.io.readers.layout import Layout, layout_of, notes_on
from stablek.io.readers.lines import TextLines, sample_of, text_lines
from stablek.io.readers.marks import refuse_thousands_points, with_decimal
from stablek.io.readers.missing import kept_columns
from stablek.io.readers.scanner import JOIN, Lines, RowScanner
from stablek.io.readers.source import Source
from stablek.io.readers.split import Record, fields_of
from stablek.io.readers.table import Options, Table, counted, shown

if TYPE_CHECKING:
    from stablek.data import Matrix

INTEGER = re.compile(r"[+-]?\d+", re.ASCII)


def read_text(source: Source, options: Options) -> Table:
    """Return the table in a delimited text file."""
    lines = text_lines(source, options.encoding)
    layout, notes = layout_of(sample_of(lines), options, source.label)
    if not layout.decimal:
        layout = with_decimal(RowScanner(lines, layout, source.budget).rows(), layout)
        notes = notes_on(layout)
    if not lines.encoding.startswith("utf-8"):
        notes.insert(0, f"encoding {lines.encoding}")
    table = read_lines(lines, layout, source.budget, notes)
    table.facts = {"encoding": lines.encoding, **table.facts}
    if not lines.ended:
        check_last_field(lines, layout, table)
    return table


def read_lines(lines: Lines, layout: Layout, budget: int, notes: list[str]) -> Table:
    """Return the table that the lines hold, according to their layout."""
    front = RowScanner(lines, layout, budget)
    values = parsed(front)
    if values is None:
        front = RowScanner(lines, layout, budget, marked=True)
        values = parsed(front)
        if values is None:
            refuse_bad_cells(RowScanner(lines, layout, budget).rows(), layout)
    assert values is not None
    absent = layout.dropped_rows - front.rows_dropped
    if layout.label_row is not None and front.column_labels is None:
        absent |= {layout.label_row}
    if absent:
        raise InputError(
            f"{layout.label} has no row or column {shown(min(absent))}; with "
            "--transpose, --labels names a row of the file"
        )
    if may_lose_digits(values):
        notes += lost_digits(RowScanner(lines, layout, budget).rows(), layout)
    if layout.decimal == "." and not layout.decimal_given:
        rows = RowScanner(lines, layout, budget).rows()
        refuse_thousands_points(rows, layout, values)
    if front.blank:
        notes.append(f"{counted(front.blank, 'blank line')} ignored")
    if front.empty:
        notes.append(
            f"{counted(len(front.empty), 'row')} without content at the end ignored"
        )
    unit, numbers = layout.unit, front.numbers
    table = Table(
        values,
        ids=tuple(front.ids),
        columns=layout.columns,
        classes=tuple(front.labels) if layout.label_field is not None else None,
        column_classes=front.column_labels,
        notes=notes,
        line=lambda row: f"{unit} {numbers[row]}",
        facts=layout.facts,
    )
    return without_unnamed(table)


def without_unnamed(table: Table) -> Table:
    """Return the table without columns that have neither a name nor a value.

    A delimiter at the end of every line makes such a column.
    """
    if "" not in table.columns:
        return table
    empty = np.isnan(table.values).all(axis=0)
    keep = np.array([bool(name) for name in table.columns]) | ~empty
    gone = int((~keep).sum())
    if not gone or not keep.any():
        return table
    table.notes.append(f"{counted(gone, 'empty column')} without a name ignored")
    return kept_columns(table, keep)


def parsed(front: RowScanner) -> Matrix | None:
    """Return the numbers of a pass, or None if a field is not a number."""
    width = len(front.layout.kept)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # "no data": reported below
            values = np.loadtxt(
                front.numeric(),
                dtype=np.float64,
                delimiter=JOIN,
                comments=None,
                ndmin=2,
            )
    except InputError:
        raise
    except ValueError:
        return None
    if not front.numbers:
        what = "a header but no rows" if front.layout.names else "no rows"
        raise InputError(f"{front.layout.label} has {what}")
    # numpy.loadtxt passes over empty strings: a single column with a gap.
    if values.shape != (len(front.numbers), width):
        return None
    return values


def check_last_field(lines: TextLines, layout: Layout, table: Table) -> None:
    """Look hard at the last field of a file whose last line has no end.

    A download that stopped inside the last number leaves a shorter number that reads
    well. If the field is shorter than every other of its column it is refused;
    otherwise the doubt is noted.
    """
    shortest, last, number = None, "", 0
    others: set[str] = set()
    for at, record in RowScanner(lines, layout, 2**62).rows():
        if number:
            shortest = len(last) if shortest is None else min(shortest, len(last))
            if len(others) < 1000:
                others.add(last)
        number, last = at, fields_of(record, layout.delimiter)[-1].strip()
    cut = shortest is not None and len(last) < shortest
    if layout.label_field == layout.width - 1:
        cut = last not in others and any(o.startswith(last) for o in others)
    name = shown(layout.field_name(layout.width - 1))
    if cut:
        raise InputError(
            f"{layout.label}: the last line ({number}) has no line end and its last "
            f"field {shown(last)} (column {name}) looks cut off: is the file complete? "
            "If it is, add a line end"
        )
    table.notes.append(
        f"warning: the last line ({number}) has no line end; if the file was cut off, "
        f"its last field {shown(last)} may be wrong"
    )


def may_lose_digits(values: Matrix) -> bool:
    """Tell whether a value is beyond the integers that a double holds exactly."""
    if values.size == 0:
        return False
    return bool(values.max() >= 2.0**53 or values.min() <= -(2.0**53))


def lost_digits(rows: Iterable[tuple[int, Record]], layout: Layout) -> list[str]:
    """Return the warning on integers in the text that a double cannot hold."""
    count, first = 0, ""
    kept = frozenset(layout.kept)
    for number, record in rows:
        for j, text in enumerate(fields_of(record, layout.delimiter)):
            text = text.strip()
            # Fifteen digits always fit; Python refuses to make ints of thousands.
            if not 15 < len(text) < 400 or not INTEGER.fullmatch(text):
                continue
            if j in kept and int(text) != int(float(text)):
                count += 1
                first = first or (
                    f"{shown(text)} at {layout.unit} {number}, column "
                    f"{shown(layout.field_name(j))}"
                )
    if not count:
        return []
    lose = "loses" if count == 1 else "lose"
    what = counted(count, "integer")
    return [f"warning: {what} beyond 2^53 {lose} digits; first: {first}"]
