"""Silhouette, separation, prediction strength and BIC against independent oracles."""

import numpy as np
import pytest
from blobs import blobs
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture

import stablek
from stablek.paradigm.statistic.prediction import strength


@pytest.fixture(scope="module")
def four():
    return np.concatenate([blobs(80, 3, 4, away=7.0)[group::4] for group in range(4)])


@pytest.fixture(scope="module")
def wide():
    return blobs(60, 40, 4, seed=2, away=14.0)


@pytest.mark.parametrize("name", ["silhouette", "prediction", "bic"])
def test_each_finds_four_blobs(four, name):
    result = stablek.choose_k(four, name, "kmeans-w", range(2, 8), seed=1)
    assert result.k_star == 4


def test_silhouette_is_that_of_scikit_learn(four):
    result = stablek.choose_k(four, "silhouette", "hier-a", range(2, 8))
    for k, mean in result.table["mean"].items():
        labels = result.cube.of_k(k)[0]
        assert mean == pytest.approx(silhouette_score(four, labels), abs=1e-12)


def test_separation_finds_two_blobs(four):
    result = stablek.choose_k(four[:40], "separation", "kmeans-w", range(2, 6))
    assert result.k_star == 2
    assert result.table["valley"][2] < 0.1
    assert result.table["smallest"][2] == 20


def test_bic_of_one_gaussian_is_that_of_scikit_learn(four):
    result = stablek.choose_k(four, "bic", "kmeans-w", range(1, 4))
    full = GaussianMixture(1, covariance_type="full", reg_covar=0).fit(four)
    kinds = ("spherical", "diag", "full")
    fits = [GaussianMixture(1, covariance_type=c).fit(four) for c in kinds]
    best = min(fit.bic(four) for fit in [*fits, full])
    assert result.table["mean"][1] == pytest.approx(best, rel=5e-3)


def test_separation_is_fishers_on_the_closest_pair(four):
    labels = np.repeat([0, 1, 2, 3], 20)
    result = stablek.choose_k(four, "separation", "kmeans-w", [4])
    gaps = []
    for a in range(4):
        for b in range(a):
            x, y = four[labels == a], four[labels == b]
            pooled = (np.cov(x.T, ddof=0) * 20 + np.cov(y.T, ddof=0) * 20) / 40
            way = np.linalg.solve(
                pooled + 2 * np.trace(pooled) / 40 * np.eye(3), y.mean(0) - x.mean(0)
            )
            far = abs((y @ way).mean() - (x @ way).mean())
            gaps.append(far / ((x @ way).std(ddof=1) + (y @ way).std(ddof=1)))
    assert result.table["separation"][4] == pytest.approx(min(gaps), rel=0.1)


def test_prediction_strength_counts_pairs_of_the_worst_cluster():
    rng = np.random.default_rng(1)
    own, predicted = rng.integers(0, 3, 40), rng.integers(0, 3, 40)
    worst = 1.0
    for c in range(3):
        inside = np.flatnonzero(own == c)
        pairs = [(i, j) for i in inside for j in inside if i < j]
        kept = np.mean([predicted[i] == predicted[j] for i, j in pairs])
        worst = min(worst, kept)
    table = np.zeros((3, 3), int)
    np.add.at(table, (own, predicted), 1)
    assert strength(table) == pytest.approx(worst)


def test_noise_has_no_prediction_strength():
    noise = np.random.default_rng(5).normal(size=(60, 4))
    assert stablek.choose_k(noise, "prediction", "kmeans-w", range(2, 7)).k_star == 1


def test_halves_of_the_columns_agree_on_four_clusters(wide):
    result = stablek.choose_k(wide, "column-halves", "kmeans-w", range(2, 8))
    assert result.k_star == 4
    assert result.table["mean"][4] == 1


def test_halves_of_the_columns_of_noise_do_not_agree():
    noise = np.random.default_rng(6).normal(size=(80, 40))
    result = stablek.choose_k(noise, "column-halves", "kmeans-w", range(2, 8))
    assert result.table["mean"].max() < 0.1


def test_halves_have_no_column_in_common_and_all_items():
    from stablek.data import as_dataset
    from stablek.paradigm.split import ColumnHalves

    values = np.random.default_rng(0).normal(size=(6, 7))
    whole = as_dataset(values).whole()
    parts = ColumnHalves().parts(whole, np.random.default_rng(1))
    joined = np.hstack([parts.learning.values(), parts.training.values()])
    assert sorted(joined[0]) == sorted(values[0])
    assert parts.learning.values().shape == (6, 3)


def rings(n=300, noise=0.05, seed=0):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, n)
    radius = np.repeat([1.0, 2.5], n // 2)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]) + (
        rng.normal(0, noise, (n, 2))
    )


def test_connected_sees_two_rings_and_one_cloud():
    from stablek.paradigm.statistic.connected import connected_groups

    values = rings()
    result = stablek.choose_k(values, "connected", "hier-s", range(2, 7))
    assert result.k_star == 2
    square = np.linalg.norm(values[:, None] - values, axis=2)
    groups = connected_groups(square)
    assert (groups == groups[0]).sum() == 150
    assert len(set(groups[:150])) == len(set(groups[150:])) == 1
    cloud = np.random.default_rng(1).normal(size=(200, 2))
    assert stablek.choose_k(cloud, "connected", "hier-s", range(2, 7)).k_star == 1


def test_the_tree_of_mutual_reachability_is_that_of_scipy():
    from scipy.sparse.csgraph import minimum_spanning_tree

    from stablek.kernels.reachability import reachability_tree

    values = np.random.default_rng(4).normal(size=(60, 3))
    square = np.linalg.norm(values[:, None] - values, axis=2)
    core = np.sort(square, axis=1)[:, 5]
    mutual = np.maximum(square, np.maximum(core[:, None], core))
    np.fill_diagonal(mutual, 0)
    expected = np.sort(minimum_spanning_tree(mutual).data)
    np.testing.assert_allclose(reachability_tree(square)[2], expected)


def test_a_gap_is_the_step_across_over_the_steps_inside():
    from stablek.paradigm.statistic.connected import tree_gaps

    line = np.concatenate([np.arange(30.0), 100 + np.arange(30.0)])
    gaps = tree_gaps(np.abs(line[:, None] - line))[3]
    # The ends have their fifth neighbour 5 away, the middle 3: the 0.9 quantile is 5.
    assert gaps.max() == pytest.approx(np.log(71 / 5), abs=0.3)
