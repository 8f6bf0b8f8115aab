"""The oracle is Lloyd's loop over columns, and the textbook loop behind it."""

import numpy as np
import pytest
from blobs import blobs
from hypothesis import given, settings
from hypothesis import strategies as st

from stablek.kernels.cuts import cut_all
from stablek.kernels.distances import pairwise
from stablek.kernels.linkage import linkage
from stablek.kernels.lloyd import lloyd_from_rows, lloyd_sweep
from stablek.kernels.lloyd_pairs import lloyd_by_pairs

KS = np.array([1, 2, 3, 5, 8, 13])


def by_pairs(values, draws, start, ks=KS, max_iter=100):
    """Run the kernel of pairs on draws of a table."""
    lengths = np.linalg.norm(values[draws[:, 0]].astype(float), axis=1)
    square = pairwise(values, "euclidean")
    m = values.shape[1]
    return lloyd_by_pairs(square, draws, lengths, m, start, ks, max_iter)


def some_draws(n, size, count=4):
    rng = np.random.default_rng(n)
    return np.array([np.sort(rng.permutation(n)[:size]) for _ in range(count)])


def random_rows(size, ks=KS, count=4):
    rng = np.random.default_rng(size)
    return np.array(
        [np.concatenate([rng.permutation(size)[:k] for k in ks]) for _ in range(count)]
    )


@pytest.mark.parametrize("max_iter", [1, 2, 100])
@pytest.mark.parametrize(("n", "m"), [(30, 2), (60, 40), (150, 200)])
@pytest.mark.parametrize("groups", [1, 5])
def test_labels_from_rows_are_those_of_the_loop_over_columns(n, m, groups, max_iter):
    values = blobs(n, m, groups, away=3.0)
    draws, rows = some_draws(n, n - 5), random_rows(n - 5)
    found, settled = by_pairs(values, draws, rows, max_iter=max_iter)
    assert settled.mean() > 0.9
    for d, draw in enumerate(draws):
        wanted = lloyd_from_rows(values[draw], rows[d], KS, max_iter)[0]
        np.testing.assert_array_equal(found[d][settled[d]], wanted[settled[d]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("method", ["single", "average"])
def test_labels_from_partitions_are_those_of_the_loop_over_columns(method, dtype):
    values = blobs(90, 30, 4, away=2.0).astype(dtype)
    draws = some_draws(90, 72)
    trees = [linkage(pairwise(values[draw], "euclidean"), method) for draw in draws]
    cuts = np.array([cut_all(tree, KS) for tree in trees])
    found, settled = by_pairs(values, draws, cuts)
    assert settled.all()
    for draw, cut, labels in zip(draws, cuts, found, strict=True):
        np.testing.assert_array_equal(labels, lloyd_sweep(values[draw], cut, KS)[0])


@settings(deadline=None, max_examples=60)
@given(
    st.integers(6, 20), st.integers(1, 6), st.integers(1, 4), st.integers(0, 10**6),
    st.sampled_from([0.0, 1.0, 1e6, 1e9]),
)  # fmt: skip
def test_what_is_settled_is_right_where_ties_abound(n, m, values_at, seed, offset):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, values_at + 1, (n, m)) + offset
    ks = np.array([1, 2, 3, 5])
    rows = np.concatenate([rng.permutation(n)[:k] for k in ks])
    found, settled = by_pairs(values, np.arange(n)[None], rows[None], ks)
    wanted = lloyd_from_rows(values, rows, ks)[0]
    np.testing.assert_array_equal(found[0][settled[0]], wanted[settled[0]])


def test_an_item_halfway_between_two_centres_is_left_to_the_other_kernel():
    values = np.array([[0.0], [1.0], [2.0], [30.0]])
    whole = np.arange(4)[None]
    assert not by_pairs(values, whole, np.array([[0, 2]]), [2])[1].any()
    assert by_pairs(values, whole, np.array([[0, 3]]), [2])[1].all()


def test_an_empty_cluster_is_left_to_the_other_kernel():
    values = np.array([[0.0], [1.0], [2.5], [8.0], [30.0]])
    whole = np.arange(5)[None]
    start = np.array([[[0, 0, 0, 0, 0]]])
    assert not by_pairs(values, whole, start, [2])[1].any()


@pytest.mark.parametrize("far", [1e-120, 1e120])
def test_distances_that_have_no_squares_are_left_to_the_other_kernel(far):
    values = blobs(20, 3, 2) * far
    whole, rows = np.arange(20)[None], random_rows(20, [2], 1)
    assert not by_pairs(values, whole, rows, [2])[1].any()


def test_a_table_far_from_the_origin_is_left_to_the_other_kernel():
    values = blobs(20, 3, 2)
    whole, rows = np.arange(20)[None], random_rows(20, [2], 1)
    assert by_pairs(values, whole, rows, [2])[1].all()
    assert not by_pairs(values + 1e12, whole, rows, [2])[1].any()


def test_more_items_than_can_be_summed_are_refused():
    rows = np.zeros((1, 4097), np.int64)
    with pytest.raises(ValueError, match="4097 items"):
        lloyd_by_pairs(np.zeros((1, 1)), rows, [0.0], 1, np.zeros((1, 2), int), [2])
