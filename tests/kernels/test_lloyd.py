"""Oracles: the textbook loop in NumPy, and scikit-learn."""

import numpy as np
import pytest
from blobs import blobs
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import by_first_appearance
from scipy.cluster.hierarchy import cut_tree
from scipy.cluster.hierarchy import linkage as scipy_linkage
from sklearn.cluster import KMeans

from stablek.kernels.lloyd import lloyd_from_rows, lloyd_sweep
from stablek.kernels.nearest import assign_nearest


def near(n, m, k, away=4.0):
    """Return groups that overlap, so that several passes are needed."""
    return blobs(n, m, k, away=away)


def squared(values, centres):
    return ((values[:, None, :] - centres[None]) ** 2).sum(axis=2)


def lloyd_by_hand(values, centres, labels=None, max_iter=100):
    """The rules of the docstring, one sentence per line."""
    k = len(centres)
    for done in range(1, max_iter + 1):  # noqa: B007
        distance = squared(values, centres)
        new = distance.argmin(axis=1)
        own = distance[np.arange(len(values)), new]
        for c in range(k):
            if not (new == c).any():
                shared = np.bincount(new, minlength=k)[new] > 1
                far = np.where(shared, own, -1.0).argmax()
                new[far], own[far] = c, 0.0
        if labels is not None and (new == labels).all():
            break
        labels = new
        centres = np.array([values[labels == c].mean(axis=0) for c in range(k)])
    inertia = sum(((values[labels == c] - centres[c]) ** 2).sum() for c in range(k))
    return by_first_appearance(labels), inertia, done


@pytest.mark.parametrize(("n", "m"), [(12, 1), (46, 200), (112, 17), (600, 6)])
@pytest.mark.parametrize("groups", [1, 5])
def test_random_starts_follow_the_textbook_loop(n, m, groups):
    values = near(n, m, groups)
    ks = np.array([1, 2, 3, 7, 11])
    rng = np.random.default_rng(3)
    starts = [rng.choice(n, k, replace=False) for k in ks]
    labels, inertia, iterations = lloyd_from_rows(values, np.concatenate(starts), ks)
    for at, rows in enumerate(starts):
        expected = lloyd_by_hand(values, values[rows])
        np.testing.assert_array_equal(labels[at], expected[0])
        assert inertia[at] == pytest.approx(expected[1], rel=1e-12)
        assert iterations[at] == expected[2]


@pytest.mark.parametrize("method", ["single", "average"])
def test_partitions_as_starts_follow_the_textbook_loop(method):
    values = near(90, 5, 4, away=2.0)
    ks = np.arange(2, 20)
    cuts = cut_tree(scipy_linkage(values, method), ks).T.astype(np.uint8)
    labels, inertia, iterations = lloyd_sweep(values, cuts, ks)
    for at, k in enumerate(ks):
        centres = np.array([values[cuts[at] == c].mean(axis=0) for c in range(k)])
        expected = lloyd_by_hand(values, centres, cuts[at])
        np.testing.assert_array_equal(labels[at], expected[0])
        assert inertia[at] == pytest.approx(expected[1], rel=1e-12)
        assert iterations[at] == expected[2]


def test_the_result_is_that_of_scikit_learn_from_the_same_start():
    values = near(300, 8, 6)
    ks = np.arange(2, 12)
    rng = np.random.default_rng(5)
    starts = [rng.choice(300, k, replace=False) for k in ks]
    labels, inertia, _ = lloyd_from_rows(values, np.concatenate(starts), ks)
    for at, (k, rows) in enumerate(zip(ks, starts, strict=True)):
        peer = KMeans(k, init=values[rows], n_init=1, tol=0, max_iter=100).fit(values)
        np.testing.assert_array_equal(labels[at], by_first_appearance(peer.labels_))
        assert inertia[at] == pytest.approx(peer.inertia_, rel=1e-12)


