import numpy as np
import pytest

from stablek.api.choose_k import choose_k
from stablek.paradigm.statistic import anchors as module
from stablek.paradigm.statistic.anchors import anchors
from stablek.results.trust import item_standing


def noisy(n, repeats, seed=0):
    """Two clusters; in every repeat a tenth of the labels is wrong, a fifth missing."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    labels = np.tile(truth, (repeats, 1))
    wrong = rng.random(labels.shape) < 0.1
    labels[wrong] = 1 - labels[wrong]
    labels = labels.astype(np.uint8)
    labels[rng.random(labels.shape) < 0.2] = 255
    return truth, labels


def test_where_every_item_is_looked_at_it_is_the_trust_of_the_items():
    truth, labels = noisy(120, 30)
    found = anchors(truth, labels)
    exact = item_standing(truth, labels)
    assert sorted(found.items) == list(range(120))
    for place, item in enumerate(found.items):
        assert found.consensus[place] == pytest.approx(exact.own[item])
        assert found.rival[place] == pytest.approx(exact.second[item])
        assert found.runner_up[place] == exact.rival[item]


def test_the_stated_error_covers_what_looking_at_some_partners_misses(monkeypatch):
    truth, labels = noisy(900, 40)
    exact = item_standing(truth, labels).own
    monkeypatch.setattr(module, "ANCHORS", 100)
    monkeypatch.setattr(module, "PARTNERS", 200)
    found = anchors(truth, labels)
    off = np.abs(found.consensus - exact[found.items])
    assert (off <= 2 * found.error).mean() > 0.95
    assert found.error.max() < 0.1


def test_a_run_on_many_items_tells_the_trust_in_its_anchors():
    rng = np.random.default_rng(0)
    far = rng.normal(size=(3, 4))[rng.integers(0, 3, 10_500)] * 9
    values = far + rng.normal(size=far.shape)
    result = choose_k(values, "fc", "kmeans-mb", range(2, 5), repeats=4)
    trust = result.facts["anchors"]
    assert trust["items"] == 500
    assert trust["consensus"] > 0.95
    assert trust["between"] <= 0.02
    assert "anchors" not in choose_k(values[:50], "fc", ks=range(2, 4), repeats=4).facts
