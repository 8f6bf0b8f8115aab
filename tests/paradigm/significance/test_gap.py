"""Gap's rule against R's clusGap on the same null draws, and by hand."""

import numpy as np
import pytest

from stablek.api.choose_k import choose_k
from stablek.errors import InputError
from stablek.paradigm.contracts import Curve, Facts, NullCurves
from stablek.paradigm.significance.against_null import (
    Gap,
    MonteCarlo,
    gaps,
    max_place,
    monte_carlo_p,
    next_local_maximum,
)

#: Gap and SE.sim of clusGap, for the two null models; see the test's docstring.
BOX = (
    [-0.495287967718359, 0.301262041389854, 2.051757235907795, 2.082281061407489,
     2.069866372345156, 2.092807839055482, 2.112635811996567, 2.053078990404396],
    [0.1371968705782567, 0.1967463415559267, 0.1404741459834845, 0.1064459627025416,
     0.0992324199156638, 0.1349366271622710, 0.0939578804391962, 0.0688924277129858],
)  # fmt: skip
PCA = (
    [-0.507481897862125, -0.384344247945033, 0.985785705866423, 0.882993310131032,
     0.741708163617891, 0.757089127666116, 0.644708123728703, 0.657590049331340],
    [0.0554906923782509, 0.1492728160929883, 0.2228244956604173, 0.1040862499187293,
     0.1042613014350906, 0.2105504294821906, 0.1074522852014060, 0.1296271464434775],
)  # fmt: skip
#: What maxSE chooses: Tibs2001SEmax, firstSEmax, globalSEmax, firstmax, globalmax.
METHODS = ("tibshirani", "firstSEmax", "globalSEmax", "firstmax", "globalmax")
CHOSEN = {"box": (3, 3, 3, 4, 7), "pca": (1, 3, 3, 3, 3)}
SIGNS = [-1, 1, 1]  # of the first row of R's svd(...)$v


def r_uniform(seed):
    """Return R's runif: Mersenne-Twister after set.seed(seed)."""
    words = []
    state = seed
    for _ in range(50):
        state = (69069 * state + 1) & 0xFFFFFFFF
    for _ in range(625):
        state = (69069 * state + 1) & 0xFFFFFFFF
        words.append(state)
    bits = np.random.MT19937()
    key = np.array(words[1:], dtype=np.uint32)
    bits.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": 624}}
    return lambda size: bits.random_raw(size) * 2.3283064365386963e-10


def r_data():
    i, j = np.arange(1, 31)[:, None], np.arange(1, 4)
    return np.sin(i * j) + 2 * (i % 3) * j


def r_null_sets(space):
    x = r_data()
    mean = x.mean(axis=0)
    turn = np.eye(3)
    if space == "pca":
        turn = np.linalg.svd(x - mean)[2].T
        turn = turn * (np.sign(turn[0]) * SIGNS)
    scores = (x - mean) @ turn
    low, high = scores.min(axis=0), scores.max(axis=0)
    draw = r_uniform(1)
    for _ in range(5):
        uniform = np.column_stack([draw(30) for _ in range(3)])
        yield (low + (high - low) * uniform) @ turn.T + mean


@pytest.mark.parametrize(("space", "gold"), [("box", BOX), ("pca", PCA)])
def test_gap_and_its_error_are_those_of_r_clusgap_on_the_same_null_draws(space, gold):
    """Golden numbers of R 4.2.2, cluster 2.1.4.

    x <- outer(1:30, 1:3, function(i, j) sin(i * j) + 2 * (i %% 3) * j)
    hc <- function(x, k) list(cluster = cutree(hclust(dist(x), "average"), k))
    set.seed(1)
    g <- clusGap(x, hc, K.max = 8, B = 5, d.power = 2, spaceH0 = "original")
    g$Tab[, c("gap", "SE.sim")]; maxSE(g$Tab[, "gap"], g$Tab[, "SE.sim"], method)
    # and the same with spaceH0 = "scaledPCA"
    """

    def logs(values):
        found = choose_k(values, "g-gap", "hier-a", range(1, 9), backend="serial")
        return found.columns["log_wcss"]

    data = logs(r_data())
    ks = tuple(range(1, 9))
    null = np.stack([logs(values) for values in r_null_sets(space)])[None]
    facts = Facts(30, 3, ks, ks)
    for method, k in zip(METHODS, CHOSEN[space], strict=True):
        found = Gap(method)(
            Curve(ks, {"log_wcss": data}, "log_wcss"),
            NullCurves(space, {"log_wcss": null}),
            facts,
        )
        assert found.columns["gap"] == pytest.approx(gold[0], abs=1e-9)
        assert found.columns["gap_error"] == pytest.approx(gold[1], abs=1e-9)
        assert found.k_star == k


