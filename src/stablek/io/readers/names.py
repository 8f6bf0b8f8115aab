"""The names of the items: unique, and not changed by a spreadsheet."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from stablek.errors import InputError
from stablek.io.readers.table import Table, counted, listed, shown

MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|m[aä]r|mai|okt|dez)"
DATE = re.compile(
    rf"\d{{1,2}}-{MONTH}(?:-\d+)?|{MONTH}-\d{{1,2}}"
    r"|\d{4}-\d\d-\d\d(?: 00:00:00)?|\d\.\d+e\+\d\d",
    re.IGNORECASE,
)

#: What people call the row below a table.
SUMMARY = {
    "total", "totals", "grand total", "subtotal", "sum", "mean", "average", "summe",
    "mittelwert", "somme", "moyenne", "totale", "media",
}  # fmt: skip


def looks_like_date(name: str) -> bool:
    """Tell whether a name looks like a gene that a spreadsheet made a date or number.

    SEPT1 becomes 1-Sep, 2310009E13 becomes 2.31E+13 (Zeeberg et al. 2004, BMC
    Bioinformatics 5:80).

    Examples
    --------
    >>> [looks_like_date(n) for n in ("1-Sep", "2.31E+13", "SEPT1", "AML_3")]
    [True, True, False, False]
    """
    return bool(DATE.fullmatch(name))


def damage_notes(names: Sequence[str], what: str) -> list[str]:
    """Return a warning if names look changed by a spreadsheet."""
    dates = [n for n in names if looks_like_date(n)]
    if not dates:
        return []
    like = "looks like a date" if len(dates) == 1 else "look like dates"
    return [
        f"warning: {counted(len(dates), what)} {like} or number changed by Excel "
        f"({listed(dates)})"
    ]


def summary_notes(ids: Sequence[str]) -> list[str]:
    """Return a warning if the last row looks like a sum or mean of those above it.

    Examples
    --------
    >>> summary_notes(["s1", "s2", "Total"])[0]
    "warning: the last row is called 'Total': if it is not an item, remove it"
    >>> summary_notes(["Total", "s1", "s2"])
    []
    """
    if not ids or ids[-1].strip(" :.").lower() not in SUMMARY:
        return []
    return [
        f"warning: the last row is called {shown(ids[-1])}: if it is not an item, "
        "remove it"
    ]


def unique_ids(table: Table, label: str, *, number: bool) -> Table:
    """Return the table with unique, non-empty ids.

    Repeated and empty ids are refused, or numbered (``x``, ``x#2``, ``x#3``; an empty
    one is named after its row) where the user allows it.
    """
    if not table.ids:
        return table
    counts = Counter(table.ids)
    again = [n for n, c in counts.items() if c > 1 and n]
    if not again and "" not in counts:
        return table
    if number:
        ids = numbered(table.ids)
        changed = sum(a != b for a, b in zip(ids, table.ids, strict=True))
        notes = [*table.notes, f"{counted(changed, 'id')} numbered to be unique"]
        return replace(table, ids=ids, notes=notes)
    if again:
        rows = [i for i, n in enumerate(table.ids) if n == again[0]][:3]
        place = ""
        if table.line is not None:
            place = f" ({shown(again[0])}: {', '.join(table.line(r) for r in rows)})"
        raise InputError(
            f"{label} has {counted(len(again), 'id')} more than once: "
            f"{listed(again)}{place}; make them unique, or use --number-ids"
        )
    row = table.ids.index("")
    place = table.line(row) if table.line is not None else f"row {row + 1}"
    raise InputError(
        f"{label} has {counted(counts[''], 'empty id')}, the first at {place}; name "
        "it, or use --number-ids"
    )


def numbered(ids: Sequence[str]) -> tuple[str, ...]:
    """Return the ids with a number added to every repetition.

    Examples
    --------
    >>> numbered(["a", "b", "a", "a#2", ""])
    ('a', 'b', 'a#3', 'a#2', 'row 5')
    """
    taken, unique = set(ids), []
    seen: set[str] = set()
    for place, name in enumerate(ids, 1):
        base = name or f"row {place}"
        new, suffix = base, 2
        while new in seen or (new != name and new in taken):
            new = f"{base}#{suffix}"
            suffix += 1
        seen.add(new)
        unique.append(new)
    return tuple(unique)
