"""Oracles: direct sums in NumPy, and scikit-learn's inertia."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import by_first_appearance, within_by_hand
from scipy.cluster.hierarchy import cut_tree, linkage
from sklearn.cluster import KMeans

from stablek.kernels.centroids import merge_down, merge_nearest_centroids
from stablek.kernels.dispersion import held_out_ss, within_ss


def merge_by_hand(values, labels):
    """Merge the lowest of the nearest pairs, clusters by first appearance."""
    labels = by_first_appearance(labels)
    means = [values[labels == c].mean(axis=0) for c in range(labels.max() + 1)]
    a, b = min(
        itertools.combinations(range(len(means)), 2),
        key=lambda pair: ((means[pair[0]] - means[pair[1]]) ** 2).sum(),
    )
    return by_first_appearance(np.where(labels == b, a, labels))


@pytest.mark.parametrize("method", ["average", "single", "ward"])
@pytest.mark.parametrize("ks", [range(1, 31), range(30, 0, -1), [3, 9, 4, 20]])
def test_nested_partitions_get_the_direct_sum(method, ks):
    values = np.random.default_rng(0).normal(size=(70, 9))
    labels = cut_tree(linkage(values, method), list(ks)).T
    expected = [within_by_hand(values, row) for row in labels]
    np.testing.assert_allclose(within_ss(values, labels), expected, rtol=1e-12)


def test_partitions_that_are_not_nested_get_the_direct_sum():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(60, 4))
    labels = np.stack([rng.integers(0, k, 60) for k in (2, 3, 3, 8, 20)])
    labels[2] = 2 - labels[1]  # the same partition under other names
    expected = [within_by_hand(values, row) for row in labels]
    np.testing.assert_allclose(within_ss(values, labels), expected, rtol=1e-12)


def test_the_bits_of_a_partition_do_not_depend_on_the_others():
    values = np.random.default_rng(0).normal(size=(70, 9))
    labels = cut_tree(linkage(values, "single"), range(1, 31)).T
    few = within_ss(values, labels[3:9])
    assert few.tobytes() == within_ss(values, labels)[3:9].tobytes()


def test_the_sum_is_the_inertia_of_scikit_learn():
    values = np.random.default_rng(2).normal(size=(90, 5))
    fits = [KMeans(k, n_init=1, random_state=0).fit(values) for k in (2, 5, 9)]
    found = within_ss(values, np.stack([f.labels_ for f in fits]))
    np.testing.assert_allclose(found, [f.inertia_ for f in fits], rtol=1e-9)


def test_a_common_offset_costs_no_precision():
    values = np.random.default_rng(3).integers(0, 100, (40, 3)) / 64.0
    labels = cut_tree(linkage(values, "average"), range(1, 20)).T
    np.testing.assert_allclose(
        within_ss(values + 2.0**30, labels), within_ss(values, labels), rtol=1e-9
    )


def test_an_item_that_was_not_drawn_is_left_out():
    rng = np.random.default_rng(4)
    values = rng.normal(size=(30, 3))
    labels = np.array([np.arange(30) % 2, np.arange(30) % 4], np.uint8)
    labels[:, ::7] = 255
    drawn = labels[0] != 255
    expected = [within_by_hand(values[drawn], row[drawn]) for row in labels]
    np.testing.assert_allclose(within_ss(values, labels), expected, rtol=1e-12)
    labels[1, 0] = 0  # drawn in one only
    expected = [within_by_hand(values[row != 255], row[row != 255]) for row in labels]
    np.testing.assert_allclose(within_ss(values, labels), expected, rtol=1e-12)


def test_labels_that_no_item_has_add_nothing():
    values = np.random.default_rng(5).normal(size=(12, 2))
    coarse, fine = np.arange(12) % 2 * 5, np.arange(12) % 4 * 3 + 1
    expected = [within_by_hand(values, coarse), within_by_hand(values, fine)]
    np.testing.assert_allclose(
        within_ss(values, np.stack([coarse, fine])), expected, rtol=1e-12
    )


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 25), st.integers(1, 4), st.integers(0, 10**6))
def test_the_sum_never_grows_as_clusters_are_split(n, m, seed):
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(size=(n, m)), 1)
    labels = np.zeros((5, n), int)
    for row in range(1, 5):
        labels[row] = labels[row - 1] * 2 + rng.integers(0, 2, n)
    found = within_ss(values, labels)
    np.testing.assert_allclose(
        found, [within_by_hand(values, row) for row in labels], rtol=1e-9, atol=1e-12
    )
    assert (np.diff(found) <= 1e-12).all()


def test_single_precision_values_are_summed_in_double():
    values = np.random.default_rng(6).normal(size=(50, 4)).astype(np.float32)
    labels = np.stack([np.arange(50) % k for k in (2, 3, 4)])
    np.testing.assert_allclose(
        within_ss(values, labels), within_ss(values.astype(float), labels), rtol=1e-12
    )


def test_one_column_gets_the_sum_of_a_matrix_with_that_column():
    rng = np.random.default_rng(7)
    column = rng.normal(size=45) + 1e6
    labels = np.stack([rng.integers(0, k, 45) for k in (1, 4, 11)]).astype(np.uint8)
    labels[1, 3:6] = 255
    expected = [within_by_hand(column[row != 255], row[row != 255]) for row in labels]
    np.testing.assert_allclose(held_out_ss(column, labels), expected, rtol=1e-9)


def test_each_step_down_merges_the_nearest_centroids():
    values = np.random.default_rng(8).normal(size=(80, 6))
    labels = np.random.default_rng(9).permutation(np.arange(80) % 12)
    path = merge_down(values, labels)
    assert path.shape == (12, 80)
    expected = by_first_appearance(labels)
    for k in range(12, 0, -1):
        np.testing.assert_array_equal(path[k - 1], expected)
        if k > 1:
            np.testing.assert_array_equal(
                merge_nearest_centroids(values, expected, k), path[k - 2]
            )
            expected = merge_by_hand(values, expected)


def test_at_equal_distance_the_lowest_pair_is_merged():
    values = np.array([[3.0], [2.0], [1.0], [0.0]])
    labels = np.array([7, 1, 5, 0])
    np.testing.assert_array_equal(
        merge_nearest_centroids(values, labels, 4), [0, 0, 1, 2]
    )


def test_the_path_down_passes_over_items_not_drawn():
    labels = np.array([2, 255, 0, 1], np.uint8)
    path = merge_down(np.array([[0.0], [5.0], [9.0], [8.0]]), labels)
    missing = 65535
    np.testing.assert_array_equal(
        path, [[0, missing, 0, 0], [0, missing, 1, 1], [0, missing, 1, 2]]
    )


def test_a_wrong_number_of_clusters_is_refused():
    with pytest.raises(ValueError, match="hold 2 clusters"):
        merge_nearest_centroids(np.ones((3, 1)), np.array([0, 1, 1]), 3)
    with pytest.raises(ValueError, match="at least 2"):
        merge_nearest_centroids(np.ones((3, 1)), np.array([0, 0, 0]), 1)
