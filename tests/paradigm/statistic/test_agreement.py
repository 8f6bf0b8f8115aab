"""Agreement of two roles, on the items both hold."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, fowlkes_mallows_score

from stablek.api.choose_k import choose_k
from stablek.errors import InputError
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.indices import INDICES, contingency, f_index
from stablek.paradigm.statistic.agreement import Agreement


def random_cube(seed=0, repeats=4, ks=(2, 3, 5), n=40, equal=False):
    rng = np.random.default_rng(seed)
    cube = PartitionCube(repeats, ks, 2, n)
    for repeat in range(repeats):
        for k in ks:
            labels = rng.integers(k, size=(2, n)).astype(np.uint8)
            if equal:
                labels[1] = (labels[0] + 1) % k
            labels[rng.random((2, n)) < 0.2] = 255
            cube.put(repeat, (k,), labels[None])
    return cube


@pytest.mark.parametrize("index", sorted(INDICES))
def test_identical_partitions_agree_by_one_whatever_their_labels(index):
    scores = Agreement(index).collect(random_cube(equal=True), None)
    np.testing.assert_allclose(scores, 1.0)


@pytest.mark.parametrize(
    ("index", "peer"),
    [
        ("adj", adjusted_rand_score),
        ("fm", fowlkes_mallows_score),
        ("f", lambda a, b: f_index(contingency(a, b))),
    ],
)
def test_scores_equal_those_of_a_peer_on_the_common_items(index, peer):
    cube = random_cube(1)
    scores = Agreement(index).collect(cube, None)
    for repeat in range(cube.repeats):
        for column in range(len(cube.ks)):
            first, second = cube.labels[repeat, column]
            both = (first != 255) & (second != 255)
            expected = peer(first[both], second[both])
            assert scores[repeat, column] == pytest.approx(expected, abs=1e-12)


def test_a_missing_repeat_has_no_score_and_does_not_shift_others():
    cube = random_cube(2)
    whole = Agreement().collect(cube, None)
    cube.filled[1, 2] = False
    scores = Agreement().collect(cube, None)
    assert np.isnan(scores[1, 2])
    scores[1, 2] = whole[1, 2]
    np.testing.assert_array_equal(scores, whole)


def test_an_unknown_index_is_refused_when_the_measure_is_declared():
    with pytest.raises(InputError, match="unknown index"):
        Agreement("ari")


@pytest.mark.parametrize("index", sorted(INDICES))
@pytest.mark.parametrize(
    ("first", "second", "known"),
    [
        ([0, 1, 2, 3, 4, 255, 255, 255], [255, 255, 255, 255, 0, 1, 2, 3], False),
        ([0, 1, 0, 1, 255, 255], [255, 255, 0, 1, 0, 1], False),  # two, apart
        ([0, 1, 0, 0, 255, 255], [255, 255, 0, 0, 0, 1], False),  # two, together
        ([0, 1, 0, 0, 255, 255], [255, 255, 0, 1, 0, 1], False),  # one of each
        ([0, 1, 2, 0, 0, 1, 255], [255, 255, 255, 0, 0, 1, 2], True),  # three, split
        ([0, 0, 0, 0, 1, 255], [0, 0, 0, 0, 255, 1], True),  # most of both samples
    ],
)
def test_few_common_items_all_apart_or_all_together_have_no_score(
    index, first, second, known
):
    cube = PartitionCube(1, (2,), 2, len(first))
    cube.put(0, (2,), np.array([[first, second]], np.uint8))
    assert np.isfinite(Agreement(index).collect(cube, None)[0, 0]) == known


def test_noise_is_not_called_stable_because_samples_share_too_little():
    noise = np.random.default_rng(0).normal(size=(40, 3))
    found = choose_k(noise, "me", "hier-a", fraction=0.1, jobs=1)
    assert found.k_star is None
    assert found.reason == "no two samples have items in common"
