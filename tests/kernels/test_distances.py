"""Distances of all pairs, against SciPy's."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import pdist, squareform
from scipy.stats import rankdata

from stablek.kernels.distances import METRICS, downdate, gather, pairwise

SCIPY_NAMES = {"manhattan": "cityblock", "spearman": "correlation"}


def scipys(values, metric):
    if metric == "spearman":
        values = rankdata(values, axis=1)
    return squareform(pdist(values, SCIPY_NAMES.get(metric, metric)))


def data(n, p, seed=0):
    return np.random.default_rng(seed).normal(size=(n, p))


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("n", "p"), [(2, 3), (7, 2), (9, 8), (600, 5), (70, 139)])
def test_distances_are_scipys(metric, n, p):
    values = data(n, p)
    ours = pairwise(values, metric)
    np.testing.assert_allclose(ours, scipys(values, metric), rtol=1e-12, atol=1e-14)
    assert (ours == ours.T).all()
    assert (ours.diagonal() == 0.0).all()
    assert (ours >= 0.0).all()
    assert not np.signbit(ours).any()


@pytest.mark.parametrize("metric", METRICS)
def test_tied_values_and_integers_give_scipys_distances(metric):
    values = np.random.default_rng(1).integers(1, 5, size=(40, 9))
    values[:, 0] = 7  # no row is constant
    ours = pairwise(values, metric)
    np.testing.assert_allclose(ours, scipys(values, metric), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("n", [5, 600])
def test_permuting_the_rows_permutes_the_bits(metric, n):
    values = data(n, 23, seed=2)
    order = np.random.default_rng(3).permutation(n)
    square = pairwise(values, metric)
    np.testing.assert_array_equal(
        pairwise(values[order], metric), square[np.ix_(order, order)]
    )


@pytest.mark.parametrize("metric", METRICS)
def test_a_subset_of_the_rows_has_the_bits_of_the_whole(metric):
    values = data(100, 11, seed=4)
    rows = np.arange(0, 100, 3)
    np.testing.assert_array_equal(
        pairwise(values[rows], metric), gather(pairwise(values, metric), rows)
    )


@pytest.mark.parametrize("metric", METRICS)
def test_equal_rows_are_at_distance_zero_exactly(metric):
    values = np.repeat(data(20, 7, seed=5), 3, axis=0)
    square = pairwise(values, metric)
    for i in range(0, 60, 3):
        assert (square[i : i + 3, i : i + 3] == 0.0).all()


@pytest.mark.parametrize("metric", ["correlation", "spearman"])
def test_constant_rows_are_alike_and_unlike_all_others(metric):
    values = np.array([[2.0, 2, 2], [5, 5, 5], [0, 0, 0], [1, 2, 4], [0.1, 0.1, 0.1]])
    square = pairwise(values, metric)
    constant = [0, 1, 2, 4]
    assert (square[np.ix_(constant, constant)] == 0.0).all()
    assert (square[3, constant] == 1.0).all()
    assert square[3, 3] == 0.0


def test_zero_rows_have_cosine_distance_zero_among_themselves_and_one_to_others():
    square = pairwise([[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]], "cosine")
    assert square.tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]


@pytest.mark.parametrize("metric", ["correlation", "cosine"])
def test_the_scale_of_a_row_does_not_matter(metric):
    values = data(12, 6, seed=6)
    scaled = values * np.logspace(-200, 200, 12)[:, None]
    np.testing.assert_allclose(
        pairwise(scaled, metric), pairwise(values, metric), rtol=1e-9, atol=1e-14
    )


@pytest.mark.parametrize("metric", METRICS)
def test_float32_values_are_summed_in_float64(metric):
    values = data(30, 200, seed=7).astype(np.float32)
    np.testing.assert_array_equal(
        pairwise(values, metric), pairwise(values.astype(np.float64), metric)
    )


def test_an_unknown_metric_is_named_with_those_that_exist():
    with pytest.raises(ValueError, match=r"'chebyshev'.*euclidean"):
        pairwise([[0.0], [1.0]], "chebyshev")


def test_gather_takes_rows_and_columns_of_a_read_only_matrix():
    square = pairwise(data(50, 3), "euclidean")
    square.flags.writeable = False
    rows = np.array([4, 0, 31, 4])
    taken = gather(square, rows)
    np.testing.assert_array_equal(taken, square[np.ix_(rows, rows)])
    assert taken.flags.writeable


@pytest.mark.parametrize("column", [0, 3, 8])
def test_downdate_leaves_a_column_out(column):
    values = data(80, 9, seed=8)
    squares = pairwise(values, "sqeuclidean")
    squares.flags.writeable = False
    expected = pairwise(np.delete(values, column, axis=1), "euclidean")
    ours = downdate(squares, values, column)
    np.testing.assert_allclose(ours, expected, rtol=1e-12)
    assert (ours == ours.T).all()


@settings(deadline=None, max_examples=80, derandomize=True)
@given(
    arrays(
        np.float64,
        st.tuples(st.integers(2, 6), st.integers(2, 4)),
        elements=st.sampled_from([0.0, 1.0, -2.5, 1e-7, 1e7, 12345.678]),
    )
)
def test_downdate_keeps_its_precision_when_nearly_all_is_cancelled(values):
    ours = downdate(pairwise(values, "sqeuclidean"), values, 0)
    expected = pairwise(values[:, 1:], "euclidean")
    np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=0.0)


def test_threads_at_once_give_the_bits_of_one():
    values = data(300, 20, seed=9)
    alone = pairwise(values, "euclidean")
    with ThreadPoolExecutor(2) as pool:
        for square in pool.map(lambda _: pairwise(values, "euclidean"), range(4)):
            np.testing.assert_array_equal(square, alone)
