"""Annotations from a second file, joined on the id."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from stablek.errors import InputError
from stablek.io.readers.labels import label_rows
from stablek.io.readers.source import locate
from stablek.io.readers.table import Options, counted, listed
from stablek.machine.memory import budget

if TYPE_CHECKING:
    from stablek.data import Dataset
    from stablek.data.annotations import Annotation


def with_annotations(
    data: Dataset, source: str | os.PathLike[str], *, encoding: str | None = None
) -> Dataset:
    """Return the data with the columns of a table of annotations.

    The first column holds ids, unless another one matches the ids of the data better.
    Items that the table lacks have no annotation, and rows of the table without an item
    are left out; both are named in the notes.
    """
    from stablek.data.annotations import without_clustered

    with closing(locate(source, budget())) as file:
        rows = label_rows(file, Options(encoding=encoding))
        label = file.label
    read, notes = joined(data.item_ids(), rows, Path(label).name)
    columns = read
    if not data.precomputed:
        columns = without_clustered(read, data.column_names(), data.values)
    if again := len(read) - len(columns):
        notes[0] += f"; {again} of them left out, because they are columns of the data"
    return replace(
        data,
        annotations=(*data.annotations, *columns),
        notes=(*data.notes, *notes),
        _distances={},
    )


def joined(
    ids: Sequence[str], rows: list[list[str]], label: str
) -> tuple[tuple[Annotation, ...], list[str]]:
    """Return the columns in the order of the ids, and notes."""
    from stablek.data.annotations import annotation

    header, body = rows[0], rows[1:]
    repeated = [name for name in header if name and header.count(name) > 1]
    if repeated:
        raise InputError(
            f"{label} has several columns called {repeated[0]!r}; give every column a "
            "different name"
        )
    wanted = set(ids)
    matches = [len(wanted.intersection(column)) for column in zip(*body, strict=True)]
    if not body or max(matches) == 0:
        theirs = listed([row[0] for row in body], 3) if body else "none"
        raise InputError(
            f"{label}: no id of the annotations is an id of the data; they are "
            f"{theirs}, those of the data {listed(list(ids), 3)}. Give the ids in the "
            "first column, under a header"
        )
    at = matches.index(max(matches))
    place: dict[str, int] = {}
    for number, row in enumerate(body):
        if row[at] in place and body[place[row[at]]] != row:
            raise InputError(
                f"{label} has two different rows for {row[at]!r}; keep one row per item"
            )
        place[row[at]] = number
    taken = [place.get(name) for name in ids]
    columns = tuple(
        annotation(
            name or f"column {j + 1}",
            [None if i is None else body[i][j] for i in taken],
        )
        for j, name in enumerate(header)
        if j != at
    )
    notes = [f"{counted(len(columns), 'annotation')} joined on the id from {label}"]
    absent = [name for name, i in zip(ids, taken, strict=True) if i is None]
    if absent:
        notes.append(
            f"{counted(len(absent), 'item')} without annotations: {listed(absent)}"
        )
    extra = [name for name in place if name not in wanted]
    if extra:
        notes.append(
            f"{counted(len(extra), 'row')} of {label} without an item: {listed(extra)}"
        )
    return columns, notes
