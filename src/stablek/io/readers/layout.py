"""Where the names, the labels and the numbers are in a text table."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from stablek.errors import InputError, unknown_name
from stablek.io.readers import headers
from stablek.io.readers.delimiter import delimiter_of
from stablek.io.readers.detect import decimal_of
from stablek.io.readers.id_column import ID_NAME, first_column_is_id
from stablek.io.readers.split import fields_of, records
from stablek.io.readers.table import NAMES, Options, listed, shown

#: What Excel writes or takes above a table, to tell the delimiter.
SEPARATOR_NOTE = re.compile(r'"?sep=.?"?', re.IGNORECASE)


@dataclass(frozen=True)
class Layout:
    """What was found out about a text table before its numbers are read.

    ``names`` has one for every field, and is empty without a header; ``width`` fields
    make a row, of which those ``kept`` hold numbers. ``first`` is the line of the first
    row of data. The ``decimal`` mark is empty if the first lines do not tell it, and
    ``decimal_given`` if the user, or the format, does. If the table will be transposed,
    ``label_row`` and ``dropped_rows`` are taken out by their ids.
    """

    delimiter: str
    decimal: str
    names: tuple[str, ...]
    width: int
    first: int
    id_field: int | None
    label_field: int | None
    kept: tuple[int, ...]
    label_row: str | None = None
    dropped_rows: frozenset[str] = frozenset()
    quotes: bool = True
    label: str = "the file"
    unit: str = "line"
    decimal_given: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the fields that hold numbers."""
        return tuple(self.names[j] for j in self.kept) if self.names else ()

    @property
    def facts(self) -> dict[str, str]:
        """What was found out, by name: for those who look before they run."""
        ids = "none"
        if self.id_field is not None:
            name = self.names[self.id_field] if self.names else ""
            ids = name or f"column {self.id_field + 1}"
        facts = {
            "delimiter": NAMES.get(self.delimiter, self.delimiter) or "none",
            "decimal": self.decimal,
            "header": "yes" if self.names else "no",
            "id column": ids,
        }
        if self.label_field is not None:
            facts["label column"] = self.field_name(self.label_field)
        return facts

    def field_name(self, position: int) -> str:
        """Return a field's name for messages and remedies."""
        return self.names[position] if self.names else str(position + 1)


def layout_of(
    sample: Sequence[tuple[int, str]],
    options: Options,
    label: str,
    *,
    quotes: bool = True,
    unit: str = "line",
) -> tuple[Layout, list[str]]:
    """Return the layout of a table and the notes on what was detected."""
    if not sample:
        raise InputError(f"{label} has no content, only blank lines")
    lines = [line for _, line in sample]
    if SEPARATOR_NOTE.fullmatch(lines[0].strip()):
        raise InputError(
            f"{label}: {unit} {sample[0][0]}, {shown(lines[0].strip())}, is a note "
            "for Excel, not a row: remove it"
        )
    delimiter = options.delimiter or delimiter_of(lines, label)
    rows = split_sample(sample, delimiter, label, quotes=quotes)
    first, body = rows[0][1], rows[1:]
    if body and len(first) != len(body[0][1]) and first[0].startswith(("#", "!", "%")):
        raise InputError(
            f"{label}: {unit} {rows[0][0]}, {shown(first[0])}, looks like a comment: "
            "remove the lines above the header"
        )
    fields = [row for _, row in body]
    trailing = headers.ends_in_delimiter(first, fields)
    names_ids = ID_NAME.fullmatch(first[0].strip()) is not None
    where = f"{label}: {unit} {body[0][0]}" if body else label
    r_header = bool(body) and not (trailing and names_ids)
    r_header = r_header and headers.is_r_header(
        first,
        fields,
        options,
        where,
        delimiter=delimiter,
        quoted=quotes and headers.QUOTED_NAME.match(lines[1]) is not None,
    )
    header = options.header
    if header is None:
        header = r_header or headers.has_header(first, fields, label)
    if header and not body:
        raise InputError(f"{label} has a header but no rows")
    names = tuple(f.strip() for f in first) if header else ()
    if header and r_header:
        names = ("", *names)
    elif header:
        if trailing:
            names = (*names, "")  # passed over if it stays empty to the end
        else:
            headers.refuse_short_header(first, body[0][1], delimiter, where)
    else:
        body = rows
    width = len(names) or len(first)
    complete = [(number, fields) for number, fields in body if len(fields) == width]
    id_field = id_of(options, names, complete, label, is_r=header and r_header)
    bare = Layout(
        delimiter=delimiter,
        decimal=".",
        names=names,
        width=width,
        # In a single column a blank line is a missing value, the first one, too.
        first=rows[0][0] + 1 if header and width == 1 else body[0][0],
        id_field=id_field,
        label_field=None,
        kept=(),
        quotes=quotes,
        label=label,
        unit=unit,
    )
    return chosen(bare, options, complete)


