"""The gate: noise stays out, clusters pass, and p is never below what sets can show."""

import numpy as np
import pytest
import scipy.stats
from made_sets import QUICK, grouped, noise, rings

import stablek
from stablek.data import Dataset
from stablek.data.seeds import Streams
from stablek.engine.execution.execute import Execution
from stablek.panel import gate as gates
from stablek.panel.against_nulls import STATISTICS, apart, largest, p_values, tail
from stablek.panel.coordinates import Coordinates
from stablek.panel.gate import gate, sets_needed
from stablek.panel.null_sets import OnSphere, null_models
from stablek.panel.prepare import prepare

KINDS = ("normal", "uniform", "skewed", "heavy tails", "long", "sphere")


def held(values, sets=19, seed=0):
    streams = Streams(seed, ("test",))
    prepared = prepare(values, streams)
    return gate(
        prepared, streams, sets=sets, seed=seed, execution=Execution(backend="serial")
    )


@pytest.mark.parametrize("kind", KINDS)
def test_noise_is_not_claimed(kind):
    found = held(noise(kind, seed=1), sets=49)
    assert not found.open(gates.LEVEL)
    assert not found.gaps(gates.LEVEL)
    assert max(found.p_of.values()) == found.p


def test_clusters_pass_against_every_null_model():
    found = held(grouped()[0])
    assert found.p == 1 / 20
    assert found.sets == dict.fromkeys(
        ("box", "skewed columns", "skewed", "elliptical"), 19
    )
    assert set(found.p_of.values()) == {1 / 20}
    assert all(score.shape == (5,) for score in found.scores.values())
    assert max(score.max() for score in found.scores.values()) > 3


def test_rings_pass_by_their_gap_alone():
    found = held(rings()[0])
    assert not found.open(0.05)
    assert found.gaps(0.05)
    assert not found.gaps(0.04)  # 19 null sets cannot show it
    assert found.beaten


@pytest.mark.parametrize("kind", ["normal", "heavy tails", "long"])
def test_stopping_early_gives_the_answer_of_all_null_sets(monkeypatch, kind):
    values = noise(kind, seed=2)
    early = held(values, sets=49)
    monkeypatch.setattr(gates, "STAGES", ())
    late = held(values, sets=49)
    assert sum(early.sets.values()) < sum(late.sets.values())
    for level in (0.02, 0.05):
        assert early.open(level) == late.open(level)
        assert early.suggestive == late.suggestive
        assert early.gaps(level) == late.gaps(level)


def test_null_sets_on_a_sphere_have_the_spreads_of_the_data():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 8)) * [3, 2, 1, 1, 1, 1, 1, 1] + np.arange(8)
    rows -= rows.mean(axis=1, keepdims=True)
    rows /= np.sqrt((rows**2).sum(axis=1, keepdims=True))
    streams = Streams(0)
    coordinates = Coordinates.of(rows, streams)
    assert coordinates.sphere is not None
    models = null_models(coordinates, rows, streams)
    assert [type(model) for model in models] == [OnSphere, OnSphere]
    scores = coordinates.scores(rows)
    for model in models[1:]:  # a box is wider by its nature
        drawn = [
            model.draw(Dataset(scores), np.random.default_rng(b)).values
            for b in range(20)
        ]
        spread = np.mean([one.std(axis=0) for one in drawn], axis=0)
        np.testing.assert_allclose(spread, scores.std(axis=0), rtol=0.12)


def test_p_is_the_tail_of_a_new_value_among_the_null_sets():
    rng = np.random.default_rng(0)
    nulls = rng.normal(2.0, 3.0, 29)
    for value in (-4.0, 2.0, 5.0, 9.0):
        # The t-test of one value against a sample is the two-sample test with n = 1.
        oracle = scipy.stats.ttest_ind([value], nulls, alternative="greater").pvalue
        assert tail(np.array([value, *nulls])) == pytest.approx(max(oracle, 1 / 30))
    # No score at all is no evidence; null sets without one count as below the data.
    assert tail(np.array([-np.inf, *nulls])) == 1.0
    half = np.concatenate([[2.0], nulls, np.full(29, -np.inf)])
    whole = tail(np.array([2.0, *nulls]))
    assert tail(half) == pytest.approx(whole / 2)
    assert tail(np.array([9.0, -np.inf, -np.inf, 1.0])) == 1 / 4


def test_a_normal_statistic_keeps_its_level():
    rng = np.random.default_rng(1)
    p = np.array([tail(rng.normal(size=50)) for _ in range(4000)])
    assert np.mean(p <= 0.05) == pytest.approx(0.05, abs=0.012)
    assert np.mean(p <= 0.5) == pytest.approx(0.5, abs=0.03)


