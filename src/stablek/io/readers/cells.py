"""Name the first cells of a table that are not numbers, and what to do about them."""

from collections.abc import Iterable
from typing import NoReturn

from stablek.errors import InputError, TextColumnError
from stablek.io.readers.detect import (
    DECIMAL_COMMA,
    EUROPEAN,
    NUMBER,
    THOUSANDS,
    THOUSANDS_POINT,
    is_missing,
    is_number,
    sure_mark,
)
from stablek.io.readers.layout import Layout
from stablek.io.readers.split import Record, fields_of
from stablek.io.readers.table import NAMES, listed, shown

MOST = 10

#: Minus signs of typesetters, and blanks that do not show.
LOOK_ALIKE = dict.fromkeys(map(ord, "\u2212\u2013\ufe63\uff0d"), "-") | dict.fromkeys(
    map(ord, " \u00a0\u00ad\u200b\u200c\u200d\u2009\u202f\u2060\ufeff")
)

Cell = tuple[int, int, str]  # line, field, text


def refuse_bad_cells(rows: Iterable[tuple[int, Record]], layout: Layout) -> NoReturn:
    """Raise the error that names the first cells that are not numbers."""
    rows = iter(rows)
    bad: list[Cell] = []
    numeric: set[int] = set()
    marks: set[str] = set()
    apart = {layout.label_row, *layout.dropped_rows}
    for number, record in rows:
        fields = fields_of(record, layout.delimiter)
        if layout.id_field is not None and fields[layout.id_field].strip() in apart:
            continue
        before = len(bad)
        for j in layout.kept:
            marks.add(sure_mark(fields[j]))
            if is_good(fields[j], layout.decimal):
                numeric.add(j)
            elif not is_missing(fields[j]):
                bad.append((number, j, fields[j].strip()))
        if len(bad) - before == len(layout.kept) > 1 and numeric:
            raise text_row(fields, number, layout)
        if len(bad) >= MOST:
            break
    if not bad:
        # Nothing here is known to lead here; say so rather than go on.
        raise InputError(f"{layout.label} cannot be read as a table of numbers")
    if len(layout.names) > 2 and layout.names[0] and not any(layout.names[1:]):
        raise InputError(
            f"{layout.label}: the first {layout.unit} names one column of "
            f"{layout.width}, {shown(layout.names[0])}: a title? Remove the "
            "lines above the names of the columns"
        )
    if THOUSANDS.fullmatch(bad[0][2]):  # the rest may tell what the comma is
        for _, record in rows:
            fields = fields_of(record, layout.delimiter)
            marks.update(sure_mark(fields[j]) for j in layout.kept)
    marks.discard("")
    raise error_on(bad[:MOST], layout, numeric, marks.pop() if len(marks) == 1 else "")


def text_row(fields: list[str], number: int, layout: Layout) -> InputError:
    """Return the error for a row in which every cell is text."""
    name = "" if layout.id_field is None else fields[layout.id_field].strip()
    text = fields[layout.kept[0]].strip()
    if not name:
        remedy = "Leave it out of the file"
    else:
        remedy = f"If it labels the columns: --transpose --labels {name}"
    return InputError(
        f"{layout.label}: {layout.unit} {number} ({shown(name)}) is text throughout, "
        f"such as {shown(text)}. {remedy}"
    )


def is_good(text: str, decimal: str) -> bool:
    """Tell whether a field is a number under the decimal mark in force."""
    if decimal == ",":
        return "." not in text and is_number(text.replace(",", "."))
    return is_number(text)


