"""What the reader makes of a file, without a run."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stablek.errors import InputError, TextColumnError
from stablek.io import reader_of, unheeded
from stablek.io.readers.source import Source, locate
from stablek.io.readers.table import Options, Table, listed, shown
from stablek.io.readers.to_dataset import table_to_dataset
from stablek.machine.memory import budget

if TYPE_CHECKING:
    from stablek.data import Dataset

FORMATS = {
    "read_text": "delimited text",
    "read_gct": "GCT",
    "read_matrix_market": "MatrixMarket",
    "read_npy": "NPY",
    "read_npz": "NPZ",
    "read_parquet": "Parquet",
    "read_xlsx": "Excel",
    "read_h5ad": "H5AD",
}

#: How often a file is read at most, each time without more columns of text.
READS = 20

#: How many names are shown of a kind.
FEW = 3


@dataclass
class Inspection:
    """What was understood of a file.

    ``layout`` says how a table of text or cells is written; ``rows``, ``columns`` and
    ``missing`` count what is in the file, and ``items`` and ``features`` what would be
    clustered. ``ids`` and ``names`` are the first of rows and columns, empty where they
    are numbered; ``first`` and ``last`` the cells at both ends: row, column and value.
    ``notes`` is what a run would say, and ``refused`` why it would refuse the file.
    """

    source: str
    format: str = ""
    compression: str = ""
    layout: dict[str, str] = field(default_factory=dict)
    rows: int | None = None
    columns: int | None = None
    missing: int = 0
    ids: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    first: tuple[str, str, float] | None = None
    last: tuple[str, str, float] | None = None
    items: int | None = None
    features: int | None = None
    notes: tuple[str, ...] = ()
    refused: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return all of it in plain form; a missing value becomes None."""
        plain = asdict(self)
        for end in ("first", "last"):
            cell = plain[end]
            if cell is not None and cell[2] - cell[2] != 0:
                plain[end] = (*cell[:2], None)
        return plain


def inspect(
    source: str | os.PathLike[str], *, memory: int | str | None = None, **options: Any
) -> Inspection:
    r"""Return what :func:`stablek.io.read` understands of a file, and run nothing.

    A file that would be refused is described up to the refusal; where columns of text
    are the reason, also what would be read without them. The options are those of
    :func:`stablek.io.read`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "x.csv"
    >>> _ = file.write_text("id;a;b\np;1,5;2\nq;3,5;4\nr;7;8\n")
    >>> found = inspect(file)
    >>> found.layout["decimal"], found.rows, found.columns, found.first
    (',', 3, 2, ('p', 'a', 1.5))
    """
    settings = Options(**options)
    seen = Inspection(os.fspath(source))
    try:
        with closing(locate(source, budget(memory))) as where:
            seen.compression = where.compression
            describe_read(seen, where, settings)
    except InputError as error:
        seen.refused = str(error)
    return seen


def describe_read(seen: Inspection, where: Source, settings: Options) -> None:
    """Record what is read of a source, without its columns of text if it has some.

    These are a refusal still, which is raised in the end.
    """
    reader = reader_of(where)
    seen.format = FORMATS[reader.__name__]
    refused: TextColumnError | None = None
    left_out: list[str] = []
    for _ in range(READS):
        try:
            table = reader(where, settings)
            break
        except TextColumnError as error:
            refused = refused or error
            left_out += error.columns
            settings = replace(settings, drop=(*settings.drop, *error.columns))
            if settings.transpose:  # then --drop names rows of the file
                raise
        except InputError as error:
            raise refused or error from None
    else:
        assert refused is not None  # else a table was read
        raise refused
    if refused is not None:
        table.notes.insert(0, f"shown without columns of text: {listed(left_out, 5)}")
    table.notes += unheeded(settings, reader.__name__)
    describe(seen, table)
    try:
        data = table_to_dataset(table, settings, where)
    except InputError as error:
        raise refused or error from None
    seen.items, seen.features, seen.notes = data.n, data.m, data.notes
    if refused is not None:
        raise refused


def describe(seen: Inspection, table: Table) -> None:
    """Record what the table in the file is like."""
    seen.layout = dict(table.facts)
    seen.rows, seen.columns = table.values.shape
    seen.missing = int((~np.isfinite(table.values)).sum())
    seen.ids, seen.names = table.ids[:FEW], table.columns[:FEW]
    seen.notes = tuple(table.notes)
    if table.values.size:
        seen.first = cell(table, 0, 0)
        seen.last = cell(table, seen.rows - 1, seen.columns - 1)


def cell(table: Table, row: int, column: int) -> tuple[str, str, float]:
    """Return the names of a cell's row and column, and its value."""
    return (
        table.ids[row] if table.ids else str(row + 1),
        table.columns[column] if table.columns else str(column + 1),
        float(table.values[row, column]),
    )


def first_value(data: Dataset) -> str:
    """Return a sentence on the first value, so that a wrong reading shows at once."""
    row = shown(data.ids[0]) if data.ids else "1"
    column = shown(data.columns[0]) if data.columns else "1"
    return f"first value: row {row}, column {column}: {float(data.values[0, 0])!r}"
