"""Read a table of any supported format into a :class:`~stablek.data.Dataset`.

The reader never guesses where a guess could change numbers: what it cannot tell it
refuses, with the place, the value and the option that settles it. What it did find
out is in the notes of the data set.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from stablek.errors import InputError, TextColumnError, TryAgainError
from stablek.io.readers.source import Source, locate
from stablek.io.readers.table import Options, Table
from stablek.machine.memory import budget

if TYPE_CHECKING:
    from stablek.data import Dataset

__all__ = ["read"]

#: Options that mean something to some formats only, and the readers that heed them.
HEEDED = {
    "delimiter": ("read_text",),
    "decimal": ("read_text", "read_xlsx"),
    "encoding": ("read_text", "read_gct", "read_matrix_market"),
    "header": ("read_text", "read_xlsx"),
    "id_column": ("read_text", "read_xlsx", "read_parquet"),
    "layer": ("read_h5ad", "read_npz"),
    "use_rep": ("read_h5ad",),
    "sheet": ("read_xlsx",),
    "hidden": ("read_xlsx",),
    "allow_external": ("read_h5ad",),
}


def read(
    source: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    id_column: str | int | bool | None = None,
    labels: str | None = None,
    labels_file: str | os.PathLike[str] | None = None,
    drop: tuple[str, ...] | list[str] = (),
    transpose: bool = False,
    missing: str | None = None,
    number_ids: bool = False,
    memory: int | str | None = None,
    layer: str | None = None,
    use_rep: str | None = None,
    sheet: str | int | None = None,
    hidden: str | None = None,
    precomputed: bool = False,
    similarity: bool = False,
    allow_external: bool = False,
    keep_constant: bool = False,
    fewest: int = 3,
    known: Sequence[str] = (),
) -> Dataset:
    """Return the data set in a file, or on standard input where ``source`` is "-".

    Rows are items unless ``transpose`` is given; the notes say what was detected and
    what was done. Anything ambiguous is refused (:class:`~stablek.errors.InputError`);
    the message says where it is and what to do. It names options of the command line:
    ``--missing mean`` is ``missing="mean"`` here.

    Parameters
    ----------
    source
        CSV, TSV or other delimited text (also .gz, .xz, .bz2), GCT, NPY, NPZ,
        MatrixMarket, Parquet, XLSX or H5AD; detected from the content, then the name.
    delimiter, decimal, encoding, header
        How the text is written; detected where not given. ``decimal`` is "." or ",".
    id_column
        The column that names the items: its name, or its number from 1; False for
        none.
    labels
        The column with your classes, which is not part of the data. With ``transpose``
        it is a row of the file; with ``labels_file`` a column of that file.
    labels_file
        A table of id and class, joined on the id; or a CLS file.
    drop
        Columns to leave out (with ``transpose``, also rows of the file).
    transpose
        Whether the items are in the columns.
    missing
        What to do with missing values: "drop-rows", "drop-columns", "mean" (of the
        column) or "row-mean"; refused where not given. Rows are items here, after
        transposing.
    number_ids
        Whether repeated ids are numbered instead of refused.
    memory
        The budget, in bytes or like "8G"; half of what is free if not given.
    layer, use_rep, sheet
        Which matrix of an H5AD (or member of an NPZ), and which sheet of an XLSX.
    hidden
        Whether hidden or filtered rows and columns of an XLSX are part of the table:
        "keep" or "drop"; refused where not given and there are any.
    precomputed, similarity
        Whether the values are distances, or similarities to be turned into distances.
    allow_external
        Whether an H5AD file may refer to other files.
    keep_constant
        Whether to keep columns in which all items have the same value. By default they
        are left out, with a note. This changes no Euclidean distance, but it does
        change correlations and angles between rows.
    fewest
        The smallest number of rows. Fewer are refused, because two items cannot form
        groups; new items for known clusters may come one by one.
    known
        The columns that clusters were made from, for new items. Other columns that
        hold text or lack values are left out with a note, instead of refused.
    """
    options = Options(
        delimiter=delimiter, decimal=decimal, encoding=encoding, header=header,
        id_column=id_column, labels=labels, labels_file=labels_file,
        drop=(drop,) if isinstance(drop, str) else tuple(drop), transpose=transpose,
        missing=missing, number_ids=number_ids, layer=layer, use_rep=use_rep,
        sheet=sheet, hidden=hidden, precomputed=precomputed, similarity=similarity,
        allow_external=allow_external, keep_constant=keep_constant, fewest=fewest,
        known=tuple(known),
    )  # fmt: skip
    from stablek.io.readers.to_dataset import table_to_dataset

    allowed = budget(memory)
    try:
        with closing(locate(source, allowed)) as where:
            reader = reader_of(where)
            table = read_known(reader, where, options)
            table.notes += unheeded(options, reader.__name__)
            return table_to_dataset(table, options, where)
    except MemoryError:
        raise TryAgainError(
            f"not enough memory to read {os.fspath(source)}; close other programs, "
            "give a smaller table, or set --memory"
        ) from None


def read_known(
    reader: Callable[[Source, Options], Table], where: Source, options: Options
) -> Table:
    """Return a table, without the columns of text that are not known.

    Where nothing is known every column of text is refused; so are items of text, where
    the columns are items.
    """
    from stablek.io.readers.missing import left_out_note

    left_out: list[str] = []
    while True:
        try:
            table = reader(where, options)
            break
        except TextColumnError as error:
            unknown = [name for name in error.columns if name not in options.known]
            if options.transpose or not options.known or not unknown:
                raise
            left_out += unknown
            options = replace(options, drop=(*options.drop, *unknown))
    if left_out:
        table.notes.append(left_out_note(left_out, "text"))
    return table


def unheeded(options: Options, reader: str) -> list[str]:
    """Return a note on every option that has no meaning for the format at hand.

    Examples
    --------
    >>> unheeded(Options(sheet="data"), "read_text")
    ['--sheet was not used: it has no meaning for this format']
    """
    return [
        f"--{name.replace('_', '-')} was not used: it has no meaning for this format"
        for name, readers in HEEDED.items()
        if reader not in readers
        and getattr(options, name) not in (None, False)
        # A second file may be written in another encoding.
        and not (name == "encoding" and options.labels_file)
    ]


def reader_of(source: Source) -> Callable[[Source, Options], Table]:
    """Return the reader for a source, by its first bytes, then by its name."""
    head = source.head(4096)
    kind = source.binary_kind(head)
    if kind == "NPY":
        from stablek.io.readers.arrays import read_npy

        return read_npy
    if kind == "Parquet":
        from stablek.io.readers.parquet import read_parquet

        return read_parquet
    if kind == "HDF5":
        from stablek.io.readers.anndata import read_h5ad

        return read_h5ad
    if kind == "ZIP":
        return zip_reader(source)
    if head.startswith((b"#1.2", b"#1.3", b"\xef\xbb\xbf#1.2", b"\xef\xbb\xbf#1.3")):
        from stablek.io.readers.gct import read_gct

        return read_gct
    if head[:14].lower() == b"%%matrixmarket":
        from stablek.io.readers.matrixmarket import read_matrix_market

        return read_matrix_market
    refuse_wrong_name(source, kind)
    from stablek.io.readers.text import read_text

    return read_text


def zip_reader(source: Source) -> Callable[[Source, Options], Table]:
    """Return the reader for an archive: an NPZ or an XLSX, by what it holds."""
    from stablek.io.readers.archive import opened
    from stablek.io.readers.arrays import read_npz
    from stablek.io.readers.excel import read_xlsx

    with opened(source) as archive:
        names = archive.namelist()
    if "xl/workbook.xml" in names:
        return read_xlsx
    if names and all(name.endswith(".npy") for name in names):
        return read_npz
    raise InputError(
        f"{source.label} is a ZIP archive; unpack it and name the table inside"
    )


def refuse_wrong_name(source: Source, kind: str) -> None:
    """Refuse a file whose name promises a format that its content is not."""
    if kind == "Arrow/Feather":
        raise InputError(
            f"{source.label} is a Feather file, which is not read; save it as Parquet"
        )
    if kind == "old Excel (.xls)":
        raise InputError(
            f"{source.label} is an old Excel file; save it as .xlsx or .csv"
        )
    if source.size() == 0:
        raise InputError(f"{source.label} is empty (0 bytes)")
    promised = {
        ".npy": "NPY",
        ".npz": "NPZ",
        ".parquet": "Parquet",
        ".h5ad": "H5AD",
        ".xlsx": "XLSX",
        ".gct": "GCT",
        ".mtx": "MatrixMarket",
    }.get(source.suffix)
    if promised:
        raise InputError(
            f"{source.label} is called {source.suffix} but is not a {promised} file; "
            "rename it if it is a table of text"
        )
