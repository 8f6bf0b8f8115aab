"""Step 4: classifiers, trained on a clustered part to label another.

All take the training values, their labels and the values asked about, and return one of
the labels they were taught for each item. A label that no training item has is never
predicted, so a clustering with fewer than k clusters is served too. Priors are equal:
the size of a cluster says nothing of where an item belongs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Matrix
from stablek.errors import InputError, check_count, unknown_name
from stablek.paradigm.contracts import Classifier

Floats = NDArray[np.float64]

#: A spread below this share of the column's own spread counts as this share.
SMALLEST_SHARE = 1e-12


def _taught(training: Matrix, labels: NDArray[Any]) -> tuple[NDArray[Any], Floats]:
    """Return the labels in use and, per label, which items have it, shape (c, n)."""
    classes = np.flatnonzero(np.bincount(labels))
    return classes, (labels == classes[:, None]).astype(np.float64)


def _nearest(
    values: Floats, centres: Floats, weight: Floats | float
) -> NDArray[np.int64]:
    """Return the nearest centre: argmin_c sum_j w_j (x_j - mu_cj)^2, by one product."""
    weighted = centres * weight
    # |x|^2 is the same for all centres and is left out.
    distance = 0.5 * (weighted * centres).sum(axis=1) - values @ weighted.T
    return np.argmin(distance, axis=1)


@dataclass(frozen=True)
class Dlda:
    """Diagonal linear discriminant analysis: columns weighted by their inner spread.

    x goes to argmin_c sum_j (x_j - mean_cj)^2 / s_j^2, where s_j^2 is the variance of
    column j within the classes, pooled. This is the maximum likelihood rule for normal
    classes with one common diagonal covariance.

    A column that does not vary at all is left out; one that varies between the classes
    only would get an infinite weight: its s_j^2 is put at 1e-12 of its variance.

    References
    ----------
    Dudoit, Fridlyand, Speed (2002), JASA 97, 77-87, section 2.2. Thesis, section 3.3.3.
    """

    name: str = "dlda"

    def predict(
        self, training: Matrix, labels: NDArray[Any], learning: Matrix, k: int
    ) -> NDArray[Any]:
        """Return labels of ``learning``."""
        classes, member = _taught(training, labels)
        # Centred first: the product form of the distance loses digits far from zero.
        middle = training.mean(axis=0, dtype=np.float64)
        known, asked = training - middle, learning - middle
        _, power = np.frexp(np.abs(known).max(axis=0))
        if np.abs(power).max() > 400:
            # Squares would leave float64. The rule is free of a column's scale, and
            # powers of two lose no digit.
            shift = np.clip(-power, -1000, 1000)
            known, asked = np.ldexp(known, shift), np.ldexp(asked, shift)
        centres = (member @ known) / member.sum(axis=1, keepdims=True)
        total = np.square(known).sum(axis=0)
        between = member.sum(axis=1) @ np.square(centres)
        within = np.maximum(total - between, SMALLEST_SHARE * total)
        weight = np.divide(1.0, within, out=np.zeros_like(within), where=within > 0)
        nearest = _nearest(asked, centres, weight)
        return classes[nearest].astype(labels.dtype, copy=False)


@dataclass(frozen=True)
class NearestCentroid:
    """The label of the nearest class mean, in Euclidean distance.

    Tibshirani and Walther's prediction strength uses it with K-means.

    References
    ----------
    Tibshirani, Walther (2005), J. Computational and Graphical Statistics 14, 511-528.
    """

    name: str = "nearest-centroid"

    def predict(
        self, training: Matrix, labels: NDArray[Any], learning: Matrix, k: int
    ) -> NDArray[Any]:
        """Return labels of ``learning``."""
        classes, member = _taught(training, labels)
        middle = training.mean(axis=0, dtype=np.float64)
        centres = (member @ (training - middle)) / member.sum(axis=1, keepdims=True)
        nearest = _nearest(learning - middle, centres, 1.0)
        return classes[nearest].astype(labels.dtype, copy=False)


@dataclass(frozen=True)
class NearestNeighbours:
    """The label most frequent among the nearest training items (k-NN).

    Equally frequent labels: the one that has the nearest item among them wins.
    """

    neighbours: int = 5
    name: str = "knn"

    def __post_init__(self) -> None:
        check_count("neighbours", self.neighbours)

    def predict(
        self, training: Matrix, labels: NDArray[Any], learning: Matrix, k: int
    ) -> NDArray[Any]:
        """Return labels of ``learning``."""
        middle = training.mean(axis=0, dtype=np.float64)
        known, asked = training - middle, learning - middle
        apart = 0.5 * np.square(known).sum(axis=1) - asked @ known.T
        count = min(self.neighbours, len(known))
        nearest = np.argsort(apart, axis=1, kind="stable")[:, :count]
        near = labels[nearest].astype(np.int64)
        width = max(k, int(labels.max()) + 1)
        flat = (near + width * np.arange(len(near))[:, None]).ravel()
        votes = np.bincount(flat, minlength=width * len(near)).reshape(-1, width)
        won = np.take_along_axis(votes, near, axis=1)
        first = np.argmax(won == won.max(axis=1, keepdims=True), axis=1)
        return labels[nearest[np.arange(len(near)), first]]


@dataclass(frozen=True)
class Lda:
    """Linear discriminant analysis with a ridge, so that any number of columns will do.

    x goes to argmin_c (x - mean_c)' (S + r I)^-1 (x - mean_c), with S the pooled
    covariance within the classes and r = ridge times its mean diagonal. The inverse is
    applied through the singular vectors of the centred training part, so no matrix of
    columns x columns is made.

    References
    ----------
    Friedman (1989), Regularized discriminant analysis, JASA 84, 165-175, Eq. 18.
    """

    ridge: float = 0.1
    name: str = "lda"

    def __post_init__(self) -> None:
        if self.ridge <= 0:
            raise InputError(f"ridge = {self.ridge:g} must be above 0, e.g. 0.1")

    def predict(
        self, training: Matrix, labels: NDArray[Any], learning: Matrix, k: int
    ) -> NDArray[Any]:
        """Return labels of ``learning``."""
        classes, member = _taught(training, labels)
        middle = training.mean(axis=0, dtype=np.float64)
        known = training - middle
        centres = (member @ known) / member.sum(axis=1, keepdims=True)
        rest = known - member.T @ centres
        _, singular, axes = np.linalg.svd(rest, full_matrices=False)
        spread = singular**2 / max(len(known) - len(classes), 1)
        level = self.ridge * spread.sum() / known.shape[1]
        if level <= 0:  # every item lies on its class mean: plain distances decide
            nearest = _nearest(learning - middle, centres, 1.0)
            return classes[nearest].astype(labels.dtype, copy=False)
        # (S + r I)^-1 = I / r - V diag(1/r - 1/(s + r)) V'
        shrink = 1 / level - 1 / (spread + level)
        solved = centres / level - ((centres @ axes.T) * shrink) @ axes
        asked = learning - middle
        distance = 0.5 * (solved * centres).sum(axis=1) - asked @ solved.T
        nearest = np.argmin(distance, axis=1)
        return classes[nearest].astype(labels.dtype, copy=False)


#: The word a user types, and what makes the classifier.
CLASSIFIERS: dict[str, Callable[[], Classifier]] = {
    "dlda": Dlda,
    "knn": NearestNeighbours,
    "lda": Lda,
    "nearest-centroid": NearestCentroid,
}


def classifier(wanted: str | Classifier) -> Classifier:
    """Return the classifier a user asked for, by name or as an object.

    Examples
    --------
    >>> classifier("dlda").name
    'dlda'
    """
    if not isinstance(wanted, str):
        return wanted
    if wanted not in CLASSIFIERS:
        raise unknown_name("classifier", wanted, CLASSIFIERS)
    return CLASSIFIERS[wanted]()
