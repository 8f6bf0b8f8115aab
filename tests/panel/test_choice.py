"""The choice among ks, against sums by hand."""

import math

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from stablek.panel import choice, strength
from stablek.panel.choice import choose, evidence_of, levels_of
from stablek.panel.reasons import dissent, other_draws_sentence, reason_for
from stablek.panel.strength import Record, record_of, strength_of
from stablek.paradigm.contracts import Curve
from stablek.results.trust import nested

KS = (2, 3, 4, 5)


N = 60
MADE = {
    "valley": np.array([0.1, 0.2, 0.9, 0.95]),
    "graph": np.array([0.3, 0.6, 0.7, 0.65]),
    "mixture": np.array([900.0, 800.0, 500.0, 510.0, 520.0]),
    "silhouette": np.array([0.5, 0.7, 0.6, 0.4]),
    "prediction": np.array([0.9, 0.95, 0.3, 0.2]),
    "size": np.array([30.0, 18.0, 7.5, 2.4]),  # items of the smallest cluster
}


def curves(other=None, **more):
    """Return curves of every member; ``other`` changes the second half of the draws."""
    made = {**MADE, **more}
    half = {**made, **(other or {})}

    def curve(ks, better="high", **columns):
        main = next(iter(columns))
        return Curve(ks, columns, main, better=better)

    return {
        "valley": curve(KS, "low", valley=made["valley"], valley_a=made["valley"],
                        valley_b=half["valley"]),
        "graph": curve(KS, mean=made["graph"]),
        "mixture": curve((1, *KS), "low", mean=made["mixture"]),
        "silhouette": curve(KS, mean=made["silhouette"]),
        "prediction": curve(KS, mean=made["prediction"]),
        "predictiona": curve(KS, mean=made["prediction"]),
        "predictionb": curve(KS, mean=half["prediction"]),
        "size": curve(KS, separation=np.ones(4), smallest=made["size"]),
    }  # fmt: skip


def evidence(**more):
    return evidence_of(KS, curves(**more), N)


def test_members_vote_by_their_rules():
    assert evidence().votes() == {
        "valley": 3, "graph": 4, "mixture": 3, "silhouette": 3,
    }  # fmt: skip
    # No deep valley: the smallest k. One Gaussian is best: no vote of the mixtures.
    flat = evidence(valley=np.ones(4), mixture=np.array([1.0, 2, 3, 4, 5]))
    assert flat.votes() == {"valley": 2, "graph": 4, "silhouette": 3}
    assert not flat.terms()["mixture"].any()
    assert flat.favourites() == {**flat.votes(), "prediction": 3}


def test_the_score_is_the_sum_by_hand():
    votes = {"valley": 3, "graph": 4, "mixture": 3, "silhouette": 3}
    score = evidence().score()
    for place, k in enumerate(KS):
        wanted = sum(
            choice.COEFFICIENTS[name] * math.exp(-abs(math.log(k / at)) / choice.WIDTH)
            for name, at in votes.items()
        )
        wanted += choice.COEFFICIENTS["prediction"] * MADE["prediction"][place] ** 2
        even = math.log(MADE["size"][place] / N * k)
        wanted += choice.COEFFICIENTS["size"] * even
        assert score[place] == pytest.approx(wanted)