def test_a_sweep_gives_what_each_k_gives_alone():
    values = near(80, 4, 3)
    ks = np.arange(2, 9)
    start = np.stack([np.arange(80) % k for k in ks])
    labels, inertia, iterations = lloyd_sweep(values, start, ks)
    for at, k in enumerate(ks):
        alone = lloyd_sweep(values, start[at : at + 1], [k])
        np.testing.assert_array_equal(labels[at], alone[0][0])
        assert (inertia[at], iterations[at]) == (alone[1][0], alone[2][0])


def test_an_empty_cluster_takes_the_item_farthest_from_its_centre():
    # Label 1 holds nothing at the start; 30 is farthest from the centre 8.2.
    values = np.array([[0.0], [1.0], [2.0], [8.0], [30.0]])
    labels, inertia, _ = lloyd_sweep(values, np.zeros((1, 5), int), [2])
    np.testing.assert_array_equal(labels[0], [0, 0, 0, 0, 1])
    assert inertia[0] == pytest.approx(38.75)


def test_at_equal_distance_an_empty_cluster_takes_the_lowest_item():
    values = np.array([[-1.0], [1.0], [1.0], [-1.0]])
    labels, _, iterations = lloyd_sweep(values, np.zeros((1, 4), int), [2], max_iter=1)
    np.testing.assert_array_equal(labels[0], [0, 1, 1, 1])  # item 0 was taken
    assert iterations[0] == 1


def test_an_item_between_two_centres_goes_to_the_lower_numbered():
    values = np.array([[2.0], [1.0], [0.0]])
    labels, _, _ = lloyd_from_rows(values, [2, 0], [2], max_iter=1)
    np.testing.assert_array_equal(labels[0], [0, 1, 1])  # centre 0 is item 2
    np.testing.assert_array_equal(
        assign_nearest(values, np.array([[0.0], [2.0]])), [1, 0, 0]
    )


@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_equal_items_still_give_k_clusters_and_an_end(k):
    labels, inertia, iterations = lloyd_from_rows(np.ones((6, 3)), np.arange(k), [k])
    assert len(np.unique(labels)) == k
    assert inertia[0] == 0.0
    assert iterations[0] < 10


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 30), st.integers(1, 5), st.integers(0, 10**6), st.data())
def test_the_result_obeys_the_laws_of_k_means(n, m, seed, data):
    k = data.draw(st.integers(1, n))
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(size=(n, m)), 1)  # ties and equal items occur
    rows = rng.permutation(n)[:k]
    labels, inertia, iterations = lloyd_from_rows(values, rows, [k])
    expected = lloyd_by_hand(values, values[rows])
    assert len(np.unique(labels)) == k
    np.testing.assert_array_equal(labels[0], by_first_appearance(labels[0]))
    # Rounding may decide a tie one way here and another way there; the sums agree
    # unless that happened.
    if (labels[0] == expected[0]).all():
        assert inertia[0] == pytest.approx(expected[1], rel=1e-9, abs=1e-12)
    one_more = lloyd_sweep(values, labels, [k])
    assert one_more[1][0] <= inertia[0] + 1e-9
    assert iterations[0] <= 100


def test_the_order_of_the_rows_does_not_matter():
    values = near(200, 5, 4)
    rows = np.array([3, 50, 120, 180])
    order = np.random.default_rng(8).permutation(200)
    where = np.argsort(order)
    labels, inertia, _ = lloyd_from_rows(values, rows, [4])
    moved, inertia_moved, _ = lloyd_from_rows(values[order], where[rows], [4])
    np.testing.assert_array_equal(
        by_first_appearance(moved[0][where]), by_first_appearance(labels[0])
    )
    assert inertia_moved[0] == pytest.approx(inertia[0], rel=1e-12)


def test_when_iterations_run_out_the_inertia_is_that_of_the_labels_returned():
    values = near(300, 3, 1)
    labels, inertia, iterations = lloyd_from_rows(values, np.arange(9), [9], max_iter=2)
    assert iterations[0] == 2
    expected = sum(
        ((g - g.mean(axis=0)) ** 2).sum()
        for g in (values[labels[0] == c] for c in range(9))
    )
    assert inertia[0] == pytest.approx(expected, rel=1e-12)


