"""Rules that read many agreements: the ks they keep, at the edges and by hand."""

import math

import numpy as np
import pytest
from scipy.stats import chi2

from stablek.errors import InputError
from stablek.paradigm.contracts import Curve, Facts
from stablek.paradigm.significance.reliability import (
    ClosestToOne,
    Concentrated,
    EquallyReliable,
    bernstein_bound,
    chi_square,
    eliminate_bernstein,
    eliminate_chi_square,
    first_run,
)

NAN = math.nan


def decide(rule, asked=None, repeats=50, first=2, **columns):
    arrays = {name: np.array(values, float) for name, values in columns.items()}
    ks = tuple(range(first, first + len(arrays["mean"])))
    curve = Curve(ks, arrays, "mean", None, "high")
    return rule(curve, None, Facts(40, 3, ks, tuple(asked or ks), repeats))


@pytest.mark.parametrize("tau", [-0.1, 0, 1, 1.5])
def test_a_level_must_lie_between_zero_and_one(tau):
    told = rf"^tau = {tau:g} must lie between 0 and 1, e.g. 0.01$"
    with pytest.raises(InputError, match=told):
        EquallyReliable(tau=tau)


def test_an_unknown_test_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match="bernstein-independent"):
        EquallyReliable(test="bernstien")
    assert (EquallyReliable().tau, EquallyReliable().test) == (0.01, "chi-square")


def test_only_the_ks_asked_for_are_compared():
    found = decide(
        EquallyReliable(), (3, 4, 5), mean=[0.99, 0.5, 0.97, 0.96, 0.98],
        above=[1, 0.1, 0.98, 0.96, 1],
    )  # fmt: skip
    assert (found.k_star, found.candidates) == (4, (4, 5))
    assert found.facts["reliable"] == [4, 5]
    assert found.reason == (
        "mean agreement 0.970 at k = 4, 98% of the repeats above 0.9; equally "
        "reliable: k = 4, 5"
    )
    # 49 and 48 of 50, then 5, 48 and 49 of 50: written out with theta.
    theta = 102 / 150
    y = sum((x - 50 * theta) ** 2 for x in (5, 48, 49)) / (50 * theta * (1 - theta))
    two = 97 / 100
    z = sum((x - 50 * two) ** 2 for x in (48, 49)) / (50 * two * (1 - two))
    expected = [NAN, chi2.sf(y, 2), NAN, chi2.sf(z, 1), NAN]
    assert found.columns["p"] == pytest.approx(expected, nan_ok=True)
    assert found.facts["p"] == pytest.approx(chi2.sf(z, 1))


def test_of_equal_means_the_larger_k_is_kept():
    found = decide(EquallyReliable(), mean=[0.95, 0.95, 0.2], above=[1, 1, 0])
    assert (found.k_star, found.candidates) == (3, (2, 3))
    alone = decide(EquallyReliable(), mean=[0.1, 0.95, 0.2], above=[0, 1, 0])
    assert (alone.k_star, alone.candidates) == (3, (3,))
    assert "equally reliable" not in alone.reason


def test_some_agreements_above_nine_tenths_make_a_set_reliable():
    found = decide(EquallyReliable(), mean=[0.7, 0.8], above=[0, 0.04])
    assert (found.k_star, found.candidates) == (3, (2, 3))
    none = decide(EquallyReliable(), mean=[0.7, 0.8], above=[0, 0])
    assert (none.k_star, none.candidates, none.facts["reliable"]) == (1, (1,), [])
    assert none.columns["p"].tolist() == pytest.approx([1.0, NAN], nan_ok=True)


def test_a_set_without_good_agreements_is_not_saved_by_the_ks_dropped():
    # k = 2 has good repeats but so wide a spread that its mean is the lowest.
    found = decide(
        EquallyReliable(test="bernstein"), repeats=5000,
        mean=[0.5, 0.8, 0.8], above=[0.1, 0, 0], sd=[0.3, 0.01, 0.01],
    )  # fmt: skip
    assert found.k_star == 1


