"""Refuse a sheet whose rows and cells do not stand in order.

Where a row or a cell is numbered like one before it, openpyxl drops one of the two
without a word. No spreadsheet writes such a sheet: it is damaged.
"""

import re
import zipfile
from collections.abc import Iterator
from typing import IO, Any

from stablek.errors import InputError

TAG = re.compile(rb"<(?:\w+:)?(row|c)((?:\s[^<>]*)?)>")
PLACE = re.compile(rb"\sr\s*=\s*[\"']([A-Za-z]*)(\d+)[\"']")


def refuse_disorder(stream: Any, path: str, label: str) -> None:
    """Refuse a sheet of which openpyxl would lose rows or cells."""
    with zipfile.ZipFile(stream) as archive, archive.open(path) as sheet:
        row = column = 0
        for tag, attributes in tags(sheet):
            place = PLACE.search(attributes)
            if tag == b"row":
                last, row, column = row, int(place[2]) if place else row + 1, 0
                good = row > last
            else:
                last, column = column, number_of(place[1]) if place else column + 1
                good = column > last and (place is None or int(place[2]) == row)
            if not good:
                what = "a row" if tag == b"row" else "a cell"
                where = b"".join(place.groups()).decode() if place else str(row)
                raise InputError(
                    f"{label} is a damaged workbook: {what} numbered {where} stands "
                    "out of order. Open it in a spreadsheet and save it again"
                )


def tags(stream: IO[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the rows and cells of the XML of a sheet, with their attributes."""
    rest = b""
    while chunk := stream.read(1 << 20):
        text = rest + chunk
        cut = text.rfind(b"<")
        whole, rest = (text[:cut], text[cut:]) if cut >= 0 else (b"", text)
        for match in TAG.finditer(whole):
            yield match[1], match[2]
    for match in TAG.finditer(rest):
        yield match[1], match[2]


def number_of(letters: bytes) -> int:
    """Return the number of a column that a spreadsheet names by letters.

    Examples
    --------
    >>> number_of(b"A"), number_of(b"AA"), number_of(b"AAA")
    (1, 27, 703)
    """
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - ord("A") + 1
    return number
