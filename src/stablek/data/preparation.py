"""Prepare the values before a run: each step explicit, each recorded in the notes.

Nothing here is applied unless it is asked for, but for the constant columns that a
reader leaves out. Steps are named as the command line names them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Matrix
from stablek.data.reduction import nmf, pca
from stablek.data.replay import recorded
from stablek.errors import InputError, unknown_name

BLOCK = 500_000  # values that are worked on at a time


def standardise_rows(data: Dataset) -> Dataset:
    """Return the data with mean 0 and standard deviation 1 in every row.

    The thesis does so with time courses (section 4.2); the deviation is the sample's,
    with n - 1. Euclidean distances of such rows grow with one minus their correlation.
    A row whose values are all equal becomes zeros, and is counted in the note.
    """
    refuse_distances(data, "standardise-rows")
    values, flat = standardised(data.values, axis=1)
    return data.with_values(
        values, f"rows standardised{zeroed_note(flat, 'constant row')}"
    )


def column_spreads(values: Matrix) -> NDArray[np.float64]:
    """Return the standard deviation of every column, some columns at a time."""
    size = max(2, BLOCK // max(len(values), 1))
    return np.concatenate(
        [
            np.asarray(values[:, first : first + size].std(axis=0, dtype=np.float64))
            for first in range(0, values.shape[1], size)
        ]
    )


def standardise_columns(data: Dataset) -> Dataset:
    """Return the data with mean 0 and standard deviation 1 in every column.

    All columns then weigh alike in a distance. A constant column becomes zeros.
    """
    refuse_distances(data, "standardise-columns")
    values, flat = standardised(data.values, axis=0)
    note = f"columns standardised{zeroed_note(flat, 'constant column')}"
    return data.with_values(values, note)


def standardised(values: Matrix, axis: int) -> tuple[NDArray[np.float64], int]:
    """Return the values standardised along an axis, and how many had no spread.

    Some columns, or rows, at a time: each takes several copies of itself.
    """
    result = np.empty(values.shape)
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
        result[part] = np.where(usable, centred / np.where(usable, spread, 1.0), 0.0)
        flat += int((~usable).sum())
    return result, flat


def log(data: Dataset, *, base: float = 2.0, shift: float = 0.0) -> Dataset:
    """Return the logarithm of the values, after adding ``shift``.

    Values that are not positive after the shift are refused, with the first named:
    they have no logarithm, and clipping them is a decision for the user.
    """
    refuse_distances(data, "log")
    moved = np.asarray(data.values, dtype=np.float64) + shift
    if (moved <= 0).any():
        row, column = (int(i) for i in np.argwhere(moved <= 0)[0])
        name = repr(data.columns[column]) if data.columns else str(column + 1)
        msg = (
            f"{int((moved <= 0).sum()):,} value(s) have no logarithm; the first is "
            f"{data.values[row, column]:g} in row {data.item_ids()[row]!r}, column "
            f"{name}. Use log1p for counts, or threshold them first"
        )
        raise InputError(msg)
    text = f"log{base:g} of the values" + (f" + {shift:g}" if shift else "")
    return data.with_values(np.log(moved) / np.log(base), text)


def log1p(data: Dataset) -> Dataset:
    """Return log2(1 + x), for counts and other values that are zero or more."""
    return log(data, base=2.0, shift=1.0)


def equal_totals(data: Dataset) -> Dataset:
    """Return the data with every row scaled to the median of the rows' totals.

    Counts of sequencing grow with how much of an item was read; without this the depth
    is the first thing that a clustering finds. A row of zeros is left so, and counted.
    """
    refuse_distances(data, "equal-totals")
    wide = np.asarray(data.values, dtype=np.float64)
    if (wide < 0).any():
        row, column = (int(i) for i in np.argwhere(wide < 0)[0])
        msg = (
            f"equal-totals is for counts, but {wide[row, column]:g} in row "
            f"{data.item_ids()[row]!r} is negative; give the counts as they were read"
        )
        raise InputError(msg)
    total = wide.sum(axis=1, keepdims=True)
    empty = total == 0
    middle = float(np.median(total[~empty])) if not empty.all() else 0.0
    values = wide * (middle / np.where(empty, 1.0, total))
    flat = int(empty.sum())
    note = f"rows scaled to the same total, {middle:g}"
    left = f" ({flat:,} row{'s' if flat > 1 else ''} of zeros left)" if flat else ""
    return data.with_values(values, note + left)


def most_variable(data: Dataset, count: int) -> Dataset:
    """Return the data with the ``count`` columns of largest variance, in their order.

    The choice looks at no label (thesis, section 4.2). Ties go to the earlier column.
    """
    refuse_distances(data, "most-variable")
    if not 1 <= count <= data.m:
        msg = f"most-variable:{count} asks for 1 to {data.m} of the {data.m} columns"
        raise InputError(msg)
    variance = np.var(np.asarray(data.values, dtype=np.float64), axis=0, ddof=1)
    best = np.argsort(-variance, kind="stable")[:count]
    keep = np.zeros(data.m, dtype=bool)
    keep[best] = True
    return with_columns(
        data, keep, f"{count:,} most variable of {data.m:,} columns kept"
    )


def drop_constant_columns(data: Dataset) -> Dataset:
    """Return the data without the columns in which all items have one value.

    They add nothing to a Euclidean or Manhattan distance. If every column is such a
    column the data is returned whole, noted: all rows are equal.
    """
    refuse_distances(data, "drop-constant-columns")
    keep = (data.values != data.values[:1]).any(axis=0)
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
        msg = f"{step} needs values, but the input is a distance matrix; leave it out"
        raise InputError(msg)


def zeroed_note(count: int, noun: str) -> str:
    """Return a count in brackets, or nothing."""
    return f" ({count:,} {noun}{'s' if count > 1 else ''} set to 0)" if count else ""


STEPS: dict[str, Callable[[Dataset], Dataset]] = {
    "standardise-rows": standardise_rows,
    "standardise-columns": standardise_columns,
    "log2": log,
    "log1p": log1p,
    "equal-totals": equal_totals,
    "drop-constant-columns": drop_constant_columns,
}
"""The steps without a parameter; ``most-variable:COUNT`` has one."""


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
