"""What is seen at each k, against brute force."""

from dataclasses import replace

import numpy as np
import pytest
from report_data import mixture
from scipy.cluster.hierarchy import linkage as scipy_linkage

from stablek.data import Dataset
from stablek.paradigm.statistic.item_consensus import standing
from stablek.report.charts.embed import plane
from stablek.report.page import look as module
from stablek.report.page.look import cdf_of, evenly_spaced, follow, leaf_order, look_at


def symmetric(n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    half = np.triu(rng.integers(0, 21, (n, n)) / 20, 1)
    return half + half.T + np.eye(n)


def test_items_stand_between_their_own_cluster_and_the_runner_up():
    rng = np.random.default_rng(0)
    mean = rng.random((12, 4))
    mean[rng.random(mean.shape) < 0.3] = np.nan
    mean[11] = np.nan
    labels = np.array([0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3])
    found = standing(mean, labels)
    for i in range(12):
        others = {c: mean[i, c] for c in range(4) if c != labels[i]}
        known = {c: value for c, value in others.items() if np.isfinite(value)}
        np.testing.assert_equal(found.own[i], mean[i, labels[i]])
        np.testing.assert_equal(found.second[i], max(known.values(), default=np.nan))
        assert found.rival[i] == max(known, key=known.get, default=-1)


def test_the_cdf_counts_pairs_up_to_each_point():
    matrix = symmetric(15, seed=3)
    matrix[2, 3] = matrix[3, 2] = np.nan
    upper = matrix[np.triu_indices(15, 1)]
    upper = upper[np.isfinite(upper)]
    expected = [(upper <= x + 1e-12).mean() for x in module.GRID]
    np.testing.assert_allclose(cdf_of(matrix), expected)


@pytest.mark.parametrize("seed", range(4))
def test_leaf_order_keeps_every_cluster_of_the_dendrogram_together(seed):
    rng = np.random.default_rng(seed)
    merges = scipy_linkage(rng.normal(size=(20, 3)), "average")
    order = leaf_order(merges, np.arange(20.0))
    assert sorted(order.tolist()) == list(range(20))
    place = np.argsort(order)
    members = {i: [i] for i in range(20)}
    for step, (a, b) in enumerate(merges[:, :2].astype(int)):
        members[20 + step] = members[a] + members[b]
        where = sorted(place[members[20 + step]])
        assert where == list(range(where[0], where[0] + len(where)))


def test_leaf_order_puts_the_branch_that_ranks_lower_first():
    merges = np.array([[0, 1, 1.0, 2], [2, 3, 1.0, 2], [4, 5, 2.0, 4]])
    assert leaf_order(merges, np.array([3.0, 2.0, 1.0, 0.0])).tolist() == [3, 2, 1, 0]


def test_clusters_keep_their_numbers_from_one_k_to_the_next():
    before = np.array([0, 0, 0, 1, 1, 1, 1])
    after = np.array([2, 2, 2, 0, 0, 0, 1])
    assert follow(before, after).tolist() == [0, 0, 0, 1, 1, 1, 2]


def test_the_numbers_at_k_star_are_those_of_the_result(fc):
    look = look_at(fc)
    assert np.array_equal(look.at(fc.k_star).labels + 1, fc.labels)
    for view in look.views:
        assert len(np.unique(view.labels)) == view.k


def test_views_of_a_dispersion_measure_are_its_own_partitions(gap):
    look = look_at(gap)
    assert [view.k for view in look.views] == list(gap.ks)
    assert all(view.image is None for view in look.views)


def test_many_items_are_represented_by_an_even_choice(fc, monkeypatch):
    monkeypatch.setattr(module, "MOST", 25)
    look = look_at(fc)
    assert look.sampled
    assert len(look.rows) == 25
    assert len(look.views[0].labels) == 25
    assert evenly_spaced(10, 5).tolist() == [0, 2, 4, 6, 8]


def test_the_plane_is_that_of_the_principal_components():
    data = mixture()
    points, axes = plane(data, np.arange(60))
    centred = data.values - data.values.mean(axis=0)
    _, spread, right = np.linalg.svd(centred, full_matrices=False)
    np.testing.assert_allclose(np.abs(points), np.abs(centred @ right[:2].T), atol=1e-8)
    assert axes[0] == f"PC 1 ({spread[0] ** 2 / (spread**2).sum():.0%})"


def test_the_plane_of_wide_data_and_of_distances_agree_with_that_of_values():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(12, 40))
    wide, _ = plane(Dataset(values), np.arange(12))
    distances = np.sqrt(((values[:, None] - values[None]) ** 2).sum(-1))
    scaled, _ = plane(Dataset(distances, precomputed=True), np.arange(12))
    np.testing.assert_allclose(np.abs(wide), np.abs(scaled), atol=1e-6)


