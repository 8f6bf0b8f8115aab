"""Silhouettes from all distances."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from stablek.kernels.inputs import kernel_input, signed_labels

Labels = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]


@numba.njit(cache=True, nogil=True)
def _silhouettes(
    square,  # IN (n, n) distances
    labels,  # IN (n,)
    k,
    width,  # OUT (n,)
):
    """Write each item's silhouette; 0 for the only item of a cluster."""
    n = labels.size
    size = np.zeros(k, np.int64)
    for i in range(n):
        size[labels[i]] += 1
    total = np.empty(k, np.float64)
    for i in range(n):
        total[:] = 0.0
        row = square[i]
        for j in range(n):
            total[labels[j]] += row[j]
        own = labels[i]
        width[i] = 0.0
        if size[own] > 1:
            near = np.inf
            for c in range(k):
                if c != own and size[c] > 0:
                    near = min(near, total[c] / size[c])
            inside = total[own] / (size[own] - 1)
            most = max(inside, near)
            if most > 0.0 and near < np.inf:
                width[i] = (near - inside) / most


def silhouettes(square: Floats, labels: Labels) -> Floats:
    """Return the silhouette of every item, given all distances.

    s(i) = (b - a) / max(a, b), with a the mean distance to the own cluster and b to
    the nearest other one; between -1 and 1, 0 for the only item of a cluster.

    References
    ----------
    Rousseeuw (1987), J. Computational and Applied Mathematics 20, 53-65.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([0.0, 1.0, 9.0, 10.0])
    >>> silhouettes(abs(x[:, None] - x), np.array([0, 0, 1, 1])).round(3)
    array([0.895, 0.882, 0.882, 0.895])
    """
    clusters = signed_labels(labels)
    width = np.empty(clusters.size)
    _silhouettes(kernel_input(square), clusters, int(clusters.max()) + 1, width)
    return width
