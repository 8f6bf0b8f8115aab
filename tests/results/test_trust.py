"""Trust per cluster and item; merges and splits."""

import numpy as np
import pytest

from stablek.results.trust import (
    cluster_trust,
    item_standing,
    jaccard_word,
    moves,
    nested,
)

PARTITION = np.repeat([0, 1], 5)
VALUES = np.concatenate([np.arange(5.0), 20 + np.arange(5.0)])[:, None]


def test_clusters_found_again_in_every_subsample_are_highly_stable():
    labels = np.tile(PARTITION, (4, 1)).astype(np.uint8)
    labels[0, 0] = labels[1, 9] = 255
    first, second = cluster_trust(PARTITION, labels, VALUES)
    assert first.jaccard == second.jaccard == 1
    assert first.consensus == 1
    assert first.word == "highly stable"
    assert (first.nearest, second.nearest) == (2, 1)
    assert first.gap > 2
    assert first.valley < 0.1


def test_an_item_that_moves_half_of_the_time_sits_between():
    labels = np.tile(PARTITION, (4, 1)).astype(np.uint8)
    labels[:2, 4] = 1
    place = item_standing(PARTITION, labels)
    assert np.flatnonzero(place.between).tolist() == [4]
    assert place.own[4] == pytest.approx(0.5)
    assert place.second[4] == pytest.approx(0.5)
    assert place.margin[0] > 0.8


def test_the_thresholds_are_those_of_clusterboot():
    words = [jaccard_word(j) for j in (0.85, 0.84, 0.75, 0.6, 0.59, 0.49)]
    assert words == [
        "highly stable",
        "stable",
        "stable",
        "unclear boundaries",
        "not to be trusted",
        "dissolved",
    ]
    assert jaccard_word(float("nan")) == "never drawn"


def test_every_item_moves_once_from_each_k_to_the_next():
    rng = np.random.default_rng(0)
    partitions = np.array([rng.permutation(np.arange(30) % k) for k in (2, 3, 4)])
    labels = np.repeat(partitions[:, None], 5, axis=1).astype(np.uint8)
    found = moves((2, 3, 4), partitions, labels, least=0.0)
    for k in (2, 3, 4):
        assert sum(m.items for m in found if m.next_k == k) == 30
    assert all(m.target_jaccard == 1 for m in found)
    assert {m.source for m in found if m.next_k == 2} == {1}


def test_a_refinement_is_nested_and_a_crossing_is_not():
    coarse = np.repeat([0, 1], 6)
    assert nested(coarse, np.repeat([0, 1, 2, 3], 3)) == 1
    assert nested(coarse, np.tile([0, 1], 6)) == 0.5