def split_sample(
    sample: Sequence[tuple[int, str]], delimiter: str, label: str, *, quotes: bool
) -> list[tuple[int, list[str]]]:
    """Return the sample's records as fields; the last may be cut within quotes."""
    rows = []
    try:
        for number, record in records(sample, delimiter, label, quotes=quotes):
            rows.append((number, fields_of(record, delimiter)))
    except InputError:
        # The sample may end inside a quoted field; the whole pass will tell.
        if len(rows) < 2:
            raise
    return rows


def id_of(
    options: Options,
    names: tuple[str, ...],
    body: Sequence[tuple[int, list[str]]],
    label: str,
    *,
    is_r: bool,
) -> int | None:
    """Return the field that names the items, or None."""
    asked = options.id_column
    if asked is False or asked == "none":
        return None
    if asked is not None and asked is not True:
        width = len(names) or (len(body[0][1]) if body else 1)
        return field_named(str(asked), names, width, "id column", label)
    if is_r or asked is True:
        return 0
    if not body or len(body[0][1]) < 2:
        return None
    values = [(number, fields[0]) for number, fields in body]
    name = names[0] if names else None
    if options.labels is not None and name == options.labels:
        return None
    if name is not None and name in options.drop:
        return None
    return 0 if first_column_is_id(name, values, label) else None


def field_named(
    name: str, names: tuple[str, ...], width: int, what: str, label: str
) -> int:
    """Return the position of a field by its name, or by its number from 1."""
    places = [j for j, other in enumerate(names) if other == name]
    if len(places) > 1:
        raise InputError(
            f"{label} has {len(places)} columns named {shown(name)}; rename them"
        )
    if places:
        return places[0]
    if name.isascii() and name.isdigit() and 1 <= int(name) <= width:
        return int(name) - 1
    raise unknown_name(what, name, names[:20] or [f"1..{width}"])


def chosen(
    bare: Layout, options: Options, body: Sequence[tuple[int, list[str]]]
) -> tuple[Layout, list[str]]:
    """Return the layout with labels and dropped columns taken out, and the notes."""
    label_field, label_row = None, None
    if options.labels is not None and options.labels_file is None:
        if options.transpose:
            label_row = options.labels
        else:
            label_field = field_named(
                options.labels, bare.names, bare.width, "label column", bare.label
            )
    out = {bare.id_field, label_field}
    rows: set[str] = set()
    for name in options.drop:
        places = {j for j, other in enumerate(bare.names) if other == name}
        if not places and options.transpose:
            rows.add(name)
            continue
        out |= places or {
            field_named(name, bare.names, bare.width, "column to drop", bare.label)
        }
    kept = tuple(j for j in range(bare.width) if j not in out)
    if not kept:
        raise InputError(
            f"{bare.label} has no numeric column: only "
            f"{listed([bare.field_name(j) for j in range(bare.width)])} "
            f"(delimiter {NAMES.get(bare.delimiter, bare.delimiter) or 'none'}; "
            "another one? --delimiter)"
        )
    decimal = options.decimal or decimal_of(
        [fields[j] for _, fields in body for j in kept], bare.delimiter
    )
    layout = replace(
        bare, decimal=decimal, decimal_given=options.decimal is not None,
        label_field=label_field, kept=kept, label_row=label_row,
        dropped_rows=frozenset(rows),
    )  # fmt: skip
    return layout, notes_on(layout)


def notes_on(layout: Layout) -> list[str]:
    """Return what was detected, in words."""
    delimiter = NAMES.get(layout.delimiter, f"'{layout.delimiter}'")
    parts = [f"delimiter {delimiter}" if layout.delimiter else "one column"]
    if layout.delimiter == "\x1f":
        parts = []
    if layout.decimal == ",":
        parts.append("decimal commas")
    parts.append("header" if layout.names else "no header")
    if layout.id_field is None:
        parts.append("no id column")
    elif layout.names and layout.names[layout.id_field]:
        parts.append(f"ids in column {shown(layout.names[layout.id_field])}")
    else:
        parts.append(f"ids in column {layout.id_field + 1}")
    if layout.label_field is not None:
        parts.append(f"labels in column {shown(layout.field_name(layout.label_field))}")
    if layout.label_row is not None:
        parts.append(f"labels in row {shown(layout.label_row)}")
    return [", ".join(parts)]
