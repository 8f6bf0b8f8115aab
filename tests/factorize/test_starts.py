"""Starts: positive where they must be, and as published where they are."""

import numpy as np
import pytest
from sklearn.decomposition._nmf import _initialize_nmf

from stablek.data.seeds import stream
from stablek.errors import InputError
from stablek.factorize import FixedIterations, factorise
from stablek.factorize.init import from_partition, nndsvd, random

X = np.random.default_rng(8).gamma(0.3, size=(14, 10))


@pytest.mark.parametrize(
    ("variant", "positive"), [("nndsvd", False), ("nndsvda", True)]
)
def test_nndsvd_agrees_with_scikit_learn(variant, positive):
    w, h = _initialize_nmf(X, 5, init=variant)
    coefficients, metagenes = nndsvd(X, 5, positive=positive)
    np.testing.assert_allclose(coefficients.T, w, atol=1e-5)  # it cuts at 1e-6
    np.testing.assert_allclose(metagenes, h, atol=1e-5)


def test_nndsvd_draws_the_components_beyond_the_rank_of_the_data():
    x = np.outer(np.arange(1.0, 6), np.arange(1.0, 4))
    coefficients, metagenes = nndsvd(x, 6, stream(0))
    assert (coefficients[1:] > 0).all()
    assert (metagenes[1:] > 0).all()
    with pytest.raises(InputError, match="rng"):
        nndsvd(x, 6)


def test_a_random_start_is_positive_and_of_the_size_of_the_data():
    coefficients, metagenes = random(X, 4, stream(0))
    assert coefficients.min() > 0
    assert metagenes.min() > 0
    model = coefficients.T @ metagenes
    assert model.mean() == pytest.approx(X.mean(), rel=0.5)


def test_a_start_from_a_partition_is_strictly_positive():
    x = X.copy()
    x[:, 3] = 0.0
    x[:5, 4] = 0.0
    coefficients, metagenes = from_partition(x, 3, np.repeat([0, 1, 2], [5, 5, 4]))
    assert coefficients.min() > 0
    assert metagenes.min() > 0
    assert np.allclose(coefficients.sum(axis=0), 1.0)


def test_a_start_from_a_partition_holds_that_partition():
    truth = np.repeat([2, 0, 1], [5, 5, 4])
    coefficients, _ = from_partition(X, 3, truth)
    assert np.array_equal(coefficients.argmax(axis=0), truth)


@pytest.mark.parametrize("method", ["lee-seung", "brunet", "lin", "hals", "als"])
def test_a_factorisation_can_leave_the_partition_it_started_from(method):
    rng = np.random.default_rng(4)
    x = 0.1 * rng.random((12, 8))
    truth = np.repeat([0, 1], 6)
    x[truth == 0, :4] += 1.0
    x[truth == 1, 4:] += 1.0
    wrong = truth.copy()
    wrong[[0, 6]] = [1, 0]
    found = factorise(x, 2, method=method, init=wrong).labels
    assert np.array_equal(found == found[0], truth == 0)


def test_an_empty_cluster_starts_from_the_mean_of_all_items():
    _, metagenes = from_partition(X, 3, np.repeat([0, 2], 7))
    assert np.allclose(metagenes[1], X.mean(axis=0))


@pytest.mark.parametrize("bad", [np.zeros(3, int), np.full(14, 3), np.zeros(14)])
def test_labels_that_do_not_fit_are_refused(bad):
    with pytest.raises(InputError):
        factorise(X, 3, init=bad, stop=FixedIterations(1))
