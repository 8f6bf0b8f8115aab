"""Null models: data sets that keep some features of the data and no clusters.

No null model is right for all data: what counts as "no structure" depends on the region
and on the correlations one wants to keep (Sarle 1983; thesis, section 1.4). Each class
says what it keeps; tests hold it to that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Matrix
from stablek.errors import InputError, unknown_name
from stablek.paradigm.contracts import (
    HasMetric,
    NullModel,
)
from stablek.paradigm.perturb.regions import (
    enclosing_ball,
    hull_simplices,
    null_values,
)
from stablek.paradigm.perturb.skewed import Elliptical, SkewedNormal

#: What several draws from the same data share, such as principal axes.
_SHARED: WeakKeyDictionary[Dataset, dict[str, Any]] = WeakKeyDictionary()


@dataclass(frozen=True)
class UnimodalNormal:
    """Items of a normal distribution with the columns' means and standard deviations.

    Keeps mean and spread of every column, nothing of their correlation. Data with
    shorter tails than the normal (uniform ones) are rejected too often.

    References
    ----------
    Thesis, section 1.4 (unimodality hypothesis). Sarle (1983), Cubic Clustering
    Criterion, SAS Technical Report A-108.
    """

    name: str = "normal"

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items, every column normal and independent of the others."""
        values = null_values(data, self.name)
        mean, spread = values.mean(axis=0), values.std(axis=0, ddof=1)
        return _like(data, mean + spread * rng.standard_normal(values.shape))


@dataclass(frozen=True)
class RandomGraph:
    """The entries of the distance matrix in random order.

    Keeps the set of distances and nothing else; triangles need not close. It is the
    only null model for a distance matrix, and needs an algorithm that takes distances
    (hier-a, hier-c, hier-s, hier-w). ``metric`` None: that of the algorithm, which
    :func:`in_metric_of` fills in where null sets are drawn for a run.

    References
    ----------
    Thesis, section 1.4 (random graph hypothesis). Jain, Dubes (1988), Algorithms for
    Clustering Data, section 4.1.
    """

    name: str = "graph"
    metric: str | None = None

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return a distance matrix with permuted entries."""
        square = data.distances(self.metric or "euclidean")
        below = np.tril_indices(data.n, -1)
        mixed = np.zeros((data.n, data.n))
        mixed[below] = rng.permutation(square[below])
        mixed += mixed.T
        return replace(data, values=mixed, columns=(), precomputed=True, _distances={})


@dataclass(frozen=True)
class RandomLabels:
    """The same data with the user's labels in random order.

    Keeps the data and the sizes of the classes; only labels that were brought from
    elsewhere can be tested against it.

    References
    ----------
    Thesis, section 1.4 (random label hypothesis). Jain, Dubes (1988), Algorithms for
    Clustering Data, section 4.1.
    """

    name: str = "labels"

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return the data with permuted classes."""
        if data.classes is None:
            msg = "the random label null needs labels; name their column with --labels"
            raise InputError(msg)
        order = rng.permutation(data.n)
        return replace(data, classes=tuple(data.classes[i] for i in order))


@dataclass(frozen=True)
class Permutation:
    """Pr: values in random order within every column, or within every row.

    Within columns (the default) every column keeps its values exactly, and what linked
    the columns of an item is lost. Within rows, an item keeps its values: that makes
    sense only where columns are comparable, and destroys the columns' marginals. One
    permutation for all columns would change no distance at all, which is the trap that
    the thesis warns of; each column gets its own.

    References
    ----------
    Thesis, section 1.4 (permutational model).
    """

    name: str = "pr"
    within: str = "columns"

    def __post_init__(self) -> None:
        if self.within not in ("columns", "rows"):
            raise unknown_name("permutation within", self.within, ("columns", "rows"))

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return the permuted data."""
        axis = 0 if self.within == "columns" else 1
        return _like(data, rng.permuted(null_values(data, self.name), axis=axis))


@dataclass(frozen=True)
class PoissonBox:
    """Ps: items placed uniformly in the box that encloses the data.

    Each column is uniform between its minimum and its maximum, independently.

    References
    ----------
    Thesis, section 1.4 (random position hypothesis). Tibshirani, Walther, Hastie
    (2001), JRSS B 63, 411-423, choice (a) of section 3.
    """

    name: str = "ps"

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items drawn uniformly from the bounding box."""
        return _like(data, _in_box(null_values(data, self.name), rng))