NESTED = np.array([np.arange(60) % 12 * k // 12 for k in KS])


def test_the_answer_agrees_best_and_all_weights_sum_to_one():
    found = choose(KS, curves(), NESTED)
    weight = np.array([found.weights[k] for k in KS])
    alike = [[adjusted_rand_score(a, b) for b in NESTED] for a in NESTED]
    np.testing.assert_allclose(found.columns["agreement"], alike @ weight)
    assert found.k == KS[int((alike @ weight).argmax())] == 3
    score = evidence().score()
    soft = np.exp(score - score.max()) / np.exp(score - score.max()).sum()
    assert list(found.weights.values()) == pytest.approx(soft.tolist())
    assert sum(found.weights.values()) == pytest.approx(1)
    assert found.votes["prediction"] == 3
    assert found.reason == "4 of 5 measures favour 3; the other favours 4."
    assert found.dissent == (
        "Some clusters could be split further: graph favours 4 (how often nearest "
        "neighbours share a cluster).",
    )
    np.testing.assert_allclose(found.columns["score"], score)


def test_an_answer_is_steady_where_both_halves_of_the_draws_give_it():
    graph = np.array([0.3, 0.9, 0.1, 0.1])
    steady = choose(KS, curves(graph=graph), NESTED)
    assert (steady.strength, steady.other_draws) == ("strong", ())
    other = {
        "valley": np.array([0.1, 0.2, 0.3, 0.4]), "prediction": np.array([0, 0, 0, 4.0])
    }  # fmt: skip
    shaken = choose(KS, curves(other, graph=graph), NESTED)
    assert (shaken.k, shaken.strength) == (3, "moderate")
    (other,) = shaken.other_draws
    assert other != 3
    assert other_draws_sentence(shaken.other_draws) == (
        f"With other random draws the answer may be {other}."
    )
    assert other_draws_sentence(()) == ""


@pytest.mark.parametrize(
    ("weight", "steady", "word"),
    [
        (strength.STRONG, True, "strong"), (strength.STRONG - 1e-9, True, "moderate"),
        (strength.STRONG, False, "moderate"), (strength.MODERATE, True, "moderate"),
        (strength.MODERATE - 1e-9, True, "weak"), (0.1, False, "weak"),
    ],
)  # fmt: skip
def test_strength_follows_the_weight(weight, steady, word):
    assert strength_of(weight, steady=steady) == word
    record = record_of(word)
    assert 0 < record.exact <= record.within <= 1


def test_a_record_of_few_sets_is_counted():
    assert Record(0.83, 1.0, 6).sentence() == (
        "On labelled data sets, 5 of 6 such answers named the right number of classes. "
        "All were at most one off."
    )
    assert Record(0.5, 0.9, 10).sentence().endswith("9 were at most one off.")
    assert "named the right number of classes in 25% of cases" in (
        Record(0.25, 0.5, 20).sentence()
    )


def levels(ks, weight, best, partitions):
    nests = lambda i, j: nested(partitions[i], partitions[j])  # noqa: E731
    return levels_of(ks, np.array(weight), ks.index(best), nests)


def test_levels_are_near_in_weight_and_nested_with_the_answer():
    ks, weight = (2, 4, 8, 12), (0.3, 0.5, 0.15, 0.05)
    inside = np.array([np.arange(60) % 12 * k // 12 for k in ks])
    assert levels(ks, weight, 4, inside) == (2, 4, 8)
    assert levels(ks, weight, 8, inside) == (2, 4, 8)
    crossed = inside.copy()
    crossed[0] = np.arange(60) % 2
    rng = np.random.default_rng(0)
    crossed[2] = rng.integers(0, 8, 60)
    assert levels(ks, weight, 4, crossed) == (4,)
    assert levels(ks, (0.05, 0.8, 0.1, 0.05), 4, inside) == (4,)


def test_at_most_two_other_levels_are_named():
    ks = (2, 4, 8, 16)
    inside = np.array([np.arange(64) % 16 * k // 16 for k in ks])
    assert levels(ks, (0.2, 0.4, 0.21, 0.19), 4, inside) == (2, 4, 8)


def test_a_k_between_plausible_ones_is_the_answer_if_it_is_plausible_too():
    alike = np.array([[1, 0.6, 0.2], [0.6, 1, 0.6], [0.2, 0.6, 1]])
    middle = np.array([0.4, 0.25, 0.35])
    assert choice.answer_of(middle, alike) == 1
    implausible = np.array([0.5, 0.5 * choice.NEAR - 1e-9, 0.4])
    assert choice.answer_of(implausible, alike) == 0


def test_a_reason_to_disagree_is_given_once_with_all_who_have_it():
    votes = {"valley": 2, "mixture": 5, "silhouette": 3, "graph": 6, "prediction": 2}
    coarse, fine = dissent(3, votes)
    assert coarse.startswith("Coarser groups hold together as well: valley favours 2 (")
    assert ") and prediction favours 2 (" in coarse
    assert fine.startswith("Some clusters could be split further: mixture favours 5 (")
    assert ") and graph favours 6 (" in fine


def test_long_tails_may_be_why_mixtures_alone_want_more_clusters():
    (tails,) = dissent(3, {"valley": 3, "mixture": 5, "graph": 3})
    assert tails == (
        "There may be clusters with long tails, which need several Gaussians each: "
        "mixture favours 5 (Gaussian mixtures, by BIC)."
    )
    assert "tails" not in dissent(3, {"mixture": 2})[0]


def test_one_k_is_neither_voted_on_nor_favoured():
    one = {name: curve.at((3,)) for name, curve in curves().items()}
    found = choose((3,), one, NESTED[1:2])
    assert (found.k, found.levels, found.weights) == (3, (3,), {3: 1.0})
    assert found.votes == {}
    assert found.dissent == ()
    assert found.reason == "You asked for 3 clusters; no other number was tried."


ALONE = "Alone, the measures favour"
BEST = "the clusters at 3 agree best with those at the other numbers."


@pytest.mark.parametrize(
    ("votes", "heaviest", "says"),
    [
        ((2, 2), 3, f"The measures favour 2, but {BEST}"),
        ((2, 4), 2, f"{ALONE} 2 and 4; together they favour 2, but {BEST}"),
        ((3, 4, 2, 8, 8), 3,
         f"{ALONE} 2, 3, 4 and 8; together they favour 3."),
        ((3, 4, 4), 4, f"{ALONE} 3 and 4; together they favour 4, but {BEST}"),
        ((3, 3, 3, 2, 2), 3, "3 of 5 measures favour 3; the other two favour 2."),
        ((3, 3, 3, 2, 4), 3, "3 of 5 measures favour 3; the others favour 2 and 4."),
        ((3, 3, 3, 4), 4,
         "3 of 4 measures favour 3; the other favours 4. 4 has more weight, but 3 "
         "clusters agree best with all plausible answers."),
        ((3, 3), 3, "All 2 measures favour 3."),
    ],
)  # fmt: skip
def test_the_reason_names_what_the_others_favour(votes, heaviest, says):
    assert reason_for(3, dict(enumerate(votes)), heaviest) == says
