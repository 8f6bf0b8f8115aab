"""Read a text table: a strict front that checks every line, then numpy.loadtxt.

The front checks the number of fields of every line, keeps names and labels apart and
hands the numbers on as text; ``numpy.loadtxt`` turns them into the nearest doubles,
exactly, without holding the text. Only where that fails is the file read again,
slowly: once with the missing values marked, and once more to name the first cells
that are not numbers.
"""

from __future__ import annotations

import warnings
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stablek.errors import InputError
from stablek.io.cells import refuse_bad_cells
from stablek.io.detect import is_missing
from stablek.io.digits import lost_digits, may_lose_digits
from stablek.io.layout import Layout, layout_of
from stablek.io.limits import shown_size
from stablek.io.lines import TextLines, sample_of, text_lines
from stablek.io.source import Source
from stablek.io.split import Record, fields_of, records
from stablek.io.table import Options, Table, counted, shown

if TYPE_CHECKING:
    from stablek.data import Matrix

JOIN = "\x1f"
"""Stands between the numbers handed on; no number holds it."""

Lines = Iterable[tuple[int, str]]


def read_text(source: Source, options: Options) -> Table:
    """Return the table in a delimited text file."""
    lines = text_lines(source, options.encoding)
    layout, notes = layout_of(sample_of(lines), options, source.label)
    if not lines.encoding.startswith("utf-8"):
        notes.insert(0, f"encoding {lines.encoding}")
    table = read_lines(lines, layout, source.budget, notes)
    if not lines.ended:
        check_last_field(lines, layout, table)
    return table


@dataclass
class Front:
    """One pass over the lines: what it collects beside the numbers.

    Parameters
    ----------
    marked
        Whether to write "nan" in the place of missing values.
    """

    lines: Lines
    layout: Layout
    budget: int
    marked: bool = False
    ids: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    numbers: array[int] = field(default_factory=lambda: array("Q"))
    column_labels: tuple[str, ...] | None = None
    rows_dropped: set[str] = field(default_factory=set)
    blank: int = 0
    empty: list[int] = field(default_factory=list)

    def rows(self) -> Iterator[tuple[int, Record]]:
        """Yield the records of data, each with the right number of fields.

        Blank lines are passed over, as are records without any content at the end of
        the file (spreadsheets leave them there); in the middle these are rows like any
        other, and their missing values will be told.
        """
        layout = self.layout
        blanks = layout.delimiter + " \t"
        held: list[tuple[int, Record]] = []
        wanted = (pair for pair in self.lines if pair[0] >= layout.first)
        for number, record in records(
            wanted, layout.delimiter, layout.label, quotes=layout.quotes
        ):
            if isinstance(record, str) and not record.strip(blanks):
                if layout.delimiter in ("", " ") or not record.strip(" "):
                    if layout.width == 1:
                        held.append((number, [""]))
                    else:
                        self.blank += 1
                else:
                    held.append((number, record))
                continue
            for kept in held:
                yield self.checked(*kept)
            held.clear()
            yield self.checked(number, record)
        self.empty = [number for number, _ in held]

    def checked(self, number: int, record: Record) -> tuple[int, Record]:
        """Return the record; refuse it if its number of fields is wrong."""
        layout = self.layout
        if isinstance(record, str) and layout.delimiter not in ("", " "):
            width = record.count(layout.delimiter) + 1
        else:
            record = fields_of(record, layout.delimiter)
            width = len(record)
        if width != layout.width:
            what = "header" if layout.names else "the first row"
            why = (
                "is the file complete?"
                if width < layout.width
                else "a field that holds the delimiter needs quotes"
            )
            msg = (
                f"{layout.label}: {layout.unit} {number} has "
                f"{counted(width, 'field')}, {what} has {layout.width}: {why}"
            )
            raise InputError(msg)
        return number, record

    def numeric(self) -> Iterator[str]:
        """Yield the numbers of each row as text for numpy.loadtxt."""
        layout = self.layout
        simple = (
            layout.kept == tuple(range(layout.width - len(layout.kept), layout.width))
            and layout.id_field in (None, 0)
            and layout.label_field is None
            and len(layout.kept) >= layout.width - (layout.id_field == 0)
            and layout.delimiter not in ("", " ")
            and layout.decimal == "."
            and not self.marked
        )
        most = self.budget // (8 * len(layout.kept))
        by_name = layout.dropped_rows or layout.label_row is not None
        for number, record in self.rows():
            if simple and isinstance(record, str):
                name, rest = "", record
                if layout.id_field == 0:
                    name, _, rest = record.partition(layout.delimiter)
                rest = rest.replace(layout.delimiter, JOIN)
            else:
                fields = fields_of(record, layout.delimiter)
                name = fields[layout.id_field] if layout.id_field is not None else ""
                rest = self.joined(fields)
            if by_name and self.taken_out(name.strip(), record):
                continue
            if layout.id_field is not None:
                self.ids.append(name.strip())
            if layout.label_field is not None:
                self.labels.append(fields[layout.label_field].strip())
            self.numbers.append(number)
            if len(self.numbers) > most:
                msg = (
                    f"{layout.label} needs more than the budget of "
                    f"{shown_size(self.budget)} at {layout.unit} {number}; raise it "
                    "with --memory, or select fewer columns"
                )
                raise InputError(msg)
            yield rest

    def joined(self, fields: list[str]) -> str:
        """Return the numeric fields of a row, joined for numpy.loadtxt."""
        chosen = [fields[j] for j in self.layout.kept]
        if self.layout.decimal == ",":
            # A point would be a thousands separator: spoil it, so that it is told.
            chosen = [f.replace(".", "_").replace(",", ".") for f in chosen]
        if self.marked:
            chosen = [
                "nan" if is_missing(original) else f
                for f, original in zip(
                    chosen, (fields[j] for j in self.layout.kept), strict=True
                )
            ]
        return JOIN.join(chosen)

    def taken_out(self, name: str, record: Record) -> bool:
        """Tell whether a row holds labels or is to be dropped; keep the labels."""
        if name == self.layout.label_row:
            fields = fields_of(record, self.layout.delimiter)
            self.column_labels = tuple(fields[j].strip() for j in self.layout.kept)
            return True
        if name in self.layout.dropped_rows:
            self.rows_dropped.add(name)
            return True
        return False


