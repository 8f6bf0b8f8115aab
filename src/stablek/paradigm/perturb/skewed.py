"""Null models with the skewness or the tails of the data."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.paradigm.perturb.regions import null_values

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SkewedNormal:
    """One cloud with the means, correlation and skewness of the data's columns.

    Normal rows with the correlation of the columns; then every column becomes a shifted
    log-normal with its own mean, standard deviation and skewness. A long tail can be
    cut off stably, so any skewed cloud looks clustered against null sets without a
    tail. If nothing is skewed, this is the correlated normal.

    References
    ----------
    Johnson (1949), Biometrika 36, 149-176 (the log-normal system). Cario, Nelson
    (1997), Modeling and generating random vectors (normal copula).
    """

    name: str = "skewed"
    by_column: bool = True

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items of the fitted distribution."""
        values = np.asarray(null_values(data, self.name), dtype=np.float64)
        n = len(values)
        mean, sd = values.mean(axis=0), values.std(axis=0)
        standard = (values - mean) / np.where(sd > 0, sd, 1.0)
        # upper' upper is the correlation of the columns.
        upper = np.linalg.qr(standard / np.sqrt(n), mode="r")
        normal = rng.standard_normal((n, len(upper))) @ upper
        drawn = mean + sd * lognormal_scores(normal, (standard**3).mean(axis=0))
        return data.with_values(drawn.astype(data.values.dtype, copy=False))


@dataclass(frozen=True)
class Elliptical:
    """One cloud with the tails of the data: the items' distances, in random directions.

    Every item keeps its distance from the mean, in units of the standard deviations of
    the principal components, and gets a direction at random. If the data are normal,
    this is the correlated normal.
    """

    name: str = "elliptical"
    by_column: bool = True

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items in random directions."""
        values = np.asarray(null_values(data, self.name), dtype=np.float64)
        mean = values.mean(axis=0)
        left, size, turn = np.linalg.svd(values - mean, full_matrices=False)
        kept = size > 1e-12 * max(float(size[0]), 1e-300)
        units = left[:, kept] * np.sqrt(len(values))
        length = np.sqrt((units * units).sum(axis=1))
        free = rng.standard_normal(units.shape)
        scale = length[rng.permutation(len(length))] / np.sqrt(
            (free * free).sum(axis=1)
        )
        spread = size[kept] / np.sqrt(len(values))
        drawn = mean + (free * scale[:, None] * spread) @ turn[kept]
        return data.with_values(drawn.astype(data.values.dtype, copy=False))


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
