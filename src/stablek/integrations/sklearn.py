"""``StableK``: a scikit-learn clusterer that finds its own number of clusters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from stablek.api.choose_k import choose_k
from stablek.api.verdict import verdict
from stablek.data import Dataset
from stablek.data.checks import check, symmetrize
from stablek.data.frames import is_frame, refuse_text, truth_note
from stablek.data.seeds import seed_of
from stablek.engine.execution.execute import Execution, execution_from
from stablek.errors import InputError
from stablek.measures import measure as named_measure
from stablek.panel.trivial import FEWEST
from stablek.paradigm.measure import Measure
from stablek.results.assign import Reference
from stablek.results.result import Result
from stablek.results.verdict import Verdict

try:
    from sklearn.base import (
        BaseEstimator,
        ClassNamePrefixFeaturesOutMixin,
        ClusterMixin,
        TransformerMixin,
    )
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:  # pragma: no cover - the message is all there is
    raise ImportError(
        "StableK needs scikit-learn: pip install 'stablek[sklearn]'"
    ) from error


#: The value of ``measure`` that asks for a verdict.
JUDGED = "verdict"


class StableK(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    ClusterMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Clustering that chooses the number of clusters itself.

    Parameters
    ----------
    measure : str or Measure, default="verdict"
        With "verdict", :func:`stablek.verdict` decides; it finds one cluster if there
        is no evidence of more. With the name of a measure ("fc", "gap-pc", ...), that
        measure chooses k, as in :func:`stablek.choose_k`.
    algorithm
        A name, or any estimator with ``fit_predict`` and ``n_clusters``; None means
        the default of :func:`stablek.choose_k`. A verdict does not use it.
    ks, metric
        As for :func:`stablek.verdict`, or :func:`stablek.choose_k` if a measure is
        named. With ``metric="precomputed"`` X is a square matrix of distances.
    settings : dict, optional
        Settings of the measure or of the verdict, such as ``{"repeats": 100}``.
    random_state : int or RandomState, optional
        The seed, or a RandomState to draw it from. None means 0, so that equal calls
        give equal results.
    n_jobs : int, optional
        Number of workers; None and -1 mean one per core, -2 one fewer, and so on. The
        result does not depend on it.
    execution : stablek.Execution, optional
        How to run, if the number of workers is not enough.

    Attributes
    ----------
    n_clusters_ : int
        The number of clusters. 1 means "no evidence of clusters". It is also 1 if
        the measure gives no answer; then ``result_.k`` is None.
    labels_ : array of shape (n_samples,)
        The partition, numbered from 0.
    n_features_in_ : int
        The number of columns seen in ``fit``.
    feature_names_in_ : array of str
        Their names, if X had any.
    cv_results_ : dict
        The curve, as columns of equal length; ``k`` is one of them.
    result_ : stablek.Result or stablek.Verdict
        Everything else.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    >>> StableK(ks=range(2, 8)).fit(X).n_clusters_
    3
    >>> StableK("fc", ks=range(2, 8), settings={"repeats": 50}).fit(X).n_clusters_
    3
    """

    def __init__(
        self,
        measure: str | Measure = JUDGED,
        algorithm: Any = None,
        ks: Iterable[int] | int | None = None,
        *,
        metric: str = "euclidean",
        settings: dict[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
        execution: Execution | None = None,
    ) -> None:
        self.measure = measure
        self.algorithm = algorithm
        self.ks = ks
        self.metric = metric
        self.settings = settings
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.execution = execution

    def fit(self, X: Any, y: Any = None) -> StableK:
        """Find the number of clusters and the partition.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The items; or their distances, of shape (n_samples, n_samples).
        y : ignored
        """
        if is_frame(X):
            refuse_text(X)
        values = validate_data(self, X, dtype=[np.float64, np.float32])
        given = self.settings or {}
        precomputed = self.metric == "precomputed"
        judged = self.measure == JUDGED
        _check_size(
            len(values), None if judged else named_measure(self.measure, **given)
        )
        if precomputed:
            values = symmetrize(values)
        check(values, {"precomputed": precomputed})
        names = tuple(map(str, getattr(self, "feature_names_in_", ())))
        index = tuple(map(str, getattr(X, "index", ()))) if names else ()
        notes = truth_note(X) if is_frame(X) else ()
        data = Dataset(
            values, index, names, precomputed=precomputed, first=0, notes=notes
        )
        how: dict[str, Any] = {
            "ks": self.ks, "seed": seed_of(self.random_state), "metric": self.metric,
            "execution": execution_from(self.execution, n_jobs=self.n_jobs),
        }  # fmt: skip
        self.result_: Result | Verdict
        if judged:
            self.result_ = verdict(data, **how, **given)
            k = self.result_.k
        else:
            self.result_ = choose_k(data, self.measure, self.algorithm, **how, **given)
            k = self.result_.k_star
        self.n_clusters_ = 1 if k is None else k
        labels = self.result_.labels
        # scikit-learn counts clusters from 0.
        self.labels_ = np.zeros(data.n, np.int64) if labels is None else labels - 1
        columns = {name: np.asarray(c) for name, c in self.result_.columns.items()}
        self.cv_results_ = {"k": np.asarray(self.result_.ks), **columns}
        return self

    def predict(self, X: Any) -> Any:
        """Return the nearest cluster of new items, numbered as ``labels_``.

        A verdict compares items in its own coordinates; otherwise the nearest mean of
        the clusters decides, or the nearest items where means do not give the clusters
        back.
        """
        values, judged = self._new_items(X)
        if judged is not None:
            return judged.predict(values, self.n_clusters_).cluster - 1
        return np.unique(self.labels_)[self._reference().assign(values).cluster - 1]

    def transform(self, X: Any) -> Any:
        """Return the distance of every item to every cluster.

        One column per cluster, in the coordinates that ``predict`` uses. The nearest
        cluster is the predicted one.
        """
        values, judged = self._new_items(X)
        if judged is not None:
            return judged.model.distances(values, self.n_clusters_)
        return self._reference().distances(values)

    def score(self, X: Any, y: Any = None) -> float:
        """Return how clearly items belong to their clusters, from 0 to 1.

        The mean of (b - a) / b, where a and b are the distances to the nearest and the
        second nearest cluster: the simplified silhouette. 0 with one cluster. Higher is
        better, so that ``cross_val_score`` and ``GridSearchCV`` can compare settings.

        References
        ----------
        Hruschka, de Castro, Campello (2004), IEEE International Conference on Data
        Mining, 403-406.
        """
        away = np.sort(self.transform(X), axis=1)
        if away.shape[1] < 2:
            return 0.0
        near, next_ = away[:, 0], away[:, 1]
        return float(np.mean(1 - near / np.where(next_ > 0, next_, 1.0)))

    @property
    def _n_features_out(self) -> int:
        """Number of columns of ``transform``: named stablek0, stablek1 ..."""
        return len(np.unique(self.labels_))

    def _new_items(self, X: Any) -> tuple[Any, Verdict | None]:
        """Return new items, and the verdict that places them if there is one."""
        check_is_fitted(self)
        values = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        values = np.asarray(values, dtype=np.float64)
        result = self.result_
        if isinstance(result, Verdict) and result.coordinates is not None:
            return values, result
        return values, None

    def _reference(self) -> Reference:
        """Return what new items are compared with, where a measure chose k."""
        data = self.result_.data
        if self.metric != "euclidean" or data is None:
            raise InputError(
                "new items need values and Euclidean distances; refit with those"
            )
        first = np.asarray(data.values, dtype=np.float64)
        return Reference.of(first, np.unique(self.labels_, return_inverse=True)[1])

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that items and columns of distances go together."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags


def _check_size(n: int, measure: Measure | None) -> None:
    """Refuse too few items for a measure's smallest k, or for a verdict (None)."""
    if _enough(n, measure):
        return
    least = next((more for more in range(n, 1000) if _enough(more, measure)), None)
    needed = "" if least is None else f"; it needs at least {least}"
    name = "a verdict" if measure is None else measure.name
    raise InputError(f"n_samples={n} is too few for {name}{needed}")


def _enough(n: int, measure: Measure | None) -> bool:
    if measure is None:
        return n >= FEWEST
    return measure.smallest_part(n) - 1 >= measure.smallest_k
