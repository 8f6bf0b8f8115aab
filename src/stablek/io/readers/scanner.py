"""The strict front: check every line of a text table, and hand its numbers on."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from stablek.errors import InputError
from stablek.io.readers.detect import is_missing
from stablek.io.readers.layout import Layout
from stablek.io.readers.split import Record, fields_of, records
from stablek.io.readers.table import counted
from stablek.machine.memory import shown_size

JOIN = "\x1f"
"""Separates the numbers that are passed on; no number contains it."""

Lines = Iterable[tuple[int, str]]


@dataclass
class RowScanner:
    """One pass over the lines: what it collects in addition to the numbers.

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
        other, and their missing values will be reported.
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
            raise self.ragged(number, width)
        return number, record

    def ragged(self, number: int, width: int) -> InputError:
        """Return the error for a row with a wrong number of fields."""
        layout = self.layout
        what = "header" if layout.names else "the first row"
        if width < layout.width:
            why = "is the file complete?"
        elif layout.delimiter == "," and layout.decimal == ".":
            why = (
                "a field that holds a comma needs quotes; if the commas are decimal, "
                "use --delimiter and --decimal ,"
            )
        else:
            why = "a field that holds the delimiter needs quotes"
        return InputError(
            f"{layout.label}: {layout.unit} {number} has {counted(width, 'field')}, "
            f"{what} has {layout.width}: {why}"
        )

    def numeric(self) -> Iterator[str]:
        """Yield the numbers of each row as text for numpy.loadtxt."""
        layout = self.layout
        start = 1 if layout.id_field == 0 else 0
        simple = (
            layout.kept == tuple(range(start, layout.width))
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
                raise InputError(
                    f"{layout.label} needs more than the budget of "
                    f"{shown_size(self.budget)} at {layout.unit} {number}; raise it "
                    "with --memory, or select fewer columns"
                )
            yield rest

    def joined(self, fields: list[str]) -> str:
        """Return the numeric fields of a row, joined for numpy.loadtxt."""
        chosen = [fields[j] for j in self.layout.kept]
        if self.layout.decimal == ",":
            # A point would be a thousands separator: spoil it, so that it is reported.
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
        """Tell whether a row holds labels or should be dropped; keep the labels."""
        if name == self.layout.label_row:
            fields = fields_of(record, self.layout.delimiter)
            self.column_labels = tuple(fields[j].strip() for j in self.layout.kept)
            return True
        if name in self.layout.dropped_rows:
            self.rows_dropped.add(name)
            return True
        return False
