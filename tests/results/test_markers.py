"""What sets clusters apart, against SciPy and by hand."""

import numpy as np
import pytest
from scipy import stats

from stablek.kernels.ranks import column_ranks
from stablek.results.markers import STABLE, markers, stability
from stablek.results.robust import robust_difference


def shifted(seed, n=90, m=60, k=3, per=6, effect=1.5):
    """Return items of k clusters, each shifted in columns of its own."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % k
    values = rng.normal(size=(n, m))
    for c in range(k):
        values[labels == c, c * per : (c + 1) * per] += effect
    return values, labels


def test_ranks_are_those_of_scipy():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 9, size=(40, 7)).astype(float)
    expected = stats.rankdata(values, axis=0) / 40
    np.testing.assert_allclose(column_ranks(values), expected, rtol=1e-6)


def test_missing_values_have_no_rank():
    values = np.array([[3.0], [np.nan], [1.0], [2.0]])
    got = column_ranks(values).ravel()
    assert np.isnan(got[1])
    np.testing.assert_allclose(got[[0, 2, 3]], [1, 1 / 3, 2 / 3], rtol=1e-6)


def test_auc_is_that_of_mann_whitney():
    values, labels = shifted(1)
    for one in markers(values, labels, top=None):
        j, inside = int(one.column) - 1, labels == one.cluster - 1
        u = stats.mannwhitneyu(values[inside, j], values[~inside, j]).statistic
        assert one.auc == pytest.approx(u / (inside.sum() * (~inside).sum()), abs=1e-5)
        assert one.mean_inside == pytest.approx(values[inside, j].mean())
        assert one.mean_outside == pytest.approx(values[~inside, j].mean())
        if one.auc != 0.5:
            assert one.direction == ("higher" if one.auc > 0.5 else "lower")


def test_missing_values_are_left_out_of_the_auc():
    values, labels = shifted(2, n=60, m=8, per=2)
    rng = np.random.default_rng(3)
    values[rng.random(values.shape) < 0.2] = np.nan
    for one in markers(values, labels, top=None):
        column = values[:, int(one.column) - 1]
        inside = labels == one.cluster - 1
        known = np.isfinite(column)
        a, b = column[inside & known], column[~inside & known]
        expected = stats.mannwhitneyu(a, b).statistic / (len(a) * len(b))
        assert one.auc == pytest.approx(expected, abs=1e-5)
        assert one.mean_inside == pytest.approx(a.mean())


def test_robust_difference_is_algina_s():
    values, labels = shifted(4)
    inside = labels == 0
    got = robust_difference(values, inside, ~inside)
    for j in range(values.shape[1]):
        parts = [np.sort(values[mask, j]) for mask in (inside, ~inside)]
        means = [stats.trim_mean(part, 0.2) for part in parts]
        squares = [
            np.var(np.asarray(stats.mstats.winsorize(part, (0.2, 0.2))), ddof=1)
            * (len(part) - 1)
            for part in parts
        ]
        pooled = np.sqrt(sum(squares) / (len(values) - 2))
        assert got[j] == pytest.approx(0.642 * (means[0] - means[1]) / pooled)


def test_robust_difference_is_cohen_s_for_normal_data_and_heeds_no_outlier():
    rng = np.random.default_rng(5)
    values = rng.normal(size=(20000, 1))
    inside = np.arange(20000) % 2 == 0
    values[inside] += 1.0
    assert robust_difference(values, inside, ~inside)[0] == pytest.approx(1.0, abs=0.05)
    spoiled = values.copy()
    spoiled[:200] *= 1e6
    assert robust_difference(spoiled, inside, ~inside)[0] == pytest.approx(1.0, abs=0.1)


def test_equal_columns_differ_by_nothing():
    values = np.column_stack([np.ones(12), np.arange(12.0)])
    table = markers(values, np.arange(12) % 2, ["flat", "line"])
    flat = [one for one in table if one.column == "flat"]
    assert all(one.auc == 0.5 and one.difference == 0.0 for one in flat)
    assert all(one.place == 2 for one in flat)


def test_the_shifted_columns_come_first():
    right = total = 0
    for seed in range(5):
        values, labels = shifted(seed)
        for one in markers(values, labels, top=6):
            total += 1
            right += (int(one.column) - 1) // 6 == one.cluster - 1
    assert right / total >= 0.95


def test_stability_counts_subsamples():
    main = np.array([[0.4, -0.3, 0.1]])
    again = np.array([[[0.3, -0.1, 0]], [[0.1, -0.3, 0]]], dtype=float)
    assert stability(main, again).tolist() == [[0.5, 0.5, 0.0]]
    # In the other direction it is not the same finding.
    assert stability(main, -again).tolist() == [[0.0, 0.0, 0.0]]
    assert np.isnan(stability(main, again[:0])).all()


def test_columns_are_stable_where_subsamples_find_the_clusters_again():
    values, labels = shifted(6, effect=3.0)
    rng = np.random.default_rng(7)
    drawn = np.tile((2 - labels).astype(np.uint8), (20, 1))  # numbered otherwise
    drawn[rng.random(drawn.shape) < 0.2] = 255
    table = markers(values, labels, drawn=drawn, top=12)
    own = [one for one in table if (int(one.column) - 1) // 6 == one.cluster - 1]
    assert len(own) == 18
    assert all(one.stable and one.stability >= STABLE for one in own)
    assert not any(
        one.stable
        for one in markers(values, labels, drawn=drawn, top=12, believed=False)
    )


def test_columns_are_not_stable_where_subsamples_disagree():
    rng = np.random.default_rng(8)
    values = rng.normal(size=(80, 200))
    labels = rng.integers(0, 2, 80)
    drawn = rng.integers(0, 2, (40, 80)).astype(np.uint8)
    assert not any(one.stable for one in markers(values, labels, drawn=drawn))


def test_blocks_change_nothing(monkeypatch):
    values, labels = shifted(9)
    whole = [one.to_dict() for one in markers(values, labels)]
    monkeypatch.setattr("stablek.results.rank_shifts.BLOCK", 90 * 7)
    assert [one.to_dict() for one in markers(values, labels)] == whole


def test_one_cluster_has_no_markers():
    assert markers(np.eye(5), np.zeros(5, dtype=int)) == ()


def test_a_cluster_that_no_item_has_is_left_out():
    values, labels = shifted(10, k=2)
    labels = np.where(labels == 1, 2, 0)
    assert {one.cluster for one in markers(values, labels)} == {1, 3}


def test_clusters_in_blocks_give_the_same_markers(monkeypatch):
    values = np.random.default_rng(3).normal(size=(30, 7))
    partition = np.arange(30) % 3
    drawn = np.array([np.roll(partition, shift) for shift in (0, 3, 1)])
    whole = markers(values, partition, drawn=drawn, top=None)
    monkeypatch.setattr("stablek.results.rank_shifts.SHIFTS", 1)
    assert markers(values, partition, drawn=drawn, top=None) == whole
