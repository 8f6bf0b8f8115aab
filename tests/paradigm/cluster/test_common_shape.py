"""K-means in the metric of the clusters' common covariance."""

import numpy as np
import pytest

import stablek
from stablek.data import Dataset
from stablek.data.seeds import Streams
from stablek.paradigm.cluster import algorithm, common_shape
from stablek.paradigm.cluster.common_shape import RIDGE
from stablek.paradigm.indices import adjusted_rand, contingency


def stretched(seed=0, n=60):
    """Three clusters side by side, each ten times as long as it is wide."""
    rng = np.random.default_rng(seed)
    truth = np.repeat([0, 1, 2], n)
    across = truth * 5.0 + rng.normal(size=3 * n)
    return np.column_stack([across, rng.normal(size=3 * n) * 10]), truth


def labels_of(values, name, k):
    return algorithm(name).partitions(Dataset(values).whole(), [k], Streams(0))[0]


def agreement(first, second):
    return adjusted_rand(contingency(first.astype(int), second.astype(int)))


def alternated(values, labels, k, rounds=5):
    """The same in plain NumPy: assign by Mahalanobis distance until nothing moves."""
    for _ in range(rounds):
        before, within = labels.copy(), np.zeros((values.shape[1],) * 2)
        for c in range(k):
            own = values[labels == c]
            within += np.cov(own.T, bias=True) * len(own) / len(values)
        within += RIDGE * values.var(axis=0).mean() * np.eye(len(within))
        inverse = np.linalg.inv(within)
        for _ in range(100):
            means = np.array([values[labels == c].mean(axis=0) for c in range(k)])
            off = values[:, None] - means[None]
            moved = np.einsum("nkc,cd,nkd->nk", off, inverse, off).argmin(axis=1)
            if (moved == labels).all():
                break
            labels = moved
        if (labels == before).all():
            break
    return labels


def test_it_tells_long_clusters_apart_that_kmeans_cuts_across():
    values, truth = stretched()
    assert agreement(labels_of(values, "kmeans-w", 3), truth) < 0.5
    # The common shape can only be learned from a start that sees some of it.
    start = labels_of(values / [1, 10], "kmeans-w", 3)
    start[:20] = 1
    to = algorithm("kmeans-m")
    found = to.refine(Dataset(values).whole(), start, 3)
    assert agreement(found, truth) > 0.95


@pytest.mark.parametrize("compiled", [64, 3])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_alternation_in_plain_numpy(seed, compiled, monkeypatch):
    monkeypatch.setattr(common_shape, "COMPILED", compiled)
    rng = np.random.default_rng(seed)
    shape = rng.normal(size=(4, 4))
    centres = rng.normal(size=(3, 4)) * 3
    truth = np.repeat([0, 1, 2], 40)
    values = rng.normal(size=(120, 4)) @ shape + centres[truth]
    start = labels_of(values, "kmeans-w", 3).astype(int)
    expected = alternated(values, start, 3)
    assert agreement(labels_of(values, "kmeans-m", 3), expected) == 1.0


def test_round_clusters_stay_as_kmeans_has_them():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2, 3], 30)
    values = np.eye(4)[truth] * 12 + rng.normal(size=(120, 4))
    np.testing.assert_array_equal(
        labels_of(values, "kmeans-m", 4), labels_of(values, "kmeans-w", 4)
    )


def test_where_the_table_lies_and_equal_items_do_no_harm():
    values, _ = stretched(1)
    moved = labels_of(values + 1e6, "kmeans-m", 3)
    np.testing.assert_array_equal(moved, labels_of(values, "kmeans-m", 3))
    two = np.repeat([[0.0, 0.0], [1.0, 1.0]], 5, axis=0)
    assert len(set(labels_of(two, "kmeans-m", 2).tolist())) == 2


def test_it_runs_under_a_measure():
    values, _ = stretched(2)
    result = stablek.choose_k(values, "fc", "kmeans-m", range(2, 5), repeats=5)
    assert result.algorithm == "kmeans-m"
