"""Where a rule turns: the value at the edge, the tie, the k that was not asked for."""

import itertools
import math
import statistics

import numpy as np
import pytest

from stablek.errors import InputError
from stablek.paradigm.contracts import Curve, Facts, NullCurves
from stablek.paradigm.significance.calibrate import AgainstNull, compare, spread
from stablek.paradigm.significance.clest import ClestRule
from stablek.paradigm.significance.extremes import (
    Extreme,
    LocalMaxima,
    StartsToFall,
    local_maxima,
)

NAN = math.nan


def facts(ks, asked=None, **more):
    return Facts(n=50, m=3, ks=tuple(ks), asked=tuple(asked or ks), **more)


def curve_of(ks, values, main="mean", better="high"):
    return Curve(tuple(ks), {main: np.array(values, float)}, main, None, better)


def decide(rule, values, asked=None, first=2, main="mean", better="high"):
    ks = range(first, first + len(values))
    return rule(curve_of(ks, values, main, better), None, facts(ks, asked))


def test_the_largest_value_wins_where_large_is_better_and_ties_go_to_the_largest_k():
    found = decide(Extreme(), [0.2, 0.9, 0.9, NAN])
    assert (found.k_star, found.candidates) == (4, (3, 4))
    assert found.rule == "the k with the largest mean"
    assert found.reason == "mean(4) = 0.900"


def test_the_smallest_value_wins_where_small_is_better_among_the_ks_asked_for():
    found = decide(Extreme(), [0.5, 0.1, 0.4], asked=(2, 4), better="low")
    assert (found.k_star, found.candidates) == (4, (4,))
    assert found.rule == "the k with the smallest mean"
    assert decide(Extreme(), [NAN, NAN]).k_star is None


def test_ks_without_a_value_are_no_part_of_the_curve():
    found = decide(LocalMaxima(), [0.5, 0.9, np.nan, np.nan])
    assert found.k_star is None
    assert found.reason.endswith("no local maximum: it rises up to k = 3")
    assert decide(LocalMaxima(), [0.5, 0.9, np.nan, 0.4]).k_star == 3
    found = decide(LocalMaxima(), [np.nan] * 3)
    assert found.k_star is None
    assert found.reason.endswith("is not defined at any k")


def test_of_local_maxima_of_one_height_the_largest_k_is_taken():
    found = decide(LocalMaxima(), [0.5, 0.9, 0.6, 0.9, 0.4])
    assert (found.k_star, found.candidates) == (5, (5,))
    assert found.facts["local_maxima"] == [3, 5]
    assert found.reason == "mean(5) = 0.900; local maxima at k = 3, 5"


def test_a_single_local_maximum_is_not_listed_twice():
    found = decide(LocalMaxima(), [0.5, 0.9, 0.9, 0.9, 0.4])
    assert (found.k_star, found.candidates) == (5, (3, 4, 5))
    assert found.reason == "mean(5) = 0.900"
    rising = decide(LocalMaxima(), [0.5, 0.9, 0.4], asked=(2, 3))
    assert (rising.k_star, rising.facts) == (None, {"local_maxima": []})


def maxima_of_groups(values):
    """Return the local maxima from runs of equal values and their neighbours."""
    runs, start = [], 0
    for value, group in itertools.groupby(values):
        size = len(list(group))
        runs.append((value, start, start + size - 1))
        start += size
    if len(runs) == 1:
        return [runs[0][1:]]
    padded = [(-1,), *runs]
    return [
        now[1:]
        for before, now, after in zip(padded, runs, runs[1:], strict=False)
        if before[0] < now[0] > after[0]
    ]


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_local_maxima_are_those_of_the_runs_of_equal_values(length):
    for values in itertools.product((0.0, 1.0, 2.0), repeat=length):
        assert local_maxima(np.array(values)) == maxima_of_groups(values)


@pytest.mark.parametrize(
    ("rho", "k"),
    [
        ([1.0, 0.9985, 0.9970, 0.9990], 2),  # little by little, but enough in all
        ([1.0, 0.9985, 0.9970], 2),  # up to the end
        ([1.0, 0.9985, 0.9985, 0.9970, 1.0], 2),  # with a halt on the way
        ([1.0, 0.9985, 0.9990, 0.9975], None),  # twice, and neither time enough
        ([1.0, 1.0, 0.9], 3),  # level first
        ([0.9, 1.0, 0.9], 3),
        ([1.0, 0.9979], 2),
        ([1.0, 0.9981], None),
    ],
)
def test_a_correlation_falls_where_all_of_its_descent_is_more_than_two_thousandths(
    rho, k
):
    found = decide(StartsToFall(), rho, main="cophenetic")
    assert found.k_star == k


def test_a_fall_of_just_the_threshold_is_none():
    assert decide(StartsToFall(fall=0.25), [1, 0.75], main="cophenetic").k_star is None
    found = decide(StartsToFall(fall=0.2), [1, 0.9, 0.75, 0.8], main="cophenetic")
    assert found.k_star == 2
    assert found.reason == (
        "cophenetic(2) = 1.000, then it falls to 0.750 at k = 4"
    )  # the end of the fall
    asked = decide(StartsToFall(), [1, 0.5, 0.9, 0.1], (4,), main="cophenetic")
    assert asked.k_star == 4


