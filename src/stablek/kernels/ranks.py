"""Ranks of the values of every column."""

from typing import Any

import numpy as np
import numpy.typing as npt

from stablek.kernels.inputs import floating
from stablek.kernels.jit import kernel
from stablek.kernels.tier import Tier

Ranks = npt.NDArray[np.float32]

#: Values that are sorted together: their places take twice the room of the ranks.
BLOCK = 500_000


@kernel
def _ranks(
    columns,  # IN (m, n), one column of the data per row
    orders,  # IN (m, n), places of the values in increasing order, NaN last
    ranks,  # OUT (m, n)
):
    """Write the rank of every value over the number of values known."""
    m, n = columns.shape
    for j in range(m):
        column = columns[j]
        order = orders[j]
        known = n
        while known > 0 and np.isnan(column[order[known - 1]]):
            known -= 1
            ranks[j, order[known]] = np.nan
        start = 0
        while start < known:
            stop = start + 1
            while stop < known and column[order[stop]] == column[order[start]]:
                stop += 1
            middle = np.float32(0.5 * (start + stop + 1) / known)
            for place in range(start, stop):
                ranks[j, order[place]] = middle
            start = stop


_sorted = Tier(_ranks, step=13_000)  # one column


def _plain(
    column: npt.NDArray[np.floating[Any]], order: npt.NDArray[np.intp], ranks: Ranks
) -> None:
    """Write the ranks of one column, as the kernel does."""
    known = len(column) - int(np.isnan(column).sum())
    ranks[order[known:]] = np.nan
    rising = column[order[:known]]
    start = np.flatnonzero(np.append(known > 0, rising[1:] != rising[:-1]))
    stop = np.append(start[1:], known)
    middle = (0.5 * (start + stop + 1) / known).astype(np.float32)
    ranks[order[:known]] = np.repeat(middle, stop - start)


def column_ranks(values: npt.ArrayLike) -> Ranks:
    """Return the rank of every value in its column, divided by how many are known.

    Equal values share the mean of their ranks. A missing value (NaN) has no rank. The
    array returned is a view of one whose rows are the columns of the data.

    Examples
    --------
    >>> column_ranks([[3.0], [1.0], [1.0], [9.0]]).ravel().tolist()
    [0.75, 0.375, 0.375, 1.0]
    """
    table = np.asarray(values).T
    ranks = np.empty(table.shape, np.float32)
    step = max(1, BLOCK // max(table.shape[1], 1))
    for first in range(0, len(table), step):
        part = slice(first, first + step)
        columns = floating(table[part])
        # NumPy sorts with the processor's vector instructions; ties come in any order.
        orders = np.argsort(columns, axis=1)
        if _sorted.pays(len(columns)):
            _ranks(columns, orders, ranks[part])
            continue
        for each in zip(columns, orders, ranks[part], strict=True):
            _plain(*each)
    return ranks.T
