"""Labels from a second file, joined on the id; or a CLS file, joined by place."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from stablek.errors import InputError, unknown_name
from stablek.io.readers.delimiter import delimiter_of
from stablek.io.readers.lines import sample_of, text_lines
from stablek.io.readers.source import Source, locate
from stablek.io.readers.split import fields_of, records
from stablek.io.readers.table import Options, Table, counted, listed, shown

CLASS_NAMES = ("class", "classes", "label", "labels", "group", "cluster", "type")


def with_labels(table: Table, options: Options, budget: int) -> Table:
    """Return the table with the labels of the second file, if one is named."""
    if options.labels_file is None:
        return table
    with closing(locate(options.labels_file, budget)) as source:
        if source.suffix == ".cls":
            from stablek.io.readers.gct import read_cls

            labels, note = read_cls(source)
            return by_place(table, labels, note, source.label)
        rows = label_rows(source, options)
    ids = table.ids or tuple(str(i + 1) for i in range(table.values.shape[0]))
    return joined(table, ids, rows, options, source.label)


def label_rows(source: Source, options: Options) -> list[list[str]]:
    """Return the rows of a small table of text."""
    lines = text_lines(source, options.encoding)
    delimiter = delimiter_of([line for _, line in sample_of(lines)], source.label)
    rows = [
        [f.strip() for f in fields_of(record, delimiter)]
        for _, record in records(lines, delimiter, source.label)
        if not isinstance(record, str) or record.strip()
    ]
    if not rows or len(rows[0]) < 2:
        raise InputError(f"{source.label}: labels need two columns, id and class")
    ragged = next((i for i, row in enumerate(rows) if len(row) != len(rows[0])), None)
    if ragged is not None:
        raise InputError(
            f"{source.label}: row {ragged + 1} has {len(rows[ragged])} fields, the "
            f"first has {len(rows[0])}: is the file complete?"
        )
    return rows


def joined(
    table: Table,
    ids: Sequence[str],
    rows: list[list[str]],
    options: Options,
    label: str,
) -> Table:
    """Return the table with labels found by id; every item needs one."""
    first = rows[0]
    header = first[0] not in set(ids)
    column = label_column(first, options.labels, label) if header else 1
    body = rows[1:] if header else rows
    given: dict[str, str] = {}
    for row in body:
        if row[0] in given and given[row[0]] != row[column]:
            raise InputError(
                f"{label} gives {shown(row[0])} two labels, {shown(given[row[0]])} and "
                f"{shown(row[column])}; keep one"
            )
        given[row[0]] = row[column]
    absent = [name for name in ids if name not in given]
    if absent:
        raise InputError(
            f"{label} has no label for {counted(len(absent), 'item')}: "
            f"{listed(absent)}; are these the ids of the rows (--transpose)?"
        )
    notes = [*table.notes, f"labels joined on the id from {Path(label).name}"]
    extra = len(set(given) - set(ids))
    if extra:
        notes.append(f"{counted(extra, 'label')} of {Path(label).name} without an item")
    return replace(table, classes=tuple(given[name] for name in ids), notes=notes)


def label_column(header: list[str], asked: str | None, label: str) -> int:
    """Return which column of a file of labels holds them."""
    if asked is not None:
        if asked not in header:
            raise unknown_name("label column", asked, header)
        return header.index(asked)
    if len(header) == 2:
        return 1
    likely = [j for j, name in enumerate(header) if name.lower() in CLASS_NAMES]
    if len(likely) == 1:
        return likely[0]
    raise InputError(
        f"{label} has several columns ({listed(header, 6)}); say --labels COLUMN"
    )


def by_place(table: Table, labels: Sequence[str], note: str, label: str) -> Table:
    """Return the table with labels given in the order of its rows."""
    n, m = table.values.shape
    if len(labels) != n:
        hint = (
            "; the columns are that many: use --transpose" if len(labels) == m else ""
        )
        raise InputError(
            f"{label} has {counted(len(labels), 'label')}, the table {n} items{hint}"
        )
    return replace(table, classes=tuple(labels), notes=[*table.notes, note])
