"""What the reader makes of a file, without a run."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from stablek.errors import InputError
from stablek.io import reader_of, unheeded
from stablek.io.readers.source import Source, locate
from stablek.io.readers.table import Options, Table, shown
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

#: How many names are shown of a kind.
FEW = 3


@dataclass
class Inspection:
    """What was understood of a file.

    Parameters
    ----------
    source, format, compression
        The file, and what it is.
    layout
        How a table of text or cells is written: encoding, delimiter, decimals, header,
        ids.
    rows, columns
        The size of the table of numbers in the file.
    missing
        How many of the numbers are missing or infinite.
    ids, names
        The first names of rows and columns; empty where they are numbered.
    first, last
        The cells at both ends of the table: row, column and value.
    items, features
        The size of what would be clustered; None if the file is refused.
    notes
        What a run would say of the file, and what it would leave out.
    refused
        Why a run would refuse the file, if it would.
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
        found = asdict(self)
        for end in ("first", "last"):
            cell = found[end]
            if cell is not None and cell[2] - cell[2] != 0:
                found[end] = (*cell[:2], None)
        return found


def inspect(
    source: str | os.PathLike[str], *, memory: int | str | None = None, **options: Any
) -> Inspection:
    r"""Return what :func:`stablek.io.read` understands of a file, and run nothing.

    A file that would be refused is described up to the refusal. The options are
    those of :func:`stablek.io.read`.

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
    found = Inspection(os.fspath(source))
    try:
        with closing(locate(source, budget(memory))) as where:
            found.compression = where.compression
            reader = reader_of(where)
            found.format = FORMATS[reader.__name__]
            table = reader(where, settings)
            table.notes += unheeded(settings, reader.__name__)
            describe(found, table)
            describe_result(found, table, settings, where)
    except InputError as error:
        found.refused = str(error)
    return found


def describe(found: Inspection, table: Table) -> None:
    """Record what the table in the file is like."""
    import numpy as np

    found.layout = dict(table.facts)
    found.rows, found.columns = table.values.shape
    found.missing = int((~np.isfinite(table.values)).sum())
    found.ids, found.names = table.ids[:FEW], table.columns[:FEW]
    found.notes = tuple(table.notes)
    if table.values.size:
        found.first = cell(table, 0, 0)
        found.last = cell(table, found.rows - 1, found.columns - 1)


def describe_result(
    found: Inspection, table: Table, options: Options, source: Source
) -> None:
    """Put down what would be clustered."""
    data = table_to_dataset(table, options, source)
    found.items, found.features = data.n, data.m
    found.notes = data.notes


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
