"""The result tables of the thesis, as printed: facts to compare with.

The comparison column reads them, and so do the cuts of the similarity tables, which are
made at the printed k. Without the file every other number of ours is the same.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

#: ``table,row,dataset,value``: 61 tables, 3,123 cells.
FILE = Path(__file__).with_name("thesis_tables.csv")

Printed = dict[tuple[str, str, str], str]


def printed() -> Printed:
    """Return the printed cells by (table, row, data set); empty without the file."""
    return _read(FILE)


@cache
def _read(file: Path) -> Printed:
    if not file.is_file():
        return {}
    with file.open(encoding="utf-8", newline="") as text:
        return {
            (row["table"], row["row"], row["dataset"]): row["value"]
            for row in csv.DictReader(text)
        }


def numbers_of_clusters(cell: str | None) -> tuple[int, ...]:
    """Return the ks of a precision cell; none for "-", several for a tie.

    Examples
    --------
    >>> numbers_of_clusters("14 - 17"), numbers_of_clusters("1 or 25")
    ((14, 15, 16, 17), (1, 25))
    >>> numbers_of_clusters("-")
    ()
    """
    if not cell or cell == "-":
        return ()
    if " - " in cell:
        low, high = (int(part) for part in cell.split(" - "))
        return tuple(range(low, high + 1))
    return tuple(int(part) for part in cell.split(" or "))


def real(cell: str | None) -> float | None:
    """Return the number of a timing or similarity cell; None for "-".

    Examples
    --------
    >>> real("7.0 times 10^{2}"), real("9e+06"), real("-")
    (700.0, 9000000.0, None)
    """
    if not cell or cell == "-":
        return None
    power = re.fullmatch(r"([\d.]+) times 10\^\{(\d+)\}", cell)
    if power:
        return float(f"{power[1]}e{power[2]}")
    return float(cell)
