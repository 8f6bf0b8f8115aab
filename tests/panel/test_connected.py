"""Groups of any shape with gaps between them, and blobs that are none of these."""

import numpy as np
import pytest
from made_sets import QUICK, grouped, moons, rings

import stablek
from stablek.datasets.mixtures import mixture
from stablek.panel import gate as gates
from stablek.paradigm.indices import adjusted_rand, contingency


@pytest.mark.parametrize("shape", [rings, moons])
def test_rings_and_moons_are_found_as_they_are(shape):
    values, truth = shape()
    found = stablek.verdict(values, **QUICK)
    assert (found.k, found.facts["shape"]) == (2, "connected")
    assert adjusted_rand(contingency(found.labels, truth)) == 1
    assert found.strength == "moderate"
    assert found.p == found.facts["p_connected"] == 0.05
    if shape is rings:  # they have no compact clusters
        assert found.facts["p_compact"] > 0.2
    assert found.p_of == {}
    assert found.result.reason == "p ≤ 0.05"
    assert found.sentence.startswith("2 groups, separated by gaps but not compact.")
    assert found.levels == ()
    assert found.dissent == ()
    np.testing.assert_array_equal(found.labels_at(2), found.labels)
    assert np.isnan(found.items["consensus"]).all()
    assert found.clusters["size"].tolist() == [120, 120]


def test_gaps_that_few_null_sets_cannot_prove_are_told_with_their_p():
    found = stablek.verdict(rings()[0], **{**QUICK, "null_sets": 4})
    assert (found.k, found.strength, found.p) == (1, "suggestive", 0.2)
    assert "4 of each kind are too few (p ≤ 0.2)" in found.sentence


def test_gaps_too_narrow_to_count_the_groups_are_a_hint():
    blurred = rings(300)[0] + np.random.default_rng(2).normal(0, 0.3, (300, 2))
    found = stablek.verdict(blurred, **{**QUICK, "null_sets": 49})
    assert (found.k, found.strength, found.p) == (1, "suggestive", 0.02)
    assert found.facts["p_compact"] > 0.5
    assert "too narrow to count the groups" in found.headline
    assert "one around another" in found.next_steps[0]


def test_round_clusters_stay_compact():
    found = stablek.verdict(grouped()[0], **QUICK)
    assert found.facts["shape"] == "compact"
    assert found.facts["gap"] > 0


def test_wide_gaps_around_compact_clusters_are_named():
    made = mixture("two-level", 4, 2, 3, bayes_error=0.01)
    found = stablek.verdict(made.values, **QUICK)
    assert (found.k, found.facts["shape"]) == (4, "compact")
    assert "Wide gaps part the clusters into 2 groups." in found.sentence
    assert found.facts["groups_by_gaps"] == 2
    plain = stablek.verdict(mixture("equal", 3, 2, 3, bayes_error=0.01).values, **QUICK)
    assert plain.k == 3
    assert "Wide gaps" not in plain.sentence
    assert plain.facts["groups_by_gaps"] == 0


def test_items_that_the_gate_did_not_see_go_with_their_neighbours(monkeypatch):
    values, truth = rings(400)
    monkeypatch.setattr(gates, "ROWS", 250)
    found = stablek.verdict(values, **QUICK)
    assert found.facts["shape"] == "connected"
    assert adjusted_rand(contingency(found.labels, truth)) == 1
