"""Rows and columns of a sheet that a spreadsheet does not show."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any

from stablek.errors import InputError, unknown_name
from stablek.io.readers.table import counted, extra

#: What ``--hidden`` may say.
CHOICES = ("keep", "drop")

Row = tuple[int, list[str]]  # its number, and its cells


@dataclass(frozen=True)
class Hidden:
    """The rows and columns, numbered from 1, that are hidden or filtered out."""

    rows: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()

    def within(self, rows: Sequence[Row]) -> Hidden:
        """Return those that hold anything."""
        width = max((len(cells) for _, cells in rows), default=0)
        return Hidden(
            frozenset(number for number, _ in rows if number in self.rows),
            frozenset(
                j
                for j in self.columns
                if j <= width and any(len(c) >= j and c[j - 1] for _, c in rows)
            ),
        )

    def words(self) -> str:
        """Return how many there are, and which come first."""
        parts = []
        if self.rows:
            first = ", ".join(map(str, sorted(self.rows)[:3]))
            parts.append(f"{counted(len(self.rows), 'hidden row')} ({first})")
        if self.columns:
            first = ", ".join(letters(j) for j in sorted(self.columns)[:3])
            parts.append(f"{counted(len(self.columns), 'hidden column')} ({first})")
        return " and ".join(parts)


def hidden_in(stream: Any, path: str) -> Hidden:
    """Return what a sheet hides; ``path`` is where the sheet is in the workbook."""
    with zipfile.ZipFile(stream) as archive:
        with archive.open(path) as sheet:
            if not hides(sheet):
                return Hidden()
        with archive.open(path) as sheet:
            return parsed(sheet)


def hides(stream: IO[bytes]) -> bool:
    """Tell whether the XML of a sheet may hide anything: most hide nothing."""
    word, end = b"hidden=", b""
    while chunk := stream.read(1 << 20):
        if word in end + chunk:
            return True
        end = chunk[-len(word) :]
    return False


def parsed(stream: IO[bytes]) -> Hidden:
    """Return what the XML of a sheet marks as hidden."""
    functions = extra("openpyxl.xml.functions", "tables")
    rows: set[int] = set()
    columns: set[int] = set()
    last = 0
    for _, element in functions.iterparse(stream):
        tag = element.tag.rpartition("}")[2]
        hidden = element.get("hidden") in ("1", "true")
        if tag == "row":
            last = int(element.get("r") or last + 1)
            if hidden:
                rows.add(last)
        elif tag == "col" and hidden:
            columns.update(range(int(element.get("min")), int(element.get("max")) + 1))
        element.clear()
    return Hidden(frozenset(rows), frozenset(columns))


def shown_rows(
    rows: list[Row], hidden: Hidden, choice: str | None, label: str
) -> tuple[list[Row], list[str]]:
    """Return the rows to be read, and a note; refuse a doubt.

    Hidden cells may be what the user filtered out, or what the user wants to keep and
    not see: nothing in the file tells which.
    """
    if choice is not None and choice not in CHOICES:
        raise unknown_name("choice of --hidden", choice, CHOICES)
    concerned = hidden.within(rows)
    if not concerned.rows and not concerned.columns:
        return rows, []
    if choice is None:
        raise InputError(
            f"{label} has {concerned.words()}: are they part of the table? If they "
            "are, use --hidden keep; if they were filtered out, --hidden drop"
        )
    if choice == "keep":
        return rows, [f"{concerned.words()} read, as --hidden says"]
    left = [
        (number, [c for j, c in enumerate(cells, 1) if j not in concerned.columns])
        for number, cells in rows
        if number not in concerned.rows
    ]
    return left, [f"{concerned.words()} left out, as --hidden says"]


def letters(column: int) -> str:
    """Return the letters by which a spreadsheet names a column.

    Examples
    --------
    >>> letters(1), letters(27), letters(703)
    ('A', 'AA', 'AAA')
    """
    name = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name
