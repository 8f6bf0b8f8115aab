"""Read NPY and NPZ: numbers and names only, never a pickled object."""

from __future__ import annotations

import math
import warnings
import zipfile
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError, unknown_name
from stablek.io.readers.archive import opened
from stablek.io.readers.missing import numeric_labels, without_columns
from stablek.io.readers.source import Source
from stablek.io.readers.sparse import is_sparse, read_sparse
from stablek.io.readers.table import Options, Table, listed, shown
from stablek.machine.memory import afford

if TYPE_CHECKING:
    from stablek.data import Matrix

MATRIX_NAMES = ("X", "values", "data", "matrix", "arr_0")
ID_NAMES = ("ids", "obs_names", "rows", "rownames", "index", "samples")
COLUMN_NAMES = ("columns", "var_names", "features", "colnames", "genes")


def read_npy(source: Source, options: Options) -> Table:
    """Return the matrix in an NPY file."""
    with source.open() as stream:
        values = numbers(read_array(stream, source.label, source.budget), source.label)
    table = Table(values, notes=["NPY", *long_integers(values)])
    table = numeric_labels(table, options, source.label)
    return without_columns(table, options.drop, source.label)


def read_npz(source: Source, options: Options) -> Table:
    """Return the matrix in an NPZ archive, with ids, columns and labels if it has them.

    The matrix is the member that ``layer`` names, or else the only one with two
    dimensions, or one of the usual names.
    """
    with opened(source) as archive:
        return from_members(archive, source, options)


def from_members(archive: zipfile.ZipFile, source: Source, options: Options) -> Table:
    """Return the table made of the members of an archive."""
    members = [name.removesuffix(".npy") for name in archive.namelist()]
    shapes = {name: header_of(archive, name, source.label) for name in members}

    def load(name: str) -> NDArray[Any]:
        where = f"{source.label}, member {shown(name)}"
        with archive.open(f"{name}.npy") as stream:
            return read_array(stream, where, source.budget)

    if options.layer is None and is_sparse(members):
        values, form = read_sparse(load, source.label, source.budget)
        table = Table(values, notes=[f"NPZ, a sparse matrix of SciPy ({form})"])
    else:
        chosen = matrix_member(shapes, options.layer, source.label)
        values = numbers(load(chosen), source.label)
        table = Table(values, notes=[f"NPZ, member {shown(chosen)}"])
        others = [n for n, s in shapes.items() if len(s) == 2 and n != chosen]
        if others and options.layer is None:
            table.notes.append(f"other matrices not read: {listed(others)} (--layer)")
    n, m = values.shape
    table.notes += long_integers(values)
    for name in members:
        if name in ID_NAMES and shapes[name] == (n,):
            table.ids = tuple(texts(load(name)))
        elif name in COLUMN_NAMES and shapes[name] == (m,):
            table.columns = tuple(texts(load(name)))
    if options.labels is not None and options.labels in members:
        labels = tuple(texts(load(options.labels)))
        if options.transpose:
            table.column_classes = labels
        else:
            table.classes = labels
        if len(labels) != (m if options.transpose else n):
            raise InputError(
                f"{source.label}: {len(labels)} labels do not fit {n} x {m} values"
            )
    else:
        table = numeric_labels(table, options, source.label)
    return without_columns(table, options.drop, source.label)


def matrix_member(
    shapes: dict[str, tuple[int, ...]], asked: str | None, label: str
) -> str:
    """Return the member that holds the matrix."""
    if asked is not None:
        if asked not in shapes:
            raise unknown_name("member", asked, shapes)
        return asked
    matrices = [name for name, shape in shapes.items() if len(shape) == 2]
    if len(matrices) == 1:
        return matrices[0]
    usual = [name for name in MATRIX_NAMES if name in matrices]
    if usual:
        return usual[0]
    raise InputError(
        f"{label} has {len(matrices)} matrices among {listed(list(shapes), 8)}; name "
        "one with --layer"
    )


def header_of(archive: zipfile.ZipFile, name: str, label: str) -> tuple[int, ...]:
    """Return the shape that a member declares."""
    with archive.open(f"{name}.npy") as stream:
        return declared(stream, f"{label}, member {shown(name)}")[0]


def declared(stream: IO[bytes], label: str) -> tuple[tuple[int, ...], bool, Any]:
    """Return shape, order and type from an NPY header; refuse anything but numbers."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a header written by Python 2
            version = np.lib.format.read_magic(stream)
            if version == (1, 0):
                shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
            elif version == (2, 0):
                shape, fortran, dtype = np.lib.format.read_array_header_2_0(stream)
            else:
                raise InputError(
                    f"{label} is an NPY file of version {version}; save it again"
                )
    except InputError:
        raise
    except Exception as error:
        # NumPy parses the header as Python text and lets any of its errors through.
        reason = str(error).partition("\n")[0]
        raise InputError(f"{label} has a damaged NPY header ({reason[:80]})") from None
    if dtype.hasobject:
        raise InputError(
            f"{label} holds pickled Python objects, which are never loaded; save an "
            "array of numbers (X.astype(float))"
        )
    return shape, fortran, dtype


def read_array(stream: IO[bytes], label: str, budget: int) -> NDArray[Any]:
    """Return an array, after its declared size was compared with the budget."""
    shape, fortran, dtype = declared(stream, label)
    afford(label, shape, budget, max(8, dtype.itemsize))
    size = math.prod(shape) * dtype.itemsize
    content = stream.read(size)
    if len(content) != size or stream.read(1):
        what = "is cut off" if len(content) != size else "is longer than it declares"
        raise InputError(f"{label} {what}: is the file complete?")
    array: NDArray[Any] = np.frombuffer(content, dtype=dtype)
    return array.reshape(shape, order="F" if fortran else "C")


def kept_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type values are kept in: float32 stays, all else becomes float64."""
    return np.dtype(np.float32 if dtype == np.float32 else np.float64)


def numbers(array: NDArray[Any], label: str) -> Matrix:
    """Return a matrix of float32 or float64; refuse any other shape or type."""
    if array.ndim != 2:
        raise InputError(
            f"{label} has {array.ndim} dimension(s); a table of items x columns is "
            "needed"
        )
    if array.dtype.kind not in "biuf":
        raise InputError(f"{label} has type {array.dtype}; real numbers are needed")
    return np.ascontiguousarray(array, dtype=kept_type(array.dtype))


def texts(array: NDArray[Any]) -> list[str]:
    """Return a vector of names as text."""
    if array.dtype.kind == "S":
        return [bytes(item).decode("utf-8", "replace") for item in array]
    return [str(item) for item in array.tolist()]


def long_integers(values: Matrix) -> list[str]:
    """Return a warning if whole numbers are beyond what a double tells apart."""
    big = np.abs(values) >= 2.0**53
    if not big.any() or not (values[big] == np.floor(values[big])).all():
        return []
    if not np.isfinite(values[big]).all() or np.abs(values[big]).max() > 2.0**64:
        return []
    return ["warning: integers beyond 2^53 may lose digits"]
