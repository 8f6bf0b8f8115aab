"""An order of rows and columns that depends on their content alone.

What is drawn at random, and every sum, follows the order of the rows. Taken in this
order, a table whose rows or columns were shuffled gives the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from stablek.data.content import AT_ONCE, column_content, item_content
from stablek.data.dataset import Dataset

Rows = NDArray[np.intp]
Table = NDArray[np.floating[Any]]

#: Columns that are compared for all rows; others only where these are equal.
FIRST = 4

#: Distances by which items of a distance matrix are ordered.
KEYS = 32


@dataclass(frozen=True, eq=False)
class Canonical:
    """The distinct rows of a table in canonical order.

    Parameters
    ----------
    rows
        For each distinct row, the first of the given rows that holds it.
    columns
        The columns in canonical order, but for those that are left out.
    place
        For each given row, its place among the distinct rows.
    copies
        How many given rows each distinct row stands for.
    """

    rows: Rows
    columns: Rows
    place: Rows
    copies: NDArray[np.int64]

    def then(self, other: Canonical) -> Canonical:
        """Return this order followed by an order of its distinct rows."""
        copies = np.bincount(
            other.place, weights=self.copies, minlength=len(other.rows)
        ).astype(np.int64)
        return Canonical(
            self.rows[other.rows], self.columns, other.place[self.place], copies
        )

    def without_constant_columns(self, table: Table) -> Canonical:
        """Return this order without columns that never vary, unless none does."""
        varies = (table.min(axis=0) < table.max(axis=0))[self.columns]
        return replace(self, columns=self.columns[varies]) if varies.any() else self

    def values(self, table: Table, dtype: Any = None) -> Table:
        """Return the distinct rows of a table, in canonical order."""
        shape = len(self.rows), len(self.columns)
        taken = np.empty(shape, table.dtype if dtype is None else dtype)
        for first in range(0, shape[0], step := max(1, AT_ONCE // shape[1])):
            rows = slice(first, first + step)
            taken[rows] = table[np.ix_(self.rows[rows], self.columns)]
        return taken

    def reorder(self, table: Table) -> Table:
        """Return the same as :meth:`values`, written over the table."""
        n, m = len(self.rows), len(self.columns)
        for first in range(0, m, step := max(1, AT_ONCE // len(table))):
            columns = slice(first, first + step)
            table[:n, columns] = table[self.rows, columns]
        for first in range(0, n, step := max(1, AT_ONCE // m)):
            rows = slice(first, min(first + step, n))
            table[rows] = table[rows][:, self.columns]
        return table[:n]


def canonical_distances(square: NDArray[np.floating]) -> Canonical:
    """Return the canonical order of items whose distances are given.

    Items are ordered by their sorted distances to all others, and where these are the
    same by a number that stands for all distances. None is left out: items at distance
    0 may differ in other distances.
    """
    n = len(square)
    places = np.unique(np.linspace(1, n - 1, min(n - 1, KEYS)).astype(int))
    keys = np.sort(square, axis=1)[:, places]
    order = np.lexsort(keys.T[::-1]).astype(np.intp)
    if not differs(keys[order]).all():
        order = np.lexsort((item_content(square), *keys.T[::-1])).astype(np.intp)
    place = np.empty(n, dtype=np.intp)
    place[order] = np.arange(n)
    return Canonical(order, order, place, np.ones(n, dtype=np.int64))


def canonical(table: NDArray[np.floating]) -> Canonical:
    """Return the canonical order of a table.

    Columns are ordered by smallest, largest and middle value, and where these are the
    same by a number that stands for their whole content; rows by their values in that
    order of columns. Equal rows are one row.

    Examples
    --------
    >>> table = np.array([[2.0, 1.0], [0.0, 5.0], [2.0, 1.0]])
    >>> found = canonical(table)
    >>> found.rows.tolist(), found.columns.tolist(), found.place.tolist()
    ([1, 0], [0, 1], [1, 0, 1])
    """
    n = len(table)
    columns = column_order(table)
    order, starts = sorted_rows(table, columns)
    group = np.cumsum(starts) - 1
    place = np.empty(n, dtype=np.intp)
    place[order] = group
    first = np.flatnonzero(starts)
    copies = np.diff(np.append(first, n))
    # lexsort is stable, so the first of equal rows is the one given first.
    return Canonical(order[first].astype(np.intp), columns, place, copies)


def with_columns_in_order(data: Dataset) -> Dataset:
    """Return the data with their columns in canonical order.

    Examples
    --------
    >>> table = np.array([[3.0, 0.0], [4.0, 1.0], [5.0, 2.0]])
    >>> data = Dataset(table, columns=("a", "b"))
    >>> with_columns_in_order(data).columns
    ('b', 'a')
    """
    order = np.argsort(column_places(data))
    names = tuple(data.columns[i] for i in order) if data.columns else ()
    taken = np.take(data.values, order, axis=1)
    return replace(data, values=taken, columns=names, _distances={})


#: The places of columns, which are asked for again and again.
_PLACES: WeakKeyDictionary[Dataset, list[int]] = WeakKeyDictionary()


def column_places(data: Dataset) -> list[int]:
    """Return for each column its place in the canonical order."""
    if data not in _PLACES:
        _PLACES[data] = np.argsort(column_order(data.values)).tolist()
    return _PLACES[data]


def column_order(table: NDArray[np.floating]) -> Rows:
    """Return the order of the columns."""
    half = len(table) // 2
    # Column by column: a copy of the whole table may be too much.
    middle = np.array([np.partition(column, half)[half] for column in table.T])
    keys = (middle, table.max(axis=0), table.min(axis=0))
    order = np.lexsort(keys)
    classes = np.cumsum(differs(np.column_stack(keys)[order]))
    if classes[-1] == len(order):
        return order.astype(np.intp)
    known = np.empty(len(order), dtype=np.uint64)
    known[order] = classes
    return np.lexsort((column_content(table, known), known)).astype(np.intp)


def sorted_rows(
    table: NDArray[np.floating], columns: Rows
) -> tuple[Rows, NDArray[np.bool_]]:
    """Return rows in lexicographic order, and which of them differ from the last.

    Some columns at a time, for the rows that are equal so far.
    """
    order, starts = np.arange(len(table)), np.arange(len(table)) == 0
    first, size = 0, FIRST
    while first < len(columns) and not starts.all():
        tied = ~starts | ~np.append(starts[1:], True)
        runs = np.cumsum(starts)[tied]
        some = table[np.ix_(order[tied], columns[first : first + size])]
        inner = np.lexsort((*some.T[::-1], runs))
        order[tied] = order[tied][inner]
        starts[tied] = differs(some[inner]) | np.append(True, np.diff(runs) > 0)
        first += size
        size = max(FIRST, AT_ONCE // (4 * len(runs)))  # sorting copies them
    return order, starts


def differs(rows: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Tell which rows differ from the row before; the first does."""
    differ = np.ones(len(rows), dtype=bool)
    differ[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return differ