def test_every_statistic_has_a_p_of_its_own():
    data = {"silhouette": np.array([0.5, 0.9]), "separation": np.array([1.0, 2.0]),
            "modularity": np.array([0.5, 0.6]),
            "smallest": np.array([30.0, 30.0])}  # fmt: skip
    sets = 9
    rng = np.random.default_rng(0)
    nulls = {
        "silhouette": rng.normal(0.3, 0.01, (sets, 2)),
        "separation": rng.normal(0.5, 0.01, (sets, 2)),
        "modularity": rng.normal(0.2, 0.01, (sets, 2)),
        "smallest": np.full((sets, 2), 30.0),
    }
    assert p_values(data, nulls, 100) == dict.fromkeys(STATISTICS, 0.1)
    for name in STATISTICS:
        worse = p_values(data, {**nulls, name: nulls[name] + 9.0}, 100)
        assert apart(worse) == (name == "silhouette")
        assert worse.pop(name) > 0.99
        assert set(worse.values()) == {0.1}


def test_a_wide_cluster_beside_a_tight_one_is_seen():
    """Its items have their neighbours in the tight one, so the modularity is poor."""
    rng = np.random.default_rng(4)
    tight, wide = rng.normal(0, 0.6, (80, 10)), rng.normal(0, 1.4, (20, 10)) + 3
    found = stablek.verdict(np.vstack([tight, wide]))
    assert found.k == 2
    assert sorted(found.clusters["size"]) == [20, 80]


def test_clusters_in_one_column_are_seen():
    values = np.random.default_rng(0).normal(size=(120, 1))
    values[:60] += 8.0
    found = held(values)
    assert set(found.sets) == {"box", "skewed columns", "skewed"}
    assert found.open(0.05)


def test_long_clusters_side_by_side_are_seen():
    values = np.random.default_rng(0).normal(size=(200, 3)) * [3.0, 1.0, 1.0]
    values[:100, 1] += 6.0
    assert held(values).open(0.05)


def test_a_k_with_a_tiny_cluster_opens_no_gate():
    data = {"silhouette": np.array([0.2, 0.9]), "smallest": np.array([30.0, 4.0])}
    nulls = {"silhouette": np.full((9, 2), 0.3), "smallest": np.full((9, 2), 30.0)}
    top = largest(data, nulls, "silhouette", 100)
    assert (top[1:] > top[0]).all()
    data["smallest"] = np.array([4.0, 4.0])
    for name in STATISTICS[1:]:
        data[name], nulls[name] = data["silhouette"], nulls["silhouette"]
    assert p_values(data, nulls, 100) == dict.fromkeys(STATISTICS, 1.0)


@pytest.mark.parametrize("small", [12, 20, 30])
def test_a_large_cluster_and_a_small_one_are_evidence(small):
    rng = np.random.default_rng(small)
    values = rng.normal(size=(120, 5))
    values[:small, 0] += 7.0
    found = stablek.verdict(values, **{**QUICK, "null_sets": 19})
    assert found.k == 2
    assert sorted(np.bincount(found.labels)[1:]) == [small, 120 - small]


@pytest.mark.parametrize(("level", "sets"), [(0.02, 49), (0.05, 19), (0.1, 9), (1, 1)])
def test_so_many_null_sets_show_a_level(level, sets):
    assert sets_needed(level) == sets
    assert 1 / (1 + sets) <= level + 1e-12
    assert sets == 1 or 1 / sets > level


def test_too_few_null_sets_give_a_hint_and_say_how_many_it_takes():
    values, _ = grouped()
    few = {**QUICK, "null_sets": 4, "level": 0.02}
    found = stablek.verdict(values, **few)
    assert (found.k, found.best_guess, found.p) == (1, 4, 0.2)
    assert found.strength == "suggestive"
    assert "4 of each kind are too few (p ≤ 0.2). Use 49 or more." in found.sentence
    assert "rarely" not in found.sentence
    assert found.next_steps[0] == "Repeat with more null sets: null_sets=49."
    (note,) = (note for note in found.notes if "null sets" in note)
    assert note == "4 null sets can show no p below 0.2; use 49 or more to reach 0.02"
    enough = stablek.verdict(values, **{**QUICK, "null_sets": 49})
    assert (enough.k, enough.strength) == (4, "strong")
    assert not any("null sets" in note for note in enough.notes)


def test_a_level_that_few_null_sets_show_is_weak_evidence():
    found = stablek.verdict(grouped()[0], **{**QUICK, "null_sets": 4, "level": 0.2})
    assert (found.k, found.strength, found.p) == (4, "weak", 0.2)
    assert "sometimes look like this (p ≤ 0.2)" in found.sentence


def test_few_null_sets_of_noise_are_no_hint():
    few = {**QUICK, "null_sets": 9, "level": 0.02}
    found = stablek.verdict(noise("normal"), **few)
    assert (found.k, found.strength) == (1, "none")
    assert "too few" not in found.sentence


def test_rings_need_as_many_null_sets_as_blobs():
    values, _ = rings()
    found = stablek.verdict(values, **{**QUICK, "null_sets": 9, "level": 0.02})
    assert (found.k, found.strength) == (1, "suggestive")
    assert "Use 49 or more" in found.sentence