@dataclass(frozen=True)
class PoissonSphere:
    """Ps on a sphere: items placed uniformly in a ball that encloses the data.

    The ball is the smallest one to within a percent or so. In many dimensions nearly
    all its volume is near the surface.

    References
    ----------
    Thesis, section 1.4. Gordon (1999), Classification, section 7.2. Badoiu, Clarkson
    (2003), Smaller core-sets for balls, SODA, 801-802.
    """

    name: str = "ps-sphere"

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items drawn uniformly from the ball."""
        values = null_values(data, self.name)
        centre, radius = _shared(data, "ball", lambda: enclosing_ball(values))
        way = rng.standard_normal(values.shape)
        length = np.sqrt((way * way).sum(axis=1))
        far = radius * rng.random(data.n) ** (1 / data.m)
        return _like(data, centre + way * (far / length)[:, None])


@dataclass(frozen=True)
class PoissonHull:
    """Ps on the convex hull: items placed uniformly in the hull of the data.

    For up to six columns; beyond that the hull cannot be computed and ``pc`` follows
    the shape of the data instead.

    References
    ----------
    Thesis, section 1.4. Gordon (1999), Classification, section 7.2.
    """

    name: str = "ps-hull"

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items drawn uniformly from the convex hull."""
        values = null_values(data, self.name)
        corners, volume = _shared(data, "hull", lambda: hull_simplices(values))
        chosen = rng.choice(len(corners), size=data.n, p=volume / volume.sum())
        # Normalised exponentials are uniform on a simplex.
        weight = rng.standard_exponential((data.n, data.m + 1))
        weight /= weight.sum(axis=1, keepdims=True)
        return _like(data, np.einsum("ij,ijk->ik", weight, corners[chosen]))


@dataclass(frozen=True)
class PoissonPrincipal:
    """Pc: items placed uniformly in a box aligned with the principal components.

    The columns are centred, D = U X V^T; DV is replaced by a uniform box as in Ps, and
    turned back with V^T. Keeps the principal axes and the range along each of them, so
    correlation between columns is no structure.

    References
    ----------
    Thesis, section 1.4. Tibshirani, Walther, Hastie (2001), JRSS B 63, 411-423, choice
    (b) of section 3. Sarle (1983), SAS Technical Report A-108.
    """

    name: str = "pc"

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items drawn uniformly from the aligned box."""
        axes = _principal(data, self.name)
        return _like(data, axes.mean + _in_box(axes.scores, rng) @ axes.turn)


@dataclass(frozen=True)
class CorrelatedNormal:
    """The Gaussian of M3C: normal items with the data's means and covariance.

    Scores on the principal components are drawn from normal distributions with the
    standard deviations of the data's own scores, and turned back. The thesis lacks it.

    References
    ----------
    John, Watson, Russ, Goldmann, Ehrenstein, Pitzalis, Lewis, Barnes (2020), M3C,
    Scientific Reports 10, 1816, Methods.
    """

    name: str = "m3c"

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items of the fitted normal distribution."""
        axes = _principal(data, self.name)
        spread = axes.scores.std(axis=0, ddof=1)
        scores = spread * rng.standard_normal(axes.scores.shape)
        return _like(data, axes.mean + scores @ axes.turn)


#: The word a user types, and what makes the null model.
NULL_MODELS: dict[str, Callable[[], NullModel]] = {
    "normal": UnimodalNormal,
    "graph": RandomGraph,
    "labels": RandomLabels,
    "pr": Permutation,
    "ps": PoissonBox,
    "ps-sphere": PoissonSphere,
    "ps-hull": PoissonHull,
    "pc": PoissonPrincipal,
    "m3c": CorrelatedNormal,
    "skewed": SkewedNormal,
    "elliptical": Elliptical,
}


def null_model(wanted: str | NullModel) -> NullModel:
    """Return the null model a user asked for, by name or as an object."""
    if not isinstance(wanted, str):
        return wanted
    if wanted not in NULL_MODELS:
        raise unknown_name("null model", wanted, NULL_MODELS)
    return NULL_MODELS[wanted]()


def null_of_data(wanted: str | NullModel) -> NullModel:
    """Return a null model whose sets are clustered; random labels leave the data be."""
    model = null_model(wanted)
    if isinstance(model, RandomLabels):
        msg = (
            "random labels test your own labels, not those of an algorithm; use "
            "--labels"
        )
        raise InputError(msg)
    return model


def in_metric_of(model: NullModel, clusterer: object) -> NullModel:
    """Return the model with the algorithm's distances, if it is made of distances."""
    if isinstance(model, RandomGraph) and model.metric is None:
        known = clusterer.metric if isinstance(clusterer, HasMetric) else None
        return replace(model, metric=known)
    return model


@dataclass(frozen=True)
class _Axes:
    """Column means, scores on the principal axes, and the axes as rows of ``turn``."""

    mean: NDArray[np.float64]
    scores: NDArray[np.float64]
    turn: NDArray[np.float64]


def _principal(data: Dataset, name: str) -> _Axes:
    values = null_values(data, name)

    def find() -> _Axes:
        whole = np.asarray(values, dtype=np.float64)
        mean = whole.mean(axis=0)
        turn = np.linalg.svd(whole - mean, full_matrices=False)[2]
        return _Axes(mean, (whole - mean) @ turn.T, turn)

    axes: _Axes = _shared(data, "axes", find)
    return axes


def _in_box(values: Matrix, rng: np.random.Generator) -> Matrix:
    low, high = values.min(axis=0), values.max(axis=0)
    placed: Matrix = low + (high - low) * rng.random(values.shape)
    return placed


def _shared(data: Dataset, what: str, find: Callable[[], Any]) -> Any:
    """Return what all draws from the same data share, found once per process."""
    known = _SHARED.setdefault(data, {})
    if what not in known:
        known[what] = find()
    return known[what]


def _like(data: Dataset, values: Matrix) -> Dataset:
    return data.with_values(values.astype(data.values.dtype, copy=False))
