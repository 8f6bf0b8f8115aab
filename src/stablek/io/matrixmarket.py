"""Read MatrixMarket files (.mtx), dense or sparse."""

from __future__ import annotations

from typing import Any

from stablek.errors import InputError
from stablek.io.arrays import numbers
from stablek.io.limits import afford
from stablek.io.missing import numeric_labels, without_columns
from stablek.io.source import Source
from stablek.io.table import Options, Table


def read_matrix_market(source: Source, options: Options) -> Table:
    """Return the matrix in a MatrixMarket file; entries not listed are zero.

    A file may list an entry twice; readers disagree on what that means, so it is
    refused.
    """
    import numpy as np
    from scipy import io as scipy_io

    try:
        with source.open() as stream:
            rows, columns, entries, form, kind, _ = scipy_io.mminfo(stream)
        if kind == "complex":
            msg = f"{source.label} holds complex numbers; real ones are needed"
            raise InputError(msg)
        afford(source.label, (rows, columns), source.budget)
        if entries > rows * columns:
            msg = (
                f"{source.label} declares {entries:,} entries for {rows:,} x "
                f"{columns:,} places: the file is damaged"
            )
            raise InputError(msg)
        with source.open() as stream:
            found: Any = scipy_io.mmread(stream, spmatrix=False)
    except InputError:
        raise
    except (ValueError, OverflowError, OSError, TypeError) as error:
        msg = f"{source.label} is no proper MatrixMarket file ({error})"
        raise InputError(msg) from None
    if not isinstance(found, np.ndarray):
        places = found.row.astype(np.int64) * columns + found.col
        if np.unique(places).size != places.size:
            msg = f"{source.label} lists an entry twice; merge such entries first"
            raise InputError(msg)
        found = found.toarray()
    values = numbers(np.asarray(found), source.label)
    table = Table(values, notes=[f"MatrixMarket, {form}"])
    table = numeric_labels(table, options, source.label)
    return without_columns(table, options.drop, source.label)
