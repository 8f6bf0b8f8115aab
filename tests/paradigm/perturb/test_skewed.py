"""Null models with the skewness or the tails of the data."""

import numpy as np
import pytest
from scipy.stats import kurtosis, skew

from stablek.data import Dataset
from stablek.paradigm.perturb.skewed import Elliptical, SkewedNormal, lognormal_scores

N = 4000


@pytest.fixture(scope="module")
def cloud():
    rng = np.random.default_rng(0)
    free = rng.normal(size=(N, 3))
    mixed = free @ np.array([[1, 0.7, 0], [0, 1, 0.4], [0, 0, 1]])
    return np.column_stack([np.exp(mixed[:, 0] / 2), mixed[:, 1], -(mixed[:, 2] ** 2)])


def test_a_skewed_cloud_has_the_moments_of_the_columns(cloud):
    mild = cloud[:, :2]
    drawn = SkewedNormal().draw(Dataset(mild), np.random.default_rng(1)).values
    assert drawn.shape == mild.shape
    sd = mild.std(axis=0)
    np.testing.assert_allclose(drawn.mean(axis=0), mild.mean(axis=0), atol=0.08)
    np.testing.assert_allclose(drawn.std(axis=0), sd, rtol=0.08)
    np.testing.assert_allclose(skew(drawn), skew(mild), atol=0.5)
    before, after = np.corrcoef(mild.T)[0, 1], np.corrcoef(drawn.T)[0, 1]
    assert after == pytest.approx(before, abs=0.1)


def test_a_column_that_leans_left_leans_left_again(cloud):
    drawn = SkewedNormal().draw(Dataset(cloud), np.random.default_rng(2)).values
    assert skew(cloud[:, 2]) < -1
    assert skew(drawn[:, 2]) < -1


@pytest.mark.parametrize("wanted", [0.5, 1.5, -2.0])
def test_scores_have_mean_0_variance_1_and_the_skewness(wanted):
    # By quantiles instead of draws, so that it is exact up to the grid.
    from scipy.stats import norm

    normal = norm.ppf((np.arange(400_000) + 0.5) / 400_000)[:, None]
    scores = lognormal_scores(normal, np.array([wanted]))[:, 0]
    assert scores.mean() == pytest.approx(0, abs=1e-3)
    assert scores.std() == pytest.approx(1, abs=5e-3)
    assert skew(scores) == pytest.approx(wanted, rel=0.03)


def test_without_skewness_it_is_the_normal():
    normal = np.random.default_rng(0).normal(size=(50, 2))
    np.testing.assert_array_equal(lognormal_scores(normal, np.zeros(2)), normal)


def test_an_elliptical_cloud_keeps_every_distance_from_the_mean():
    rng = np.random.default_rng(3)
    values = rng.standard_t(3, size=(500, 3)) @ rng.normal(size=(3, 3)) + 5
    drawn = Elliptical().draw(Dataset(values), np.random.default_rng(4)).values
    mean, inverse = values.mean(axis=0), np.linalg.inv(np.cov(values.T, ddof=0))

    def away(rows):
        return np.sort(np.einsum("ij,jk,ik->i", rows - mean, inverse, rows - mean))

    np.testing.assert_allclose(away(drawn), away(values), rtol=1e-8)
    assert not np.allclose(drawn, values)
    assert kurtosis(drawn).max() > 1  # the tails are there


def test_an_elliptical_cloud_knows_no_clusters():
    rng = np.random.default_rng(5)
    apart = rng.normal(size=(400, 2)) + np.repeat([[-6, 0], [6, 0]], 200, axis=0)
    drawn = Elliptical().draw(Dataset(apart), np.random.default_rng(6)).values
    middle = np.abs(drawn[:, 0]) < 2
    assert middle.mean() > 0.1
    assert (np.abs(apart[:, 0]) < 2).mean() < 0.01


@pytest.mark.parametrize("model", [SkewedNormal(), Elliptical()])
def test_constant_columns_and_more_columns_than_rows_are_drawn(model):
    rng = np.random.default_rng(7)
    values = np.column_stack([rng.normal(size=(12, 20)), np.full(12, 3.0)])
    drawn = model.draw(Dataset(values), rng).values
    assert np.isfinite(drawn).all()
    np.testing.assert_allclose(drawn[:, -1], 3)
