"""Points that may separate thousands, in files whose commas are decimal."""

from __future__ import annotations

import re
from collections.abc import Iterable

from stablek.errors import InputError
from stablek.io.readers.layout import Layout
from stablek.io.readers.split import Record, fields_of
from stablek.io.readers.table import shown

#: Up to three digits, a point, three digits: 1.234 may be more than a thousand.
THOUSANDS_POINT = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}", re.ASCII)


def refuse_thousands_points(rows: Iterable[tuple[int, Record]], layout: Layout) -> None:
    """Refuse a table in which every point may separate thousands.

    That concerns tables with semicolons: those who write decimal commas put them
    between columns, and points between thousands. One point that cannot be such
    ("0.5", "12.75") shows that all are decimal.
    """
    first = ""
    for number, record in rows:
        fields = fields_of(record, layout.delimiter)
        for j in layout.kept:
            text = fields[j].strip()
            if "." not in text or not text.strip(".?"):
                continue
            if not THOUSANDS_POINT.fullmatch(text):
                return
            first = first or (
                f"{shown(text)} at {layout.unit} {number}, column "
                f"{shown(layout.field_name(j))}"
            )
    if first:
        msg = (
            f"{layout.label}: is the point in {first}, a decimal point or a thousands "
            "separator? Say --decimal . for the first; for the second remove the "
            "separators"
        )
        raise InputError(msg)
