"""Numbers that stand for the content of rows and columns, in whatever order they are.

Columns with the same values in different rows cannot be told apart by themselves, nor
rows by themselves. They can by one another: a column is its values with the rows they
are in, a row its values with the columns. So the number of each is refined by those of
the others until no more differ (colour refinement, Weisfeiler and Leman 1968).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Rows = NDArray[np.intp]

#: How many values are read together.
AT_ONCE = 1 << 20

#: Ties that are broken by choosing one: after these, columns stay as they are given.
CHOICES = 16


def mixed(words: Words) -> Words:
    """Return words whose bits depend on all bits of the given ones (splitmix64)."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def column_content(table: NDArray[np.floating], classes: Words) -> Words:
    """Return a number for each column that depends on content alone.

    Parameters
    ----------
    table
        Shape (n, m).
    classes
        What is known of the columns; those that differ in it need no more.

    Returns
    -------
    numbers
        Equal for columns that are equal, or that the rest of the table does not tell
        apart. Of those that are only alike, one is chosen, 16 times at most, which
        changes nothing where they are interchangeable.
    """

    def refine(numbers: Words) -> Words:
        rows, _ = _sums(table, numbers)
        return _sums(table, numbers, mixed(rows))[1]

    def chosen(group: Rows) -> Rows:
        equal = (table[:, group] == table[:, group[:1]]).all(axis=0)
        return group[:0] if equal.all() else group[equal]

    return _settled(mixed(classes), refine, chosen)


def item_content(square: NDArray[np.floating]) -> Words:
    """Return a number for each item of a distance matrix, from its content alone."""

    def refine(numbers: Words) -> Words:
        return mixed(_sums(square, numbers)[0] ^ numbers)

    start = np.zeros(len(square), dtype=np.uint64)
    return _settled(start, refine, lambda group: group[:1])


def _settled(
    numbers: Words, refine: Callable[[Words], Words], chosen: Callable[[Rows], Rows]
) -> Words:
    """Refine numbers until no more of them differ, then choose, and so on.

    ``chosen`` says which of a group with one number to choose; none if they are equal.
    """
    numbers = _refined(numbers, refine)
    for _ in range(CHOICES):
        _, place, sizes = np.unique(numbers, return_inverse=True, return_counts=True)
        groups = (np.flatnonzero(place == one) for one in np.flatnonzero(sizes > 1))
        some = next((taken for taken in map(chosen, groups) if len(taken)), None)
        if some is None:
            break
        numbers[some] = mixed(numbers[some])
        numbers = _refined(numbers, refine)
    return numbers


def _refined(numbers: Words, refine: Callable[[Words], Words]) -> Words:
    """Refine numbers until no more of them differ."""
    count = 0
    while count < (now := len(np.unique(numbers))) < len(numbers):
        count = now
        numbers = refine(numbers)
    return numbers


def _sums(
    table: NDArray[np.floating], columns: Words, rows: Words | None = None
) -> tuple[Words, Words]:
    """Return the sums of the values with their columns, and with their rows.

    Sums of whole numbers do not depend on an order.
    """
    n, m = table.shape
    of_rows = np.zeros(n, dtype=np.uint64)
    of_columns = columns.copy()
    step = max(1, AT_ONCE // max(n, 1))
    for first in range(0, m, step):
        some = slice(first, first + step)
        values = np.asarray(table[:, some], dtype=np.float64) + 0.0  # no -0.0
        words = mixed(values.view(np.uint64))
        if rows is None:
            of_rows += mixed(words ^ columns[some]).sum(axis=1, dtype=np.uint64)
        else:
            inside = mixed(words ^ rows[:, None]).sum(axis=0, dtype=np.uint64)
            of_columns[some] = mixed(inside ^ columns[some])
    return of_rows, of_columns
