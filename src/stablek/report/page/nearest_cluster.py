"""Items that a run did not draw: which there are, and which clusters they are near."""

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.nearest import assign_nearest
from stablek.results.result import Result

Labels = NDArray[np.int64]
Rows = NDArray[np.intp]


def drawn_items(result: Result) -> Rows:
    """Return the items that some repeat holds; all, if the labels are not known.

    A verdict judges some thousand items at most, and sets isolated ones aside.
    """
    cube = result.cube
    everyone = np.arange(result.n, dtype=np.intp)
    if cube is None:
        return everyone
    ever = np.zeros(result.n, dtype=bool)
    for labels in cube.of_k(cube.ks[0]):
        ever |= labels != cube.missing
    return everyone[ever] if ever.any() else everyone


def joined(labels: Labels, result: Result, rows: Rows) -> Labels:
    """Give items without a label that of the nearest cluster mean.

    Of a distance matrix, that of the cluster which is nearest on average. Without the
    data nothing tells where they are; they join the first cluster.
    """
    rest, known = np.flatnonzero(labels < 0), np.flatnonzero(labels >= 0)
    if len(rest) == 0 or len(known) == 0 or result.data is None:
        return np.maximum(labels, 0)
    names, part = np.unique(labels[known], return_inverse=True)
    values = result.data.values
    if result.data.precomputed:
        apart = values[np.ix_(rows[rest], rows[known])]
        means = [apart[:, part == c].mean(axis=1) for c in range(len(names))]
        nearest = np.argmin(means, axis=0)
    else:
        among = np.asarray(values[rows[known]], dtype=np.float64)
        means = [among[part == c].mean(axis=0) for c in range(len(names))]
        items = np.asarray(values[rows[rest]], dtype=np.float64)
        nearest = assign_nearest(items, np.array(means))
    complete = labels.copy()
    complete[rest] = names[nearest]
    return complete
