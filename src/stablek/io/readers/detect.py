"""Tell what a text table is like: encoding, delimiter, decimals, header, ids.

Everything here is a pure function of the first bytes or the first lines. Where two
readings are possible the file is refused and both remedies are named; a guess that
could change numbers is never made.
"""

import codecs
import re
from collections.abc import Sequence

from stablek.errors import InputError
from stablek.io.readers.table import shown

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?", re.ASCII)
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", re.ASCII)
#: Up to three digits, a point, three digits: 1.234 may be more than a thousand.
THOUSANDS_POINT = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}", re.ASCII)
#: Points that separate thousands for certain: 1.234,5 or 1.234.567.
EUROPEAN = re.compile(
    r"[+-]?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})", re.ASCII
)
MARK = "[.,'\u2019 \u00a0\u2009\u202f]"
NUMBER_LIKE = re.compile(
    rf"[<>~$€£≤≥\s]*[+-]?(?:\d{{1,3}}(?:{MARK}\d{{3}})+|\d*)[.,]?\d*"
    r"(?:[eE][+-]?\d+)?\s*%?"
)
MISSING = frozenset({"", "na", "n/a", "#n/a", "nan", "null", "none", "?", "."})


def is_number(text: str) -> bool:
    """Tell whether a field is a number, NaN or infinity, as numpy.loadtxt reads it.

    Examples
    --------
    >>> [is_number(t) for t in ("1e-3", " -.5 ", "nan", "1_000", "0x10", "1,5")]
    [True, True, True, False, False, False]
    """
    text = text.strip()
    return bool(NUMBER.fullmatch(text) or NOT_FINITE.fullmatch(text))


def is_missing(text: str) -> bool:
    """Tell whether a field stands for a value that is not there."""
    return text.strip().lower() in MISSING


def encoding_of(head: bytes, label: str) -> str:
    """Return the encoding of a text file from its first bytes.

    UTF-8 is assumed unless a byte order mark, or zeros in every second place, tell of
    UTF-16. Anything else has to be named.
    """
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if head.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    half = max(1, len(head) // 2)
    even, odd = head[0::2].count(0) / half, head[1::2].count(0) / half
    if odd > 0.4 and even < 0.05:
        return "utf-16-le"
    if even > 0.4 and odd < 0.05:
        return "utf-16-be"
    control = sum(head.count(c) for c in range(32) if c not in (0, 9, 10, 12, 13, 27))
    if head.count(0) + control > max(8, 0.02 * len(head)):
        raise InputError(
            f"{label} is a binary file, not a table of text; give CSV, TSV, GCT, NPY, "
            "NPZ, Parquet, XLSX, H5AD or MTX"
        )
    return "utf-8"


def known_encoding(name: str) -> str:
    """Return the codec's own name; refuse one that Python does not know."""
    try:
        codec = codecs.lookup(name).name
        "".encode(codec)
    except (LookupError, ValueError):
        raise InputError(
            f"unknown encoding {shown(name)}; try utf-8, latin-1, cp1252 or utf-16"
        ) from None
    return "utf-8-sig" if codec == "utf-8" else codec


def sure_mark(text: str) -> str:
    """Return the decimal mark of a number that can be read in one way only.

    Nothing if it can be read in two ways, has no mark, or is not a number.

    Examples
    --------
    >>> [sure_mark(t) for t in ("5.94", "0.125", "1,234.5", "11.023", "12", "nan")]
    ['.', '.', '.', '', '', '']
    >>> [sure_mark(t) for t in ("5,94", "0,125", "1234,567", "11,023", "1,234,567")]
    [',', ',', ',', '', '']
    """
    text = text.strip()
    if "," in text:
        if THOUSANDS.fullmatch(text):
            return "." if "." in text else ""
        return "," if DECIMAL_COMMA.fullmatch(text) else ""
    if "." in text and NUMBER.fullmatch(text) and not THOUSANDS_POINT.fullmatch(text):
        return "."
    return ""


def decimal_of(fields: Sequence[str], delimiter: str) -> str:
    """Return the decimal mark of a table's fields, commas only after a semicolon.

    Nothing if commas may as well separate thousands, as far as these fields tell.

    Examples
    --------
    >>> [decimal_of(("11,023", t), ";") for t in ("5,94", "5.94", "5")]
    [',', '.', '']
    """
    if delimiter != ";" or not any(DECIMAL_COMMA.fullmatch(f.strip()) for f in fields):
        return "."
    marks = set(map(sure_mark, fields))
    return "," if "," in marks else "." if "." in marks else ""


def is_like_number(text: str) -> bool:
    """Tell whether a field is a number written in a manner that is not read.

    Examples
    --------
    >>> [is_like_number(t) for t in ("1,5", "1'236", "12 %", "< 0.1", "-", "s1")]
    [True, True, True, True, False, False]
    """
    plain = text.strip()
    return any(c.isdigit() for c in plain) and bool(NUMBER_LIKE.fullmatch(plain))
