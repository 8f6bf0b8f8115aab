"""Tell whether the first line of a text table holds names, and of what.

Where two readings are possible the file is refused with both, and with the option that
decides.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from stablek.errors import InputError
from stablek.io.readers.detect import is_like_number, is_missing, is_number
from stablek.io.readers.id_column import ID_NAME
from stablek.io.readers.table import Options, shown

#: A name in quotes and a comma after it: so R begins a row.
QUOTED_NAME = re.compile(r'"(?:[^"]|"")*" *,')

#: A number with decimals.
FRACTION = re.compile(r"\d[.,]\d", re.ASCII)

#: The two halves of a number that a decimal comma would make of it.
#: Another delimiter may stand before and after it.
WHOLE = re.compile(r"(?:.*[\s|;:])?[+-]?\d+\s*", re.ASCII)
DECIMALS = re.compile(r"\s*\d+(?:[eE][+-]?\d+)?(?:[\s|;:].*)?", re.ASCII)


def is_r_header(
    first: Sequence[str],
    body: Sequence[Sequence[str]],
    options: Options,
    where: str,
    *,
    delimiter: str,
    quoted: bool,
) -> bool:
    """Tell whether the header has one field fewer than the rows, as R writes it.

    A decimal comma between comma-separated fields makes two fields of one number, and
    so the same picture. If every row may hold such a number, the file is refused unless
    the first field of a row is quoted, as R writes it, or ``--decimal .`` says
    that no comma is a decimal one.
    """
    if len(first) + 1 != len(body[0]):
        return False
    if delimiter != "," or quoted:
        return True
    if ID_NAME.fullmatch(first[0].strip()):
        return False
    if options.decimal == ".":
        return True
    if is_number(body[0][0]):
        return False
    if not all(map(may_hold_decimal_comma, body)):
        return True
    pair = next(
        f"{a.strip()},{b.strip()}" for a, b in pairwise(body[0]) if splits_number(a, b)
    )
    raise InputError(
        f"{where} has {len(body[0])} fields, the header {len(first)}: is {pair} one "
        "number with a decimal comma, or are they two, after names of rows as R writes "
        "them? If one, put ; between the columns; if two, use --decimal ."
    )


def splits_number(left: str, right: str) -> bool:
    """Tell whether two fields may be a number that a decimal comma has split."""
    return bool(WHOLE.fullmatch(left) and DECIMALS.fullmatch(right))


def may_hold_decimal_comma(row: Sequence[str]) -> bool:
    """Tell whether two neighbouring fields of a row may be one number.

    Examples
    --------
    >>> may_hold_decimal_comma(["p1", "5", "6"])
    True
    >>> may_hold_decimal_comma(["p1", "5.0", "6"])
    False
    """
    return any(splits_number(left, right) for left, right in pairwise(row))


def ends_in_delimiter(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Tell whether every row but the header ends in a delimiter, with nothing after it.

    Under a header of R's a last value may be empty, so there it tells nothing; nor does
    it where the header ends in a delimiter, too.
    """
    if not body or not first[-1].strip():
        return False
    return all(len(row) == len(first) + 1 and not row[-1].strip() for row in body)


def refuse_short_header(
    first: Sequence[str], second: Sequence[str], delimiter: str, where: str
) -> None:
    """Refuse a header that names its id column but is one field short."""
    if len(first) + 1 != len(second) or not ID_NAME.fullmatch(first[0].strip()):
        return
    looks = "are there two values under one name? Then name each"
    if delimiter == "," and any(f.strip().isdigit() for f in second[1:]):
        looks = (
            "decimal commas? Then put ; between the columns, or points in the numbers"
        )
    raise InputError(
        f"{where} has {len(second)} fields, the header {len(first)}, from "
        f"{shown(first[0])} on: {looks}. If the rows begin with names that R wrote, "
        "give them a name in the header, too"
    )


def has_header(first: Sequence[str], body: Sequence[Sequence[str]], label: str) -> bool:
    """Tell whether the first row holds names; refuse where it may be data.

    A row is a header if its first field names an id column, if none of its fields is a
    number, or if it numbers the columns. It is not one for certain if a missing value
    stands above every column of numbers.
    """
    if numbers_columns(first, body):
        return True
    numbers = [f for f in first if is_number(f) or is_like_number(f)]
    missing = [f for f in first if is_missing(f)]
    if numbers and all(f in numbers or f in missing for f in first):
        raise InputError(
            f"the first row of {label} is all numbers: is it data or names? If data, "
            "use --no-header; if names, use --header"
        )
    start = first[0].strip()
    if start and ID_NAME.fullmatch(start) and len(first) > 1:
        return True
    if not numbers:
        refuse_missing_names(first, body, label)
        return True
    if ID_NAME.fullmatch(start) and len(first) > 1:
        return True
    text = next(f for f in first if f not in numbers)
    raise InputError(
        f"the first row of {label} has numbers ({shown(numbers[0])}) and text "
        f"({shown(text)}): if it is data, use --no-header; if it is names, use --header"
    )


def numbers_columns(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Tell whether a row numbers the columns, as pandas does where they have no names.

    It counts 0, 1, 2 ... or 1, 2, 3 ..., and every column below it holds a fraction.

    Examples
    --------
    >>> numbers_columns(["0", "1"], [["0.5", "2"], ["3", "1.5"]])
    True
    >>> numbers_columns(["0", "1"], [["2", "0.5"], ["3", "1.5"]])
    False
    """
    names = [field.strip() for field in first]
    names = names if names[0] else names[1:]  # pandas leaves that of the index empty
    count = len(names)
    counting = [[str(base + i) for i in range(count)] for base in (0, 1)]
    if count < 2 or names not in counting:
        return False
    below = zip(*(row[-count:] for row in body if len(row) == len(first)), strict=False)
    columns = [any(FRACTION.search(field) for field in column) for column in below]
    return len(columns) == count and all(columns)


def refuse_missing_names(
    first: Sequence[str], body: Sequence[Sequence[str]], label: str
) -> None:
    """Refuse a first row that has a missing value above every column of numbers."""
    # An index has no name, and says nothing of the others.
    start = 0 if first[0].strip() else 1
    numeric = [j for j in range(start, len(first)) if is_numeric(j, body)]
    if not numeric or not all(is_missing(first[j]) for j in numeric):
        return
    missing = shown(first[numeric[0]].strip())
    raise InputError(
        f"the first row of {label} has {missing} above every column of numbers: are "
        "these missing values or names? If the row is data, use --no-header; if it is "
        "names, use --header"
    )


def is_numeric(column: int, body: Sequence[Sequence[str]]) -> bool:
    """Tell whether a column holds numbers, and nothing else that is not missing."""
    known = [
        row[column] for row in body if len(row) > column and not is_missing(row[column])
    ]
    return bool(known) and all(is_number(f) or is_like_number(f) for f in known)
