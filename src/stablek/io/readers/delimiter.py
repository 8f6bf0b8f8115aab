"""Tell what separates the fields of a text table."""

import re
from collections import Counter
from collections.abc import Sequence

from stablek.errors import InputError
from stablek.io.readers.detect import is_like_number
from stablek.io.readers.table import NAMES, shown

ORDER = ("\t", ";", ",", " ")

#: What may be a number with a decimal comma.
DECIMAL = re.compile(r"\d,\d", re.ASCII)

#: One number, its thousands set apart by blanks.
SPACED_THOUSANDS = re.compile(r"\s*[+-]?\d{1,3}(?: \d{3})+\s*", re.ASCII)


def delimiter_of(lines: Sequence[str], label: str) -> str:
    r"""Return the delimiter: the one that splits most lines alike.

    Tab, semicolon and comma are compared before white space. The header may have one
    field fewer, as R writes it. A semicolon wins over a comma that splits as evenly,
    for then the commas are decimal, unless one is in the header. An empty string
    means a single column. Where a comma splits every line alike, and so does another
    delimiter, the commas may be decimal ones and the file is refused.

    Examples
    --------
    >>> delimiter_of(["id;a;b", "x;1,5;2,5"], "x"), delimiter_of(["a", "1", "2"], "x")
    (';', '')
    """
    if not lines:
        return ""
    bare = [re.sub(r'"(?:[^"]|"")*"', '""', line) for line in lines]
    counts = {mark: separators(bare, mark) for mark in (*ORDER, "|")}
    best, best_share = "", 0.0
    for mark in ORDER:
        share = share_alike(counts[mark])
        # White space also stands inside names, so it must be clearly better.
        if share > best_share + (0.2 if mark == " " else 0.0):
            best, best_share = mark, share
    if best != "\t" and len(set(counts["\t"][1:])) == 1 and share_alike(counts["\t"]):
        best = "\t"  # no name holds a tab
    if best == "," and all(map(DECIMAL.search, lines[1:])):
        for other in ";|":
            if fits(counts[other]):
                raise two_delimiters(lines, other, label)
    if best == ";" and len(set(counts[","])) == 1 and counts[","][0]:
        names = [f.strip() for f in bare[0].split(";") if "," in f]
        if not all(map(is_like_number, names)):  # no name has a decimal comma
            raise two_delimiters(lines, ";", label)
    if best == " " and all(map(SPACED_THOUSANDS.fullmatch, lines[1:])):
        raise InputError(
            f"{label}: is {shown(lines[-1].strip())} one number with its thousands set "
            "apart, or several? If one, remove the blanks; if several, use --delimiter "
            "space"
        )
    return best


def separators(lines: Sequence[str], mark: str) -> list[int]:
    """Return how often a delimiter separates fields, line by line."""
    if mark == " ":
        return [len(line.split()) - 1 for line in lines]
    return [line.count(mark) for line in lines]


def share_alike(counts: Sequence[int]) -> float:
    """Return the share of lines with the usual number of delimiters."""
    usual = Counter(counts[1:] or counts).most_common(1)[0][0]
    if usual == 0:
        return 0.0
    alike = float(sum(count == usual for count in counts))
    if len(counts) > 1 and counts[0] == usual - 1:
        alike += 0.5  # R's header, but one that splits like the rows is better
    return alike / len(counts)


def fits(counts: Sequence[int]) -> bool:
    """Tell whether a delimiter splits all rows alike, and the header with them.

    The header may have one field fewer, as R writes it.
    """
    rows = set(counts[1:])
    if len(rows) != 1 or 0 in rows:
        return False
    return rows.pop() - counts[0] in (0, 1)


def two_delimiters(lines: Sequence[str], other: str, label: str) -> InputError:
    """Return the error for a file that two delimiters split alike."""
    row = shown(lines[-1], 40)
    name = NAMES.get(other, f"'{other}'")
    return InputError(
        f"{label}: commas split every line into the same number of fields, and so does "
        f"{name}, as in {row}: which one separates the columns? Say "
        f"--delimiter comma, or --delimiter '{other}' (and --decimal , "
        "if the commas are decimal)"
    )
