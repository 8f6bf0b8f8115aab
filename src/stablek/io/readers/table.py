"""What every reader returns, and the options all of them take."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stablek.errors import InputError, unknown_name

if TYPE_CHECKING:
    from stablek.data import Matrix

POLICIES = ("drop-rows", "drop-columns", "mean", "row-mean")
DELIMITERS = {
    "tab": "\t",
    "\\t": "\t",
    "comma": ",",
    "semicolon": ";",
    "space": " ",
    "whitespace": " ",
    "pipe": "|",
}
NAMES = {"\t": "tab", ",": "','", ";": "';'", " ": "white space", "\x1f": "cells"}


@dataclass(frozen=True)
class Options:
    """What the user said about the input; see :func:`stablek.io.read`."""

    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    header: bool | None = None
    id_column: str | int | bool | None = None
    labels: str | None = None
    labels_file: str | os.PathLike[str] | None = None
    drop: tuple[str, ...] = ()
    transpose: bool = False
    missing: str | None = None
    number_ids: bool = False
    layer: str | None = None
    use_rep: str | None = None
    sheet: str | int | None = None
    hidden: str | None = None
    precomputed: bool = False
    similarity: bool = False
    allow_external: bool = False
    keep_constant: bool = False
    fewest: int = 3
    known: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.missing is not None and self.missing not in POLICIES:
            raise unknown_name("missing policy", self.missing, POLICIES)
        if self.delimiter is not None:
            delimiter = DELIMITERS.get(self.delimiter.lower(), self.delimiter)
            if len(delimiter) != 1 or delimiter in '\r\n"':
                raise InputError(
                    f"delimiter {shown(self.delimiter)} is not one character; use tab, "
                    "comma, semicolon or space"
                )
            object.__setattr__(self, "delimiter", delimiter)
        if self.decimal not in (None, ".", ","):
            raise InputError(
                f"decimal {shown(str(self.decimal))} is neither '.' nor ','"
            )
        if self.similarity:
            object.__setattr__(self, "precomputed", True)
        if self.missing is not None and self.precomputed:
            raise InputError(
                "missing values in a distance matrix cannot be filled; drop the items"
            )
        drop = (self.drop,) if isinstance(self.drop, str) else tuple(self.drop)
        object.__setattr__(self, "drop", drop)


@dataclass
class Table:
    """Numbers with names, before missing values are handled.

    ``values`` may still hold NaN and infinity; ``line`` tells where in the file a row
    stands. ``column_classes`` are labels of the columns, where the file has them; they
    count when the table is transposed. ``facts`` tell how a table of text is written.
    """

    values: Matrix
    ids: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    classes: tuple[str, ...] | None = None
    column_classes: tuple[str, ...] | None = None
    notes: list[str] = field(default_factory=list)
    line: Callable[[int], str] | None = None
    facts: dict[str, str] = field(default_factory=dict)

    def row_name(self, row: int) -> str:
        """Return a row's name and place for a message."""
        name = f"row {shown(self.ids[row])}" if self.ids else f"row {row + 1}"
        return name if self.line is None else f"{name} ({self.line(row)})"

    def column_name(self, column: int) -> str:
        """Return a column's name for a message."""
        if not self.columns:
            return f"column {column + 1}"
        return f"column {shown(self.columns[column])}"


def extra(module: str, name: str) -> Any:
    """Return an optional module, or refuse with the command that installs it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise InputError(
            f"this format needs {package}, which is not installed: "
            f"pip install 'stablek[{name}]'"
        ) from None


def shown(text: str, width: int = 60) -> str:
    """Return text from a file in quotes, shortened, without control characters.

    Examples
    --------
    >>> shown("CD33"), shown("a" * 500, 8)
    ("'CD33'", "'aaaaaaa…'")
    """
    if len(text) > width:
        text = text[: width - 1] + "…"
    visible = re.sub(
        r"[\x00-\x1f\x7f-\xa0\xad\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff]",
        lambda found: f"\\x{ord(found[0]):02x}",
        text,
    )
    return f"'{visible}'"


def listed(names: Sequence[str], most: int = 3) -> str:
    """Return the first names, and how many more there are.

    Examples
    --------
    >>> listed(["a", "b", "c", "d", "e"])
    "'a', 'b', 'c' and 2 more"
    """
    text = ", ".join(shown(name) for name in names[:most])
    return text if len(names) <= most else f"{text} and {len(names) - most} more"


def counted(number: int, noun: str) -> str:
    """Return a count with its noun.

    Examples
    --------
    >>> counted(1, "row"), counted(7129, "column")
    ('1 row', '7,129 columns')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
