"""Mixtures with a known number of clusters and a stated overlap.

A mixture is a flavour (what is unequal, and how the clusters are shaped), a number of
clusters k, a number of columns m, and how far apart: either a Bayes error (0.01, 0.05,
0.10) or a separation in standard deviations of the closest pair. The same seed at
another distance is the same set pulled apart, so a curve of power against overlap is
paired.

How it is built: k centres stand in a space of q = min(m, max(k - 1, 2)) dimensions,
the *core*, in which everything that tells clusters apart happens; the core is turned
at random into the m columns, and the other m - q dimensions hold spread only.

The Bayes error is that of the core: of the best rule that sees where an item stands in
the core. With equal spreads, or m <= q, that is the Bayes error itself; with unequal
spreads it is an upper bound, because in many dimensions the mere length of a row gives
its cluster away even when all centres coincide (at m = 100 nearly without error). That
is not what people mean by clusters.
"""

from dataclasses import dataclass

import numpy as np

from stablek.data.seeds import Streams
from stablek.datasets.overlap import Clouds, Overlap, Shape, shaped
from stablek.datasets.simulated import Floats, Labels, Simulated
from stablek.errors import InputError, unknown_name


@dataclass(frozen=True, slots=True)
class Flavour:
    """What distinguishes one kind of mixture from the plain one."""

    summary: str
    sizes: bool = False  # sizes from 1 to 4, evenly in logarithm
    spreads: bool = False  # standard deviations from 0.6 to 1.4
    stretched: bool = False  # axes of the core from 2 : 1/2, turned per cluster
    shape: Shape = "gaussian"
    noise: bool = False  # centres differ in at most 8 columns
    pairs: bool = False  # groups of two clusters, groups four times as far apart


#: Every flavour by the name a user types.
MIXTURES: dict[str, Flavour] = {
    "equal": Flavour("round clusters of equal size and spread"),
    "sizes": Flavour("sizes from 1 to 4", sizes=True),
    "spreads": Flavour("standard deviations from 0.6 to 1.4", spreads=True),
    "unequal": Flavour("unequal sizes and spreads", sizes=True, spreads=True),
    "anisotropic": Flavour("stretched 4 : 1, each in its own way", stretched=True),
    "skewed": Flavour("log-normal clusters (0.5), own directions", shape="lognormal"),
    "uniform": Flavour("uniform balls", shape="ball"),
    "t5": Flavour("elliptical t with 5 degrees of freedom", shape="t5"),
    "noise": Flavour("centres differ in at most 8 columns", noise=True),
    "two-level": Flavour("pairs of clusters, pairs four times as far", pairs=True),
}


