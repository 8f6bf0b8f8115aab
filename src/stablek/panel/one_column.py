"""Whether one column alone makes the clusters, such as sex in a clinical table."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.results.markers import CLEAR
from stablek.results.rank_shifts import BLOCK, contrasts, rank_shifts

Labels = NDArray[np.int64]


@dataclass(frozen=True)
class OneColumn:
    """A column that makes the clusters, and whether they are just its values."""

    name: str
    is_values: bool


def one_column(
    data: Dataset, items: NDArray[np.intp], part: Labels
) -> OneColumn | None:
    """Return the column that alone makes the clusters, if one does.

    ``part`` has the cluster of each of the ``items``. The column has another range in
    every cluster, and in all other columns the clusters are much alike (AUC from 0.3 to
    0.7). The second is computed only if a single column passes the first.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> part = np.arange(80) % 2
    >>> table = np.column_stack([rng.normal(size=(80, 3)), part])
    >>> one_column(Dataset(table), np.arange(80), part)
    OneColumn(name='4', is_values=True)
    """
    k = int(part.max()) + 1
    if k < 2 or data.m < 2 or data.precomputed:
        return None
    order = np.argsort(part, kind="stable")
    starts = np.searchsorted(part[order], np.arange(k))
    alone: list[int] = []
    for columns in _blocks(len(items), data.m):
        values = data.values[:, columns][items[order]]
        alone += (columns.start + np.flatnonzero(apart(values, starts))).tolist()
        if len(alone) > 1:
            return None
    if not alone:
        return None
    weights = contrasts(part, k)
    for columns in _blocks(len(items), data.m):
        shifts = np.abs(rank_shifts(data.values[:, columns][items], weights))
        shifts[:, np.arange(columns.start, columns.stop) == alone[0]] = 0
        if (shifts >= CLEAR).any():
            return None
    distinct = len(np.unique(data.values[items, alone[0]]))
    return OneColumn(data.column_names()[alone[0]], is_values=distinct == k)


def apart(values: NDArray[Any], starts: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell for each column whether no two clusters overlap in it.

    Rows are ordered by cluster; ``starts`` are the first rows of the clusters.

    Examples
    --------
    >>> apart(np.array([[1, 1], [2, 3], [5, 2]]), np.array([0, 2]))
    array([ True, False])
    """
    low = np.minimum.reduceat(values, starts, axis=0)
    high = np.maximum.reduceat(values, starts, axis=0)
    order = np.argsort(low, axis=0, kind="stable")
    low, high = (np.take_along_axis(one, order, axis=0) for one in (low, high))
    return np.asarray((high[:-1] < low[1:]).all(axis=0))


def _blocks(n: int, m: int) -> Iterator[slice]:
    """Yield slices of columns with about as many values each."""
    width = max(1, BLOCK // max(n, 1))
    for start in range(0, m, width):
        yield slice(start, min(start + width, m))
