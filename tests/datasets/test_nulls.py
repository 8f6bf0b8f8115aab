"""Null sets: one cluster, any size, and the marginals and covariance promised."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from stablek.datasets import FAMILY, NULLS, OUTSIDE, null_set
from stablek.errors import InputError

N, M = 3000, 20


def values(kind, n=N, m=M, seed=7):
    return null_set(kind, n, m, seed).values


def test_the_six_kinds_of_the_family_and_the_six_outside_are_all_there():
    assert len(FAMILY) == len(OUTSIDE) == 6
    assert NULLS == FAMILY | OUTSIDE


@pytest.mark.parametrize("kind", NULLS)
def test_a_null_set_is_one_cluster_and_its_seed_fixes_the_bits(kind):
    made, again = null_set(kind, 60, 30, 4), null_set(kind, 60, 30, 4)
    assert made.k == 1
    assert not made.labels.any()
    assert made.values.tobytes() == again.values.tobytes()
    assert made.values.tobytes() != null_set(kind, 60, 30, 5).values.tobytes()


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(sorted(NULLS)), st.integers(1, 40), st.integers(3, 60))
def test_any_size_can_be_asked_for(kind, n, m):
    made = null_set(kind, n, m)
    assert made.values.shape == (n, m)
    assert made.values.dtype == np.float64
    assert made.values.flags.c_contiguous
    assert np.isfinite(made.values).all()


@pytest.mark.parametrize(
    ("kind", "law"),
    [
        ("gaussian", stats.norm()),
        ("uniform", stats.uniform()),
        ("heavy", stats.t(3)),
        ("skewed", stats.lognorm(0.7)),
        ("gamma", stats.gamma(2)),
    ],
)
def test_independent_kinds_have_the_marginal_promised_and_no_correlation(kind, law):
    made = values(kind)
    for column in range(M):
        assert stats.kstest(made[:, column], law.cdf).pvalue > 1e-4
    # Ranks, because t(3) has no fourth moment.
    rank = stats.spearmanr(made).statistic[np.triu_indices(M, 1)]
    assert np.abs(rank).max() < 5 / np.sqrt(N)


def test_correlated_rows_have_unit_variance_and_correlation_falling_by_a_fifth():
    made = values("correlated", n=20_000)
    lag = np.abs(np.subtract.outer(np.arange(M), np.arange(M)))
    np.testing.assert_allclose(np.cov(made.T), 0.8**lag, atol=0.06)
    assert stats.kstest(made[:, 0], "norm").pvalue > 1e-4
    assert stats.kstest(made[:, -1], "norm").pvalue > 1e-4


@pytest.mark.parametrize("kind", ["factor", "exponential-factor"])
def test_one_factor_dominates_and_the_rest_is_noise_of_variance_one(kind):
    eigen = np.sort(np.linalg.eigvalsh(np.cov(values(kind, 20_000, 50).T)))[::-1]
    assert 25.0 < eigen[0] < 100.0
    np.testing.assert_allclose(eigen[1:], 1.0, atol=0.15)


def test_only_the_exponential_factor_is_skewed_along_its_factor():
    def skewness(kind):
        made = values(kind, 20_000, 50)
        made = made - made.mean(axis=0)
        axis = np.linalg.svd(made, full_matrices=False)[2][0]
        return abs(stats.skew(made @ axis))

    assert skewness("factor") < 0.1
    assert skewness("exponential-factor") == pytest.approx(2.0, abs=0.3)


def test_elliptical_rows_lie_far_out_as_a_whole():
    made = values("elliptical-t5", 20_000, M) / np.geomspace(1.0, 0.25, M)
    # |x|^2 / m of a t5 is F(m, 5).
    law = stats.f(M, 5)
    assert stats.kstest((made**2).mean(axis=1), law.cdf).pvalue > 1e-4
    assert stats.kstest(made[:, 3], stats.t(5).cdf).pvalue > 1e-4


@pytest.mark.parametrize("m", [1, 3, 20])
def test_the_ball_is_filled_evenly_and_every_column_has_variance_one(m):
    made = values("ball", 20_000, m)
    share = np.sqrt((made**2).sum(axis=1) / (m + 2.0)) ** m
    assert stats.kstest(share, "uniform").pvalue > 1e-4
    np.testing.assert_allclose(np.cov(made.T), np.eye(m).squeeze(), atol=0.06)


def test_the_power_law_has_its_eigenvalues_and_correlated_columns():
    made = values("power-law", 50_000, M)
    eigen = np.sort(np.linalg.eigvalsh(np.cov(made.T)))[::-1]
    np.testing.assert_allclose(eigen, 1.0 / np.arange(1, M + 1), rtol=0.06)
    correlation = np.corrcoef(made.T)[np.triu_indices(M, 1)]
    assert np.abs(correlation).max() > 0.2


def test_curves_are_standardised_rows_of_a_smooth_gaussian_process():
    made = values("curves", 4000, 50)
    np.testing.assert_allclose(made.mean(axis=1), 0.0, atol=1e-12)
    np.testing.assert_allclose(made.std(axis=1, ddof=1), 1.0, atol=1e-12)
    neighbours = np.corrcoef(made[:, 24], made[:, 25])[0, 1]
    assert neighbours > 0.98
    # An independent draw of the same process: Cholesky factor of its covariance.
    time = np.linspace(0.0, 1.0, 50)
    kernel = np.exp(-0.5 * (np.subtract.outer(time, time) / 0.2) ** 2)
    root = np.linalg.cholesky(kernel + 1e-10 * np.eye(50))
    drawn = np.random.default_rng(0).standard_normal((4000, 50)) @ root.T
    drawn = drawn - drawn.mean(axis=1, keepdims=True)
    drawn /= drawn.std(axis=1, ddof=1, keepdims=True)
    np.testing.assert_allclose(np.cov(made.T), np.cov(drawn.T), atol=0.12)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: null_set("gausian", 10, 10), "did you mean 'gaussian'"),
        (lambda: null_set("gaussian", 0, 10), "0 x 10"),
        (lambda: null_set("curves", 10, 2), "at least 3 columns"),
    ],
)
def test_what_cannot_be_made_is_refused_with_a_remedy(call, says):
    with pytest.raises(InputError, match=says):
        call()
