"""Read MatrixMarket files (.mtx), dense or sparse.

SciPy's reader is faster, but a damaged file can make it crash the process; here
every line goes through ``numpy.loadtxt``.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError
from stablek.io.readers.lines import TextLines, text_lines
from stablek.io.readers.missing import numeric_labels, without_columns
from stablek.io.readers.source import Source
from stablek.io.readers.table import Options, Table, counted, shown
from stablek.machine.memory import afford


@dataclass(frozen=True)
class Header:
    """The first line and the sizes of a MatrixMarket file."""

    form: str
    field: str
    symmetry: str
    rows: int
    columns: int
    entries: int
    first: int


def read_matrix_market(source: Source, options: Options) -> Table:
    """Return the matrix in a MatrixMarket file; entries not listed are zero.

    A file may list an entry twice; readers disagree on what that means, so it is
    refused.
    """
    lines = text_lines(source, options.encoding)
    header = header_of(lines, source.label)
    afford(source.label, (header.rows, header.columns), source.budget)
    numbers = entries_of(lines, header, source)
    if header.form == "array":
        values = from_array(numbers, header)
    else:
        values = from_coordinates(numbers, header, source.label)
    table = Table(values, notes=[f"MatrixMarket, {header.form}, {header.symmetry}"])
    table = numeric_labels(table, options, source.label)
    return without_columns(table, options.drop, source.label)


def header_of(lines: TextLines, label: str) -> Header:
    """Return what the file declares; refuse what is not a real matrix."""
    words: list[str] = []
    for number, line in lines:
        if number == 1:
            words = line.lower().split()
        elif line.strip() and not line.startswith("%"):
            break
    else:
        raise InputError(f"{label} ends before its sizes: is the file complete?")
    sizes = line.split()
    form, field, symmetry = [*words[2:5], "", "", ""][:3]
    good = (
        words[1:2] == ["matrix"]
        and form in ("coordinate", "array")
        and field in ("real", "double", "integer", "pattern")
        and symmetry in ("general", "symmetric", "skew-symmetric")
        and not (form == "array" and field == "pattern")
    )
    if not good:
        kind = " ".join(words[1:])
        raise InputError(
            f"{label} is a MatrixMarket {shown(kind)}; a real matrix is needed"
        )
    wanted = 3 if form == "coordinate" else 2
    if len(sizes) != wanted or not all(s.isascii() and s.isdigit() for s in sizes):
        raise InputError(
            f"{label}: line {number} must hold {wanted} sizes, not {shown(line)}"
        )
    rows, columns, *rest = (int(s[:18]) for s in sizes)
    entries = rest[0] if rest else dense_entries(rows, columns, symmetry)
    if symmetry != "general" and rows != columns:
        raise InputError(
            f"{label} is called {symmetry} but is {rows} x {columns}: damaged"
        )
    if entries > rows * columns:
        raise InputError(
            f"{label} declares {entries:,} entries for {rows:,} x {columns:,}: damaged"
        )
    return Header(form, field, symmetry, rows, columns, entries, number + 1)


def dense_entries(rows: int, columns: int, symmetry: str) -> int:
    """Return how many values a dense file lists: all, or the lower triangle."""
    if symmetry == "general":
        return rows * columns
    return columns * (columns + (1 if symmetry == "symmetric" else -1)) // 2


def entries_of(lines: TextLines, header: Header, source: Source) -> NDArray[np.float64]:
    """Return the lines after the sizes as numbers, as many as declared."""
    width = 1 if header.form == "array" else 2 + (header.field != "pattern")

    def wanted() -> Iterator[str]:
        count = 0
        for number, line in lines:
            if number < header.first or not line.strip() or line.startswith("%"):
                continue
            count += 1
            if len(line.split()) != width or count > header.entries:
                raise InputError(
                    f"{source.label}: line {number}, {shown(line)}, is not one of "
                    f"{header.entries:,} entries of {counted(width, 'number')}: is the "
                    "file complete?"
                )
            yield line
        if count < header.entries:
            raise InputError(
                f"{source.label} declares {header.entries:,} entries and has "
                f"{count:,}: is the file complete?"
            )

    if header.entries == 0:
        for _ in wanted():  # a line too many is still reported
            pass
        return np.empty((0, width))
    try:
        return np.loadtxt(wanted(), dtype=np.float64, comments=None, ndmin=2)
    except InputError:
        raise
    except ValueError as error:
        reason = str(error).partition(";")[0]
        raise InputError(
            f"{source.label} is not a valid MatrixMarket file ({reason})"
        ) from None


def from_array(numbers: NDArray[np.float64], header: Header) -> NDArray[np.float64]:
    """Return a dense matrix, listed column by column."""
    if header.symmetry == "general":
        return np.ascontiguousarray(
            numbers.reshape(header.columns, header.rows).T.copy()
        )
    below = 0 if header.symmetry == "symmetric" else -1
    columns, rows = np.tril_indices(header.rows, below)[::-1]
    order = np.lexsort((rows, columns))
    values = np.zeros((header.rows, header.columns))
    values[rows[order], columns[order]] = numbers[:, 0]
    sign = 1.0 if header.symmetry == "symmetric" else -1.0
    values[columns[order], rows[order]] = sign * numbers[:, 0]
    return values


def from_coordinates(
    numbers: NDArray[np.float64], header: Header, label: str
) -> NDArray[np.float64]:
    """Return a sparse matrix as a dense one; each place may be listed once."""
    whole = numbers[:, :2]
    limits = np.array([header.rows, header.columns])
    fits = (whole >= 1) & (whole <= limits) & (whole == np.floor(whole))
    if not fits.all():
        bad = whole[~fits.all(axis=1)][0]
        raise InputError(
            f"{label} has an entry at ({bad[0]:g}, {bad[1]:g}), outside of "
            f"{header.rows:,} x {header.columns:,}"
        )
    rows, columns = (whole - 1).astype(np.intp).T
    entries = numbers[:, 2] if header.field != "pattern" else np.ones(len(numbers))
    values = np.zeros((header.rows, header.columns))
    listed = np.zeros(values.shape, dtype=bool)
    listed[rows, columns] = True
    if header.symmetry != "general":
        upper = listed & listed.T & ~np.eye(header.rows, dtype=bool)
        twice = bool(upper.any())
    else:
        twice = False
    if twice or int(listed.sum()) != len(numbers):
        raise InputError(f"{label} lists an entry twice; merge such entries first")
    if header.symmetry == "skew-symmetric" and (rows == columns).any():
        raise InputError(
            f"{label} is called skew-symmetric but lists its diagonal: damaged"
        )
    values[rows, columns] = entries
    if header.symmetry != "general":
        values[columns, rows] = entries * (1 if header.symmetry == "symmetric" else -1)
    return values
