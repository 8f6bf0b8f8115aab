"""Matched costs against trying every permutation of the labels."""

from itertools import permutations

import numpy as np
import pytest

from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.bagging import votes
from stablek.paradigm.statistic.misclassification import (
    Misclassification,
    cost,
    matching,
    random_cost,
)


def cost_by_all_permutations(first, second, k):
    return min(
        np.mean([p[b] != a for a, b in zip(first, second, strict=True)])
        for p in permutations(range(k))
    )


@pytest.mark.parametrize("k", [2, 3, 5])
def test_the_cost_is_the_least_over_all_permutations_of_the_labels(k):
    rng = np.random.default_rng(k)
    for _ in range(10):
        first, second = rng.integers(k, size=(2, 17))
        expected = cost_by_all_permutations(first, second, k)
        assert cost(first, second, k) == pytest.approx(expected)


def test_renamed_labels_cost_nothing_and_are_matched_back():
    labels = np.array([0, 1, 2, 2, 1, 0, 0])
    renamed = np.array([2, 0, 1])[labels]
    assert cost(labels, renamed, 3) == 0
    assert matching(labels, renamed, 3)[renamed].tolist() == labels.tolist()


def test_random_labellings_cost_less_than_all_items_and_always_the_same():
    assert 0.3 < random_cost(40, 2) < 0.5
    assert random_cost(40, 10) > random_cost(40, 2)
    before = random_cost(40, 5)
    random_cost.cache_clear()
    assert random_cost(40, 5) == before


def test_the_statistic_divides_by_chance_and_reads_common_items_only():
    cube = PartitionCube(2, (1, 2), 2, 6)
    first, second = [0, 0, 1, 1, 255, 255], [1, 1, 0, 1, 255, 0]
    both = np.array([first, second], np.uint8)
    cube.put(0, (1, 2), np.stack([both, both]))
    scores = Misclassification().collect(cube, None)
    assert scores.shape == (2, 2)
    assert scores[0, 1] == pytest.approx(0.25 / random_cost(4, 2))
    assert np.isnan(scores[0, 0])  # at k = 1 chance costs nothing
    assert np.isnan(scores[1]).all()  # a repeat that was not filled


def test_one_common_item_says_nothing_of_two_labellings():
    cube = PartitionCube(1, (2,), 2, 4)
    cube.put(0, (2,), np.array([[[0, 1, 1, 255], [255, 255, 0, 1]]], np.uint8))
    assert np.isnan(Misclassification().collect(cube, None)).all()


def test_labels_beyond_k_are_matched_like_the_others():
    first = np.array([0, 0, 1, 1, 2, 3], np.uint8)
    second = np.array([1, 1, 0, 0, 4, 2], np.uint8)
    assert cost(first, second, 2) == 0
    counts = votes(second[None], first.astype(np.int64), 2)
    assert (counts.argmax(axis=1) == first).all()
