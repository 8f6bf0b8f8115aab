"""How many isolated items lie far from all others, such as errors of measurement."""

import numpy as np
from numpy.typing import NDArray

from stablek.panel.coordinates import nearest
from stablek.panel.prepare import Prepared
from stablek.results.assign import fence

#: Beyond this share of the items, far ones are a long tail and no errors.
MOST_FAR = 0.02


def few_far(prepared: Prepared, isolated: NDArray[np.intp]) -> int:
    """Return how many of the isolated rows are far from all others; 0 if many are.

    An isolated row is farther from its neighbours than they are from theirs, which is
    also true beside a dense cluster. It is far if the nearest other row is beyond
    Tukey's fence (more than 1.5 interquartile ranges above the third quartile of the
    logarithms of these distances) and twice that quartile: in many columns all
    distances are much alike, and the fence is near. Items in tiny clusters are far,
    too.
    """
    if not len(isolated):
        return 0
    rows = np.union1d(np.concatenate([prepared.rows, prepared.isolated]), isolated)
    near, distances = nearest(prepared.scores[rows])
    first = distances[np.arange(len(rows)), near[:, 0]]
    if not first.any():
        return 0
    away = np.log(np.maximum(first, 1e-9 * first.max()))
    limit = max(fence(away), float(np.quantile(away, 0.75)) + np.log(2))
    is_far = (away > limit) | np.isin(rows, prepared.far)
    far = int(is_far[np.isin(rows, isolated)].sum())
    return far if far <= max(1, MOST_FAR * len(rows)) else 0
