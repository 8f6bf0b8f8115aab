"""Read one sheet of an Excel workbook (.xlsx), by the rules of a text table."""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from stablek.errors import InputError, unknown_name
from stablek.io.readers.archive import opened
from stablek.io.readers.layout import layout_of
from stablek.io.readers.limits import EXPANSION, FLOOR
from stablek.io.readers.lines import SAMPLE_LINES
from stablek.io.readers.source import Source
from stablek.io.readers.table import Options, Table, extra, listed, shown
from stablek.io.readers.text import read_lines
from stablek.machine.memory import shown_size

CELL = "\x1f"
"""Separates cells: XML forbids it, so no cell holds it."""

MOST_ROWS = 1_048_576
"""The last row that a sheet can have."""


def read_xlsx(source: Source, options: Options) -> Table:
    """Return the table in a sheet; the first, unless one is named.

    A formula counts with the value that was stored with it. Empty cells are missing.
    """
    openpyxl = extra("openpyxl", "tables")
    refuse_bomb(source)
    with source.seekable() as stream:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # styles that openpyxl does not know
                book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
                name = sheet_name(book.sheetnames, options.sheet, source.label)
                sheet = book[name]
                sheet.reset_dimensions()  # a declared size is often wrong
                cells = sheet.iter_rows(values_only=True)
                lines = as_lines(cells, options.decimal or ".")
                book.close()
        except InputError:
            raise
        except Exception as error:
            # openpyxl raises whatever its XML leads it to; all of it means damage.
            reason = f"{type(error).__name__}: {error}"[:120]
            msg = f"{source.label} is a damaged workbook ({reason})"
            raise InputError(msg) from None
        others = [other for other in book.sheetnames if other != name]
    if not lines:
        msg = f"{source.label}: sheet {shown(name)} is empty"
        raise InputError(msg)
    told = replace(options, delimiter=CELL, decimal=options.decimal or ".")
    label = f"{source.label}, sheet {shown(name)}"
    layout, notes = layout_of(
        lines[:SAMPLE_LINES], told, label, quotes=False, unit="row"
    )
    notes.insert(0, f"sheet {shown(name)}")
    if others and options.sheet is None:
        notes.append(f"other sheets not read: {listed(others, 5)} (--sheet)")
    return read_lines(lines, layout, source.budget, notes)


def sheet_name(names: list[str], asked: str | int | None, label: str) -> str:
    """Return the sheet asked for by its name, or by its number from 1."""
    if not names:
        msg = f"{label} has no sheet"
        raise InputError(msg)
    if asked is None:
        return names[0]
    if str(asked) in names:
        return str(asked)
    text = str(asked)
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(names):
        return names[int(text) - 1]
    raise unknown_name("sheet", text, names)


def refuse_bomb(source: Source) -> None:
    """Refuse a workbook that expands too much, or brings its own XML entities."""
    with opened(source) as archive:
        members = archive.infolist()
        size = sum(member.file_size for member in members)
        limit = max(FLOOR, min(EXPANSION * source.size(), source.budget))
        if size > limit:
            msg = (
                f"{source.label} expands to {shown_size(size)}, more than "
                f"{shown_size(limit)}; save the sheet as CSV"
            )
            raise InputError(msg)
        for member in members:
            if not member.filename.endswith((".xml", ".rels")):
                continue
            with archive.open(member) as content:
                start = content.read(4096).replace(b"\0", b"").upper()
            if b"<!DOCTYPE" in start or b"<!ENTITY" in start:
                msg = f"{source.label} defines XML entities, which no workbook does"
                raise InputError(msg)


def as_lines(rows: Iterable[tuple[Any, ...]], decimal: str) -> list[tuple[int, str]]:
    """Return the rows as numbered lines of equally many cells."""
    found: list[tuple[int, list[str]]] = []
    for number, row in enumerate(rows, 1):
        if number > MOST_ROWS:
            # A cell may claim any row; all before it would be made up, one by one.
            msg = f"a row beyond {MOST_ROWS:,}, the last that a sheet can have"
            raise ValueError(msg)
        cells = [as_text(cell, decimal) for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            found.append((number, cells))
    width = max((len(cells) for _, cells in found), default=0)
    return [
        (number, CELL.join([*cells, *[""] * (width - len(cells))]))
        for number, cells in found
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
