"""Links across borders: few between clusters, as many as anywhere in a continuum."""

from __future__ import annotations

import numpy as np
import pytest
from made_sets import QUICK, grouped

import stablek
from stablek.data.seeds import stream
from stablek.panel.borders import (
    APART,
    FOLDS,
    NEIGHBOURS,
    TOUCHING,
    VALLEY,
    border_links,
    clearest_valley,
)
from stablek.panel.finding import COMES_BACK
from stablek.panel.gate import Gate
from stablek.panel.panel import Panel
from stablek.paradigm.statistic.valley import held_out_valley


def by_hand(scores, part):
    """The same, item by item."""
    n = len(scores)
    near = np.argsort(((scores[:, None] - scores) ** 2).sum(-1), axis=1)
    near = near[:, 1 : NEIGHBOURS + 1]
    links = {tuple(sorted((i, int(j)))) for i in range(n) for j in near[i]}
    logs = []
    for cluster in set(part.tolist()):
        own = [i for i in range(n) if part[i] == cluster]
        others = {
            other: sum({part[i], part[j]} == {cluster, other} for i, j in links)
            for other in set(part.tolist()) - {cluster}
        }
        centred = scores[own] - scores[own].mean(axis=0)
        covariance = centred.T @ centred
        direction = np.linalg.eigh(covariance)[1][:, -1]
        upper = {i for i, at in zip(own, centred @ direction, strict=True) if at > 0}
        cut = sum(
            part[i] == part[j] == cluster and (i in upper) != (j in upper)
            for i, j in links
        )
        logs.append(np.log((max(others.values()) + 1) / (cut + 1)))
    return np.exp(np.mean(logs))


def test_the_ratio_is_what_counting_by_hand_gives():
    values, truth = grouped(3, 20, apart=3.0)
    assert border_links(values, truth) == pytest.approx(by_hand(values, truth))


@pytest.mark.parametrize("k", [2, 3, 5])
def test_pieces_of_a_bent_continuum_touch(k):
    angle = np.sort(np.random.default_rng(0).random(300)) * 5
    arc = np.column_stack([np.cos(angle), np.sin(angle)])
    assert border_links(arc, np.arange(300) * k // 300) > APART


def test_clusters_with_a_valley_between_them_do_not():
    values, truth = grouped(4, 40)
    assert border_links(values, truth) < 0.2


def test_clusters_too_small_to_cut_say_nothing():
    values, truth = grouped(2, 5)
    assert border_links(values, truth) == 0.0


def test_groups_that_touch_are_a_hint_and_no_evidence():
    rng = np.random.default_rng(0)
    along = 3 * np.pi * (rng.random(400) - 0.5)
    sheet = [np.sin(along), 2 * rng.random(400), np.sign(along) * (np.cos(along) - 1)]
    values = np.column_stack(sheet) + 0.1 * rng.normal(size=(400, 3))
    found = stablek.verdict(values, **QUICK)
    assert found.facts["border_links"] >= TOUCHING
    assert 0.02 <= found.p <= 0.05
    assert (found.k, found.strength) == (1, "suggestive")
    assert found.best_guess > 1
    assert "the groups touch" in found.sentence
    assert any("trajectory" in step for step in found.next_steps)


def test_only_clusters_that_are_apart_are_strong():
    z = {"box": np.array([9.0])}
    gate = Gate(0.01, {}, {}, 1.0, 0.0, 1.0, z, (2,), {"box": 99})
    assert gate.at_most("strong", apart=True, continuum=False) == "strong"
    assert gate.at_most("strong", apart=False, continuum=False) == "moderate"
    assert gate.at_most("moderate", apart=False, continuum=False) == "moderate"
    assert gate.at_most("strong", apart=True, continuum=True) == "weak"


def trajectory(seed, n=300):
    """Genes that are switched on one after another, and noise: a bent continuum."""
    rng = np.random.default_rng(seed)
    time, on = rng.random(n)[:, None], rng.random(30)
    return 3 / (1 + np.exp(-(time - on) / 0.1)) + 0.7 * rng.normal(size=(n, 30))


@pytest.mark.parametrize("seed", range(3))
def test_pieces_of_a_continuum_are_weak_at_most(seed):
    found = stablek.verdict(trajectory(seed), **QUICK)
    assert found.facts["valley"] > VALLEY
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
    assert touching > VALLEY
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
