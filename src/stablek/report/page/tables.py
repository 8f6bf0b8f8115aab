"""Tables of the report: columns with a kind, rows of plain values."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stablek.report.charts.scale import DASH, number
from stablek.report.page.markup import text_of

#: More rows than this are not put into the page; the text says so.
MOST_ROWS = 500


@dataclass(frozen=True)
class Cell:
    """What is shown, and the exact number to sort and download by, where it is one."""

    text: str
    value: str = ""


@dataclass(frozen=True)
class Table:
    """A table that sorts, searches and downloads, under its ``name``.

    ``numeric`` tells of each column whether it holds numbers, ``marked`` which rows
    stand out, and ``total`` how many rows there are, where not all are shown.
    """

    name: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numeric: tuple[bool, ...]
    marked: frozenset[int] = frozenset()
    total: int = 0
    help: str = ""
    kind: str = "table"

    @property
    def searchable(self) -> bool:
        """Whether it is long enough for a search to help."""
        return len(self.rows) > 12


def table(
    name: str,
    caption: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    marked: Iterable[int] = (),
    help: str = "",
    most: int = MOST_ROWS,
) -> Table:
    """Return a table of plain values; numbers are shown short and kept exact."""
    every = [tuple(row) for row in rows]
    shown = every[:most]
    numeric = tuple(
        bool(shown) and all(_is_number(row[place]) for row in shown)
        for place in range(len(columns))
    )
    return Table(
        name,
        caption,
        tuple(str(column) for column in columns),
        tuple(tuple(_cell(value) for value in row) for row in shown),
        numeric,
        frozenset(place for place in marked if place < len(shown)),
        len(every),
        help,
    )


def table_of(
    name: str, caption: str, records: Sequence[Mapping[str, Any]], help: str = ""
) -> Table | None:
    """Return a table with the columns of the first record; None without records."""
    if not records:
        return None
    columns = list(records[0])
    rows = [tuple(record.get(c) for c in columns) for record in records]
    return table(name, caption, columns, rows, help=help)


def _is_number(value: Any) -> bool:
    if value is None:
        return True
    if isinstance(value, (bool, str)):
        return False
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _cell(value: Any) -> Cell:
    if value is None:
        return Cell(DASH)
    if _is_number(value):
        exact = float(value)
        if not math.isfinite(exact):
            return Cell(DASH)
        whole = exact == int(exact) and abs(exact) < 2**53
        return Cell(number(exact), str(int(exact)) if whole else f"{exact:.7g}")
    if isinstance(value, (list, tuple, set, frozenset)):
        return Cell(text_of(", ".join(str(v) for v in value)))
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    return Cell(text_of(value))