def test_single_precision_finds_the_same_clear_clusters():
    values = near(400, 10, 5, away=10.0)
    rows = np.arange(5)
    double = lloyd_from_rows(values, rows, [5])
    single = lloyd_from_rows(values.astype(np.float32), rows, [5])
    np.testing.assert_array_equal(single[0], double[0])
    np.testing.assert_allclose(single[1], double[1], rtol=1e-5)


@pytest.mark.parametrize("n", [1, 511, 512, 513, 1100])
def test_items_are_assigned_to_their_nearest_centre(n):
    values = near(n, 7, 3)
    centres = np.random.default_rng(1).normal(size=(5, 7))
    expected = squared(values, centres).argmin(axis=1)
    np.testing.assert_array_equal(assign_nearest(values, centres), expected)


def test_near_ties_are_settled_in_double_precision():
    # The two centres differ by less than single precision can tell for most items.
    rng = np.random.default_rng(4)
    values = rng.normal(size=(2000, 50))
    centres = np.zeros((2, 50))
    centres[:, 0] = [1e-6, -1e-6]
    expected = (values[:, 0] < 0).astype(int)
    np.testing.assert_array_equal(assign_nearest(values, centres), expected)


def test_distances_lost_to_underflow_are_settled_in_double_precision():
    rng = np.random.default_rng(6)
    tiny = rng.normal(size=(200, 3)) * 1e-22
    values = np.vstack([tiny, [[1.0, -1.0, 0.0]], [[-1.0, 1.0, 0.0]]])
    centres = values[:5]
    expected = squared(values * 1e22, centres * 1e22).argmin(axis=1)
    np.testing.assert_array_equal(assign_nearest(values, centres), expected)


@pytest.mark.parametrize("offset", [0.0, 1e7, -3e11])
@pytest.mark.parametrize("unit", [1e-150, 1e-3, 1.0, 1e150])
def test_neither_unit_nor_offset_disturbs_the_assignment(offset, unit):
    rng = np.random.default_rng(5)
    fine = rng.integers(-(2**12), 2**12, (300, 6)) / 2**8
    values, centres = (fine + offset) * unit, (fine[:7] + 0.25 + offset) * unit
    scaled = (values.astype(np.longdouble) / unit).astype(np.longdouble)
    distance = squared(scaled, centres.astype(np.longdouble) / unit)
    found = assign_nearest(values, centres)
    least = distance.min(axis=1)
    chosen = distance[np.arange(300), found]
    assert ((chosen - least) <= 1e-9 * (1 + least)).all()


def test_an_outlier_does_not_blur_the_others():
    values = near(100, 3, 4, away=10.0)
    outlier = np.vstack([values, np.full((1, 3), 1e9)])
    expected, inertia, _ = lloyd_from_rows(values, [0, 1, 2, 3], [4])
    found, with_outlier, _ = lloyd_from_rows(outlier, [0, 1, 2, 3, 100], [5])
    np.testing.assert_array_equal(found[0, :100], expected[0])
    assert with_outlier[0] == pytest.approx(inertia[0], rel=1e-9)


def test_frozen_values_are_read_and_left_alone():
    values = near(50, 3, 2)
    before = values.copy()
    values.flags.writeable = False
    lloyd_from_rows(values, [0, 1], [2])
    np.testing.assert_array_equal(values, before)


@pytest.mark.parametrize("ks", [[0], [6]])
def test_a_k_that_the_items_do_not_allow_is_refused(ks):
    with pytest.raises(ValueError, match="between 1 and the 5 items"):
        lloyd_from_rows(np.ones((5, 2)), np.zeros(sum(ks), int), ks)
    with pytest.raises(ValueError, match="at least one iteration"):
        lloyd_from_rows(np.ones((5, 2)), [0, 1], [2], max_iter=0)