def test_a_single_column_lies_on_a_line():
    data = Dataset(np.arange(6.0).reshape(6, 1))
    points, axes = plane(data, np.arange(6))
    assert not points[:, 1].any()
    assert axes == ("the only column", "")


def without(result, items):
    """Return a result whose run never drew some items."""
    cube = result.cube.first(30)
    cube.labels = cube.labels.copy()
    cube.labels[..., items] = cube.missing
    return replace(result, cube=cube)


def test_items_never_drawn_are_not_in_the_matrix_and_have_no_trust(fc):
    look = look_at(without(fc, [5, 8]))
    assert look.drawn == fc.n - 2
    assert len(look.rows) == fc.n
    for view in look.views:
        assert sorted(view.order.tolist()) == [
            i for i in range(fc.n) if i not in (5, 8)
        ]
        assert np.isfinite(view.image).all()
        assert len(np.unique(view.labels)) == view.k
        assert np.isnan(view.standing.own[[5, 8]]).all()
        assert (view.standing.rival[[5, 8]] == -1).all()


@pytest.mark.parametrize("k_star", [1, 3])
@pytest.mark.parametrize("precomputed", [False, True])
def test_items_never_drawn_join_the_nearest_cluster_at_every_k(fc, k_star, precomputed):
    values = fc.data.values
    data, apart = fc.data, np.linalg.norm(values[:, None] - values[None], axis=2)
    if precomputed:
        data = Dataset(apart, precomputed=True)
    one = np.zeros(fc.n, dtype=np.int64)
    labels = one if k_star == 1 else fc.labels
    away = np.array([5, 8, 12, 31])
    look = look_at(without(replace(fc, k_star=k_star, labels=labels, data=data), away))
    there = np.setdiff1d(np.arange(fc.n), away)
    for view in look.views:
        if view.k == k_star:
            continue
        for item in away:
            far = {}
            for c in np.unique(view.labels).tolist():
                mine = there[view.labels[there] == c]
                mean = np.linalg.norm(values[mine].mean(axis=0) - values[item])
                far[c] = apart[item, mine].mean() if precomputed else mean
            assert view.labels[item] == min(far, key=far.get)


def test_without_the_data_items_never_drawn_still_have_a_colour(fc):
    look = look_at(without(replace(fc, data=None, labels=None), [5]))
    assert all(view.labels[5] >= 0 for view in look.views)


def test_of_many_items_only_those_drawn_are_shown(fc, monkeypatch):
    monkeypatch.setattr(module, "MOST", 12)
    away = np.setdiff1d(np.arange(fc.n), np.arange(0, fc.n, 3) + 1)
    look = look_at(without(fc, away))
    assert look.drawn == 20
    assert len(look.rows) == 12
    assert not np.isin(look.rows, away).any()
    for view in look.views:
        assert len(view.order) == 12
        assert np.isfinite(view.standing.own).sum() > 12 - view.k


def test_any_run_of_enough_subsamples_has_a_consensus_matrix(fc, gap, me):
    other = replace(fc, columns={"score": fc.columns["area"]}, main="score", error=None)
    assert module.has_consensus(other)
    assert not module.has_consensus(replace(other, cube=fc.cube.first(5)))
    assert not module.has_consensus(gap)
    assert not module.has_consensus(me)