def test_a_k_without_agreements_is_neither_reliable_nor_the_best():
    found = decide(EquallyReliable(), mean=[0.95, NAN, 0.2], above=[1, 0, 0])
    assert (found.k_star, found.candidates) == (2, (2,))
    gone = decide(EquallyReliable(), mean=[NAN, NAN], above=[0, 0])
    assert (gone.k_star, gone.candidates) == (None, ())


def bounds_by_hand(mean, sd, repeats):
    bounds = []
    for m, s in zip(mean, sd, strict=True):
        gap, spread = mean[-1] - m, s**2 + sd[-1] ** 2
        bounds.append(math.exp(-repeats * gap**2 / (2 * spread + 2 * gap / 3)))
    return bounds


@pytest.mark.parametrize("test", ["bernstein", "bernstein-independent"])
def test_bernsteins_p_values_stand_at_their_ks(test):
    mean, sd = [0.97, 0.6, 0.9], [0.1, 0.2, 0.3]
    found = decide(
        EquallyReliable(test=test), repeats=20, mean=mean, sd=sd, above=[1, 0, 0.5]
    )
    worst, middle, best = bounds_by_hand([0.6, 0.9, 0.97], [0.2, 0.3, 0.1], 20)
    sums = [worst, worst + middle, 1.0]
    products = [worst * middle, middle, 1.0]
    p = sums if test == "bernstein" else products
    assert best == 1.0
    assert found.columns["p"] == pytest.approx([1.0, p[0], p[1]])
    assert (found.k_star, found.facts["reliable"]) == (2, [2, 4])
    assert found.facts["p"] == pytest.approx(p[1])
    assert f"({test}, tau = 0.01)" in found.rule


def test_the_sum_of_bounds_is_no_more_than_one_and_the_best_is_kept():
    kept, p = eliminate_bernstein(np.array([0.5, 0.5, 0.5]), np.full(3, 0.1), 10, 0.01)
    assert (kept, p.tolist()) == (3, [1.0, 1.0, 1.0])
    mean, sd = np.array([0.6, 0.8, 0.9]), np.array([0.1, 0.2, 0.3])
    bounds = bounds_by_hand(mean, sd, 20)
    sums = [bounds[0], bounds[0] + bounds[1], 1.0]
    assert eliminate_bernstein(mean, sd**2, 20, 0.01)[1] == pytest.approx(sums)
    kept, p = eliminate_bernstein(np.array([0.1, 0.2, 0.9]), np.zeros(3), 9999, 0.01)
    assert kept == 1
    assert p[-1] == 1.0


def test_a_p_value_of_just_the_level_keeps_its_ks():
    counts = np.array([30.0, 40.0])
    p = published = chi_square(counts, 50)[1]
    theta = 0.7
    y = 2 * 25 / (50 * theta * (1 - theta))
    assert published == pytest.approx(chi2.sf(y, 1))
    assert eliminate_chi_square(counts, 50, p)[0] == 2
    assert eliminate_chi_square(counts, 50, np.nextafter(p, 1))[0] == 1
    mean, spread = np.array([0.8, 0.9]), np.full(2, 0.01)
    bound = float(bernstein_bound(mean[1:] - mean[:1], spread[:1] * 2, 30)[0])
    assert eliminate_bernstein(mean, spread, 30, bound)[0] == 2
    assert eliminate_bernstein(mean, spread, 30, np.nextafter(bound, 1))[0] == 1


def test_one_k_differs_from_nothing():
    assert chi_square(np.array([7.0]), 20) == (0.0, 1.0)


def test_a_mean_agreement_of_nine_tenths_is_close_to_one():
    just = decide(ClosestToOne(), mean=[0.5, 0.9, NAN], above=[0, 0.5, 0])
    assert (just.k_star, just.candidates) == (3, (3,))
    assert just.reason == (
        "mean agreement 0.900 at k = 3, 50% of the repeats above 0.9"
    )
    low = decide(ClosestToOne(), mean=[0.5, 0.89, NAN], above=[0, 0.5, 0])
    assert (low.k_star, low.candidates) == (1, (1,))
    assert low.reason == "the largest mean agreement is 0.890, at k = 3"


