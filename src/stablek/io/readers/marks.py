"""Points that may separate thousands, as they do where commas are decimal."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from stablek.errors import InputError
from stablek.io.readers.detect import is_number
from stablek.io.readers.layout import Layout
from stablek.io.readers.split import Record, fields_of
from stablek.io.readers.table import shown

if TYPE_CHECKING:
    from stablek.data import Matrix

#: Up to three digits, a point, three digits: 1.234 may be more than a thousand.
THOUSANDS_POINT = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}", re.ASCII)
#: How many lines without a point are read.
ENOUGH = 1000

#: How many values are read together.
BLOCK = 2**18

BELOW_THOUSAND = re.compile(r"[+-]?\d{1,3}", re.ASCII)


def refuse_thousands_points(
    rows: Iterable[tuple[int, Record]], layout: Layout, values: Matrix
) -> None:
    """Refuse a table in which the points may separate thousands.

    Between semicolons all points may: those who write decimal commas put semicolons
    between columns, and points between thousands; so they may in a single column. One
    point that cannot be such ("0.5", "12.75") shows that all are decimal. With other
    delimiters only a column is
    doubtful that has no other points and numbers below a thousand without any: three
    decimals everywhere are nothing strange.
    """
    semicolons = layout.delimiter in (";", "")
    candidates = in_doubt(values, all_or_none=semicolons)
    doubtful: dict[int, str] = {}
    whole: set[int] = set()
    without = 0
    for number, record in rows if candidates else ():
        if isinstance(record, str) and "." not in record:
            without += 1
            if without > ENOUGH:
                continue
        fields = fields_of(record, layout.delimiter)
        for place in tuple(candidates):
            j = layout.kept[place]
            text = fields[j].strip()
            if BELOW_THOUSAND.fullmatch(text):
                whole.add(j)
            elif THOUSANDS_POINT.fullmatch(text):
                doubtful.setdefault(
                    j,
                    f"{shown(text)} at {layout.unit} {number}, column "
                    f"{shown(layout.field_name(j))}",
                )
            elif is_number(text):
                candidates.discard(place)
                doubtful.pop(j, None)
                if semicolons and "." in text:
                    return
    left = [j for j in doubtful if semicolons or j in whole]
    if left:
        msg = (
            f"{layout.label}: is the point in {doubtful[left[0]]}, a decimal point or "
            "a thousands separator? Say --decimal . for the first; for the second "
            "remove the separators"
        )
        raise InputError(msg)


def in_doubt(values: Matrix, *, all_or_none: bool) -> set[int]:
    """Return the columns whose values may be thousands, read as if with a point.

    Such a value is between 1 and 1000 and has at most three decimals. With
    ``all_or_none`` a value that is not such clears all columns. Columns of whole
    numbers count only if there are no others.
    """
    import numpy as np

    width = values.shape[1]
    clear, fraction = np.zeros(width, dtype=bool), np.zeros(width, dtype=bool)
    step = max(1, BLOCK // width)
    for start in range(0, len(values), step):
        block = values[start : start + step]
        with np.errstate(invalid="ignore", over="ignore"):
            broken = np.isfinite(block) & (block % 1 != 0)
            short = np.abs(block * 1000 - np.round(block * 1000)) < 1e-6
            size = np.abs(block)
        fraction |= broken.any(axis=0)
        clear |= (broken & ~(short & (size > 1) & (size < 1000))).any(axis=0)
    if all_or_none and clear.any():
        return set()
    found = ~clear & (fraction | (not fraction.any()))
    return set(np.flatnonzero(found).tolist())
