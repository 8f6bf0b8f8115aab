"""Borders: a valley between clusters, and none in a continuum."""

from __future__ import annotations

import numpy as np
import pytest
from made_sets import QUICK, grouped

import stablek
from stablek.data.seeds import stream
from stablek.panel.borders import CONTINUUM, Borders
from stablek.panel.finding import COMES_BACK, TOUCHING_GROUPS
from stablek.panel.gate import Gate
from stablek.panel.panel import Panel
from stablek.panel.sentence import looks_clearer
from stablek.panel.words import TABLE_LOOKS_CLEARER, border_sentence
from stablek.paradigm.statistic.borders import FOLDS, clearest_valley
from stablek.paradigm.statistic.valley import held_out_valley


@pytest.mark.parametrize("k", [2, 3])
def test_pieces_of_a_bent_continuum_have_no_border(k):
    angle = np.sort(np.random.default_rng(0).random(300)) * 5
    arc = np.column_stack([np.cos(angle), np.sin(angle)])
    assert clearest_valley(arc, np.arange(300) * k // 300) > CONTINUUM


def test_long_clusters_side_by_side_have_a_border():
    rng = np.random.default_rng(0)
    part = np.arange(200) % 2
    values = rng.normal(size=(200, 2)) * [12.0, 1.0]
    values[:, 1] += 6.0 * part
    assert clearest_valley(values, part) < CONTINUUM


def test_groups_that_touch_are_a_hint_and_no_evidence(monkeypatch):
    monkeypatch.setattr(Gate, "clear", False)
    monkeypatch.setattr("stablek.panel.finding.doubt_of", lambda *_: TOUCHING_GROUPS)
    monkeypatch.setattr("stablek.panel.gate.GAP", 99.0)  # and no gap counts
    values, _ = grouped(3, 40, apart=5.0)
    found = stablek.verdict(values, **QUICK)
    assert 0.02 <= found.p <= 0.05
    assert (found.k, found.strength) == (1, "suggestive")
    assert found.best_guess > 1
    assert "the groups touch" in found.sentence
    assert any("trajectory" in step for step in found.next_steps)


def test_pieces_of_a_continuum_are_never_more_than_weak():
    z = {"box": np.array([9.0])}
    gate = Gate(0.01, {}, {}, 1.0, 0.0, 1.0, z, (2,), {"box": 99})
    assert gate.at_most("strong", continuum=False) == "strong"
    assert gate.at_most("moderate", continuum=False) == "moderate"
    assert gate.at_most("strong", continuum=True) == "weak"


def trajectory(seed, n=300):
    """Genes that are switched on one after another, and noise: a bent continuum."""
    rng = np.random.default_rng(seed)
    time, on = rng.random(n)[:, None], rng.random(30)
    return 3 / (1 + np.exp(-(time - on) / 0.1)) + 0.7 * rng.normal(size=(n, 30))


@pytest.mark.parametrize("seed", range(3))
def test_pieces_of_a_continuum_are_weak_at_most(seed):
    found = stablek.verdict(trajectory(seed), **QUICK)
    assert found.facts["valley"] > CONTINUUM
    assert found.strength in ("weak", "suggestive", "none")
    if found.k > 1:
        assert "pieces of a continuum" in found.sentence


def test_the_valley_is_that_of_the_clearest_border():
    rng = np.random.default_rng(1)
    part = np.repeat([0, 1, 2], 60)
    values = rng.normal(size=(180, 2))
    values[:, 0] += np.array([0.0, 2.0, 29.0])[part]  # two touch, the third is alone
    assert clearest_valley(values, part) == 0.0
    two = part < 2
    touching = clearest_valley(values[two], part[two])
    halves = []
    for cluster, sign in ((0, 1), (1, -1)):
        own = values[part == cluster]
        along = sign * (own @ (values[part == 1].mean(0) - values[part == 0].mean(0)))
        halves.append(own[along >= np.median(along)])
    by_hand = [
        np.mean([held_out_valley(a, b, stream(0, "facing", 2, x, 1 - x, h))
                 for h in range(FOLDS)])
        for x, (a, b) in enumerate((halves, halves[::-1]))
    ]  # fmt: skip
    assert touching > CONTINUUM
    assert touching == pytest.approx(min(by_hand))


def test_clusters_too_small_to_tell_have_no_valley_to_find():
    values = np.random.default_rng(0).normal(size=(20, 2))
    assert clearest_valley(values, np.repeat([0, 1], 10)) == 0.0


def test_a_lead_over_all_null_models_is_the_smallest():
    z = {"box": np.array([3.0, 12.0]), "skewed": np.array([11.0, 2.0])}
    gate = Gate(0.01, {}, {}, 1.0, 0.0, 1.0, z, (2, 3), {"box": 99})
    assert gate.lead == 11.0


def test_groups_that_do_not_come_back_are_a_hint_and_no_evidence(monkeypatch):
    values, _ = grouped(3, 40, apart=4.0)
    monkeypatch.setattr(Gate, "clear", False)
    assert stablek.verdict(values, **QUICK).k == 3
    monkeypatch.setattr(Panel, "comes_back", COMES_BACK - 0.01)
    found = stablek.verdict(values, **QUICK)
    assert (found.k, found.strength) == (1, "suggestive")
    assert found.best_guess == 3
    assert "not found again in the other half" in found.sentence
    assert found.facts["comes_back"] < COMES_BACK


def test_a_lead_over_every_null_model_settles_the_doubt(monkeypatch):
    values, _ = grouped(3, 40, apart=4.0)
    monkeypatch.setattr(Gate, "clear", True)
    monkeypatch.setattr(Panel, "comes_back", 0.0)
    assert stablek.verdict(values, **QUICK).k == 3


def test_it_is_said_why_the_table_shows_clearer_borders_than_the_sentence():
    """Five pieces of the wines: in the table every valley is below 0.2."""
    wine = pytest.importorskip("sklearn.datasets").load_wine().data
    found = stablek.verdict(wine, 5, jobs=1)
    assert found.clusters["valley"].max() < CONTINUUM < found.facts["valley"]
    assert "On held-out items, no border between two clusters" in found.sentence
    assert "On held-out items, no border" in found.headline
    assert TABLE_LOOKS_CLEARER in found.details
    assert found.details[-1].endswith(
        "most of the variance. As given, the answer would be: no evidence of clusters."
    )
    assert found.sentence == " ".join([found.headline, *found.details])


def test_a_continuum_in_the_table_too_needs_no_remark():
    assert border_sentence(Borders(0.5), 0).startswith("On held-out items")
    assert looks_clearer([{"valley": 0.9}, {"valley": 0.2}])
    assert not looks_clearer([{"valley": 0.9}, {"valley": None}])
