"""Split lines of text into fields, quotes included."""

import re
from collections.abc import Iterable, Iterator

from stablek.errors import InputError

MOST_LINES_IN_QUOTES = 100

Record = str | list[str]

BLANK_FIELD = re.compile(r'[ \t]*(?:("(?:[^"]|"")*")(?=[ \t]|$)|([^ \t"][^ \t]*))')


def fields_of(record: Record, delimiter: str) -> list[str]:
    """Return the fields of a record that holds no quotes, or is split already."""
    if not isinstance(record, str):
        return record
    if not delimiter:
        return [record]
    if delimiter == " ":
        return spaced(record)
    return record.split(delimiter)


def spaced(line: str) -> list[str]:
    """Return the fields between runs of blanks and tabs."""
    return [f for f in line.replace("\t", " ").split(" ") if f]


def split_quoted(line: str, delimiter: str) -> list[str] | None:
    """Return the fields of a line with quotes, or None if a quote is left open.

    Quotes count only at the start of a field; a quote inside is written twice.

    Examples
    --------
    >>> split_quoted('"a, b",1,"say ""x"" twice"', ",")
    ['a, b', '1', 'say "x" twice']
    """
    if delimiter == " ":
        return split_quoted_blanks(line)
    fields: list[str] = []
    held = ""
    for piece in line.split(delimiter) if delimiter else [line]:
        field = f"{held}{delimiter}{piece}" if held else piece
        if field.lstrip(" ").startswith('"') and field.count('"') % 2:
            held = field
            continue
        fields.append(unquoted(field))
        held = ""
    return None if held else fields


def split_quoted_blanks(line: str) -> list[str] | None:
    """Return the fields of a line with quotes, separated by runs of blanks."""
    fields: list[str] = []
    line = line.rstrip(" \t")
    position = 0
    while position < len(line):
        match = BLANK_FIELD.match(line, position)
        if match is None:
            return None
        fields.append(unquoted(match[1] or match[2]))
        position = match.end()
    return fields


def unquoted(field: str) -> str:
    """Return a field without its quotes."""
    bare = field.strip(" ")
    if len(bare) > 1 and bare[0] == bare[-1] == '"':
        return bare[1:-1].replace('""', '"')
    return field


def records(
    lines: Iterable[tuple[int, str]], delimiter: str, label: str, *, quotes: bool = True
) -> Iterator[tuple[int, Record]]:
    """Yield each record with the number of its first line.

    A record without quotes stays a string, since counting its delimiters is enough;
    one with quotes is split, over several lines if a quoted field holds line ends.
    """
    stream = iter(lines)
    for number, line in stream:
        if not quotes or '"' not in line:
            yield number, line
            continue
        split = split_quoted(line, delimiter)
        extra = 0
        while split is None:
            following = next(stream, None)
            extra += 1
            if following is None or extra > MOST_LINES_IN_QUOTES:
                raise InputError(
                    f"{label}: a quote opened in line {number} is not closed: "
                    "is the file complete?"
                )
            line = f"{line}\n{following[1]}"
            split = split_quoted(line, delimiter)
        yield number, split
