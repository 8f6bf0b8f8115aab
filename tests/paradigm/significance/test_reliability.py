"""Rules on hand-made curves, and mosram's statistic against its formula."""

import numpy as np
import pytest
from scipy.stats import chi2

from stablek.errors import InputError
from stablek.paradigm.contracts import Curve, Facts, NullCurves
from stablek.paradigm.significance.clest import ClestRule
from stablek.paradigm.significance.extremes import Extreme, LocalMaxima, StartsToFall
from stablek.paradigm.significance.reliability import (
    EquallyReliable,
    bernstein_bound,
    chi_square,
    eliminate_bernstein,
    eliminate_chi_square,
)
from stablek.paradigm.synopsis import agreement_distribution


def facts(ks, repeats=100):
    return Facts(n=50, m=3, ks=tuple(ks), asked=tuple(ks), repeats=repeats)


def curve_of(ks, main="mean", better="high", **columns):
    arrays = {name: np.asarray(c, float) for name, c in columns.items()}
    return Curve(tuple(ks), arrays, main, None, better)


def published_chi_square(counts, repeats):
    """Bertoni, Valentini (2007), the statistic written out term by term."""
    theta = sum(counts) / (len(counts) * repeats)
    y = 0.0
    for x in counts:
        y += (x - repeats * theta) ** 2 / (repeats * theta * (1 - theta))
    return y, chi2.sf(y, len(counts) - 1)


@pytest.mark.parametrize("seed", range(5))
def test_the_chi_square_statistic_equals_the_published_formula(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 20, size=6).astype(float)
    found, expected = chi_square(counts, 20), published_chi_square(counts, 20)
    assert found == pytest.approx(expected)


def test_a_pooled_share_of_zero_or_one_gives_p_one():
    assert chi_square(np.zeros(4), 20) == (0.0, 1.0)
    assert chi_square(np.full(4, 20.0), 20) == (0.0, 1.0)


def test_the_lowest_ks_are_dropped_until_the_rest_are_equally_reliable():
    counts = np.array([0, 3, 10, 49, 50, 50], float)
    kept, p = eliminate_chi_square(counts, 50, 0.01)
    assert kept == 3
    assert (p[:3] < 0.01).all()
    assert p[3] >= 0.01
    assert np.isnan(p[4:]).all()


def test_two_levels_of_structure_are_both_found():
    ks = range(2, 7)
    scores = np.full((50, 5), 0.5)
    scores[:, 0] = 1.0  # k = 2
    scores[:, 3] = 0.98  # k = 5
    curve = agreement_distribution(scores, facts(ks, 50))
    for test in ("chi-square", "bernstein", "bernstein-independent"):
        decision = EquallyReliable(test=test)(curve, None, facts(ks, 50))
        assert decision.candidates == (2, 5)
        assert decision.k_star == 2
        assert decision.facts["reliable"] == [2, 5]


def test_ks_that_never_agree_are_not_called_reliable():
    ks = range(2, 5)
    curve = agreement_distribution(np.full((20, 3), 0.4), facts(ks, 20))
    decision = EquallyReliable()(curve, None, facts(ks, 20))
    assert decision.k_star == 1
    assert decision.facts["reliable"] == []
    assert decision.facts["p"] == 1.0


def test_bernsteins_bound_falls_with_the_gap_and_holds_for_equal_means():
    assert bernstein_bound(np.zeros(1), np.ones(1), 50) == 1
    wide = bernstein_bound(np.array([0.5]), np.array([0.1]), 50)
    narrow = bernstein_bound(np.array([0.1]), np.array([0.1]), 50)
    assert wide == pytest.approx(np.exp(-50 * 0.25 / (0.2 + 1 / 3)))
    assert wide < narrow < 1
    # No spread at all and no gap: nothing is known to differ.
    assert bernstein_bound(np.zeros(1), np.zeros(1), 50) == 1


