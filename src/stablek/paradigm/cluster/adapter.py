"""Any object with ``fit_predict`` and a number of clusters, as a clusterer."""

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Real
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Sample
from stablek.data.seeds import Streams
from stablek.errors import (
    STOPS,
    InputError,
    StablekError,
    describe_error,
    reraise_signals,
)
from stablek.kernels.clusters import by_first_appearance

#: What an estimator may call its number of clusters.
COUNTS = ("n_clusters", "n_components")


class ClustererError(StablekError):
    """A clusterer of the user raised, or returned no partition."""

    exit_code = 4


@dataclass(frozen=True, eq=False)
class Adapter:
    """A scikit-learn style estimator, cloned for every k and sample.

    Its ``random_state``, if it has one, is drawn from the task's own stream, so the
    outcome is reproducible for any number of workers. A label -1 ("noise", as DBSCAN
    and HDBSCAN use it) makes every such item a cluster of its own.
    """

    estimator: Any
    name: str
    random = True
    native = False

    def prepare(self, data: Dataset) -> None:
        """Do nothing: nothing is known of what a foreign object could share."""

    def partitions(
        self, sample: Sample, ks: Sequence[int], streams: Streams
    ) -> NDArray[Any]:
        """Fit the estimator once per k."""
        values = sample.values()
        return np.stack([self._labels(values, k, streams) for k in ks])

    def _labels(self, values: NDArray[Any], k: int, streams: Streams) -> NDArray[Any]:
        failed = f"{self.name} failed at k = {k}"
        estimator = configured(self.estimator, k, streams, failed)
        with foreign(failed):
            # A copy for every k: an estimator may change what it is given.
            returned = estimator.fit_predict(np.array(values))
        labels = valid_labels(returned, len(values), k, self.name)
        if k > 1 and not labels.any() and (values != values[0]).any():
            # Taken as a partition it would be found again every time: perfectly stable.
            raise ClustererError(
                f"{self.name} put all {len(values)} items into one cluster at k = {k}"
            )
        return labels


@contextmanager
def foreign(failed: str) -> Iterator[None]:
    """Make whatever foreign code raises the failure of one task; ``failed`` says whose.

    Signals go through: they stop the run, or the task that is out of time.
    """
    try:
        with reraise_signals():
            yield
        return
    except STOPS:
        raise
    except BaseException as error:  # some libraries leave by one of their own
        msg = f"{failed}: {describe_error(error)}"
    # Not from that error: it may be one that cannot even be printed.
    raise ClustererError(msg) from None


def configured(estimator: Any, k: int, streams: Streams, failed: str) -> Any:
    """Return a fresh copy of the estimator, set to k clusters and to its own seed."""
    with foreign(failed):
        fresh, names = _copied(estimator)
    key = next((name for name in COUNTS if name in names), None)
    if key is None:
        raise InputError(
            f"{type(estimator).__name__} has neither n_clusters nor n_components; "
            "stablek cannot tell it how many clusters to make"
        )
    with foreign(failed):
        setattr(fresh, key, k)
        if "random_state" in names:
            fresh.random_state = int(streams(k).integers(2**31 - 1))
    return fresh


def _copied(estimator: Any) -> tuple[Any, set[str]]:
    """Return a copy of an estimator, and the names of what can be set."""
    if hasattr(estimator, "get_params"):
        given = estimator.get_params(deep=False)
        return type(estimator)(**copy.deepcopy(given)), set(given)
    known = (*COUNTS, "random_state")
    return copy.deepcopy(estimator), {n for n in known if hasattr(estimator, n)}


def valid_labels(returned: Any, n: int, k: int, name: str) -> NDArray[Any]:
    """Return labels numbered by first appearance, or say what is wrong with them."""
    with foreign(f"{name} returned something other than labels at k = {k}"):
        masked, labels = np.ma.is_masked(returned), np.asarray(returned)
    try:
        if masked:
            _refuse("masked labels; give such items the label -1")
        labels = readable(labels, n)
    except ValueError as error:
        raise ClustererError(f"{name} returned {error} at k = {k}") from None
    _, codes = np.unique(labels, return_inverse=True)
    codes = codes.reshape(n)
    if labels.dtype.kind in "if":  # each noise item is a cluster of its own
        codes = np.where(labels < 0, n + np.arange(n), codes)
    numbered = by_first_appearance(codes)
    return numbered.astype(np.uint16 if numbered.max() < 2**16 - 1 else np.uint32)


def readable(labels: NDArray[Any], n: int) -> NDArray[Any]:
    """Return labels as whole numbers or as words; raise ValueError for all others."""
    if labels.shape != (n,):
        _refuse(f"labels of shape {labels.shape} for {n} items")
    if labels.dtype.kind == "O":
        labels = _of_one_kind(labels)
    if labels.dtype.kind not in "biufUST":
        _refuse(f"labels of type {labels.dtype}; give whole numbers or words")
    if labels.dtype.kind == "f":
        if not np.isfinite(labels).all():
            _refuse("NaN labels" if np.isnan(labels).any() else "infinite labels")
        odd = labels != np.rint(labels)
        if odd.any():  # rounded, two clusters would become one
            _refuse(f"the label {labels[odd][0]:g}, which is not a whole number")
    return labels


def _of_one_kind(labels: NDArray[Any]) -> NDArray[Any]:
    """Return an array of objects as one of numbers, or of words."""
    for kind in (Real | np.bool_, str):
        if all(isinstance(label, kind) for label in labels):
            return np.array(labels.tolist())
    kinds = ", ".join(sorted({type(label).__name__ for label in labels}))
    missing = any(
        label is None or (isinstance(label, float) and np.isnan(label))
        for label in labels
    )
    what = "missing labels" if missing else "labels of mixed kinds"
    raise ValueError(f"{what} ({kinds})")


def _refuse(what: str) -> NoReturn:
    raise ValueError(what)