def null_curves(values, main="mean"):
    return NullCurves("uniform", {main: np.array(values, float)[None]})


def test_clest_names_the_largest_difference_among_the_ks_asked_for():
    read = curve_of((2, 3, 4), [0.9, 0.52, 0.51])
    found = ClestRule()(read, null_curves(np.full((20, 3), 0.5)), facts((2, 3), (3,)))
    assert found.k_star == 1
    assert "d(3) = 0.020" in found.reason


def test_clest_reports_ks_of_the_same_difference_only_where_they_are_significant():
    nulls = np.full((20, 4), 0.5)
    nulls[:2, 2] = (1.0, 0.0)  # one null set reaches k = 4
    read = curve_of((2, 3, 4, 5), [0.75, 0.75, 0.75, 0.625])
    found = ClestRule()(read, null_curves(nulls), facts((2, 3, 4, 5)))
    assert (found.k_star, found.candidates) == (2, (2, 3))
    assert found.facts["significant"] == [2, 3, 5]


def p_of_any_structure(data, nulls):
    """Return p_any, curve by curve and k by k."""
    curves = [list(data), *map(list, nulls)]
    known = [k for k in range(len(data)) if all(math.isfinite(c[k]) for c in curves)]
    middle = {k: statistics.fmean(c[k] for c in curves) for k in known}
    sd = {k: statistics.stdev(c[k] for c in curves) for k in known}
    least = statistics.median(sd.values()) / 2
    top = [max((c[k] - middle[k]) / max(sd[k], least) for k in known) for c in curves]
    return sum(t >= top[0] - 1e-10 for t in top) / len(top)


@pytest.mark.parametrize("seed", range(8))
def test_p_of_any_structure_is_the_rank_of_the_largest_standardised_value(seed):
    rng = np.random.default_rng(seed)
    nulls = rng.normal(size=(9, 4)) * [1, 5, 0.01, 1] + [0, 3, 5, 1]
    data = rng.normal(size=4) * [1, 5, 0.5, 1] + [1, 3, 5, 1]
    if seed % 2:
        nulls[3, 0] = data[3] = NAN
    assert compare(data, nulls, "high").p_any == p_of_any_structure(data, nulls)
    low = compare(-data, -nulls, "low")
    assert low.p_any == p_of_any_structure(data, nulls)
    more = data - [statistics.fmean(column) for column in nulls.T]
    assert low.excess == pytest.approx(more, nan_ok=True)


@pytest.mark.parametrize("copied", range(9))
def test_a_null_curve_equal_to_that_of_the_data_counts_as_large_as_it(copied):
    nulls = np.random.default_rng(7).normal(size=(9, 5))
    data = nulls[copied]
    assert compare(data, nulls, "high").p_any == p_of_any_structure(data, nulls)


def test_the_least_spread_is_half_the_median_and_not_half_the_mean():
    wide = np.array([[0.0, 0.0, 0.0, 0.0], [0.0, 2.0, 2.0, 32.0]])
    root = math.sqrt(2)
    assert spread(wide) == pytest.approx([root / 2, root, root, 16 * root])
    assert spread(np.full((2, 2), NAN)).tolist() == [1.0, 1.0]


def test_a_k_unknown_in_the_data_or_in_a_null_set_is_passed_over():
    nulls = np.linspace(0, 1, 39)[:, None] * np.ones(5)
    nulls[4, 3] = NAN
    nulls[:, 0] += np.linspace(0, 1, 39) ** 2  # mean and median differ
    read = curve_of(range(2, 7), [0.5, NAN, 4.0, 9.0, 8.0])
    found = AgainstNull()(read, null_curves(nulls), facts(range(2, 7), (2, 3, 4, 5)))
    assert (found.k_star, found.facts["p"]) == (4, 1 / 40)
    for name in ("score", "p"):
        assert (
            np.isfinite(found.columns[name]).tolist()
            == [True, False, True] + [False] * 2
        )
    assert found.columns["null"][0] == pytest.approx(statistics.fmean(nulls[:, 0]))


def test_two_null_sets_are_enough_to_be_held_against():
    read = curve_of((2, 3), [0.5, 0.5])
    found = AgainstNull(level=1)(read, null_curves([[0, 1], [0.5, 0]]), facts((2, 3)))
    assert found.k_star in (2, 3)
    with pytest.raises(InputError, match="at least 2"):
        AgainstNull()(read, null_curves([[0, 1]]), facts((2, 3)))


def test_smaller_values_than_in_null_sets_stand_out_where_low_is_better():
    nulls = np.linspace(0, 1, 19)[:, None] * np.ones(3)
    read = curve_of((2, 3, 4), [0.5, -4.0, 5.0], better="low")
    assert AgainstNull()(read, null_curves(nulls), facts((2, 3, 4))).k_star == 3