def agreements_for_mosclust():
    """Return 20 agreements for each of k = 2..6, by a formula that R has as well."""
    columns = []
    bases, widths = (0.97, 0.6, 0.93, 0.75, 0.9), (0.03, 0.2, 0.05, 0.15, 0.08)
    for r, (base, width) in enumerate(zip(bases, widths, strict=True), 1):
        wave = np.sin(np.arange(1, 21) * (r + 1.3))
        columns.append(np.minimum(1, base + width * wave))
    return np.array(columns).T


#: p-values for the ks from the best, k = 2, 4, 6, 5, 3.
MOSCLUST = {
    "chi-square": [1, 3.58116403312370e-03, 3.61760451313198e-04, 6.98108237884298e-13],
    "bernstein": [
        1,
        5.06366541458348e-01,
        1.91744741577180e-01,
        3.03188904979795e-03,
        7.31880593375734e-05,
    ],
    "bernstein-independent": [
        1,
        3.14621799881168e-01,
        5.93731773228744e-02,
        1.75667478551968e-04,
        1.28567618439434e-08,
    ],
}


@pytest.mark.parametrize("test", MOSCLUST)
def test_p_values_are_those_of_mosclust(test):
    """Compare with the R package mosclust 1.0 (Valentini 2007).

    Golden numbers from its functions Chi.square.compute.pvalues,
    Bernstein.compute.pvalues and Bernstein.ind.compute.pvalues, in R 4.2.2 (with
    rowMeans(x) for mean(as.data.frame(t(x))), which R no longer takes), on

        s <- t(sapply(1:5, function(r) {
          base <- c(0.97, 0.6, 0.93, 0.75, 0.9)[r]
          w <- c(0.03, 0.2, 0.05, 0.15, 0.08)[r]
          pmin(1, base + w * sin((1:20) * (r + 1.3))) }))
    """
    scores = agreements_for_mosclust()
    order = np.argsort(scores.mean(axis=0))
    assert (order[::-1] + 2).tolist() == [2, 4, 6, 5, 3]
    if test == "chi-square":
        counts = (scores > 0.9).sum(axis=0)[order].astype(float)
        p = np.array([chi_square(counts[first:], 20)[1] for first in range(5)])
    else:
        mean, spread = scores.mean(axis=0), scores.var(axis=0, ddof=1)
        independent = test == "bernstein-independent"
        _, p = eliminate_bernstein(
            mean[order], spread[order], 20, 0.01, independent=independent
        )
    expected = MOSCLUST[test]
    # Below 1e-15 R's 1 - pchisq() has no digits left.
    np.testing.assert_allclose(p[::-1][: len(expected)], expected, rtol=1e-3)
    exact = np.asarray(expected) > 1e-10
    np.testing.assert_allclose(
        p[::-1][: len(expected)][exact], np.asarray(expected)[exact], rtol=1e-9
    )


@pytest.mark.parametrize(
    ("test", "reliable"),
    [
        ("chi-square", [2]),
        ("bernstein", [2, 4, 6]),
        ("bernstein-independent", [2, 4, 6]),
    ],
)
def test_the_reliable_ks_are_those_mosclust_keeps(test, reliable):
    """Hypothesis.testing(d, alpha = 0.01) keeps all before the last p above alpha."""
    ks = range(2, 7)
    curve = agreement_distribution(agreements_for_mosclust(), facts(ks, 20))
    decision = EquallyReliable(test=test)(curve, None, facts(ks, 20))
    assert decision.facts["reliable"] == reliable
    assert decision.k_star == 2


def test_assuming_independence_drops_at_least_as_many_ks():
    rng = np.random.default_rng(4)
    for _ in range(50):
        mean = np.sort(rng.random(8))
        spread = 0.05 * rng.random(8)
        free, _ = eliminate_bernstein(mean, spread, 100, 0.01)
        bound, p = eliminate_bernstein(mean, spread, 100, 0.01, independent=True)
        assert 1 <= bound <= free
        assert (np.diff(p) >= 0).all()


