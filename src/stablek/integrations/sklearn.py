"""``StableK``: a scikit-learn clusterer that finds its own number of clusters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from stablek.choose import choose_k
from stablek.data import Dataset
from stablek.errors import InputError
from stablek.measure import Measure
from stablek.measures import measure as named_measure

try:
    from sklearn.base import BaseEstimator, ClusterMixin
    from sklearn.utils.validation import validate_data
except ImportError as error:  # pragma: no cover - the message is all there is
    _msg = "StableK needs scikit-learn: pip install 'stablek[sklearn]'"
    raise ImportError(_msg) from error


class StableK(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Cluster into as many clusters as a measure finds.

    Parameters
    ----------
    measure, algorithm, ks, metric
        As for :func:`stablek.choose_k`. The algorithm may be any estimator with
        ``fit_predict`` and ``n_clusters``.
    settings : dict, optional
        Settings of the measure, such as ``{"repeats": 100}``.
    random_state : int
        The seed.
    n_jobs : int, optional
        Number of workers; None means one per core. The result does not depend on it.

    Attributes
    ----------
    n_clusters_ : int
        The number of clusters; 1 means "no evidence of clusters".
    labels_ : array of shape (n_samples,)
        The partition.
    cv_results_ : dict
        The curve, as columns of equal length; ``k`` is one of them.
    result_ : stablek.Result
        Everything else.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    >>> StableK(ks=range(2, 8), settings={"repeats": 50}).fit(X).n_clusters_
    3
    """

    def __init__(
        self,
        measure: str | Measure = "fc",
        algorithm: Any = "hier-a",
        ks: Iterable[int] | None = None,
        *,
        metric: str = "euclidean",
        settings: dict[str, Any] | None = None,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.measure = measure
        self.algorithm = algorithm
        self.ks = ks
        self.metric = metric
        self.settings = settings
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> StableK:
        """Find the number of clusters and the partition.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The items.
        y : ignored
        """
        del y
        values = validate_data(self, X, dtype=[np.float64, np.float32])
        given = self.settings or {}
        data = Dataset(values, precomputed=self.metric == "precomputed")
        if too_few(data, named_measure(self.measure, **given)):
            msg = f"n_samples={data.n} is too few for {self.measure} (minimum of 5)"
            raise InputError(msg)
        self.result_ = choose_k(
            data,
            self.measure,
            self.algorithm,
            self.ks,
            seed=self.random_state or 0,
            metric=self.metric,
            jobs=0 if self.n_jobs in (None, -1) else int(self.n_jobs),
            **given,
        )
        found = self.result_.k_star
        self.n_clusters_ = 1 if found is None else found
        labels = self.result_.labels
        self.labels_ = np.zeros(data.n, dtype=np.int64) if labels is None else labels
        columns = {name: np.asarray(c) for name, c in self.result_.columns.items()}
        self.cv_results_ = {"k": np.asarray(self.result_.ks), **columns}
        return self


def too_few(data: Dataset, measure: Measure) -> bool:
    """Tell whether not even the measure's smallest k can be tried."""
    return measure.smallest_part(data.n) - 1 < measure.smallest_k