def test_our_null_sets_come_from_the_same_box_as_r():
    x = r_data()
    for values in r_null_sets("box"):
        assert (values.min(axis=0) >= x.min(axis=0)).all()
        assert (values.max(axis=0) <= x.max(axis=0)).all()


def test_maxima_by_hand():
    gap = np.array([0.0, 1.0, 3.0, 2.9, 4.0, 3.5])
    s = np.full(6, 0.5)
    assert max_place(gap, s, "tibshirani") == 2
    assert max_place(gap, s, "firstmax") == 2
    assert max_place(gap, s, "globalmax") == 4
    assert max_place(gap, s, "globalSEmax") == 4
    assert max_place(gap, np.full(6, 1.0), "globalSEmax") == 2
    assert max_place(gap, np.full(6, 2.5), "firstSEmax") == 1
    rising = np.arange(4.0)
    assert max_place(rising, np.zeros(4), "tibshirani") == 3
    assert max_place(rising, np.zeros(4), "firstmax") == 3


def decide(runs, data=(0.0, 0.0, 0.0, 0.0), method="tibshirani"):
    ks = (1, 2, 3, 4)
    null = np.asarray(runs, float)
    return Gap(method)(
        Curve(ks, {"log_wcss": np.asarray(data, float)}, "log_wcss"),
        NullCurves("ps", {"log_wcss": null}),
        Facts(10, 2, ks, ks[:3]),
    )


def test_most_frequent_outcome_wins_and_ties_are_all_reported():
    two = [[0, 2, 1, 0]] * 2
    three = [[0, 1, 2, 0]] * 2
    found = decide([two, three, two])
    assert (found.k_star, found.candidates) == (2, (2,))
    assert found.facts["outcomes"] == {"2": 2, "3": 1}
    found = decide([two, three])
    assert (found.k_star, found.candidates) == (2, (2, 3))


def test_answer_one_comes_with_the_next_local_maximum():
    found = decide([[[2, 1, 3, 0]] * 2])
    assert found.k_star == 1
    assert found.facts["next_local_maximum"] == 3
    assert "k = 3" in found.reason


def test_without_null_sets_or_with_a_strange_rule_it_refuses():
    with pytest.raises(InputError, match="null model"):
        Gap()(Curve((1,), {"x": np.zeros(1)}, "x"), None, Facts(3, 1, (1,), (1,)))
    with pytest.raises(InputError, match="globalSEmax"):
        Gap("globalSE")


def test_p_value_counts_the_observed_set_and_is_never_zero():
    drawn = np.arange(1.0, 100.0)
    assert monte_carlo_p(0.0, drawn, "low") == 0.01
    assert monte_carlo_p(100.0, drawn, "high") == 0.01
    assert monte_carlo_p(50.0, drawn, "high") == 0.51
    assert monte_carlo_p(0.0, drawn, "low", proportion=True) == 0.0
    assert monte_carlo_p(50.0, drawn, "high", proportion=True) == 49 / 99


def test_the_decision_tells_what_it_was_made_of():
    run = [[0, 2, 1, 0], [0, 4, 1, 0], [3, 3, 1, 0]]
    found = decide([run, run], method="globalmax")
    assert found.rule == "Gap, globalmax"
    assert (found.facts["null_sets"], found.facts["runs"]) == (3, 2)
    assert found.columns["null_log_wcss"] == pytest.approx([1, 3, 1, 0])
    assert found.columns["gap"] == pytest.approx([1, 3, 1, 0])
    assert found.reason == "Gap(2) = 3.000, Gap(3) - s = 1.000; 2 of 2 runs"
    assert "next_local_maximum" not in found.facts


def test_only_the_ks_asked_for_are_answered_whatever_lies_beyond():
    for method in METHODS:
        assert decide([[[0, 1, 2, 5]] * 2], method=method).k_star == 3
    for method in ("globalmax", "globalSEmax"):
        assert decide([[[0, 2, 1, 5]] * 2], method=method).k_star == 2


def test_one_null_set_has_a_gap_and_no_error():
    gap, s = gaps(np.array([[1.0, 3.0]]), np.array([0.5, 1.0]))
    assert (gap.tolist(), s.tolist()) == ([0.5, 2.0], [0.0, 0.0])
    found = decide([[[0, 2, 1, 0]]])
    assert found.reason == "Gap(2) = 2.000, Gap(3) - s = 1.000"


