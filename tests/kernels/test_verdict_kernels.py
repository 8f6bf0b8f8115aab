"""Kernels of the verdict against brute force and scikit-learn."""

import numpy as np
import pytest
from blobs import blobs

from stablek.kernels.jaccard import jaccard_stability
from stablek.kernels.separations import separations


@pytest.fixture
def groups():
    return blobs(47, seed=3, away=3.0), np.arange(47) % 3


def test_jaccard_is_the_best_overlap_among_the_items_drawn():
    rng = np.random.default_rng(5)
    partition = rng.integers(0, 3, 40)
    partition[:3] = [0, 1, 2]
    labels = rng.integers(0, 4, (6, 40)).astype(np.uint8)
    labels[rng.random((6, 40)) < 0.3] = 255
    found = jaccard_stability(partition, labels)
    for h in range(6):
        drawn = np.flatnonzero(labels[h] != 255)
        for c in range(3):
            own = {i for i in drawn if partition[i] == c}
            best = 0.0
            for d in range(4):
                other = {i for i in drawn if labels[h, i] == d}
                if own | other:
                    best = max(best, len(own & other) / len(own | other))
            assert found[h, c] == pytest.approx(best)


def test_a_cluster_that_was_not_drawn_has_no_jaccard():
    found = jaccard_stability(np.array([0, 0, 1]), np.array([[0, 0, 255]], np.uint8))
    assert found[0, 0] == 1
    assert np.isnan(found[0, 1])


def test_the_gap_is_that_of_ridge_discriminant_analysis(groups):
    values, labels = groups
    gap, _ = separations(values, labels)
    a, b = values[labels == 0], values[labels == 1]
    both = len(a) + len(b)
    centred = np.vstack([a - a.mean(0), b - b.mean(0)])
    pooled = centred.T @ centred / both
    ridge = pooled + 2 * np.trace(pooled) / both * np.eye(4)
    axis = np.linalg.solve(ridge, b.mean(0) - a.mean(0))
    x, y = a @ axis, b @ axis
    expected = (y.mean() - x.mean()) / (x.std(ddof=1) + y.std(ddof=1))
    assert gap[0, 1] == pytest.approx(expected, rel=1e-9)
    np.testing.assert_array_equal(gap, gap.T)


def test_the_valley_is_deep_between_blobs_and_absent_in_a_cloud():
    rng = np.random.default_rng(1)
    apart = np.concatenate([rng.normal(0, 1, 200), rng.normal(8, 1, 200)])[:, None]
    cloud = np.sort(rng.normal(0, 1, 400))[:, None]
    halves = np.repeat([0, 1], 200)
    assert separations(apart, halves)[1][0, 1] < 0.05
    assert separations(cloud, halves)[1][0, 1] > 0.8


def test_clusters_without_spread_are_far_apart_or_on_one_another():
    points = np.repeat([[0.0], [5.0], [5.0]], 3, axis=0)
    gap, valley = separations(points, np.repeat([0, 1, 2], 3))
    assert gap[0, 1] == 1e6
    assert gap[1, 2] == 0
    assert valley[0, 1] == 0


def test_a_cluster_of_one_item_has_no_gap():
    points = np.array([[0.0], [0.1], [0.3], [9.0]])
    gap, valley = separations(points, np.array([0, 0, 0, 1]))
    assert (gap[0, 1], valley[0, 1]) == (0, 1)


def test_valleys_are_looked_for_only_if_asked(groups):
    values, labels = groups
    gap, valley = separations(values, labels, valleys=False)
    np.testing.assert_array_equal(gap, separations(values, labels)[0])
    np.testing.assert_array_equal(valley, 1 - np.eye(3))
