"""The score behind every knee, against its definition written another way."""

import itertools
import math

import numpy as np
import pytest

from stablek.paradigm.contracts import Curve, Facts
from stablek.paradigm.significance.knee import KNEES, Knee, below_chord, drop_ratio

KS = np.array([2.0, 3.0, 5.0, 6.0, 9.0, 10.0])  # not all one apart
CURVES = [
    np.array([20.0, 11.0, 5.0, 4.5, 3.0, 2.75]),
    np.array([0.5, 0.25, 0.24, 0.1, 0.09, 0.08]),
    np.array([7.0, 6.5, 7.2, 3.0, 2.0, 2.1]),
]


def straight_error(x, y):
    return math.sqrt(np.mean((y - np.polyval(np.polyfit(x, y, 1), x)) ** 2))


def chord(x, y):
    line = np.interp(x, [x[0], x[-1]], [y[0], y[-1]])
    return (line - y) / (y[0] - y[-1])


def l_method(x, y):
    score = [math.nan]
    for size in range(2, len(x) - 1):
        left = size * straight_error(x[:size], y[:size])
        right = (len(x) - size) * straight_error(x[size:], y[size:])
        score.append(-(left + right) / len(x))
    return [*score, math.nan, math.nan]


def menger(x, y):
    """Return four times the area of the triangle, by Heron, over its sides."""
    points = list(
        zip((x - x[0]) / (x[-1] - x[0]), (y - min(y)) / np.ptp(y), strict=True)
    )
    score = [math.nan]
    for triple in zip(points, points[1:], points[2:], strict=False):
        a, b, c = (math.dist(p, q) for p, q in itertools.combinations(triple, 2))
        half = (a + b + c) / 2
        area = math.sqrt(max(half * (half - a) * (half - b) * (half - c), 0.0))
        (u0, v0), (u1, v1), (u2, v2) = triple
        line = v0 + (v2 - v0) * (u1 - u0) / (u2 - u0)
        score.append(math.copysign(4 * area / (a * b * c), line - v1))
    return [*score, math.nan]


def bend(x, y):
    return [math.nan, *np.convolve(y, [1, -2, 1], "valid"), math.nan]


def derivative(x, y):
    steps = [(p - q) / (t - s) for p, q, s, t in zip(y, y[1:], x, x[1:], strict=False)]
    return [math.nan, *steps]


def hartigan(x, y):
    return [
        *((p / q - 1) * (50 - k - 1) for p, q, k in zip(y, y[1:], x, strict=False)),
        math.nan,
    ]


def ratio_of_drops(x, y, window=1, least=0.02):
    logs = [math.log(value) for value in y]
    drops = [p - q for p, q in itertools.pairwise(logs)]
    floor = least * (max(logs) - min(logs))
    score = [math.nan]
    for i, drop in enumerate(drops[:-1]):
        after = drops[i + 1 : i + 1 + window]
        score.append(drop / max(sum(after) / len(after), floor))
    return [*score, math.nan]


ORACLES = {
    "chord": chord,
    "log-chord": lambda x, y: chord(x, np.log(y)),
    "l-method": l_method,
    "menger": menger,
    "bend": bend,
    "log-bend": lambda x, y: bend(x, np.log(y)),
    "derivative": derivative,
    "hartigan": hartigan,
    "hartigan-squares": lambda x, y: hartigan(x, [value**2 for value in y]),
    "drop-ratio": ratio_of_drops,
}


def test_every_knee_rule_has_an_oracle():
    assert set(ORACLES) == set(KNEES)


@pytest.mark.parametrize("y", CURVES, ids=["large", "small", "uneven"])
@pytest.mark.parametrize("rule", ORACLES)
def test_the_score_is_that_of_its_definition(rule, y):
    score, place = KNEES[rule](KS, y, 50)
    expected = ORACLES[rule](KS, y)
    assert score == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)
    if rule not in ("derivative", "hartigan", "hartigan-squares"):
        assert place == int(np.nanargmax(expected))


