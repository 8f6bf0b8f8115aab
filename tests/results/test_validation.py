"""Whether clusters come back: the statistics by hand."""

import numpy as np
import pytest
from scipy import stats

from stablek.results.validation import (
    explained_share,
    gaps,
    in_group_proportion,
    p_value,
    replicated,
    word,
)


def test_in_group_proportion_by_hand():
    rng = np.random.default_rng(0)
    scores, labels = rng.normal(size=(50, 3)), rng.integers(0, 3, 50)
    away = np.linalg.norm(scores[:, None] - scores[None], axis=2)
    np.fill_diagonal(away, np.inf)
    near = away.argmin(axis=1)
    expected = [np.mean(labels[near[labels == c]] == c) for c in range(3)]
    np.testing.assert_allclose(in_group_proportion(scores, labels, 3), expected)


def test_copies_are_neighbours_of_each_other():
    scores = np.array([[0.0], [0.0], [5.0], [5.0]])
    assert in_group_proportion(scores, np.array([0, 0, 1, 1]), 2).tolist() == [1.0, 1.0]


def test_a_cluster_without_items_is_not_known():
    scores, labels = np.arange(6.0)[:, None], np.array([0, 0, 0, 2, 2, 2])
    assert np.isnan(in_group_proportion(scores, labels, 3)[1])
    got = replicated(labels, labels, 3)
    assert np.isnan(got[1])
    assert got[[0, 2]].tolist() == [1.0, 1.0]


def test_p_values_count_ties_and_absent_clusters():
    null = np.array([0.5, 0.2, np.nan, 0.9])
    assert p_value(0.5, null) == pytest.approx(3 / 5)
    assert p_value(1.0, null) == pytest.approx(1 / 5)
    assert p_value(float("nan"), null) == 1.0


def test_words():
    assert word(0, 0.01, (0.01,)) == "absent"
    assert word(5, 0.01, (0.2, 0.2)) == "comes back"
    assert word(5, 0.1, (0.2, 0.01)) == "in part"
    assert word(5, 0.1, (0.2, 0.2)) == "does not come back"


def test_a_cloud_cut_in_two_has_a_small_gap():
    rng = np.random.default_rng(1)
    cloud = rng.normal(size=(4000, 1))
    cut = (cloud[:, 0] > 0).astype(int)
    assert gaps(cloud, cut, 3)[:2] == pytest.approx([1.33, 1.33], abs=0.05)
    assert np.isnan(gaps(cloud, cut, 3)[2])
    apart = cloud + 12 * cut[:, None]
    assert gaps(apart, cut, 2).min() > 5


def test_the_share_between_clusters_is_that_of_an_analysis_of_variance():
    rng = np.random.default_rng(2)
    scores, labels = rng.normal(size=(40, 1)), rng.integers(0, 3, 40)
    groups = [scores[labels == c, 0] for c in range(3)]
    f = stats.f_oneway(*groups).statistic
    share = explained_share(scores, labels)
    assert f == pytest.approx((share / 2) / ((1 - share) / 37))
