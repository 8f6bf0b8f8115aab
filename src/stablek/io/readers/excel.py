"""Read one sheet of an Excel workbook (.xlsx), by the rules of a text table."""

import datetime
import warnings
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from stablek.errors import InputError, unknown_name
from stablek.io.readers.archive import opened
from stablek.io.readers.hidden import Row, hidden_in, shown_rows
from stablek.io.readers.layout import layout_of
from stablek.io.readers.limits import EXPANSION, FLOOR
from stablek.io.readers.lines import SAMPLE_LINES
from stablek.io.readers.sheet_order import refuse_disorder
from stablek.io.readers.source import Source
from stablek.io.readers.table import Options, Table, counted, extra, listed, shown
from stablek.io.readers.text import read_lines
from stablek.machine.memory import shown_size

CELL = "\x1f"
"""Separates cells: XML forbids it, so no cell holds it."""

MOST_ROWS = 1_048_576
"""The last row that a sheet can have."""


def read_xlsx(source: Source, options: Options) -> Table:
    """Return the table in a sheet; the first that is not hidden, unless one is named.

    A formula counts with the value that was stored with it. Empty cells are missing.
    Hidden rows and columns are refused unless ``options.hidden`` says what they are.
    """
    openpyxl = extra("openpyxl", "tables")
    refuse_bomb(source)
    with source.seekable() as stream:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # styles that openpyxl does not know
                book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
                name, others = chosen_sheet(book, options.sheet, source.label)
                sheet = book[name]
                sheet.reset_dimensions()  # a declared size is often wrong
                cells = sheet.iter_rows(values_only=True)
                rows = as_rows(cells, options.decimal or ".")
                path = sheet._worksheet_path  # openpyxl has no public name for it
                hidden = hidden_in(stream, path)
                refuse_disorder(stream, path, source.label)
                book.close()
        except InputError:
            raise
        except Exception as error:
            # openpyxl raises whatever its XML leads it to; all of it means damage.
            reason = f"{type(error).__name__}: {error}"[:120]
            raise InputError(
                f"{source.label} is a damaged workbook ({reason})"
            ) from None
    label = f"{source.label}, sheet {shown(name)}"
    if not rows:
        raise InputError(f"{label} is empty")
    rows, hints = shown_rows(rows, hidden, options.hidden, label)
    lines = as_lines(rows)
    settings = replace(options, delimiter=CELL, decimal=options.decimal or ".")
    layout, notes = layout_of(
        lines[:SAMPLE_LINES], settings, label, quotes=False, unit="row"
    )
    notes.insert(0, f"sheet {shown(name)}")
    if others and options.sheet is None:
        notes.append(f"other sheets not read: {', '.join(others)} (--sheet)")
    notes += hints
    blank = rows[-1][0] - rows[0][0] + 1 - len(rows)
    if blank > 0 and not hidden.rows:
        notes.append(f"{counted(blank, 'blank row')} ignored")
    table = read_lines(lines, layout, source.budget, notes)
    table.facts = {"sheet": name, **table.facts}
    return table


def chosen_sheet(
    book: Any, asked: str | int | None, label: str
) -> tuple[str, list[str]]:
    """Return the sheet to read, by its name or number from 1, and what others are.

    Unless it is asked for, a hidden sheet is not read: nobody sees it.
    """
    states = {sheet.title: sheet.sheet_state != "visible" for sheet in book.worksheets}
    if not states:
        raise InputError(f"{label} has no sheet with cells")
    names = list(states)
    visible = [name for name in names if not states[name]]
    text = str(asked)
    if asked is None:
        if not visible:
            raise InputError(
                f"{label} has hidden sheets only, {listed(names, 5)}: name one, --sheet"
            )
        chosen = visible[0]
    elif text in names:
        chosen = text
    elif text.isascii() and text.isdigit() and 1 <= int(text) <= len(names):
        chosen = names[int(text) - 1]
    else:
        raise unknown_name("sheet", text, names)
    others = [
        shown(name) + (" (hidden)" if states[name] else "")
        for name in names
        if name != chosen
    ]
    return chosen, [*others[:5], *(["..."] if len(others) > 5 else [])]


def refuse_bomb(source: Source) -> None:
    """Refuse a workbook that expands too much, or brings its own XML entities."""
    with opened(source) as archive:
        members = archive.infolist()
        size = sum(member.file_size for member in members)
        limit = max(FLOOR, min(EXPANSION * source.size(), source.budget))
        if size > limit:
            raise InputError(
                f"{source.label} expands to {shown_size(size)}, more than "
                f"{shown_size(limit)}; save the sheet as CSV"
            )
        for member in members:
            if not member.filename.endswith((".xml", ".rels")):
                continue
            with archive.open(member) as content:
                start = content.read(4096).replace(b"\0", b"").upper()
            if b"<!DOCTYPE" in start or b"<!ENTITY" in start:
                raise InputError(
                    f"{source.label} defines XML entities, which no workbook does"
                )


def as_rows(rows: Iterable[tuple[Any, ...]], decimal: str) -> list[Row]:
    """Return the rows that hold anything, with their numbers, as cells of text."""
    filled: list[Row] = []
    for number, row in enumerate(rows, 1):
        if number > MOST_ROWS:
            # A cell may claim any row; all before it would be made up, one by one.
            raise ValueError(
                f"a row beyond {MOST_ROWS:,}, the last that a sheet can have"
            )
        cells = [as_text(cell, decimal) for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            filled.append((number, cells))
    return filled


def as_lines(rows: list[Row]) -> list[tuple[int, str]]:
    """Return the rows as numbered lines of equally many cells."""
    width = max((len(cells) for _, cells in rows), default=0)
    return [
        (number, CELL.join([*cells, *[""] * (width - len(cells))]))
        for number, cells in rows
    ]


def as_text(cell: Any, decimal: str) -> str:
    """Return a cell as text that reads back to the same number."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, (int, float)):
        return repr(cell) if decimal == "." else repr(cell).replace(".", decimal)
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(" ")
    return str(cell).replace(CELL, " ")
