"""Null models: data sets that keep some features of the data and no clusters.

No null model is right for all data: what counts as "no structure" depends on the region
and on the correlations one wants to keep (Sarle 1983; thesis, section 1.4). Each class
says what it keeps; tests hold it to that.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from stablek.data import Dataset
from stablek.errors import InputError, unknown_name
from stablek.paradigm.contracts import HasMetric, NullModel
from stablek.paradigm.perturb.null_set import null_like, principal_axes
from stablek.paradigm.perturb.poisson import (
    PoissonBox,
    PoissonHull,
    PoissonPrincipal,
    PoissonSphere,
)
from stablek.paradigm.perturb.regions import null_values
from stablek.paradigm.perturb.skewed import Elliptical, SkewedNormal


@dataclass(frozen=True)
class UnimodalNormal:
    """Items of a normal distribution with the columns' means and standard deviations.

    Keeps the mean and spread of every column, but not their correlation. Data with
    shorter tails than the normal, such as uniform data, look clustered too often.

    References
    ----------
    Thesis, section 1.4 (unimodality hypothesis). Sarle (1983), Cubic Clustering
    Criterion, SAS Technical Report A-108.
    """

    name: str = "normal"
    by_column = True

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items, every column normal and independent of the others."""
        values = null_values(data, self.name)
        mean, spread = values.mean(axis=0), values.std(axis=0, ddof=1)
        return null_like(data, mean + spread * rng.standard_normal(values.shape))


@dataclass(frozen=True)
class RandomGraph:
    """The entries of the distance matrix in random order.

    Keeps the set of distances and nothing else: the triangle inequality may fail. It is
    the only null model for a distance matrix, and needs an algorithm that takes
    distances (hier-a, hier-c, hier-s, hier-w).

    Notes
    -----
    ``metric`` None is that of the algorithm: :func:`in_metric_of` fills it in for a
    run.

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
    """The same data with your labels in random order.

    Keeps the data and the sizes of the classes. It tests labels that come from
    elsewhere, not clusters found in the data.

    References
    ----------
    Thesis, section 1.4 (random label hypothesis). Jain, Dubes (1988), Algorithms for
    Clustering Data, section 4.1.
    """

    name: str = "labels"

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return the data with permuted classes."""
        if data.classes is None:
            raise InputError(
                "null model 'labels' needs labels; name their column with --labels"
            )
        order = rng.permutation(data.n)
        return replace(data, classes=tuple(data.classes[i] for i in order))


@dataclass(frozen=True)
class Permutation:
    """Pr: values in random order within every column, or within every row.

    Within columns (the default) every column keeps its values exactly, and what linked
    the columns of an item is lost. Within rows, an item keeps its values: that makes
    sense only where columns are comparable, and destroys the columns' marginals. One
    permutation for all columns would not change any distance, so each column gets its
    own.

    References
    ----------
    Thesis, section 1.4 (permutational model).
    """

    name: str = "pr"
    within: str = "columns"
    by_column = True

    def __post_init__(self) -> None:
        if self.within not in ("columns", "rows"):
            raise unknown_name("permutation within", self.within, ("columns", "rows"))

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return the permuted data."""
        axis = 0 if self.within == "columns" else 1
        return null_like(data, rng.permuted(null_values(data, self.name), axis=axis))


@dataclass(frozen=True)
class CorrelatedNormal:
    """Normal items with the means and covariance of the data, as in M3C.

    Scores on the principal components are drawn from normal distributions with the
    standard deviations of the data's own scores, and rotated back.

    References
    ----------
    John, Watson, Russ, Goldmann, Ehrenstein, Pitzalis, Lewis, Barnes (2020), M3C,
    Scientific Reports 10, 1816, Methods.
    """

    name: str = "m3c"
    by_column = True

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items of the fitted normal distribution."""
        axes = principal_axes(data, self.name)
        spread = axes.scores.std(axis=0, ddof=1)
        scores = spread * rng.standard_normal(axes.scores.shape)
        return null_like(data, axes.mean + scores @ axes.turn)


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
        raise InputError(
            "random labels test your own labels, not those of an algorithm; use "
            "--labels"
        )
    return model


def in_metric_of(model: NullModel, clusterer: object) -> NullModel:
    """Return the model with the algorithm's distances, if it is made of distances."""
    if isinstance(model, RandomGraph) and model.metric is None:
        known = clusterer.metric if isinstance(clusterer, HasMetric) else None
        return replace(model, metric=known)
    return model