def test_the_closest_k_is_sought_among_those_asked_for():
    found = decide(ClosestToOne(), (3, 4), mean=[1, 0.95, 0.92], above=[1, 0.8, 0.6])
    assert (found.k_star, found.candidates) == (3, (3,))
    assert "80% of the repeats" in found.reason
    assert decide(ClosestToOne(), mean=[NAN, NAN], above=[0, 0]).k_star is None


def test_four_fifths_of_the_repeats_are_a_crowd():
    above = [0.9, 0.8, 0.79, 0.85, 0.1]
    found = decide(Concentrated(), mean=[1] * 5, above=above)
    assert (found.k_star, found.facts["close_to_one"]) == (3, [2, 3, 5])
    assert found.reason == (
        "80% of the repeats agree by more than 0.9 at k = 3, 79% at k = 4"
    )
    asked = decide(Concentrated(), (4, 5, 6), mean=[1] * 5, above=above)
    assert (asked.k_star, asked.facts["close_to_one"]) == (5, [5])


def test_a_crowd_up_to_the_last_but_one_is_told_with_the_last():
    found = decide(Concentrated(), mean=[1, 1], above=[1, 0.25])
    assert found.k_star == 2
    assert found.reason.endswith("at k = 2, 25% at k = 3")


def test_without_a_crowd_the_most_is_told():
    found = decide(Concentrated(), mean=[1] * 3, above=[0.5, 0.7, 0.1])
    assert (found.k_star, found.candidates) == (1, (1,))
    assert "the most, 70%, do at k = 3" in found.reason


def test_a_crowd_up_to_the_last_of_several_ks_says_nothing_but_one_k_is_judged():
    many = decide(Concentrated(), mean=[1] * 3, above=[0.5, 1, 1])
    assert (many.k_star, many.reason) == (
        None, "the agreements are close to one up to k = 4"
    )  # fmt: skip
    two = decide(Concentrated(), mean=[1] * 2, above=[1, 1])
    assert two.k_star is None
    one = decide(Concentrated(), mean=[1], above=[1])
    assert (one.k_star, one.reason) == (
        2, "100% of the repeats agree by more than 0.9 at k = 2"
    )  # fmt: skip


@pytest.mark.parametrize("number", range(32))
def test_the_first_run_is_that_of_the_written_word(number):
    word = f"{number:05b}"
    found = first_run([letter == "1" for letter in word])
    start = word.find("1")
    length = len(word[start:].split("0")[0])
    assert found == (None if start < 0 else (start, start + length - 1))


def test_model_explorer_takes_the_k_closest_to_one_or_answers_one():
    rule = ClosestToOne(0.85)
    decision = decide(rule, mean=[0.9, 0.97, 0.97, 0.4], above=[0.5, 1, 1, 0])
    assert (decision.k_star, decision.candidates) == (4, (3, 4))
    assert "100% of the repeats" in decision.reason
    assert decide(rule, mean=[0.8, 0.6, 0.5, 0.4], above=[0.1, 0, 0, 0]).k_star == 1


def test_the_literal_reading_takes_the_last_k_of_the_first_run_near_one():
    decision = decide(Concentrated(0.8), above=[1, 0.95, 0.3, 0.9, 0.1], mean=[1] * 5)
    assert decision.k_star == 3
    assert "30% at k = 4" in decision.reason


def test_the_literal_reading_can_answer_one_and_can_decline():
    rule = Concentrated(0.8)
    assert decide(rule, above=[0.5, 0.2, 0.1], mean=[0.8] * 3).k_star == 1
    assert decide(rule, above=[1, 1, 1], mean=[1] * 3).k_star is None
