"""Some rows of a table; a wide one is not copied for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class SomeRows:
    """Some rows of a table in double precision, taken when they are asked for.

    ``rows`` are in increasing order.

    Examples
    --------
    >>> table = np.arange(8, dtype=np.float32).reshape(2, 4)
    >>> some = SomeRows.of(table, np.array([1]))
    >>> some.shape, some[:, 1:3].tolist()
    ((1, 4), [[5.0, 6.0]])
    """

    table: NDArray[np.floating[Any]]
    rows: Rows

    @classmethod
    def of(cls, table: NDArray[np.floating[Any]], rows: Rows) -> SomeRows:
        """Return some rows; of a table with more rows than columns they are copied.

        Such a table is worked on whole, and often: its rows are taken once.
        """
        if table.shape[1] > len(rows):
            return cls(table, rows)
        taken = cls(table, rows)[:]
        return cls(taken, np.arange(len(taken)))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns there are."""
        return len(self.rows), self.table.shape[1]

    def __getitem__(self, part: slice | tuple[slice, slice]) -> Floats:
        """Return rows, or rows and columns; no copy where it is not needed."""
        rows, columns = part if isinstance(part, tuple) else (part, slice(None))
        every = len(self.rows) == len(self.table)
        taken = self.table[rows if every else self.rows[rows], columns]
        return np.asarray(taken, dtype=np.float64)

    def take(self, some: Rows) -> SomeRows:
        """Return some of these rows."""
        return SomeRows.of(self.table, self.rows[some])
