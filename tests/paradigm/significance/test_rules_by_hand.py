"""Rules that read a curve, on curves small enough to be worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from stablek.errors import InputError
from stablek.paradigm.contracts import Curve, Facts, NullCurves
from stablek.paradigm.significance.area import (
    AreaSettles,
    area_growth,
    clear_k,
    following_mean,
)
from stablek.paradigm.significance.calibrate import AgainstNull, compare, spread
from stablek.paradigm.significance.clest import ClestRule
from stablek.paradigm.significance.curve import (
    KrzanowskiLai,
    LargestDifference,
    Segments,
    difference,
    segments,
)


def facts(*ks, asked=None, m=2):
    return Facts(n=50, m=m, ks=ks, asked=asked or ks, repeats=10)


def curve(ks, main, better="high", **columns):
    arrays = {name: np.array(values, float) for name, values in columns.items()}
    return Curve(tuple(ks), arrays, main, None, better)


def close(found, wanted):
    assert list(found) == pytest.approx(wanted, rel=1e-12, nan_ok=True)


def test_growth_is_that_of_the_running_maximum():
    close(area_growth(np.array([0.5, 0.6, 0.55, 0.9])), [math.nan, 0.2, 0.0, 0.5])
    close(area_growth(np.array([0.0, 0.6])), [math.nan, math.nan])
    close(area_growth(np.array([0.0, 0.0, 0.6])), [math.nan] * 3)


def test_the_mean_of_what_follows_ends_with_the_curve():
    values = np.array([9.0, 1.0, 2.0, 6.0])
    close(following_mean(values, 2), [1.5, 4.0, 6.0, math.inf])
    close(following_mean(values, 9), [3.0, 4.0, 6.0, math.inf])
    close(following_mean(values[:1], 3), [math.inf])


def test_the_area_settles_at_the_last_marked_growth():
    area = [0.40, 0.60, 0.75, 0.76, 0.77, 0.78]
    found = AreaSettles()(
        curve(range(2, 8), "area", area=area), None, facts(*range(2, 8))
    )
    assert found.k_star == 4
    close(found.columns["growth"], [math.nan, 0.5, 0.25, 1 / 75, 1 / 76, 1 / 77])
    assert found.reason == (
        "the consensus area grows by 25.0% into k = 4, and by 1.3% per step after it, "
        "19.0 times less"
    )
    assert "25.0%" in found.reason
    assert "1.3% per step" in found.reason
    assert "at least 10%, or as k equal clusters allow, and 3 times" in found.rule


def test_growth_must_be_large_enough_by_itself_and_beside_what_follows():
    ks = range(2, 6)
    small = curve(ks, "area", area=[0.5, 0.545, 0.545, 0.545])  # 9 %, then nothing
    assert AreaSettles()(small, None, facts(*ks)).k_star == 2
    steady = curve(ks, "area", area=[0.3, 0.33, 0.363, 0.3993])
    found = AreaSettles()(steady, None, facts(*ks))
    assert found.k_star == 2
    assert "does not clearly settle" in found.reason
    just = curve(ks, "area", area=[0.5, 0.55, 0.55, 0.55])  # 10 %, then nothing
    assert AreaSettles(least=0.0999)(just, None, facts(*ks)).k_star == 3


def equal_clusters(k, k_max, flat=0.0):
    """The area of k equal clusters that are never in doubt, and a little after."""
    ks = np.arange(2, k_max + 1)
    return ks, np.where(ks <= k, 1 - 1 / ks, (1 - 1 / k) * (1 + flat * (ks - k)))


@pytest.mark.parametrize("k", [5, 8, 11, 15, 20, 26])
def test_many_equal_clusters_are_seen_though_the_last_step_is_small(k):
    ks, area = equal_clusters(k, 30, flat=0.0003)
    enough = replace(facts(*ks.tolist()), n=5 * k)
    seen = curve(ks, "area", area=area)
    found = AreaSettles()(seen, None, enough)
    assert found.k_star == k
    step = f"{1 / (k * (k - 2)):.1%}"
    assert f"by {step} into k = {k}, as {k} equal and stable clusters" in found.reason
    assert f"= {step}), and by 0.0% per step" in found.reason
    assert AreaSettles().choices(area[None], tuple(ks), enough).tolist() == [k]
    few = replace(enough, n=5 * k - 1)
    assert AreaSettles()(seen, None, few).k_star != k


def test_single_items_that_split_off_a_tiny_area_are_no_growth():
    """Each of them doubles the area of one cluster and a few; none is a find."""
    ks = range(2, 8)
    tiny = curve(ks, "area", area=[0.02, 0.04, 0.041, 0.042, 0.043, 0.044])
    found = AreaSettles()(tiny, None, facts(*ks))
    assert found.k_star == 2
    close(found.columns["growth"], [math.nan, 0.02 / 0.3, *[0.001 / 0.3] * 4])
    assert AreaSettles(floor=0.0)(tiny, None, facts(*ks)).k_star == 3


def test_a_small_step_counts_only_as_that_of_equal_clusters():
    ks, area = equal_clusters(12, 20)
    asked = replace(facts(*ks.tolist()), n=500)

    def answer(changed, **how):
        found = AreaSettles(**how)(curve(ks, "area", area=changed), None, asked)
        return found.k_star

    assert answer(area) == 12
    assert answer(0.96 * area) != 12  # some pairs are in doubt
    assert answer(0.96 * area, equal_area=0.95) == 12
    last = area.copy()
    last[10:] -= 0.2 * (area[10] - area[9])  # nine tenths of the step are needed
    assert answer(last) != 12
    assert answer(last, equal_step=0.75) == 12
    on = area.copy()
    on[11:] += 0.5 * (area[10] - area[9]) * np.arange(1, 9)
    assert answer(on) != 12  # goes on growing
    ks, area = ks[:12], area[:12]
    asked = replace(asked, ks=tuple(ks), asked=tuple(ks))
    assert answer(area) != 12  # two more ks are too few to tell


def test_a_k_that_was_not_asked_for_is_not_answered():
    area = [0.40, 0.60, 0.75, 0.76, 0.77, 0.78]
    asked = facts(*range(2, 8), asked=(2, 3))
    found = AreaSettles(drop=1)(curve(range(2, 8), "area", area=area), None, asked)
    assert found.k_star == 3


def test_kl_and_diff_by_hand():
    values = [10.0, 6.0, 1.0, 0.8]
    ks = (1, 2, 3, 4)  # m = 2: k times the value is 10, 12, 3, 3.2
    diffs = [math.nan, -2.0, 9.0, 3.0 - 3.2]
    close(difference(ks, np.array(values), 2), diffs)
    found = KrzanowskiLai()(curve(ks, "wcss", wcss=values), None, facts(*ks))
    close(found.columns["kl"], [math.nan, 2 / 9, 9 / 0.2, math.nan])
    assert found.k_star == 3
    assert found.reason == "KL(3) = 45.00"
    fewer = facts(*ks, asked=(1, 2))
    assert KrzanowskiLai()(curve(ks, "wcss", wcss=values), None, fewer).k_star == 2
    largest = LargestDifference()(curve(ks, "fom", fom=values), None, facts(*ks))
    assert (largest.k_star, largest.reason) == (3, "DIFF(3) = 9")
    none = LargestDifference()(curve(ks, "fom", fom=values), None, fewer)
    assert none.k_star is None


def test_segments_by_hand():
    close(segments(np.array([2.0, 3.0, 6.0]), np.array([8.0, 5.0, 0.0])), [0, 1, 0])
    close(segments(np.array([2.0]), np.array([8.0])), [0])
    ks = (1, 2, 3, 4, 5)
    logs = curve(ks, "log_wcss", log_wcss=[8.0, 5.0, 1.0, 1.5, 0.0])
    found = Segments(0.25)(logs, None, facts(*ks))
    close(found.columns["segment"], [0.25, 1.25, 3.25, 0.75, 0.25])
    assert (found.k_star, found.reason) == (3, "the segment at k = 3 is 3.250 long")
    some = Segments()(logs, None, facts(*ks, asked=(3, 4, 5)))
    close(some.columns["segment"], [math.nan, math.nan, 0, -1, 0])
    assert some.k_star == 3
    one = Segments()(logs, None, facts(*ks, asked=(3,)))
    assert one.k_star is None
    plain = curve(ks, "fom", fom=np.exp([8.0, 5.0, 1.0, 1.5, 0.0]))
    close(Segments()(plain, None, facts(*ks)).columns["segment"], [0, 1, 3, 0.5, 0])


NULLS = np.array([[0.1, 0.2, 0.3], [0.3, 0.4, 0.3], [0.2, 0.6, 0.6]])


def null_curves(values=NULLS, name="median"):
    return NullCurves("uniform", {name: np.asarray(values, float)[None]})


def test_clest_by_hand():
    read = curve((2, 3, 4), "median", median=[0.3, 0.7, 0.5])
    found = ClestRule(p_max=0.5)(read, null_curves(), facts(2, 3, 4))
    close(found.columns["null"], [0.2, 0.4, 0.4])
    close(found.columns["d"], [0.1, 0.3, 0.1])
    close(found.columns["p"], [0.5, 0.25, 0.5])
    assert (found.k_star, found.candidates) == (3, (3,))
    assert found.facts["significant"] == [2, 3, 4]
    share = ClestRule(p_max=0.3, proportion=True)(read, null_curves(), facts(2, 3, 4))
    close(share.columns["p"], [1 / 3, 0.0, 1 / 3])
    assert share.facts["significant"] == [3]
    picky = ClestRule(p_max=0.5, d_min=0.31)(read, null_curves(), facts(2, 3, 4))
    assert (picky.k_star, picky.candidates) == (1, (1,))
    assert "d(3) = 0.300, p = 0.250" in picky.reason
    asked = facts(2, 3, 4, asked=(2,))
    assert ClestRule(p_max=0.5)(read, null_curves(), asked).k_star == 2
    just = ClestRule(p_max=0.25, d_min=float(0.7 - NULLS[:, 1].mean()))
    assert just(read, null_curves(), facts(2, 3, 4)).k_star == 3


@pytest.mark.parametrize("level", [-0.01, 1.01])
def test_clest_refuses_what_is_no_probability_and_the_lack_of_null_sets(level):
    with pytest.raises(InputError, match="p_max"):
        ClestRule(p_max=level)
    assert (ClestRule(p_max=0).p_max, ClestRule(p_max=1).p_max) == (0, 1)
    with pytest.raises(InputError, match="needs null sets"):
        ClestRule()(curve((2,), "median", median=[1]), None, facts(2))


def test_the_spread_is_at_least_half_its_median():
    curves = np.array([[0.0, 0.0, 1.0], [2.0, 4.0, 1.0]])
    sd = [math.sqrt(2), 2 * math.sqrt(2)]
    close(spread(curves), [*sd, sd[0] / 2])
    close(spread(curves[:1]), [1, 1, 1])
    close(spread(np.zeros((3, 2))), [1e-12, 1e-12])
    close(spread(np.array([[0.0, np.nan], [2.0, 1.0]])), [sd[0], 1.0])


def test_a_curve_against_null_curves_by_hand():
    found = compare(np.array([0.3, 0.9, 0.3]), NULLS, "high")
    close(found.excess, [0.1, 0.5, -0.1])
    close(found.p, [0.5, 0.25, 1.0])
    sd = [0.1, 0.2, math.sqrt(0.03)]
    close(found.score, [0.1 / sd[0], 0.5 / sd[1], -0.1 / sd[2]])
    low = compare(-np.array([0.3, 0.9, 0.3]), -NULLS, "low")
    close(low.score, list(found.score))
    assert low.p_any == found.p_any


def test_any_structure_at_all_counts_the_data_among_the_curves():
    nulls = np.linspace(0, 1, 19)[:, None] * np.array([1.0, 2.0])
    assert compare(np.array([3.0, 0.0]), nulls, "high").p_any == 1 / 20
    assert compare(np.array([0.0, -3.0]), nulls, "high").p_any == 1.0
    assert compare(np.array([np.nan, np.nan]), nulls, "high").p_any == 1.0
    same = np.ones((19, 2))
    assert compare(np.ones(2), same, "high").p_any == 1.0


def test_the_k_that_stands_out_most_is_taken_or_one():
    ks = (2, 3, 4)
    nulls = np.linspace(0, 1, 19)[:, None] * np.ones(3)
    read = curve(ks, "median", median=[0.5, 4.0, 0.6])
    found = AgainstNull()(read, null_curves(nulls), facts(*ks))
    assert (found.k_star, found.candidates, found.facts["p"]) == (3, (3,), 0.05)
    assert "median(3) = 4.000, on null sets 0.500" in found.reason
    assert "p = 0.050" in found.reason
    assert "(uniform), at level 0.05" in found.rule
    close(found.columns["p"], [0.55, 0.05, 0.45])
    strict = AgainstNull(level=0.04)(read, null_curves(nulls), facts(*ks))
    assert (strict.k_star, strict.candidates) == (1, (1,))
    asked = AgainstNull()(read, null_curves(nulls), facts(*ks, asked=(2, 4)))
    assert asked.k_star == 1
    assert np.isnan(asked.columns["score"][1])
    gone = curve(ks, "median", median=[np.nan] * 3)
    assert AgainstNull()(gone, null_curves(nulls), facts(*ks)).k_star is None
    for given in (None, null_curves(nulls[:1])):
        with pytest.raises(InputError, match="null sets"):
            AgainstNull()(read, given, facts(*ks))


def test_null_sets_that_lack_a_value_at_every_k_decide_nothing():
    holes = np.array([[0.1, np.nan], [np.nan, 0.2], [0.3, 0.1]])
    read = curve((2, 3), "median", median=[0.9, 0.8])
    found = AgainstNull()(read, null_curves(holes), facts(2, 3))
    assert found.k_star is None
    assert "not defined at any k" in found.reason
    half = AgainstNull()(read, null_curves(holes * [np.nan, 1]), facts(2, 3))
    assert half.k_star is None
    whole = AgainstNull(level=0.5)(
        read, null_curves(holes[2:] * np.ones((9, 1))), facts(2, 3)
    )
    assert whole.k_star == 3


def test_growth_of_just_the_least_and_just_the_multiple_is_marked():
    ks = (2, 3, 4)
    grown = curve(ks, "area", area=[1.0, 1.5, 1.875])  # by 1/2, then by 1/4
    rule = AreaSettles(drop=2, least=0.1, window=1)
    assert rule(grown, None, facts(*ks)).k_star == 3
    assert AreaSettles(drop=2.1, window=1)(grown, None, facts(*ks)).k_star == 2
    once = curve(ks, "area", area=[1.0, 1.25, 1.25])  # by 1/4, then not at all
    assert AreaSettles(least=0.25)(once, None, facts(*ks)).k_star == 3
    assert AreaSettles(least=0.26)(once, None, facts(*ks)).k_star == 2


@pytest.mark.parametrize(("after", "k"), [(0.04, 3), (0.0597, 3), (0.064, 2)])
def test_the_area_grows_thrice_as_much_as_in_the_next_three_steps(after, k):
    growths = [0.18, after * 0.5, after * 0.5, after * 2, 0.5]
    ks = range(2, 8)
    area = 0.3 * np.cumprod([1, *(1 + np.array(growths))])
    asked = facts(*ks, asked=(2, 3))
    assert AreaSettles()(curve(ks, "area", area=area), None, asked).k_star == k


@pytest.mark.parametrize(
    ("pac", "k"),
    [
        ([0.3, 0.0, 0.01, 0.06, 0.2], 3),  # (0.012 / 0.002 > 0.062 / 0.012)
        ([0.3, 0.0, 0.006, 0.06, 0.2], 4),  # (0.008 / 0.002 < 0.062 / 0.008)
        ([0.3, 0.05, 0.103, 0.3, 0.2], 3),
        ([0.3, 0.05, 0.101, 0.3, 0.2], None),  # not twice as many
        ([0.3, 0.051, 0.5, 0.5, 0.5], None),  # too many ambiguous pairs before
        ([0.4, 0.02, 0.3, 0.3, 0.0], None),  # it never rises for good
        ([0.3, 0.3, 0.3, 0.0, 0.002], 5),  # just twice as many
        ([math.nan] * 5, None),
    ],
)
def test_the_clear_k_is_that_after_which_ambiguous_pairs_multiply_most(pac, k):
    ks = range(2, 7)
    assert clear_k(curve(ks, "area", pac=pac), facts(*ks)) == k
    assert clear_k(curve(ks, "area", area=pac), facts(*ks)) is None


def test_the_clear_k_is_one_that_was_asked_for():
    read = curve(range(2, 6), "area", pac=[0.3, 0.0, 0.2, 0.2])
    assert clear_k(read, facts(*range(2, 6), asked=(2, 4))) is None
    assert clear_k(read, facts(*range(2, 6), asked=(3, 4))) == 3


def test_above_ten_thousand_items_ambiguous_pairs_come_before_the_area():
    ks = range(2, 7)
    area = [0.3, 0.5, 0.501, 0.502, 0.503]  # settles at 3
    read = curve(ks, "area", area=area, pac=[0.2, 0.1, 0.1, 0.0, 0.3])
    few = facts(*ks)
    many = replace(few, n=10_001)
    assert AreaSettles()(read, None, replace(few, n=10_000)).k_star == 3
    found = AreaSettles()(read, None, many)
    assert found.k_star == 5
    assert (
        "0.000 of the pairs is ambiguous (PAC), at every larger k at least 0.300"
        in (found.reason)
    )
    assert "before pairs turn ambiguous" in found.rule
    unclear = curve(ks, "area", area=area, pac=[0.2] * 5)
    assert AreaSettles()(unclear, None, many).k_star == 3


def test_the_rule_says_that_it_reads_the_area_alone():
    assert AreaSettles().reads == ("area",)


def test_kl_passes_over_a_k_after_which_nothing_changes():
    ks = (1, 2, 3, 4, 5)  # m = 2: k times the value is 10, 6, 3, 3, 2
    read = curve(ks, "wcss", wcss=[10, 3, 1, 0.75, 0.4])
    found = KrzanowskiLai()(read, None, facts(*ks))
    close(found.columns["diff"], [math.nan, 4, 3, 0, 1])
    close(found.columns["kl"], [math.nan, 4 / 3, math.nan, 0, math.nan])
    assert found.k_star == 2


def test_diff_fom_passes_over_a_k_whose_difference_is_not_known():
    read = curve((3, 4, 5), "fom", fom=[9.0, 4.0, 2.0])
    found = LargestDifference()(read, None, facts(3, 4, 5))
    assert (found.k_star, found.reason) == (4, "DIFF(4) = 11")
    assert LargestDifference(first=5)(read, None, facts(3, 4, 5)).k_star == 5


def test_segments_of_two_ks_of_a_level_and_of_a_curve_that_ends_at_zero():
    two = curve((3, 4), "log_wcss", log_wcss=[2.0, 1.0])
    assert Segments()(two, None, facts(3, 4)).k_star == 3
    ks = (1, 2, 3, 4)
    level = curve(ks, "log_wcss", log_wcss=[3.0, 1.0, 0.0, 0.0])  # segments 0 1 1 0
    assert Segments()(level, None, facts(*ks)).k_star == 2
    ends = curve(ks, "fom", fom=[8.0, 1.0, 1.0, 0.0])
    last = math.log(8e-12)  # 1e-12 of the largest
    line = [math.log(8) + (last - math.log(8)) * i / 3 for i in range(4)]
    found = Segments()(ends, None, facts(*ks)).columns["segment"]
    assert list(found) == pytest.approx([0, line[1], line[2], 0], rel=1e-12)
    none = curve(ks, "fom", fom=[0.0] * 4)
    assert Segments()(none, None, facts(*ks)).k_star == 1


def test_the_ends_of_the_line_have_no_length_whatever_is_rounded():
    x = np.array([1.0, 2.0, 7.0])
    for y in np.random.default_rng(0).random((200, 3)):
        assert segments(x, y)[[0, -1]].tolist() == [0.0, 0.0]


def test_a_small_excess_where_null_sets_are_alike_is_not_the_best():
    ks = (2, 3)
    drawn = np.random.default_rng(4).standard_normal((19, 2)) * [1.0, 0.1]
    read = curve(ks, "median", median=[9.0, 6.0])
    found = AgainstNull()(read, null_curves(drawn), facts(*ks))
    assert found.columns["score"][1] > found.columns["score"][0]
    assert found.columns["excess"][0] > found.columns["excess"][1]
    assert found.k_star == 2