def test_the_histogram_of_agreements_holds_every_repeat_once():
    scores = np.array([[-0.2, 1.0], [0.049, 0.95], [0.05, 0.9499], [0.15, np.nan]])
    columns = agreement_distribution(scores, facts((2, 3), 4)).columns
    bins = np.stack([columns[f"bin_{5 * b:02d}"] for b in range(20)])
    np.testing.assert_allclose(bins.sum(axis=0), 1)
    assert bins[:4, 0].tolist() == [0.5, 0.25, 0, 0.25]
    np.testing.assert_allclose(bins[[18, 19], 1], [1 / 3, 2 / 3])
    np.testing.assert_allclose(columns["above"], [0, 1])


def test_the_extreme_rule_reports_ties_and_takes_the_largest_k():
    curve = curve_of((2, 3, 4), better="low", mean=[0.0, 0.0, 0.4])
    decision = Extreme()(curve, None, facts((2, 3, 4)))
    assert (decision.k_star, decision.candidates) == (3, (2, 3))


def test_all_local_maxima_are_reported_and_the_highest_is_taken():
    ks = tuple(range(2, 9))
    curve = curve_of(ks, mean=[0.9, 0.8, 0.95, 0.95, 0.7, 0.8, 0.9])
    decision = LocalMaxima()(curve, None, facts(ks))
    assert decision.k_star == 5
    assert decision.candidates == (4, 5)
    assert decision.facts["local_maxima"] == [2, 5]
    rising = curve_of(ks, mean=np.arange(7) / 7)
    assert LocalMaxima()(rising, None, facts(ks)).k_star is None


def test_brunets_rule_passes_over_small_dips():
    ks = tuple(range(2, 8))
    rho = [0.999, 0.997, 0.999, 0.95, 0.96, 0.9]
    curve = curve_of(ks, main="cophenetic", cophenetic=rho)
    assert StartsToFall(fall=0.01)(curve, None, facts(ks)).k_star == 4
    assert StartsToFall(fall=0.001)(curve, None, facts(ks)).k_star == 2
    flat = curve_of(ks, main="cophenetic", cophenetic=np.ones(6))
    assert StartsToFall()(flat, None, facts(ks)).k_star is None


def test_repeats_that_are_all_alike_are_said_to_be_so():
    ks = (2, 3, 4)
    same = Curve(ks, {"cophenetic": np.ones(3)}, "cophenetic", better="high")
    rising = Curve(
        ks, {"cophenetic": np.array([0.8, 0.9, 1.0])}, "cophenetic", better="high"
    )
    assert "starts at random" in StartsToFall()(same, None, facts(ks)).reason
    assert "never falls" in StartsToFall()(rising, None, facts(ks)).reason


def clest_case(reached_by):
    ks = (2, 3, 4)
    curve = curve_of(ks, main="median", median=[0.6, 0.9, 0.7])
    null = np.full((1, 20, 3), 0.5)
    null[0, :reached_by, 1] = 0.95
    return curve, NullCurves("ps", {"median": null}), facts(ks)


def test_clest_takes_the_largest_significant_difference():
    decision = ClestRule()(*clest_case(0))
    assert decision.k_star == 3
    np.testing.assert_allclose(decision.columns["d"], [0.1, 0.4, 0.2])
    np.testing.assert_allclose(decision.columns["p"], 1 / 21)
    assert decision.facts["significant"] == [2, 3, 4]


def test_clest_tolerates_no_exceedance_but_the_thesis_proportion_one():
    case = clest_case(1)
    assert ClestRule()(*case).k_star == 4
    assert ClestRule(proportion=True)(*case).k_star == 3
    assert ClestRule(proportion=True)(*clest_case(2)).k_star == 4


def test_clest_answers_one_when_no_difference_is_large_enough():
    curve, nulls, known = clest_case(0)
    decision = ClestRule(d_min=0.5)(curve, nulls, known)
    assert decision.k_star == 1
    assert "d(3) = 0.400" in decision.reason
    with pytest.raises(InputError, match="null model"):
        ClestRule()(curve, None, known)
