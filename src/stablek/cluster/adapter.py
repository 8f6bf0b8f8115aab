"""Any object with ``fit_predict`` and a number of clusters, as a clusterer."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Sample
from stablek.errors import InputError, StablekError, unwrapped
from stablek.seeds import Streams


class ClustererError(StablekError):
    """A clusterer that the user brought raised, or returned no partition."""

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
        values = np.array(sample.values())
        return np.stack([self._labels(values, k, streams) for k in ks])

    def _labels(self, values: NDArray[Any], k: int, streams: Streams) -> NDArray[Any]:
        estimator = configured(self.estimator, k, streams)
        try:
            with unwrapped():
                found = estimator.fit_predict(values)
        except (Exception, SystemExit) as error:  # whatever it is, one task fails
            msg = f"{self.name} failed at k = {k}: {type(error).__name__}: {error}"
            raise ClustererError(msg) from error
        labels = checked(found, len(values), k, self.name)
        if k > 1 and not labels.any() and (values != values[0]).any():
            # Taken as a partition it would be found again every time: perfectly stable.
            msg = f"{self.name} put all {len(values)} items into one cluster at k = {k}"
            raise ClustererError(msg)
        return labels


def configured(estimator: Any, k: int, streams: Streams) -> Any:
    """Return a fresh copy of the estimator, set to k clusters and to its own seed."""
    if hasattr(estimator, "get_params"):
        fresh = type(estimator)(**copy.deepcopy(estimator.get_params(deep=False)))
        names = set(estimator.get_params(deep=False))
    else:
        fresh = copy.deepcopy(estimator)
        names = set(vars(estimator))
    key = next((name for name in ("n_clusters", "n_components") if name in names), None)
    if key is None:
        msg = (
            f"{type(estimator).__name__} has neither n_clusters nor n_components; "
            "stablek cannot tell it how many clusters to make"
        )
        raise InputError(msg)
    setattr(fresh, key, k)
    if "random_state" in names:
        fresh.random_state = int(streams(k).integers(2**31 - 1))
    return fresh


def checked(found: Any, n: int, k: int, name: str) -> NDArray[Any]:
    """Return labels numbered by first appearance, or say what is wrong with them."""
    labels = np.asarray(found)
    if labels.shape != (n,):
        msg = f"{name} returned labels of shape {labels.shape} for {n} items at k = {k}"
        raise ClustererError(msg)
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        msg = f"{name} returned NaN labels at k = {k}"
        raise ClustererError(msg)
    if labels.dtype.kind in "if":
        labels = labels.astype(np.int64)
        noise = labels < 0
        labels = np.where(noise, labels.max(initial=0) + 1 + np.arange(n), labels)
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.uint16)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[codes.reshape(n)]
