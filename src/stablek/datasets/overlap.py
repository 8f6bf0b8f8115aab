"""How far clusters overlap: the Bayes error of a mixture, and the scale that gives it.

The Bayes error is the share of items that even a rule which knows every density puts
into the wrong cluster: E[1 - max_c p(c | x)]. It is estimated by Monte Carlo with the
true densities, on draws that stay the same while the centres are pulled apart, so it
is a smooth function of the scale and a root finder needs about ten looks at it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from stablek.datasets.simulated import Floats
from stablek.errors import InputError

Shape = Literal["gaussian", "t5", "ball", "lognormal"]

# The log-normal exp(SIGMA z), moved and scaled to mean 0 and variance 1.
SIGMA = 0.5
_LOG_MEAN = float(np.exp(SIGMA**2 / 2.0))
_LOG_SD = _LOG_MEAN * float(np.sqrt(np.expm1(SIGMA**2)))


def shaped(
    shape: Shape, z: Floats, rest: Floats, m: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Turn standard normals into draws of a shape with mean 0 and variance 1.

    Parameters
    ----------
    shape : {"gaussian", "t5", "ball", "lognormal"}
        The shape of the cluster in m dimensions.
    z : array of shape (n, q)
        Standard normals: the q coordinates in which clusters differ.
    rest : array of shape (n,)
        Squared length of the other m - q coordinates, chi-square(m - q).
    m : int
        Number of all coordinates.
    rng : Generator
        For the one number more per row that t5 and ball need.

    Returns
    -------
    core : array of shape (n, q)
        The draws.
    scale : array of shape (n,)
        What the other m - q coordinates of the row have to be multiplied with.
    """
    ones = np.ones(len(z))
    if shape == "gaussian":
        return z, ones
    if shape == "lognormal":
        return (np.exp(SIGMA * z) - _LOG_MEAN) / _LOG_SD, ones
    if shape == "t5":
        # sqrt(5 / chi2) makes it t5, whose variance is 5/3.
        scale = np.sqrt(3.0 / rng.chisquare(5.0, len(z)))
    else:
        radius = np.sqrt(m + 2.0) * rng.random(len(z)) ** (1.0 / m)
        scale = radius / np.sqrt((z * z).sum(axis=1) + rest)
    return z * scale[:, None], scale


@dataclass(frozen=True, slots=True, eq=False)
class Clouds:
    """The K clusters seen in the q coordinates in which they differ.

    Cluster c is t * centres[c] + frames[c] @ e, where e has the shape in question.
    """

    centres: Floats  # (K, q)
    frames: Floats  # (K, q, q)
    weights: Floats  # (K,), sum 1
    shape: Shape
    m: int  # dimension of the whole space: a ball's shadow depends on it


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """The Bayes error of some clouds as a function of their scale t.

    Build it with :meth:`of`. In the frame of cluster b, a draw of cluster a stands at
    ``seen[a, :, b] + t * shift[a, b]``; its squared length there is a polynomial in t
    with the coefficients ``square``, which is all that shapes with elliptical contours
    need.
    """

    clouds: Clouds
    seen: Floats  # (K, draws, K, q)
    shift: Floats  # (K, K, q)
    square: tuple[Floats, Floats, Floats]  # of t^0, t^1, t^2, each (K, draws or 1, K)

    @classmethod
    def of(
        cls, clouds: Clouds, rng: np.random.Generator, *, draws: int = 10_000
    ) -> Overlap:
        """Draw the items, ``draws`` in all, once and for every scale."""
        k, q = clouds.centres.shape
        each = max(draws // k, 100)
        z = rng.standard_normal((k * each, q))
        spare = clouds.m - q
        rest = rng.chisquare(spare, k * each) if spare else np.zeros(k * each)
        core, _ = shaped(clouds.shape, z, rest, clouds.m, rng)
        back = np.linalg.inv(clouds.frames)
        turn = np.einsum("bij,ajl->abil", back, clouds.frames)
        seen = np.einsum("abil,anl->anbi", turn, core.reshape(k, each, q))
        apart = clouds.centres[:, None] - clouds.centres[None]
        shift = np.einsum("bij,abj->abi", back, apart)
        square = (
            np.einsum("anbi,anbi->anb", seen, seen),
            2.0 * np.einsum("anbi,abi->anb", seen, shift),
            np.einsum("abi,abi->ab", shift, shift)[:, None],
        )
        return cls(clouds, seen, shift, square)

    def error(self, scale: float) -> tuple[float, float]:
        """Return the Bayes error at this scale and its Monte Carlo error."""
        clouds = self.clouds
        if clouds.shape == "lognormal":
            density = _log_lognormal(self.seen + scale * self.shift[:, None])
        else:
            still, linear, quadratic = self.square
            square = still + scale * linear + scale**2 * quadratic
            density = _log_elliptical(
                clouds.shape, square, self.shift.shape[2], clouds.m
            )
        density += np.log(clouds.weights) - np.linalg.slogdet(clouds.frames)[1]
        density -= density.max(axis=2, keepdims=True)
        # The largest term is exp(0) = 1, so 1 - max p = 1 - 1 / sum.
        wrong = 1.0 - 1.0 / np.exp(density).sum(axis=2)
        mean = float(clouds.weights @ wrong.mean(axis=1))
        variance = wrong.var(axis=1, ddof=1) / wrong.shape[1]
        return mean, float(np.sqrt(clouds.weights**2 @ variance))

    def scale_for(self, target: float) -> float:
        """Return the scale at which the Bayes error is ``target``."""
        from scipy.optimize import brentq

        most = self.error(0.0)[0]
        if not most > target > 0.0:
            raise InputError(
                f"a Bayes error of {target:g} is not possible: give one between 0 and "
                f"{most:.3g}, which is the error with all centres in one place"
            )
        low, high = 0.0, 2.0
        while self.error(high)[0] >= target:
            low, high = high, 2.0 * high
        return float(brentq(lambda t: self.error(t)[0] - target, low, high, xtol=1e-3))


def _log_elliptical(shape: Shape, square: Floats, q: int, m: int) -> Floats:
    """Return the log density, up to a constant, at this squared length in q dimensions.

    The shadow of a ball of radius R in m dimensions on q of them has the density
    (1 - |y|^2 / R^2)^((m - q) / 2) inside R and 0 outside; here R^2 = m + 2.
    """
    if shape == "gaussian":
        return np.asarray(-0.5 * square)
    if shape == "t5":
        return np.asarray(-0.5 * (5.0 + q) * np.log1p(square / 3.0))
    left = 1.0 - square / (m + 2.0)
    inside = left > 0.0
    power = 0.5 * (m - q) * np.log(np.where(inside, left, 1.0))
    return np.where(inside, power, -np.inf)


def _log_lognormal(place: Floats) -> Floats:
    """Return the log density, up to a constant, of independent log-normals."""
    raised = place * _LOG_SD + _LOG_MEAN
    inside = raised > 0.0
    log = np.log(np.where(inside, raised, 1.0))
    each = np.where(inside, -log - log * log / (2.0 * SIGMA**2), -np.inf)
    return np.asarray(each.sum(axis=-1))