@pytest.mark.parametrize("y", CURVES, ids=["large", "small", "uneven"])
@pytest.mark.parametrize("window", [2, 3, 9])
def test_several_drops_may_stand_for_what_follows(y, window):
    score, _ = drop_ratio(KS, y, 50, window=window, least=0.1)
    expected = ratio_of_drops(KS, y, window, 0.1)
    assert score == pytest.approx(expected, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize(
    "rule", [*sorted(set(KNEES) - {"hartigan", "hartigan-squares"})]
)
def test_a_straight_or_level_or_bulging_curve_has_no_knee(rule):
    x = np.arange(1.0, 6.0)
    level = np.full(5, 2.0)
    assert KNEES[rule](x, level, 50)[1] in ((1,) if rule == "l-method" else (None,))
    if rule in ("chord", "menger", "bend"):
        assert KNEES[rule](x, np.array([4.0, 3.0, 2.0, 1.0, 0.0]), 50)[1] is None
        assert KNEES[rule](x, np.array([4.0, 3.9, 3.5, 2.5, 0.0]), 50)[1] is None


@pytest.mark.parametrize("rule", ["chord", "menger", "bend", "derivative"])
def test_three_points_are_enough_and_two_are_not(rule):
    three = np.array([9.0, 3.0, 2.0])
    assert KNEES[rule](np.array([4.0, 5.0, 6.0]), three, 50)[1] == 1
    assert KNEES[rule](np.array([4.0, 5.0]), three[:2], 50)[1] is None


def test_three_points_make_one_ratio_of_drops_and_fewer_make_none():
    assert drop_ratio(KS[:3], np.array([16.0, 4.0, 3.0]), 50)[1] == 1
    for size in (1, 2):
        score, place = drop_ratio(KS[:size], np.array([16.0, 4.0])[:size], 50)
        assert np.isnan(score).all()
        assert place is None


def test_a_ratio_of_drops_must_be_above_one():
    slower = np.exp(-np.array([0.0, 1.5, 2.5, 3.3, 4.0]))
    assert drop_ratio(KS[:5], slower, 50)[1] == 1  # 1.5 times the next
    faster = np.exp(-np.array([0.0, 0.5, 1.5, 3.0, 5.0]))
    assert drop_ratio(KS[:5], faster, 50)[1] is None


def test_the_steep_end_where_the_threshold_parts_them():
    # Slopes 6, 6, 6, 4, 0: their mean is 4.4; it moves to (6 + 2) / 2 = 4 and stays.
    y = np.array([22.0, 16.0, 10.0, 4.0, 0.0, 0.0])
    assert KNEES["derivative"](np.arange(1.0, 7.0), y, 50)[1] == 3
    # Of slopes 30, 6 and six times 1 the mean is 5.25, but it moves past the 6.
    y = np.array([42.0, 12.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0])
    assert KNEES["derivative"](np.arange(1.0, 10.0), y, 50)[1] == 1
    # Of slopes 10, 1, 10 and 0 the last steep one is the third.
    y = np.array([21.0, 11.0, 10.0, 0.0, 0.0])
    assert KNEES["derivative"](np.arange(1.0, 6.0), y, 50)[1] == 3


def test_hartigans_ten_is_small_enough_and_more_is_not():
    x = np.array([2.0, 3.0])
    assert KNEES["hartigan"](x, np.array([2.0, 1.0]), 13)[1] == 0  # 1 * 10
    assert KNEES["hartigan"](x, np.array([3.0, 2.0]), 24)[1] is None  # 0.5 * 21
    gone = KNEES["hartigan"](np.arange(1.0, 4.0), np.array([4.0, 0.0, 0.0]), 50)
    assert gone[1] is None


def test_the_logarithm_of_zero_is_put_far_below():
    y = np.array([8.0, 4.0, 2.0, 1.0, 0.0])
    score, _ = KNEES["log-bend"](np.arange(1.0, 6.0), y, 50)
    fall = math.log(8e-12)  # 1e-12 of the largest
    assert score[3] == pytest.approx(math.log(2) - 0.0 + fall, rel=1e-12)
    assert KNEES["log-bend"](KS, np.zeros(6), 50)[1] is None


def test_a_curve_without_finite_height_has_no_depth():
    assert np.isnan(below_chord(KS[:3], np.array([np.inf, 2.0, 1.0]))).all()
    assert np.isnan(below_chord(KS[:3], np.array([1.0, 2.0, 3.0]))).all()
    assert np.isnan(below_chord(KS[:1], np.array([1.0]))).all()
    assert below_chord(KS[:2], np.array([2.0, 1.5])).tolist() == [0.0, 0.0]


def decide(rule, values, asked):
    ks = tuple(range(1, len(values) + 1))
    curve = Curve(ks, {"wcss": np.array(values)}, "wcss")
    return Knee(rule)(curve, None, Facts(50, 3, ks, asked))


def test_the_score_stands_beside_the_ks_asked_for_and_in_the_reason():
    found = decide("chord", [99.0, 10.0, 4.0, 3.0, 2.5, 2.0, 0.0], (2, 3, 4, 5, 6))
    assert found.k_star == 3
    assert found.reason == "the knee of wcss is at k = 3 (chord 0.5)"
    assert found.columns["below_chord"] == pytest.approx(
        [math.nan, 0.0, 0.5, 0.375, 0.1875, 0.0, math.nan], nan_ok=True
    )
    bent = decide("bend", [99.0, 10.0, 4.0, 3.0], (2, 3, 4))
    assert (bent.k_star, list(bent.columns)) == (3, ["knee"])


def test_without_a_knee_the_scores_are_still_shown():
    found = decide("log-chord", [1.0, 2.0, 3.0], (1, 2, 3))
    assert found.k_star is None
    assert list(found.columns) == ["below_chord"]
    assert "no knee by the rule log-chord" in found.reason
    assert decide("chord", [3.0, 1.0], (1, 2)).columns == {}


def test_the_ratio_of_drops_is_the_rule_unless_another_is_named():
    assert Knee().method == "drop-ratio"
