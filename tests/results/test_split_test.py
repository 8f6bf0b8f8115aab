"""p-values from a split by items and columns."""

import numpy as np
import pytest
from scipy import stats

from stablek.data import Dataset
from stablek.data.seeds import Streams
from stablek.paradigm.cluster import kmeans_w
from stablek.results.split_test import benjamini_hochberg, rank_p_values, split_p_values


def test_rank_p_values_are_those_of_scipy():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(60, 5)).round(1)
    labels = rng.integers(0, 3, 60)
    got = rank_p_values(values, labels, 3)
    for c in range(3):
        for j in range(5):
            expected = stats.mannwhitneyu(
                values[labels == c, j],
                values[labels != c, j],
                method="asymptotic",
                use_continuity=False,
            ).pvalue
            assert got[c, j] == pytest.approx(expected, rel=1e-4)


def test_adjustment_is_that_of_scipy():
    p = np.random.default_rng(1).uniform(size=30) ** 2
    np.testing.assert_allclose(
        benjamini_hochberg(p), stats.false_discovery_control(p, method="bh")
    )


def clustered(values, k):
    return kmeans_w().partitions(Dataset(values).whole(), [k], Streams(0))[0]


def test_noise_gives_no_markers_though_it_was_clustered():
    called = naive = 0
    for seed in range(20):
        values = np.random.default_rng(seed).normal(size=(80, 20))
        labels = clustered(values, 2)
        called += bool((split_p_values(values, labels, Streams(seed)) < 0.05).any())
        p = rank_p_values(values, labels, 2)
        naive += bool((np.array([benjamini_hochberg(row) for row in p]) < 0.05).any())
    assert naive == 20  # what double dipping does
    assert called <= stats.binom.ppf(0.999, 20, 0.1)


def test_columns_that_differ_are_found():
    rng = np.random.default_rng(2)
    labels = np.arange(120) % 3
    values = rng.normal(size=(120, 40))
    for c in range(3):
        values[labels == c, c * 6 : c * 6 + 6] += 3.0
    p = split_p_values(values, labels, Streams(0))
    for c in range(3):
        assert (p[c, c * 6 : c * 6 + 6] < 0.01).all()
    assert (p[:, 18:] < 0.05).mean() < 0.05


def test_too_little_to_split_is_no_evidence():
    assert (split_p_values(np.eye(4), np.array([0, 0, 1, 1]), Streams(0)) == 1).all()
