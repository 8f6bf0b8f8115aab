"""Whether one half of the items predicts the clusters of the other."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from stablek.kernels.inputs import kernel_input, signed_labels

Labels = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]


@numba.njit(cache=True, nogil=True)
def _predicted(
    training,  # IN (nt, r)
    learned,  # IN (nt,) labels of the training half
    learning,  # IN (nl, r)
    found,  # IN (nl,) labels of the other half
    k,
):
    """Return the least share of a cluster's pairs that stays together when predicted.

    A cluster of one item has no pair and counts 0.
    """
    r = training.shape[1]
    centre = np.zeros((k, r))
    size = np.zeros(k, np.int64)
    for i in range(learned.size):
        size[learned[i]] += 1
        for q in range(r):
            centre[learned[i], q] += training[i, q]
    for c in range(k):
        for q in range(r):
            centre[c, q] /= max(size[c], 1)
    table = np.zeros((k, k), np.int64)
    for i in range(found.size):
        best = np.inf
        near = 0
        for c in range(k):
            away = 0.0
            for q in range(r):
                away += (learning[i, q] - centre[c, q]) ** 2
            if away < best and size[c] > 0:
                best = away
                near = c
        table[found[i], near] += 1
    least = 1.0
    for c in range(k):
        own = 0
        kept = 0
        for d in range(k):
            own += table[c, d]
            kept += table[c, d] * (table[c, d] - 1)
        least = min(least, kept / (own * (own - 1)) if own > 1 else 0.0)
    return least


def prediction_strength(
    training: Floats, learned: Labels, learning: Floats, own: Labels, k: int
) -> float:
    """Return the prediction strength of one split, by nearest centroid.

    The other half's own clusters are held against what the training half predicts for
    them: the least share, over clusters, of pairs that stay together.

    References
    ----------
    Tibshirani, Walther (2005), J. Computational and Graphical Statistics 14, 511-528,
    Eq. 2.1.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[0.0], [1.0], [8.0], [9.0]])
    >>> half = np.array([0, 0, 1, 1])
    >>> prediction_strength(x, half, x, half, 2)
    1.0
    """
    return float(
        _predicted(
            kernel_input(training, np.float64),
            signed_labels(learned),
            kernel_input(learning, np.float64),
            signed_labels(own),
            k,
        )
    )
