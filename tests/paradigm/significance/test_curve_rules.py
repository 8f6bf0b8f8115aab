"""Rules that read one curve, on curves made by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stablek.errors import InputError
from stablek.paradigm.contracts import Curve, Facts
from stablek.paradigm.significance.area import AreaSettles
from stablek.paradigm.significance.curve import (
    KrzanowskiLai,
    LargestDifference,
    Segments,
    difference,
)
from stablek.paradigm.significance.knee import KNEES, Knee


def curve_of(values, first=1, main="wcss"):
    ks = tuple(range(first, first + len(values)))
    return Curve(ks, {main: np.asarray(values, float)}, main)


def facts_of(curve, asked=None, n=100, m=5):
    return Facts(n, m, curve.ks, curve.ks if asked is None else tuple(asked))


def bent(knee, count=15, drop=0.7, slow=0.02):
    logs = np.r_[0.0, np.full(knee - 1, drop), np.full(count - knee, slow)].cumsum()
    return np.exp(-logs)


@pytest.mark.parametrize("rule", ["log-chord", "log-bend", "drop-ratio"])
@pytest.mark.parametrize("knee", range(3, 9))
def test_the_end_of_a_geometric_fall_is_found_on_a_log_axis(rule, knee):
    curve = curve_of(bent(knee))
    assert Knee(rule)(curve, None, facts_of(curve)).k_star == knee


@pytest.mark.parametrize("rule", ["chord", "menger", "bend", "derivative"])
@pytest.mark.parametrize("knee", range(2, 9))
def test_the_corner_of_two_lines_is_found_on_a_linear_axis(rule, knee):
    curve = curve_of(np.r_[np.linspace(20, 4, knee), 4 - 0.2 * np.arange(1, 10)])
    assert Knee(rule)(curve, None, facts_of(curve)).k_star == knee


@pytest.mark.parametrize("knee", range(2, 9))
def test_two_straight_lines_meet_where_the_l_method_says(knee):
    # Beyond the knee the curve jumps a little, so that it lies on the left line only.
    values = np.r_[np.linspace(20, 4, knee), 3 - 0.2 * np.arange(1, 10)]
    curve = curve_of(values)
    assert Knee("l-method")(curve, None, facts_of(curve)).k_star == knee


def test_hartigan_stops_at_the_first_small_gain():
    curve = curve_of([100.0, 50.0, 25.0, 24.0, 12.0])
    # (25 / 24 - 1) (100 - 3 - 1) = 4 <= 10
    found = Knee("hartigan")(curve, None, facts_of(curve))
    assert found.k_star == 3
    assert "smallest" not in found.reason


def test_a_knee_at_the_smallest_k_is_called_no_clear_one():
    curve = curve_of([100.0, 99.0, 50.0, 24.0, 12.0])
    found = Knee("hartigan")(curve, None, facts_of(curve))
    assert found.k_star == 1
    assert "1 is the smallest k tried: the curve shows no clear knee" in found.reason


@pytest.mark.parametrize("rule", sorted(KNEES))
def test_a_knee_does_not_depend_on_the_unit_of_the_curve(rule):
    values = np.array([9.1, 5.2, 2.3, 2.05, 1.8, 1.7, 1.5, 1.45, 1.4])
    found = {
        Knee(rule)(c, None, facts_of(c)).k_star
        for c in (curve_of(values), curve_of(values * 1024))
    }
    assert len(found) == 1


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.floats(0.01, 5), min_size=4, max_size=20),
    st.sampled_from(sorted(KNEES)),
)
def test_a_knee_is_one_of_the_ks_asked_for_or_none(drops, rule):
    curve = curve_of(100 * np.exp(-np.cumsum(drops) / 10))
    asked = curve.ks[1:]
    found = Knee(rule)(curve, None, facts_of(curve, asked))
    assert found.k_star is None or found.k_star in asked
    for column in found.columns.values():
        assert len(column) == len(curve.ks)


@pytest.mark.parametrize("rule", sorted(KNEES))
def test_a_flat_curve_raises_nothing(rule):
    curve = curve_of(np.ones(8))
    found = Knee(rule)(curve, None, facts_of(curve))
    assert found.k_star is None or found.k_star in curve.ks


def test_chord_agrees_with_kneed():
    from kneed import KneeLocator

    values = bent(4, drop=0.5, slow=0.05)
    theirs = KneeLocator(
        range(1, 16), values, curve="convex", direction="decreasing"
    ).knee
    curve = curve_of(values)
    assert Knee("chord")(curve, None, facts_of(curve)).k_star == theirs


def test_two_ks_have_no_knee():
    curve = curve_of([2.0, 1.0])
    assert Knee()(curve, None, facts_of(curve)).k_star is None


def test_unknown_knee_rule_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match="l-method"):
        Knee("l-metod")


def test_kl_is_its_ten_lines():
    rng = np.random.default_rng(0)
    w = np.sort(rng.random(12))[::-1] * 100
    m = 4
    curve = curve_of(w)
    found = KrzanowskiLai()(curve, None, facts_of(curve, range(2, 12), m=m))

    def diff(k):
        return (k - 1) ** (2 / m) * w[k - 2] - k ** (2 / m) * w[k - 1]

    direct = {k: abs(diff(k) / diff(k + 1)) for k in range(2, 12)}
    assert found.k_star == max(direct, key=direct.get)
    for k, value in direct.items():
        assert found.columns["kl"][curve.ks.index(k)] == pytest.approx(value)


def test_kl_of_a_flat_curve_gives_no_indication():
    curve = curve_of(np.zeros(6))
    assert KrzanowskiLai()(curve, None, facts_of(curve)).k_star is None


def test_diff_fom_starts_at_three():
    curve = curve_of([50.0, 10.0, 6.0, 5.5, 5.4], main="fom")
    facts = facts_of(curve, range(2, 6), m=100)
    found = LargestDifference()(curve, None, facts)
    assert found.k_star == 3
    expected = 2 ** (2 / 100) * 10 - 3 ** (2 / 100) * 6
    assert found.columns["diff"][2] == pytest.approx(expected)
    assert LargestDifference()(curve, None, facts_of(curve, (2,))).k_star is None


def test_difference_of_the_first_k_is_not_known():
    assert np.isnan(difference((3, 4), np.array([2.0, 1.0]), 2)[0])


def test_first_local_maximum_of_the_segments_wins():
    logs = np.array([0.0, -2.0, -2.5, -5.0, -6.0])
    curve = curve_of(logs, main="log_wcss")
    found = Segments()(curve, None, facts_of(curve))
    # The line falls by 1.5 per k: segments 0, 0.5, -0.5, 0.5, 0.
    assert found.columns["segment"] == pytest.approx([0, 0.5, -0.5, 0.5, 0])
    assert found.k_star == 2


def test_a_curve_above_its_line_answers_the_first_k():
    curve = curve_of([0.0, -0.5, -4.0], main="log_wcss")
    assert Segments()(curve, None, facts_of(curve)).k_star == 1


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.floats(0.01, 5), min_size=2, max_size=20),
    st.integers(0, 64).map(lambda a: a / 4),
)
def test_raising_the_line_moves_nothing(drops, raised):
    logs = -np.cumsum(np.round(drops, 2))
    curve = curve_of(logs, main="log_wcss")
    plain = Segments()(curve, None, facts_of(curve))
    higher = Segments(raised)(curve, None, facts_of(curve))
    shift = higher.columns["segment"] - plain.columns["segment"]
    assert np.allclose(shift, raised)
    # Equal up to ties that rounding breaks one way or the other.
    length = plain.columns["segment"]
    first, second = (curve.ks.index(f.k_star) for f in (plain, higher))
    if np.abs(np.diff(length)).min() > 1e-9:
        assert first == second


def test_g_fom_takes_logarithms_itself():
    values = np.array([8.0, 2.0, 1.9, 1.0])
    curve = curve_of(values, first=2, main="fom")
    found = Segments()(curve, None, facts_of(curve))
    line = np.log(8) + (np.log(1) - np.log(8)) * np.arange(4) / 3
    assert found.columns["segment"] == pytest.approx(line - np.log(values), abs=1e-12)
    assert found.k_star == 3


def test_many_curves_at_once_get_the_ks_they_get_one_by_one():
    areas = np.cumsum(np.random.default_rng(3).random((60, 7)) ** 4, axis=1)
    areas[:3] = [np.ones(7), np.arange(1, 8), 1.05 ** np.arange(7)]  # none is marked
    rule, ks = AreaSettles(), tuple(range(2, 9))
    for asked in (ks, ks[1:4]):
        known = Facts(100, 5, ks, asked)
        one_by_one = [
            rule(Curve(ks, {"area": area}, "area"), None, known).k_star
            for area in areas
        ]
        assert rule.choices(areas, ks, known).tolist() == one_by_one
        assert len(set(one_by_one)) == len(asked) - (asked == ks)
