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
    most unimodal clouds at k = 2. Beating both, and :func:`draw_skewed`, is the claim.
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


def draw_skewed(values: Floats, rng: np.random.Generator) -> Floats:
    """Return rows without clusters that keep means, correlation and skewness.

    Normal rows with the correlation of the data's columns; then every column becomes
    a shifted log-normal with the mean, the standard deviation and the skewness of its
    own. A long tail that is cut off is separated from the rest, and stably so; nulls
    without a tail are beaten by any skewed cloud.

    References
    ----------
    Johnson (1949), Biometrika 36, 149-176 (the log-normal system). Cario, Nelson
    (1997), Modeling and generating random vectors (normal copula).
    """
    n = len(values)
    mean, sd = values.mean(axis=0), values.std(axis=0)
    standard = (values - mean) / np.where(sd > 0, sd, 1.0)
    normal = rng.standard_normal((n, n)) @ standard / np.sqrt(n)
    skewness = (standard**3).mean(axis=0)
    drawn: Floats = mean + sd * lognormal_scores(normal, skewness)
    return drawn


def lognormal_scores(normal: Floats, skewness: Floats) -> Floats:
    """Return normal columns as log-normal ones of mean 0, variance 1 and a skewness.

    The variance w - 1 = exp(s^2) - 1 of the logarithm's exponential solves
    (w + 2) sqrt(w - 1) = |skewness|, a cubic with one real root.

    Examples
    --------
    >>> lognormal_scores(np.array([[1.0]]), np.array([0.0]))
    array([[1.]])
    """
    size = np.abs(skewness)
    # w of a given skewness g: with a = 1 + g^2 / 2, w = c + 1 / c - 1 where
    # c = (a + sqrt(a^2 - 1))^(1/3).
    half = 1 + size**2 / 2
    root = np.cbrt(half + np.sqrt(np.maximum(half**2 - 1, 0.0)))
    w = root + 1 / root - 1
    sigma = np.sqrt(np.log(np.maximum(w, 1.0)))
    flat = sigma < 1e-3
    sigma = np.where(flat, 1.0, sigma)
    turned = normal * np.sign(skewness)
    high = np.exp(sigma * turned - sigma**2 / 2)
    scores = (high - 1) / np.sqrt(np.expm1(sigma**2))
    return np.where(flat, normal, scores * np.sign(skewness))
