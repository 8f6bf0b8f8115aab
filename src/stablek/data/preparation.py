"""Prepare the values before a run: each step explicit, each recorded in the notes.

Nothing here is applied unless it is asked for, except that readers and
measures leave out constant columns. Steps are named as the command line names them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Matrix
from stablek.data.reduction import nmf, pca
from stablek.data.replay import recorded
from stablek.errors import InputError, unknown_name

BLOCK = 500_000  # values that are worked on at a time


#: Writes prepared values into an array, which may be the values themselves, and returns
#: what was done.
Writer = Callable[[Matrix, NDArray[np.float64]], str]


def standardise_rows(data: Dataset) -> Dataset:
    """Return the data with mean 0 and standard deviation 1 in every row.

    The thesis does so with time courses (section 4.2); the deviation is the sample's,
    with n - 1. Euclidean distances of such rows grow with one minus their correlation.
    A row whose values are all equal becomes zeros, and is counted in the note.
    """
    return _written(data, "standardise-rows")


def standardise_columns(data: Dataset) -> Dataset:
    """Return the data with mean 0 and standard deviation 1 in every column.

    All columns then weigh alike in a distance. A constant column becomes zeros.
    """
    return _written(data, "standardise-columns")


def _written(data: Dataset, step: str) -> Dataset:
    """Return the data after a step of WRITERS."""
    refuse_distances(data, step)
    refuse_small(data, step)
    values = np.empty(data.values.shape)
    note = WRITERS[step](data.values, values)
    return data.with_values(values, note)


def refuse_small(data: Dataset, step: str) -> None:
    """Refuse values that a step has no meaning for, with the first named."""
    if step in ("log2", "log1p"):
        shift = 1.0 if step == "log1p" else 0.0
        if float(data.values.min()) + shift > 0:
            return
        small = np.asarray(data.values, dtype=np.float64) + shift <= 0
        row, column = (int(i) for i in np.argwhere(small)[0])
        name = repr(data.columns[column]) if data.columns else str(column + 1)
        raise InputError(
            f"{int(small.sum()):,} value(s) have no logarithm; the first is "
            f"{data.values[row, column]:g} in row {data.item_ids()[row]!r}, column "
            f"{name}. Use log1p for counts, or threshold them first"
        )
    if step == "equal-totals" and data.values.min() < 0:
        row, column = (int(i) for i in np.argwhere(data.values < 0)[0])
        raise InputError(
            f"equal-totals is for counts, but {data.values[row, column]:g} in row "
            f"{data.item_ids()[row]!r} is negative; give the counts as they were read"
        )


def write_standardised(
    values: Matrix, out: NDArray[np.float64], *, axis: int, noun: str
) -> str:
    """Standardise along an axis; some columns, or rows, at a time."""
    size, count = values.shape[axis], values.shape[1 - axis]
    step, flat = max(2, BLOCK // max(size, 1)), 0
    for first in range(0, count, step):
        part = (slice(None), slice(first, first + step))[:: 1 if axis == 0 else -1]
        wide = np.asarray(values[part], dtype=np.float64)
        # Dividing by the largest value first keeps squares of 1e200 finite.
        scale = np.abs(wide).max(axis=axis, keepdims=True)
        scaled = wide / np.where(scale > 0, scale, 1.0)
        centred = scaled - scaled.mean(axis=axis, keepdims=True)
        spread = np.sqrt((centred**2).sum(axis=axis, keepdims=True))
        lowest = wide.min(axis=axis, keepdims=True)
        constant = wide.max(axis=axis, keepdims=True) == lowest
        spread /= np.sqrt(max(size - 1, 1))
        usable = ~constant & (spread > 0)
        out[part] = np.where(usable, centred / np.where(usable, spread, 1.0), 0.0)
        flat += int((~usable).sum())
    zeroed = f" ({flat:,} constant {noun}{'s' if flat > 1 else ''} set to 0)"
    return f"{noun}s standardised{zeroed if flat else ''}"


def write_logs(values: Matrix, out: NDArray[np.float64], *, shift: float = 0.0) -> str:
    """Take base-2 logarithms of the values plus a shift; all must be positive then.

    Others are refused, with the first named: they have no logarithm, and clipping them
    is a decision for the user.
    """
    for rows in row_blocks(values.shape):
        out[rows] = np.log(values[rows].astype(np.float64) + shift) / np.log(2.0)
    return "log2 of the values" + (f" + {shift:g}" if shift else "")


def write_equal_totals(values: Matrix, out: NDArray[np.float64]) -> str:
    """Scale every row to the median of the totals; rows of zeros are left so.

    Counts of sequencing grow with how much of an item was read; without this the depth
    is the first thing that a clustering finds.
    """
    parts = (values[rows].astype(np.float64) for rows in row_blocks(values.shape))
    total = np.concatenate([part.sum(axis=1, keepdims=True) for part in parts])
    empty = total == 0
    middle = float(np.median(total[~empty])) if not empty.all() else 0.0
    np.multiply(values, middle / np.where(empty, 1.0, total), out=out)
    flat = int(empty.sum())
    left = f" ({flat:,} row{'s' if flat > 1 else ''} left at 0)" if flat else ""
    return f"rows scaled to the same total, {middle:g}{left}"


def row_blocks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Yield some rows at a time."""
    size = max(1, BLOCK // max(shape[1], 1))
    for first in range(0, shape[0], size):
        yield slice(first, first + size)


def column_spreads(values: Matrix) -> NDArray[np.float64]:
    """Return the standard deviation of every column, some columns at a time."""
    size = max(2, BLOCK // max(len(values), 1))
    return np.concatenate(
        [
            np.asarray(values[:, first : first + size].std(axis=0, dtype=np.float64))
            for first in range(0, values.shape[1], size)
        ]
    )


#: The steps that change values one by one, by the names that users type.
WRITERS: dict[str, Writer] = {
    "standardise-rows": partial(write_standardised, axis=1, noun="row"),
    "standardise-columns": partial(write_standardised, axis=0, noun="column"),
    "log2": write_logs,
    "log1p": partial(write_logs, shift=1.0),
    "equal-totals": write_equal_totals,
}


def most_variable(data: Dataset, count: int) -> Dataset:
    """Return the data with the ``count`` columns of largest variance, in their order.

    The choice uses no labels (thesis, section 4.2). Ties go to the earlier column.
    """
    refuse_distances(data, "most-variable")
    if not 1 <= count <= data.m:
        raise InputError(
            f"most-variable:{count} is out of range: name 1 to {data.m} columns"
        )
    variance = np.var(np.asarray(data.values, dtype=np.float64), axis=0, ddof=1)
    best = np.argsort(-variance, kind="stable")[:count]
    keep = np.zeros(data.m, dtype=bool)
    keep[best] = True
    return with_columns(
        data, keep, f"{count:,} most variable of {data.m:,} columns kept"
    )


#: Metrics of which a column that is the same for all items is a part.
WITH_CONSTANT_COLUMNS = ("correlation", "spearman", "cosine")


def drop_constant_columns(data: Dataset) -> Dataset:
    """Return the data without the columns in which all items have one value.

    They add nothing to a Euclidean or Manhattan distance. If every column is such a
    column the data is returned whole, noted: all rows are equal.
    """
    refuse_distances(data, "drop-constant-columns")
    keep = data.values.min(axis=0) < data.values.max(axis=0)
    gone = int((~keep).sum())
    if gone == 0:
        return data
    if gone == data.m:
        return data.with_values(data.values, "all rows are identical")
    names = [data.columns[j] for j in np.flatnonzero(~keep)[:3]] if data.columns else []
    which = f" ({', '.join(map(repr, names))}{', …' if gone > 3 else ''})"
    note = f"{gone:,} constant column{'s' if gone > 1 else ''} dropped"
    return with_columns(
        data, keep, f"{note}{which if names else ''}: no Euclidean distance changes"
    )


def without_constant_columns(data: Dataset, metric: str) -> Dataset:
    """Return the data without constant columns, if no distance changes by that."""
    whole = data.precomputed or metric in WITH_CONSTANT_COLUMNS
    return data if whole else drop_constant_columns(data)


def with_columns(data: Dataset, keep: NDArray[np.bool_], note: str) -> Dataset:
    """Return the data with some columns only, and what was done noted."""
    columns = tuple(np.array(data.columns, dtype=object)[keep]) if data.columns else ()
    return replace(
        data,
        values=data.values[:, keep],
        columns=columns,
        notes=(*data.notes, note),
        _distances={},
    )


def refuse_distances(data: Dataset, step: str) -> None:
    """Refuse a step that has no meaning for a matrix of distances."""
    if data.precomputed:
        raise InputError(
            f"{step} needs values, but the input is a distance matrix; leave it out"
        )


STEPS: dict[str, Callable[[Dataset], Dataset]] = {
    **{name: partial(_written, step=name) for name in WRITERS},
    "drop-constant-columns": drop_constant_columns,
}
"""The steps without a parameter; ``most-variable:COUNT`` has one."""


#: Steps that leave every column on its own scale.
SCALES_KEPT = ("most-variable", "drop-constant-columns", "adjust")

#: Steps that take a number of columns: ``pca:10``.
COUNTED: dict[str, Callable[[Dataset, int], Dataset]] = {
    "most-variable": most_variable,
    "pca": pca,
    "nmf": nmf,
}


def prepare(data: Dataset, steps: Iterable[str]) -> Dataset:
    """Return the data after the named steps, in the order given.

    Examples
    --------
    >>> from stablek.data import from_arrays
    >>> data = from_arrays([[1.0, 2.0], [3.0, 4.0], [9.0, 4.0]])
    >>> prepare(data, ["log2", "most-variable:1"]).notes
    ('log2 of the values', '1 most variable of 2 columns kept')
    """
    for step in steps:
        before = data
        name, _, count = step.partition(":")
        if name in COUNTED and count.isascii() and count.isdigit():
            data = COUNTED[name](data, int(count))
        elif step in STEPS:
            data = STEPS[step](data)
        else:
            raise unknown_name("step", step, [*STEPS, *(f"{n}:10" for n in COUNTED)])
        data = replace(data, steps=(*before.steps, recorded(name, before, data)))
    return data