def test_the_reason_at_the_end_of_the_curve_names_no_next_k():
    ks = (2, 3)
    curve = Curve(ks, {"log_wcss": np.zeros(2)}, "log_wcss")
    nulls = NullCurves("ps", {"log_wcss": np.array([[[0.0, 1.0]] * 2])})
    assert Gap()(curve, nulls, Facts(10, 2, ks, ks)).reason == "Gap(3) = 1.000"
    early = Gap()(curve, nulls, Facts(10, 2, ks, (2,)))
    assert early.reason == "Gap(2) = 0.000, Gap(3) - s = 1.000"


def test_equal_gaps_are_not_beaten_and_a_level_is_a_maximum():
    level, none = np.array([0.0, 1.0, 1.0, 2.0]), np.zeros(4)
    assert max_place(level, none, "tibshirani") == 1
    assert max_place(level, none, "firstmax") == 1
    near = np.array([0.0, 2.9, 3.0, 1.0])
    assert max_place(near, np.full(4, 0.5), "firstSEmax") == 1
    assert max_place(near, np.full(4, 0.5), "globalSEmax") == 1
    assert max_place(near, np.array([9, 9, 0.01, 9]), "firstSEmax") == 2


@pytest.mark.parametrize(
    ("gap", "last", "k"),
    [
        ((1.0, 1.2, 0.5, 0.4), 4, 2),  # the first k after the one chosen
        ((2.0, 1.0, 1.0, 0.0), 4, None),  # level, but it does not rise before
        ((2.0, 1.0, 3.0, 3.0), 4, 3),  # it need not fall after
        ((2.0, 1.0, 2.0, 3.0), 4, None),  # the end may rise on
        ((2.0, 1.0, 3.0, 0.0), 3, 3),
        ((2.0, 1.0, 3.0, 0.0), 2, None),  # not asked for
    ],
)
def test_the_next_local_maximum_rises_before_and_does_not_rise_after(gap, last, k):
    found = next_local_maximum((1, 2, 3, 4), np.array(gap), after=1, last=last)
    assert found == k


def test_a_local_maximum_at_or_before_the_k_chosen_is_not_the_next():
    gap = np.array([1.0, 2.0, 1.0, 4.0, 3.0])
    assert next_local_maximum((1, 2, 3, 4, 5), gap, after=2, last=5) == 4
    assert next_local_maximum((1, 2, 3, 4, 5), gap, after=1, last=5) == 2


def test_answer_one_names_the_very_next_k_if_the_gap_is_highest_there():
    # Gap(1) = 1 is not clearly beaten by Gap(2) = 1.2 with s = 1.
    sets = [[1, 1.2 + d, 0.5, 0] for d in (-1, 1)]
    found = decide([sets])
    assert found.k_star == 1
    assert found.facts["next_local_maximum"] == 2


def mecca(observed, drawn, missing=0, **settings):
    curve = Curve((2, 3, 4), {"t": np.array([7.0, observed, 8.0])}, "t")
    null = np.full((1, len(drawn), 3), 5.0)
    null[0, :, 1] = drawn
    known = Facts(10, 2, (2, 3, 4), (3,))
    return MonteCarlo(**settings)(curve, NullCurves("ps", {"t": null}, missing), known)


def test_mecca_rejects_where_few_null_values_are_as_small():
    drawn = np.arange(1.0, 21.0)
    found = mecca(0.5, drawn)
    assert (found.k_star, found.facts["p"]) == (3, 1 / 21)
    assert found.facts["null_values"] == drawn.tolist()
    assert found.rule == "MECCA at level 0.05"
    assert found.reason == "T = 0.5, p = 0.0476 against 20 null sets"
    assert mecca(1.0, drawn).k_star == 1  # 2/21
    assert mecca(21.0, drawn, better="high").k_star == 3
    assert mecca(1.0, drawn, proportion=True).facts["p"] == 0.0


def test_mecca_counts_a_null_set_that_failed_as_extreme():
    # It stands there with the value of the data.
    drawn = np.r_[0.5, np.arange(1.0, 20.0)]
    assert mecca(0.5, drawn, missing=1).facts["p"] == 2 / 21
    share = mecca(0.5, drawn, missing=1, proportion=True)
    assert (share.k_star, share.facts["p"]) == (1, 1 / 20)


def test_mecca_does_not_reject_at_the_very_level():
    assert mecca(0.5, np.arange(1.0, 20.0)).facts["p"] == 0.05
    assert mecca(0.5, np.arange(1.0, 20.0)).k_star == 1
    with pytest.raises(InputError, match="null model"):
        MonteCarlo()(Curve((2,), {"t": np.ones(1)}, "t"), None, Facts(3, 1, (2,), (2,)))