def error_on(
    bad: list[Cell], layout: Layout, numeric: set[int], mark: str
) -> InputError:
    """Return the error for these cells, with the remedy that fits the first.

    ``mark`` is the decimal mark that the other cells prove, if they do.
    """
    columns = list(dict.fromkeys(j for _, j, _ in bad))
    names = [layout.field_name(j) for j in columns]
    line, field, text = bad[0]
    typo = field in numeric
    where = f"{shown(text)} at {layout.unit} {line}"
    column = f"column {shown(layout.field_name(field))}"
    if not numeric and set(columns) == set(layout.kept):
        delimiter = NAMES.get(layout.delimiter, f"'{layout.delimiter}'") or "none"
        hint = f"delimiter {delimiter}; another one? --delimiter"
        if layout.unit == "row":
            hint = "another sheet? --sheet"
        marks = points_remedy(text, layout.decimal) or comma_remedy(text, mark)
        return InputError(
            f"{layout.label} has no numeric column: {column} holds {where} "
            f"({hint}). {marks}".rstrip(". ")
        )
    further = bad[1:]
    if not typo:  # a column of text is one finding, however long it is
        first = {j: cell for cell in reversed(bad) for j in [cell[1]]}
        further = [first[j] for j in columns if j != field]
    rest = "; also " + also(further, layout) if further else ""
    return TextColumnError(
        f"{layout.label}: {column} is not numeric: {where}. "
        f"{remedy(text, names, layout, mark, typo=typo)}{rest}",
        tuple(names),
    )


def also(bad: list[Cell], layout: Layout) -> str:
    """Return the further cells in words."""
    parts = [
        f"{shown(text, 24)} ({layout.unit} {line}, column "
        f"{shown(layout.field_name(field), 24)})"
        for line, field, text in bad
    ]
    return ", ".join(parts)


def points_remedy(text: str, decimal: str) -> str:
    """Return what to do about points that surely separate thousands, or nothing.

    Examples
    --------
    >>> points_remedy("1.234,5", ","), points_remedy("1.234", ",")
    ('Its points separate thousands: remove them', '')
    """
    if not EUROPEAN.fullmatch(text):
        return ""
    use = "" if decimal == "," or "," not in text else ", and use --decimal ,"
    return f"Its points separate thousands: remove them{use}"


def comma_remedy(text: str, mark: str) -> str:
    """Return what to do about a number with commas; nothing for any other text.

    Examples
    --------
    >>> comma_remedy("11,023", ","), comma_remedy("11,023", ".")
    ('It looks like decimal commas: --decimal ,', 'Remove the thousands separators')
    """
    decimal = DECIMAL_COMMA.fullmatch(text)
    if THOUSANDS.fullmatch(text) and not (decimal and mark == ","):
        if decimal and not mark:
            return "A thousands separator? Remove it. A decimal comma? --decimal ,"
        return "Remove the thousands separators"
    return "It looks like decimal commas: --decimal ," if decimal else ""


def remedy(
    text: str, names: list[str], layout: Layout, mark: str, *, typo: bool
) -> str:
    """Return what to do about a field that is not a number."""
    if text.lower() in ("true", "false", "yes", "no", "t", "f"):
        return f"Write 1 and 0, or leave the column out: {options(names)}"
    if european := points_remedy(text, layout.decimal):
        return european
    if layout.decimal == "," and "." in text:
        if THOUSANDS_POINT.fullmatch(text):
            return (
                "The file has decimal commas. Does the point separate thousands? "
                "Remove it. Is it a decimal point? Write a comma"
            )
        return "The file has decimal commas: write one decimal mark throughout"
    if commas := comma_remedy(text, mark):
        return commas
    if NUMBER.match(text) and text[-1:] == "%":
        return "Remove the percent signs"
    if is_number(text.translate(LOOK_ALIKE)):
        return (
            "It holds a character that only looks like a minus, or a blank that hardly "
            "shows: type it again"
        )
    if typo:
        return f"Correct it, or leave the column out: {options(names)}"
    return text_remedy(names)


def text_remedy(names: list[str]) -> str:
    """Return what to do about columns of text.

    Examples
    --------
    >>> text_remedy(["sex"])
    'Annotation column? --drop sex; class labels? --labels sex'
    """
    first = quoted(names[0])
    if len(names) == 1:
        return f"Annotation column? --drop {first}; class labels? --labels {first}"
    return (
        f"Annotation columns? {options(names)} (and --annotations FILE to compare the "
        f"clusters with them); class labels? --labels {first} instead of --drop {first}"
        f" (text in {listed(names, 5)})"
    )


def options(names: list[str]) -> str:
    """Return the options that drop these columns."""
    return " ".join(f"--drop {quoted(name)}" for name in names)


def quoted(name: str) -> str:
    """Return a column's name as it is typed after an option."""
    return name if name.isprintable() and " " not in name else f"'{name}'"
