"""Sets with a single cluster, in many shapes: what a verdict must answer "one" on.

Six kinds are the null sets of the calibration figures (``FAMILY``); six more lie
outside that family (``OUTSIDE``) and show how far a rule carries. Each kind is a
function of (n, m, rng), for any n and m, that returns the matrix; :func:`null_set`
gives it a seed and a name. None of them is standardised: a rule that wants that has
to do it.
"""

from collections.abc import Callable

import numpy as np

from stablek.data.seeds import stream
from stablek.datasets.simulated import Floats, Simulated
from stablek.errors import InputError, unknown_name

NullKind = Callable[[int, int, np.random.Generator], Floats]


def gaussian(n: int, m: int, rng: np.random.Generator) -> Floats:
    """Return independent N(0, 1)."""
    return rng.standard_normal((n, m))


def correlated(n: int, m: int, rng: np.random.Generator) -> Floats:
    """Return rows of a stationary AR(1): N(0, 1), corr(x_i, x_j) = 0.8^|i - j|."""
    rows = rng.standard_normal((n, m))
    rows[:, 1:] *= 0.6  # sqrt(1 - 0.8^2): variance 1 from the first column on
    for j in range(1, m):
        rows[:, j] += 0.8 * rows[:, j - 1]
    return rows


def factor(n: int, m: int, rng: np.random.Generator) -> Floats:
    """Return one dominant Gaussian factor plus N(0, 1): x_ij = w_j f_i + z_ij.

    Loadings w_j and factor f_i are N(0, 1), so the first eigenvalue of the covariance
    is about 1 + m and all others are 1.
    """
    loadings = rng.standard_normal(m)
    return np.outer(rng.standard_normal(n), loadings) + rng.standard_normal((n, m))


def uniform(n: int, m: int, rng: np.random.Generator) -> Floats:
    """Return independent uniforms on [0, 1]."""
    return rng.random((n, m))


def heavy(n: int, m: int, rng: np.random.Generator) -> Floats:
    """Return independent Student t with 3 degrees of freedom (variance 3)."""
    return rng.standard_t(3.0, (n, m))


def skewed(n: int, m: int, rng: np.random.Generator) -> Floats:
    """Return independent log-normals, exp(0.7 z)."""
    return np.exp(0.7 * rng.standard_normal((n, m)))


def elliptical_t5(n: int, m: int, rng: np.random.Generator) -> Floats:
    """Return an elliptical t with 5 degrees of freedom: whole rows lie far out.

    x_ij = s_j z_ij sqrt(5 / c_i) with c_i chi-square(5), and s_j falling evenly in
    logarithm from 1 to 0.25.
    """
    far = np.sqrt(5.0 / rng.chisquare(5.0, n))
    return rng.standard_normal((n, m)) * np.geomspace(1.0, 0.25, m) * far[:, None]


def exponential_factor(n: int, m: int, rng: np.random.Generator) -> Floats:
    """Return :func:`factor` with a skewed factor, f_i exponential(1) minus 1."""
    loadings = rng.standard_normal(m)
    skew = rng.exponential(1.0, n) - 1.0
    return np.outer(skew, loadings) + rng.standard_normal((n, m))


def ball(n: int, m: int, rng: np.random.Generator) -> Floats:
    """Return the uniform distribution in the ball of radius sqrt(m + 2).

    With that radius every column has variance 1.
    """
    z = rng.standard_normal((n, m))
    radius = np.sqrt(m + 2.0) * rng.random(n) ** (1.0 / m)
    z *= (radius / np.sqrt((z * z).sum(axis=1)))[:, None]
    return z


def power_law(n: int, m: int, rng: np.random.Generator) -> Floats:
    """Return a Gaussian whose covariance has the eigenvalues 1, 1/2, 1/3, ... 1/m.

    The eigenvectors are the cosine basis in random order: the columns are correlated,
    of similar variance, and no m x m matrix is formed.
    """
    from scipy.fft import dct

    spread = rng.permutation(1.0 / np.sqrt(np.arange(1.0, m + 1.0)))
    return np.asarray(dct(rng.standard_normal((n, m)) * spread, axis=1, norm="ortho"))


def gamma2(n: int, m: int, rng: np.random.Generator) -> Floats:
    """Return independent gamma variables of shape 2, scale 1 (skewness 1.41)."""
    return rng.gamma(2.0, 1.0, (n, m))


def curves(n: int, m: int, rng: np.random.Generator) -> Floats:
    """Return smooth random curves at m time points, each row standardised.

    Rows are draws of a Gaussian process on [0, 1] with covariance
    exp(-(s - t)^2 / (2 * 0.2^2)), then set to mean 0 and spread 1 (ddof = 1), as time
    courses are. That bends the cloud onto a sphere: one cluster, but ring-like.

    The process is periodic with period 3 and written as its Fourier series (30 terms:
    the next is below 1e-35); over [0, 1] the repeats are ten length scales away.

    With m = 2 a standardised row can only be one of two points, so m >= 3 is asked.
    """
    if m < 3:
        raise InputError(f"curves need at least 3 columns, not {m}: they are rescaled")
    length, period = 0.2, 3.0
    order = np.arange(1.0, 31.0)
    weight = np.exp(-0.5 * (2.0 * np.pi * length * order / period) ** 2)
    share = np.concatenate(([1.0], 2.0 * weight))
    share = np.sqrt(share / share.sum())
    angle = 2.0 * np.pi / period * np.outer(order, np.linspace(0.0, 1.0, m))
    basis = np.concatenate([np.ones((1, m)), np.cos(angle), np.sin(angle)])
    basis *= np.concatenate([share, share[1:]])[:, None]
    # einsum, not BLAS: the bits must not depend on the number of BLAS threads.
    rows: Floats = np.einsum("ij,jk->ik", rng.standard_normal((n, len(basis))), basis)
    rows -= rows.mean(axis=1, keepdims=True)
    rows /= rows.std(axis=1, ddof=1, keepdims=True)
    return rows


FAMILY: dict[str, NullKind] = {
    "gaussian": gaussian,
    "correlated": correlated,
    "factor": factor,
    "uniform": uniform,
    "heavy": heavy,
    "skewed": skewed,
}

OUTSIDE: dict[str, NullKind] = {
    "elliptical-t5": elliptical_t5,
    "exponential-factor": exponential_factor,
    "ball": ball,
    "power-law": power_law,
    "gamma": gamma2,
    "curves": curves,
}

#: Every null kind by the name a user types.
NULLS: dict[str, NullKind] = {**FAMILY, **OUTSIDE}


def null_set(kind: str, n: int, m: int, seed: int = 0) -> Simulated:
    """Return a seeded null set: n items, m columns, one cluster.

    Examples
    --------
    >>> null_set("skewed", 60, 600, seed=1).k
    1
    """
    if kind not in NULLS:
        raise unknown_name("null kind", kind, NULLS)
    if n < 1 or m < 1:
        raise InputError(f"a null set of {n} x {m}: give at least 1 row and 1 column")
    values = NULLS[kind](n, m, stream(seed, "null-set", kind, n, m))
    facts = {"kind": kind, "in_family": kind in FAMILY}
    return Simulated(values, np.zeros(n, dtype=np.int64), 1, f"null-{kind}", facts)
