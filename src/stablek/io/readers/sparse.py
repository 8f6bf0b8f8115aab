"""Sparse matrices in an NPZ archive, as ``scipy.sparse.save_npz`` writes them.

SciPy's own loader trusts the indices it finds and may crash on a damaged file. Here
every format becomes a list of rows, columns and values whose bounds are checked.
"""

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError
from stablek.machine.memory import afford

#: The members that every format has, and those of each one.
COMMON = ("data", "format", "shape")
MEMBERS = {
    "csr": ("indices", "indptr"),
    "csc": ("indices", "indptr"),
    "bsr": ("indices", "indptr"),
    "dia": ("offsets",),
    "coo": ("row", "col"),
}

Load = Callable[[str], "NDArray[Any]"]
Entries = tuple["NDArray[Any]", "NDArray[Any]", "NDArray[Any]"]


def is_sparse(members: Collection[str]) -> bool:
    """Tell whether an archive holds a matrix that ``scipy.sparse.save_npz`` wrote."""
    return set(COMMON) <= set(members)


def read_sparse(load: Load, label: str, budget: int) -> tuple[NDArray[Any], str]:
    """Return the whole matrix, and the name of its sparse format.

    Parameters
    ----------
    load
        Returns a member of the archive by its name.
    """
    form = format_of(load("format"), label)
    shape = load("shape")
    if shape.shape != (2,) or shape.dtype.kind not in "iu":
        raise InputError(
            f"{label} is a sparse array that is not a matrix; save two dimensions"
        )
    n, m = (int(size) for size in shape)
    afford(label, (n, m), budget)
    try:
        rows, columns, values = entries_of(form, load, n, m)
        if values.dtype.kind not in "biuf":
            raise InputError(
                f"{label} has type {values.dtype}; real numbers are needed"
            )
        if rows.size and not (
            0 <= rows.min() <= rows.max() < n
            and 0 <= columns.min() <= columns.max() < m
        ):
            raise IndexError
        kept = np.float32 if values.dtype == np.float32 else np.float64
        dense = np.zeros((n, m), dtype=kept)
        np.add.at(dense, (rows, columns), values)  # entries given twice add up
    except (IndexError, KeyError, TypeError, ValueError):
        raise InputError(
            f"{label} is a damaged sparse matrix ({form}): save it again"
        ) from None
    return dense, form


def format_of(array: NDArray[Any], label: str) -> str:
    """Return the name of a sparse format, which old files hold as bytes."""
    name = array.item() if array.size == 1 else ""
    text = name.decode("ascii", "replace") if isinstance(name, bytes) else str(name)
    if text not in MEMBERS:
        raise InputError(
            f"{label} is a sparse matrix of the format {text[:20]!r}, which is not "
            f"read; save it as {', '.join(MEMBERS)}"
        )
    return text


def entries_of(form: str, load: Load, n: int, m: int) -> Entries:
    """Return the rows, columns and values of all entries."""
    data, *where = (load(name) for name in ("data", *MEMBERS[form]))
    if form == "coo":
        return where[0], where[1], data
    if form == "dia":
        # data[d, j] is in column j, offsets[d] to the right of the diagonal.
        columns = np.tile(np.arange(data.shape[1]), len(where[0]))
        rows = columns - np.repeat(where[0], data.shape[1])
        inside = (rows >= 0) & (rows < n) & (columns < m)
        return rows[inside], columns[inside], data.ravel()[inside]
    indices, indptr = where
    counts = np.diff(indptr)
    if indptr[0] != 0 or (counts < 0).any() or indptr[-1] > len(indices):
        raise IndexError
    major = np.repeat(np.arange(len(counts)), counts)
    minor = indices[: indptr[-1]]
    data = data[: indptr[-1]]
    if form == "csr":
        return major, minor, data
    if form == "csc":
        return minor, major, data
    height, width = data.shape[1:]
    block, row, column = np.indices(data.shape)
    return (
        (major[block] * height + row).ravel(),
        (minor[block] * width + column).ravel(),
        data.ravel(),
    )
