"""The rules of a consensus curve that users choose among, and the vote of repeats."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

import stablek
from stablek.errors import InputError
from stablek.measures import measure
from stablek.paradigm.contracts import Curve, Facts
from stablek.paradigm.significance.area import AreaSettles
from stablek.paradigm.significance.votes import (
    WORDS,
    BestColumn,
    DeltaBelow,
    Votes,
    consensus_rule,
)

KS = tuple(range(2, 9))
FACTS = Facts(n=60, m=4, ks=KS, asked=KS[:-1], repeats=40)


def curve_of(shares: np.ndarray, area: np.ndarray | None = None) -> Curve:
    own = 1 - shares.mean(axis=0) if area is None else area
    return Curve(KS, {"area": own}, "area", shares=shares)


def two_minded(first: int) -> np.ndarray:
    """Return shares of 40 repeats: ``first`` of them settle at 3, the others at 5."""
    three = 1 - np.array([0.40, 0.60, 0.61, 0.62, 0.63, 0.635, 0.64])
    five = 1 - np.array([0.40, 0.55, 0.68, 0.78, 0.785, 0.79, 0.795])
    return np.vstack([np.tile(three, (first, 1)), np.tile(five, (40 - first, 1))])


def oracle(shares: np.ndarray, draws: int) -> Counter[int]:
    """Count what curves of repeats drawn with replacement choose, one by one."""
    rng = np.random.default_rng(7)
    found: Counter[int] = Counter()
    for _ in range(draws):
        drawn = shares[rng.integers(0, len(shares), len(shares))]
        found[AreaSettles()(curve_of(drawn), None, FACTS).k_star or 0] += 1
    return found


@pytest.mark.parametrize("first", [4, 20, 26, 40])
def test_votes_are_those_of_repeats_drawn_with_replacement(first: int) -> None:
    shares = two_minded(first)
    decision = Votes(draws=2000)(curve_of(shares), None, FACTS)
    expected = oracle(shares, 2000)
    assert decision.k_star == expected.most_common(1)[0][0]
    votes = {int(k): count / 2000 for k, count in decision.facts["votes"].items()}
    for k in {*votes, *expected}:
        assert votes.get(k, 0.0) == pytest.approx(expected[k] / 2000, abs=0.06)


def test_a_vote_that_is_not_that_of_the_curve_is_told() -> None:
    # A few draws are no majority: near a tie they may fall on the other side.
    seen = {}
    for first, draws in product(range(14, 26), range(1, 40)):
        curve = curve_of(two_minded(first))
        decision = Votes(draws=draws)(curve, None, FACTS)
        own = AreaSettles()(curve, None, FACTS).k_star
        seen[own == decision.k_star] = (decision, own)
    decision, own = seen[False]
    assert f"; the curve itself says {own}" in decision.reason
    assert f"into k = {decision.k_star}" in decision.reason


def test_all_votes_for_one_k_need_no_words() -> None:
    decision = Votes()(curve_of(two_minded(40)), None, FACTS)
    assert decision.k_star == 3
    assert "draws" not in decision.reason
    assert decision.facts["votes"] == {"3": 200}


def test_a_curve_without_repeats_is_read_once() -> None:
    shares = two_minded(40)
    whole = curve_of(shares)
    bare = Curve(KS, whole.columns, "area")
    found, once = (rule(bare, None, FACTS) for rule in (Votes(), AreaSettles()))
    assert (found.rule, found.reason) == (once.rule, once.reason)
    assert found.facts == {}
    few = curve_of(shares[:7])
    assert "votes" not in Votes()(few, None, FACTS).facts


def test_other_runs_vote_as_their_own_curves_do() -> None:
    shares = two_minded(24)
    rng = np.random.default_rng(3)
    drawn = [shares[rng.integers(0, 40, 40)] for _ in range(30)]
    areas = np.array([1 - one.mean(axis=0) for one in drawn])
    found = Votes().chosen_by(areas, shares, KS, FACTS)
    each = [Votes()(curve_of(one), None, FACTS).k_star for one in drawn]
    assert np.mean(found == np.array(each)) >= 0.8


@pytest.mark.parametrize(("share", "k"), [(0.1, 4), (0.3, 3), (0.01, 6), (0.6, 2)])
def test_delta_below_stops_before_the_first_small_growth(share: float, k: int) -> None:
    area = np.array([0.40, 0.60, 0.70, 0.72, 0.73, 0.731, 0.9])  # 50, 17, 2.9, 1.4 %
    curve = Curve(KS, {"area": area}, "area")
    decision = DeltaBelow(share)(curve, None, FACTS)
    assert decision.k_star == k
    assert f"into k = {k + 1}, the first step below {share}" in decision.reason
    assert DeltaBelow(share).choices(area[None], KS, FACTS).tolist() == [k]


def test_delta_below_takes_the_last_k_where_the_area_goes_on_growing() -> None:
    area = 0.1 * 1.3 ** np.arange(7)
    decision = DeltaBelow(0.2)(Curve(KS, {"area": area}, "area"), None, FACTS)
    assert decision.k_star == KS[-2]
    assert decision.reason.startswith("the area grows by at least 20.0%")


@pytest.mark.parametrize(
    ("column", "k"), [("pac", 4), ("entropy", 4), ("dispersion", 5), ("cophenetic", 5)]
)
def test_columns_are_best_where_low_or_high(column: str, k: int) -> None:
    values = np.array([0.4, 0.3, 0.1, 0.9, 0.2, 0.5, 0.0])
    curve = Curve(KS, {"area": values, column: values}, "area")
    decision = BestColumn(column)(curve, None, FACTS)
    assert decision.k_star == k
    word = "smallest" if column in ("pac", "entropy") else "largest"
    assert decision.reason.endswith(f", the {word} of k = 2 to 7")
    unknown = Curve(KS, {"area": values, column: values * np.nan}, "area")
    assert BestColumn(column)(unknown, None, FACTS).k_star is None


def test_every_word_is_a_rule_and_others_are_refused() -> None:
    X = np.vstack([np.random.default_rng(1).normal(c, 0.2, (15, 3)) for c in (0, 3, 9)])
    for word in WORDS:
        found = stablek.choose_k(X, "fc", "hier-a", range(2, 7), rule=word, repeats=30)
        assert found.k_star in (2, 3), word
        assert found.settings["rule"] == word
    for wrong in ("setles", "pac:3", "delta-below:x", "delta-below:2", "delta-below:0"):
        with pytest.raises(InputError, match=wrong.partition(":")[0]):
            consensus_rule(wrong)


def test_an_adaptive_run_has_no_cophenetic_correlation_to_read() -> None:
    with pytest.raises(InputError, match="leave out adaptive"):
        measure("fc", adaptive=True, rule="cophenetic")
    X = np.vstack([np.random.default_rng(1).normal(c, 0.2, (15, 3)) for c in (0, 3, 9)])
    for word in ("settles", "delta-below:0.1", "pac"):
        found = stablek.choose_k(
            X, "fc", "hier-a", range(2, 7), rule=word, adaptive=True, repeats=60
        )
        assert found.k_star in (2, 3)
