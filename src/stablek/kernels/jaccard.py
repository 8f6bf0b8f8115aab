"""How well clusters are found again in other partitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stablek.kernels.inputs import signed_labels
from stablek.kernels.jit import kernel

Labels = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]


@kernel
def _jaccard(
    partition,  # IN (n,), 0 .. k - 1
    labels,  # IN (H, n), -1 = not drawn
    k,
    best,  # OUT (H, k), NaN where no item of the cluster was drawn
):
    """Write, per repeat, each cluster's largest Jaccard with a cluster found."""
    repeats, n = labels.shape
    most = 0
    for h in range(repeats):
        for i in range(n):
            most = max(most, labels[h, i] + 1)
    table = np.empty((k, most), np.int64)
    own = np.empty(k, np.int64)
    found = np.empty(most, np.int64)
    for h in range(repeats):
        table[:] = 0
        own[:] = 0
        found[:] = 0
        for i in range(n):
            c = labels[h, i]
            if c >= 0:
                table[partition[i], c] += 1
                own[partition[i]] += 1
                found[c] += 1
        for a in range(k):
            best[h, a] = np.nan
            if own[a] > 0:
                high = 0.0
                for c in range(most):
                    joint = own[a] + found[c] - table[a, c]
                    high = max(high, table[a, c] / joint)
                best[h, a] = high


def jaccard_stability(partition: Labels, labels: Labels) -> Floats:
    """Return, per repeat and cluster, how well the cluster was found again.

    The largest Jaccard coefficient |C and D| / |C or D| over the clusters D of the
    repeat, C being restricted to the items that were drawn. 1 if the cluster was found
    exactly, NaN where none of its items was drawn.

    Parameters
    ----------
    partition : ndarray of int, shape (n,)
        The clusters 0 .. k - 1 that are judged.
    labels : ndarray of int, shape (H, n)
        The partitions found; the largest unsigned value means "not drawn".

    Returns
    -------
    ndarray of float64, shape (H, k)

    References
    ----------
    Hennig (2007), Computational Statistics & Data Analysis 52, 258-271, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> jaccard_stability(np.array([0, 0, 1]), np.array([[0, 0, 1], [0, 1, 1]]))
    array([[1. , 1. ],
           [0.5, 0.5]])
    """
    own = signed_labels(partition)
    k = int(own.max()) + 1
    best = np.empty((labels.shape[0], k))
    _jaccard(own, signed_labels(labels), k, best)
    return best
