"""Null sets of the verdict: no clusters, but the components' spreads or ranges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def draw_null(kind: str, scores: Floats, rng: np.random.Generator) -> Floats:
    """Return scores without clusters.

    "gaussian": every component normal with the standard deviation of the data's own
    (the null of M3C). "box": every component uniform between the smallest and the
    largest score (the null of Gap, version pc). The scores are uncorrelated, so that
    both keep the correlation of the data's columns.

    A Gaussian null alone is beaten by short tails (a box) and by skew; a box alone by
    most unimodal clouds at k = 2. Beating both is the claim.
    """
    if kind == "gaussian":
        # Rotated and scaled to the data's own covariance, exactly: the scores of data
        # are uncorrelated in the sample, and free draws are not.
        free = rng.standard_normal(scores.shape)
        free -= free.mean(axis=0)
        left, _, right = np.linalg.svd(free, full_matrices=False)
        drawn: Floats = (left @ right) * (
            np.sqrt(len(scores) - 1) * scores.std(axis=0, ddof=1)
        )
        return drawn
    low, high = scores.min(axis=0), scores.max(axis=0)
    placed: Floats = low + (high - low) * rng.random(scores.shape)
    return placed
