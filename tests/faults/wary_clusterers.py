"""Clusterers that refuse null sets; a module of its own, for workers to import."""

import numpy as np

DATA = 9.0 * np.eye(3)[np.arange(30) % 3] + np.random.default_rng(0).normal(
    size=(30, 3)
)


class Slices:
    """Cut the first column into slices of equal size."""

    def __init__(self, n_clusters=2, random_state=0):
        self.n_clusters, self.random_state = n_clusters, random_state

    def get_params(self, deep=True):
        return {"n_clusters": self.n_clusters, "random_state": self.random_state}

    def fit_predict(self, X):
        return X[:, 0].argsort().argsort() * self.n_clusters // len(X)


class Wary(Slices):
    """Refuse some of the sets whose rows are not among those of the data."""

    def fit_predict(self, X):
        if np.isin(X[0], DATA).all():
            return super().fit_predict(X)
        if int(abs(X[:, 0]).min() * 1e7) % 3 == 0:
            raise RuntimeError("not this one")
        return super().fit_predict(X)


class Refusing(Slices):
    """Refuse every set that is not the data."""

    def fit_predict(self, X):
        if not np.isin(X[0], DATA).all():
            raise RuntimeError("none of these")
        return super().fit_predict(X)
