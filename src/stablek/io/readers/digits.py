"""Warn of integers too long for a double."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from stablek.io.readers.layout import Layout
from stablek.io.readers.split import Record, fields_of
from stablek.io.readers.table import counted, shown

if TYPE_CHECKING:
    from stablek.data import Matrix

INTEGER = re.compile(r"[+-]?\d+", re.ASCII)


def may_lose_digits(values: Matrix) -> bool:
    """Tell whether a value is beyond the integers that a double holds exactly."""
    if values.size == 0:
        return False
    return bool(values.max() >= 2.0**53 or values.min() <= -(2.0**53))


def lost_digits(rows: Iterable[tuple[int, Record]], layout: Layout) -> list[str]:
    """Return the warning on integers in the text that a double cannot hold."""
    count, first = 0, ""
    kept = frozenset(layout.kept)
    for number, record in rows:
        for j, text in enumerate(fields_of(record, layout.delimiter)):
            text = text.strip()
            # Fifteen digits always fit; Python refuses to make ints of thousands.
            if not 15 < len(text) < 400 or not INTEGER.fullmatch(text):
                continue
            if j in kept and int(text) != int(float(text)):
                count += 1
                first = first or (
                    f"{shown(text)} at {layout.unit} {number}, column "
                    f"{shown(layout.field_name(j))}"
                )
    if not count:
        return []
    lose = "loses" if count == 1 else "lose"
    what = counted(count, "integer")
    return [f"warning: {what} beyond 2^53 {lose} digits; first: {first}"]
