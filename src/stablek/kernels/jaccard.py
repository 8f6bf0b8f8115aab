"""How well clusters are found again in other partitions."""

from typing import Any

import numpy as np
import numpy.typing as npt

from stablek.kernels.inputs import signed_labels

Labels = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]


def jaccard_stability(partition: Labels, labels: Labels) -> Floats:
    """Return, per repeat and cluster, how well the cluster was found again.

    The largest Jaccard coefficient |C and D| / |C or D| over the clusters D of the
    repeat, C being restricted to the items that were drawn. 1 if the cluster was found
    exactly, NaN where none of its items was drawn. In ``labels``, of shape (H, n), the
    largest unsigned value means "not drawn".

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
    clusters = signed_labels(partition)
    found = signed_labels(labels)
    k, most = int(clusters.max()) + 1, int(found.max(initial=-1)) + 1
    best = np.full((len(found), k), np.nan)
    for row, at in zip(best, found, strict=True):
        drawn = at >= 0
        cells = clusters[drawn] * most + at[drawn]
        table = np.bincount(cells, minlength=k * most).reshape(k, most)
        sizes = table.sum(axis=1, keepdims=True)
        present = sizes[:, 0] > 0
        joint = sizes + table.sum(axis=0) - table
        row[present] = (table[present] / joint[present]).max(axis=1)
    return best
