"""Gaussian mixtures with BIC, started from the partitions of an algorithm."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dtrtrs

from stablek.data import Dataset
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.dispersion import refuse_distances

Floats = NDArray[np.float64]

SHAPES = ("spherical", "diagonal", "tied", "full")
ITERATIONS = 60
TOLERANCE = 1e-4  # of the mean log likelihood per item
FULL_UP_TO = 4  # components: beyond, k full covariances have too many parameters


@dataclass(frozen=True)
class MixtureBic:
    r"""The Bayesian information criterion of the best Gaussian mixture, at every k.

    EM starts from the partition of the algorithm. With L the likelihood that it
    reaches and p the number of free parameters,

    .. math:: BIC = -2 \log L + p \log n

    Smaller is better. Collected as scores of shape (repeats, ks).

    References
    ----------
    Schwarz (1978), Annals of Statistics 6, 461-464. Fraley, Raftery (2002), JASA 97,
    611-631.
    """

    gives = "scores"
    roles = 1
    original = False
    needs_values = True

    def collect(self, cube: PartitionCube, data: Dataset) -> Floats:
        """Return the BIC of every repeat and k."""
        refuse_distances(data)
        values = np.asarray(data.values, dtype=np.float64)
        scores = np.full(cube.filled.shape, np.nan)
        for repeat in np.flatnonzero(cube.filled.all(axis=1)):
            scores[repeat] = best_bic(values, [*cube.labels[repeat, :, 0]], cube.ks)[0]
        return scores


def best_bic(
    scores: Floats, partitions: Sequence[NDArray[Any]], ks: Sequence[int]
) -> tuple[Floats, tuple[str, ...]]:
    """Return the best BIC at each k, smaller is better, and which shape gave it.

    ``partitions[i]`` has ``ks[i]`` clusters and starts the EM of that k; k = 1 may be
    among them. The covariances are spherical, diagonal or tied, and full up to four
    components.
    """
    n, r = scores.shape
    # Sums of squares far from zero would lose the spread within clusters.
    scores = scores - scores.mean(axis=0)
    shapes = SHAPES if r <= FULL_UP_TO else SHAPES[:3]
    bic = np.full((len(shapes), len(ks)), np.inf)
    for row, shape in enumerate(shapes):
        for place, (k, labels) in enumerate(zip(ks, partitions, strict=True)):
            fit = log_likelihood(scores, labels, int(k), shape)
            bic[row, place] = -2 * fit + parameters(int(k), r, shape) * np.log(n)
    best = bic.argmin(axis=0)
    return bic.min(axis=0), tuple(shapes[b] for b in best)


def parameters(k: int, r: int, shape: str) -> int:
    """Return the number of free parameters of a mixture of k Gaussians."""
    each = r * (r + 1) // 2
    covariance = {"spherical": k, "diagonal": k * r, "tied": each, "full": k * each}
    return k - 1 + k * r + covariance[shape]


def log_likelihood(scores: Floats, labels: NDArray[Any], k: int, shape: str) -> float:
    """Return the log likelihood that EM reaches from a partition."""
    n = len(scores)
    share = np.zeros((n, k))
    share[np.arange(n), np.asarray(labels, dtype=np.intp)] = 1.0
    # No variance below a hundredth of the mean one within the clusters of the start: a
    # cluster of few or equal items would otherwise have boundless likelihood.
    mean = share.T @ scores / np.maximum(share.sum(axis=0), 1)[:, None]
    inside = ((scores - mean[np.asarray(labels, dtype=np.intp)]) ** 2).mean()
    least = max(0.01 * float(inside), 1e-12 * float(scores.var(axis=0).mean()), 1e-300)
    last = -np.inf
    for _ in range(ITERATIONS):
        density = _densities(scores, share, shape, least)
        top = density.max(axis=1, keepdims=True)
        share = np.exp(density - top)
        total = share.sum(axis=1, keepdims=True)
        share /= total
        now = float((top + np.log(total)).sum())
        if abs(now - last) < TOLERANCE * n:
            break
        last = now
    return now


def _densities(scores: Floats, share: Floats, shape: str, least: float) -> Floats:
    """Carry out the M step; return log(weight x density) of shape (n, k)."""
    r = scores.shape[1]
    size = share.sum(axis=0) + 1e-9
    mean = share.T @ scores / size[:, None]
    log_weight = np.log(size / size.sum())
    squares = scores * scores
    constant = -0.5 * r * np.log(2 * np.pi)
    if shape in ("spherical", "diagonal"):
        var = np.maximum(share.T @ squares / size[:, None] - mean * mean, least)
        if shape == "spherical":
            var = np.repeat(var.mean(axis=1, keepdims=True), r, axis=1)
        away = squares @ (1 / var).T - 2 * scores @ (mean / var).T
        away += (mean * mean / var).sum(axis=1)
        density: Floats = -0.5 * (away + np.log(var).sum(axis=1))
        return np.asarray(density + constant + log_weight)
    if shape == "tied":
        return np.asarray(constant + log_weight + _tied(scores, mean, size, least))
    density = np.empty_like(share)
    for c in range(share.shape[1]):
        centred = scores - mean[c]
        own = (share[:, c, None] * centred).T @ centred / size[c]
        own.flat[:: r + 1] += least
        density[:, c] = _normal(np.linalg.cholesky(own), centred)
    return np.asarray(density + constant + log_weight)


def _tied(scores: Floats, mean: Floats, size: Floats, least: float) -> Floats:
    """Return log densities of shape (n, k), less a constant, with one covariance."""
    n = len(scores)
    # The scatter within is the whole scatter less that of the means.
    within = (scores.T @ scores - (mean.T * size) @ mean) / n
    within = (within + within.T) / 2
    within[np.diag_indices(len(within))] += least
    turn = np.asarray(np.linalg.cholesky(within), dtype=np.float64)
    white, centres = _solved(turn, scores.T), _solved(turn, mean.T)
    away = (white * white).sum(axis=0)[:, None] - 2 * white.T @ centres
    away += (centres * centres).sum(axis=0)
    return np.asarray(-0.5 * away - np.log(np.diag(turn)).sum())


def _normal(turn: Floats, centred: Floats) -> Floats:
    """Return the log density of a normal, less a constant; ``turn`` is Cholesky's."""
    white = _solved(turn, centred.T)
    return np.asarray(-0.5 * (white * white).sum(axis=0) - np.log(np.diag(turn)).sum())


def _solved(turn: NDArray[Any], right: NDArray[Any]) -> Floats:
    """Solve turn @ x = right for a lower triangle that is small, without its checks."""
    return dtrtrs(turn.T, right, lower=0, trans=1)[0]
