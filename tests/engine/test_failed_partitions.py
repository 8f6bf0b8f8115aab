"""Partitions of all items that fail."""

import numpy as np
import pytest

from stablek.api.choose_k import choose_k

X = np.random.default_rng(0).normal(size=(20, 3))


class Halves:
    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def fit_predict(self, X):
        if len(X) == 20:
            raise RuntimeError("not all of them")
        return np.minimum(X[:, 0] // (100 / self.n_clusters), self.n_clusters - 1)


def test_a_partition_of_all_items_that_fails_is_told_and_the_rest_stands():
    apart = np.abs(X) + 90 * (np.arange(20) % 2)[:, None]
    found = choose_k(apart, "me", Halves(), range(2, 4), repeats=3, backend="serial")
    assert found.labels is None
    assert found.k_star is not None
    (failure,) = found.failures
    assert failure.startswith("the partition of all items at k = ")


def test_an_original_partition_that_fails_fails_the_measure():
    from stablek.errors import PartFailedError

    with pytest.raises(PartFailedError, match="not all of them"):
        choose_k(X, "levine-domany", Halves(), range(2, 4), repeats=3, backend="serial")
