"""What is given is looked at, whatever it comes in."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import pairwise_distances

import stablek
from stablek.data import as_dataset, from_arrays
from stablek.data.checks import check, mean_of_halves, nearly_equal, symmetrize
from stablek.errors import InputError
from stablek.integrations.sklearn import StableK

X = np.random.default_rng(0).normal(size=(40, 3)) + 50 * (np.arange(40) % 2)[:, None]


def spoilt(value):
    found = X.copy()
    found[7, 1] = value
    return found


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("ask", [stablek.verdict, stablek.choose_k])
def test_a_data_set_made_by_hand_is_looked_at_too(ask, value):
    with pytest.raises(InputError, match=r"the first is at row 7, column 1"):
        ask(stablek.Dataset(spoilt(value)))


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ({"ids": ("a", "b")}, "2 ids for 40 rows"),
        ({"columns": ("a", "b")}, "2 columns for 3 columns"),
        ({"classes": ("a",) * 41}, "41 classes for 40 rows"),
    ],
)
def test_names_are_as_many_as_what_they_name(names, told):
    for made in (lambda: from_arrays(X, **names), lambda: stablek.Dataset(X, **names)):
        with pytest.raises(InputError, match=told):
            as_dataset(made())


def test_names_may_come_in_any_series():
    ids, columns = pd.Index([f"r{i}" for i in range(40)]), np.array(["a", "b", "c"])
    made = from_arrays(X, ids=ids, columns=columns, classes=np.arange(40) % 2)
    assert as_dataset(made).n == 40
    with pytest.raises(InputError, match="row r7, column 'b'"):
        from_arrays(spoilt(np.nan), ids=ids, columns=columns)


def test_distances_that_are_whole_are_left_as_they_are():
    whole = symmetrize(pairwise_distances(X))
    assert symmetrize(whole) is whole
    short = symmetrize(pairwise_distances(X.astype(np.float32)))
    short[3, 4] *= np.float32(1 + 1e-6)
    for values in (short, short.astype(np.float64)):
        with pytest.raises(InputError):
            check(values, {"precomputed": True})
        made = as_dataset(stablek.Dataset(values, precomputed=True)).values
        np.testing.assert_array_equal(made, made.T)


def test_negative_distances_in_a_data_set_are_refused():
    wrong = stablek.Dataset(-symmetrize(pairwise_distances(X)), precomputed=True)
    with pytest.raises(InputError, match="no negative entry"):
        stablek.choose_k(wrong)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_distances_that_others_compute_are_taken(dtype):
    """They are symmetric, and zero on the diagonal, but for rounding."""
    values = X.astype(dtype)
    for distances in (pairwise_distances(values), 1 - np.corrcoef(values @ values.T)):
        given = distances.astype(dtype)
        given[3, 4] = np.nextafter(given[3, 4], dtype(9e9))
        given[5, 5] = np.finfo(dtype).eps / 4
        with pytest.raises(InputError):
            check(given, {"precomputed": True})
        made = from_arrays(given, precomputed=True).values
        np.testing.assert_array_equal(made, made.T)
        assert not np.diag(made).any()
        assert made.min() >= 0
        assert np.abs(made - given).max() <= 1e-6 * given.max()
    found = StableK("fc", ks=(2, 3), metric="precomputed", settings={"repeats": 9})
    assert found.fit(pairwise_distances(values)).n_clusters_ == 2


def test_more_than_rounding_is_left_for_the_check_to_tell():
    wrong = pairwise_distances(X)
    wrong[0, 1] *= 1.001
    np.testing.assert_array_equal(symmetrize(wrong), wrong)
    np.testing.assert_array_equal(mean_of_halves(wrong), wrong)
    with pytest.raises(InputError, match=r"not symmetric: entry \(0, 1\) is "):
        from_arrays(wrong, precomputed=True)
    assert symmetrize(wrong[:5]).shape == (5, 40)
    assert not nearly_equal(np.array([[np.nan]]), np.zeros((1, 1)))


def test_distances_beyond_single_precision_are_compared_without_a_warning():
    far = np.array([[0.0, 1e300], [1e300, 0.0]])
    assert nearly_equal(far, far)
    assert not nearly_equal(far, far / 2)
