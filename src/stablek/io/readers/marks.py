"""Points and commas that may be decimal marks, or separate thousands.

One number anywhere in the table that can be read in one way only (``5.94``) tells what
the mark is in all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from stablek.errors import InputError
from stablek.io.readers.detect import DECIMAL_COMMA, NUMBER, THOUSANDS_POINT, sure_mark
from stablek.io.readers.layout import Layout
from stablek.io.readers.split import Record, fields_of
from stablek.io.readers.table import shown

if TYPE_CHECKING:
    from stablek.data import Matrix

#: How many lines without a point are read.
ENOUGH = 1000

#: How many values are read together.
BLOCK = 2**18

BELOW_THOUSAND = re.compile(r"[+-]?\d{1,3}", re.ASCII)


def with_decimal(rows: Iterable[tuple[int, Record]], layout: Layout) -> Layout:
    """Return the layout of a table with commas, with the decimal mark of its numbers.

    Refuse the table if none of them tells whether the commas separate thousands.
    """
    first = ""
    for _, record in rows:
        fields = fields_of(record, layout.delimiter)
        for j in layout.kept:
            text = fields[j].strip()
            if mark := sure_mark(text):
                return replace(layout, decimal=mark)
            if not first and DECIMAL_COMMA.fullmatch(text):
                first = text
    raise InputError(
        f"{layout.label}: is {shown(first)} a decimal comma or a thousands separator? "
        "Say --decimal , for the first; for the second remove the separators"
    )


def refuse_thousands_points(
    rows: Iterable[tuple[int, Record]], layout: Layout, values: Matrix
) -> None:
    """Refuse a table in which the points may separate thousands.

    Between semicolons all points may: those who write decimal commas put semicolons
    between columns, and points between thousands; so they may in a single column. With
    other delimiters only a column is doubtful that also has numbers below a thousand
    without a point: three decimals everywhere are nothing strange. A column with a
    larger number without a point is not doubtful.
    """
    if has_sure_point(values):
        return
    doubtful: dict[int, str] = {}
    below: set[int] = set()
    above: set[int] = set()
    without = 0
    for number, record in rows:
        if isinstance(record, str) and "." not in record:
            without += 1
            if without > ENOUGH:
                continue
        fields = fields_of(record, layout.delimiter)
        for j in layout.kept:
            text = fields[j].strip()
            if BELOW_THOUSAND.fullmatch(text):
                below.add(j)
            elif THOUSANDS_POINT.fullmatch(text):
                doubtful.setdefault(
                    j,
                    f"{shown(text)} at {layout.unit} {number}, column "
                    f"{shown(layout.field_name(j))}",
                )
            elif sure_mark(text):
                return
            elif NUMBER.fullmatch(text):
                above.add(j)
    semicolons = layout.delimiter in (";", "")
    left = [j for j in doubtful if j not in above and (semicolons or j in below)]
    if left:
        raise InputError(
            f"{layout.label}: is the point in {doubtful[left[0]]}, a decimal point or "
            "a thousands separator? Say --decimal . for the first; for the second "
            "remove the separators"
        )


def has_sure_point(values: Matrix) -> bool:
    """Tell whether a value, read as if with a decimal point, can have no other.

    Such a value has more than three decimals, or is below 1, or is a broken number
    above 1000. This is fast; what it misses (``12.5``) only the text tells.
    """
    step = max(1, BLOCK // values.shape[1])
    for start in range(0, len(values), step):
        block = values[start : start + step]
        with np.errstate(invalid="ignore", over="ignore"):
            broken = np.isfinite(block) & (block % 1 != 0)
            short = np.abs(block * 1000 - np.round(block * 1000)) < 1e-6
            size = np.abs(block)
        if (broken & ~(short & (size > 1) & (size < 1000))).any():
            return True
    return False
