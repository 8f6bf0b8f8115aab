"""How well a partition follows the graph of nearest neighbours."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.kernels.neighbours import nearest_items
from stablek.paradigm.cube import PartitionCube

Scores = NDArray[np.float64]
Items = NDArray[np.int64]

#: Neighbours of an item: 2 ln n, within these bounds.
FEWEST = 4
MOST = 15


@dataclass(frozen=True)
class Modularity:
    r"""Newman's modularity of each partition, in the graph of nearest neighbours.

    Two items are joined if one is among the nearest of the other: 2 ln n of them, at
    least 4 and at most 15. With :math:`e_c` the share of the edges inside cluster c
    and :math:`d_c` the share of edge ends in it,

    .. math:: Q = \sum_c (e_c - d_c^2)

    Q is at most :math:`1 - \sum_c d_c^2`, which is small where one cluster holds most
    items. ``scaled`` divides by it (Newman's assortativity), so that clusters of
    unequal sizes can be compared with others. Collected as scores of shape (repeats,
    ks).

    References
    ----------
    Newman, Girvan (2004), Physical Review E 69, 026113. Newman (2003), Physical Review
    E 67, 026126 (assortativity).
    """

    scaled: bool = False
    gives = "scores"
    roles = 1
    original = False

    def collect(self, cube: PartitionCube, data: Dataset) -> Scores:
        """Return the modularity of every repeat and k."""
        first, second = neighbour_graph(data.distances("euclidean"))
        scores = np.full(cube.filled.shape, np.nan)
        for repeat, column in np.argwhere(cube.filled):
            labels = cube.labels[repeat, column, 0].astype(np.int64)
            scores[repeat, column] = modularity(
                first, second, labels, scaled=self.scaled
            )
        return scores


def neighbour_graph(
    square: NDArray[np.floating[Any]], near: int | None = None
) -> tuple[Items, Items]:
    """Return the edges of the graph of nearest neighbours, each once.

    ``near`` is the number of neighbours, by default 2 ln n within bounds.

    Examples
    --------
    >>> x = np.arange(4.0)
    >>> first, second = neighbour_graph(abs(x[:, None] - x))
    >>> len(first)
    6
    """
    n = len(square)
    near = min(near or int(np.clip(round(2 * np.log(n)), FEWEST, MOST)), n - 1)
    close = nearest_items(square, near)
    item = np.arange(n)[:, None]
    mutual = (close[close] == item[:, :, None]).any(axis=2)
    once = (item < close) | ~mutual
    first, second = np.broadcast_to(item, close.shape)[once], close[once]
    return np.minimum(first, second), np.maximum(first, second)


def modularity(
    first: Items, second: Items, labels: NDArray[np.int64], *, scaled: bool = False
) -> float:
    """Return the modularity of a partition of a graph given by its edges.

    Examples
    --------
    >>> edges = np.array([0, 2]), np.array([1, 3])
    >>> modularity(*edges, np.array([0, 0, 1, 1]))
    0.5
    >>> modularity(*edges, np.array([0, 0, 1, 1]), scaled=True)
    1.0
    """
    k, edges = int(labels.max()) + 1, max(len(first), 1)
    a, b = labels[first], labels[second]
    inside = np.bincount(a[a == b], minlength=k) / edges
    ends = (np.bincount(a, minlength=k) + np.bincount(b, minlength=k)) / (2 * edges)
    value = float((inside - ends**2).sum())
    return value / max(1 - float((ends**2).sum()), 1e-12) if scaled else value