def read_lines(lines: Lines, layout: Layout, budget: int, notes: list[str]) -> Table:
    """Return the table that the lines hold, according to their layout."""
    front = Front(lines, layout, budget)
    values = parsed(front)
    if values is None:
        front = Front(lines, layout, budget, marked=True)
        values = parsed(front)
        if values is None:
            refuse_bad_cells(Front(lines, layout, budget).rows(), layout)
    assert values is not None
    absent = layout.dropped_rows - front.rows_dropped
    if layout.label_row is not None and front.column_labels is None:
        absent |= {layout.label_row}
    if absent:
        msg = (
            f"{layout.label} has no row or column {shown(min(absent))}; with "
            "--transpose, --labels names a row of the file"
        )
        raise InputError(msg)
    if may_lose_digits(values):
        notes += lost_digits(Front(lines, layout, budget).rows(), layout)
    if front.blank:
        notes.append(f"{counted(front.blank, 'blank line')} passed over")
    if front.empty:
        notes.append(
            f"{counted(len(front.empty), 'row')} without content at the end passed over"
        )
    unit, numbers = layout.unit, front.numbers
    return Table(
        values,
        ids=tuple(front.ids),
        columns=layout.columns,
        classes=tuple(front.labels) if layout.label_field is not None else None,
        column_classes=front.column_labels,
        notes=notes,
        line=lambda row: f"{unit} {numbers[row]}",
    )


def parsed(front: Front) -> Matrix | None:
    """Return the numbers of a pass, or None if a field is not a number."""
    import numpy as np

    width = len(front.layout.kept)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # "no data": told below
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
        msg = f"{front.layout.label} has {what}"
        raise InputError(msg)
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
    for at, record in Front(lines, layout, 2**62).rows():
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
        msg = (
            f"{layout.label}: the last line ({number}) has no line end and its last "
            f"field {shown(last)} (column {name}) looks cut off: is the file complete? "
            "If it is, add a line end"
        )
        raise InputError(msg)
    table.notes.append(
        f"warning: the last line ({number}) has no line end; if the file was cut off, "
        f"its last field {shown(last)} may be wrong"
    )