def mixture(
    flavour: str,
    k: int,
    m: int,
    seed: int = 0,
    *,
    bayes_error: float | None = None,
    separation: float | None = None,
    n: int | None = None,
    smallest: int = 20,
) -> Simulated:
    """Return a mixture of k clusters in m columns, items in random order.

    Parameters
    ----------
    flavour : str
        A name of ``MIXTURES``.
    k, m : int
        Number of clusters (for "two-level" even, at least 4) and of columns.
    seed : int
        The same seed with another ``bayes_error`` or ``separation`` gives the same
        items, pulled together or apart.
    bayes_error : float, optional
        The overlap to have, see the module's text; or
    separation : float, optional
        The distance of the closest two centres, in mean standard deviations of the two.
    n : int, optional
        Number of items. Default: max(80, 25 k) with equal sizes; with unequal ones so
        many that the smallest cluster has ``smallest`` and the largest four times that.
    smallest : int
        Least size of a cluster.

    Returns
    -------
    Simulated
        ``facts`` has ``bayes_error`` with its Monte Carlo error ``bayes_error_se``,
        ``separation``, ``sizes``, ``spreads``, ``centres`` (k x m), ``core`` (its
        dimension) and, for "two-level", ``group`` of each cluster.

    Examples
    --------
    >>> made = mixture("unequal", 4, 10, seed=1, bayes_error=0.05)
    >>> made.values.shape, round(made.facts["bayes_error"], 3)
    ((182, 10), 0.05)
    """
    kind = _checked(flavour, k, m)
    streams = Streams(seed, ("mixture", flavour, k, m))
    rng = streams("frame")
    sizes = _sizes(k, n, smallest, rng, unequal=kind.sizes)
    spreads = rng.permutation(np.linspace(0.6, 1.4, k)) if kind.spreads else np.ones(k)
    columns = min(8, (m + 1) // 2) if kind.noise else m
    q = min(columns, max(k - 1, 2))
    place = _pairs if kind.pairs else spaced
    centres = place(spreads, q, rng)
    frames = _frames(kind, spreads, q, rng)
    basis = np.zeros((m, q))
    basis[:columns] = np.linalg.qr(rng.standard_normal((columns, q)))[0]

    clouds = Clouds(centres, frames, sizes / sizes.sum(), kind.shape, m)
    overlap = Overlap.of(clouds, streams("error"))
    scale = _scale(overlap, bayes_error, separation)
    error, error_se = overlap.error(scale)
    labels = streams("order").permutation(
        np.repeat(np.arange(k, dtype=np.int64), sizes)
    )
    values = _items(clouds, basis, spreads, scale, labels, streams("items"))
    facts = {
        "flavour": flavour,
        "bayes_error": error,
        "bayes_error_se": error_se,
        "separation": float(scale),
        "sizes": sizes.tolist(),
        "spreads": spreads.tolist(),
        "centres": scale * centres @ basis.T,
        "core": q,
    }
    if kind.pairs:
        facts["group"] = (np.arange(k) // 2).tolist()
    return Simulated(values, labels, k, f"mixture-{flavour}", facts)


def _checked(flavour: str, k: int, m: int) -> Flavour:
    """Return the flavour, or refuse what cannot be made."""
    if flavour not in MIXTURES:
        raise unknown_name("flavour", flavour, MIXTURES)
    kind = MIXTURES[flavour]
    if k < 2 or m < 1:
        raise InputError(f"k = {k}, m = {m}: a mixture has k >= 2 clusters, m >= 1")
    if kind.pairs and (k < 4 or k % 2):
        raise InputError(f"k = {k}: '{flavour}' is made of pairs; give 4, 6, 8 ...")
    return kind


def _scale(
    overlap: Overlap, bayes_error: float | None, separation: float | None
) -> float:
    """Return the scale asked for, by its Bayes error or directly."""
    if bayes_error is not None and separation is None:
        return overlap.scale_for(bayes_error)
    if separation is not None and bayes_error is None:
        if not 0.0 <= separation < np.inf:
            raise InputError(f"separation = {separation}: give a number of at least 0")
        return float(separation)
    raise InputError("give bayes_error or separation, but not both")


def _sizes(
    k: int, n: int | None, smallest: int, rng: np.random.Generator, *, unequal: bool
) -> Labels:
    """Share n items among k clusters, at least ``smallest`` each.

    Unequal sizes run from 1 to 4, evenly in logarithm, where ``smallest`` lets them.
    """
    ratio = np.geomspace(1.0, 4.0, k) if unequal else np.ones(k)
    if n is None:
        n = round(smallest * ratio.sum()) if unequal else max(80, 25 * k, smallest * k)
    if smallest < 1 or n < k * smallest:
        raise InputError(
            f"n = {n} items cannot give {k} clusters at least {smallest} each; "
            f"ask for n >= {k * max(smallest, 1)} or a lower 'smallest'"
        )
    least = max(smallest, int(n / ratio.sum()))
    extra = ratio - 1.0 if unequal else ratio
    exact = least + (n - k * least) * extra / extra.sum()
    sizes = np.floor(exact).astype(np.int64)
    # The largest remainders get the items that rounding left over.
    sizes[np.argsort(sizes - exact, kind="stable")[: n - int(sizes.sum())]] += 1
    return rng.permutation(sizes)


def spaced(spreads: Floats, q: int, rng: np.random.Generator) -> Floats:
    """Place centres at random but well apart; the closest pair is 1 mean spread apart.

    Each centre is the best of ten uniform points of a ball: the one farthest, in
    spreads, from those already there (Mitchell's best candidate). Plain random points
    would leave one close pair and all the others far away.
    """
    k = len(spreads)
    centres = np.zeros((k, q))
    for c in range(k):
        tries = rng.standard_normal((10, q))
        tries *= (rng.random(10) ** (1.0 / q) / np.sqrt((tries**2).sum(1)))[:, None]
        away = np.sqrt(((tries[:, None] - centres[None, :c]) ** 2).sum(axis=2))
        away /= 0.5 * (spreads[c] + spreads[:c])
        centres[c] = tries[np.argmax(away.min(axis=1, initial=np.inf))]
    away = np.sqrt(((centres[:, None] - centres[None]) ** 2).sum(axis=2))
    away /= 0.5 * (spreads[:, None] + spreads[None])
    closest = away[np.triu_indices(k, 1)].min()
    return np.asarray((centres - centres.mean(axis=0)) / closest)


def _pairs(spreads: Floats, q: int, rng: np.random.Generator) -> Floats:
    """Place pairs: partners 1 apart, the middles of the closest two pairs 4 apart."""
    middles = 4.0 * spaced(np.ones(len(spreads) // 2), q, rng)
    half = rng.standard_normal(middles.shape)
    half *= 0.5 / np.sqrt((half**2).sum(axis=1, keepdims=True))
    return np.stack([middles - half, middles + half], axis=1).reshape(-1, q)


def _frames(kind: Flavour, spreads: Floats, q: int, rng: np.random.Generator) -> Floats:
    """Return the q x q matrix that gives each cluster its axes in the core."""
    k = len(spreads)
    axes = np.geomspace(2.0, 0.5, q) if kind.stretched else np.ones(q)
    axes = axes / np.sqrt((axes**2).mean())  # the mean variance stays spread^2
    if kind.stretched or kind.shape == "lognormal":
        turned = np.linalg.qr(rng.standard_normal((k, q, q)))[0]
    else:
        turned = np.broadcast_to(np.eye(q), (k, q, q))
    return np.asarray(spreads[:, None, None] * (turned * axes))


def _items(
    clouds: Clouds,
    basis: Floats,
    spreads: Floats,
    scale: float,
    labels: Labels,
    rng: np.random.Generator,
) -> Floats:
    """Draw one item per label: its core part from the clouds, the rest round it."""
    z = rng.standard_normal((labels.size, clouds.m))
    inner = np.einsum("ij,jq->iq", z, basis)
    outer: Floats = z - np.einsum("iq,jq->ij", inner, basis)
    rest = (outer**2).sum(axis=1)
    core, stretch = shaped(clouds.shape, inner, rest, clouds.m, rng)
    core = np.einsum("iqp,ip->iq", clouds.frames[labels], core)
    core += scale * clouds.centres[labels]
    outer *= (stretch * spreads[labels])[:, None]
    outer += np.einsum("iq,jq->ij", core, basis)
    return outer
