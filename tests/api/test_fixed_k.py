"""Assessment at a fixed k: votes, bagging and replication."""

import json
import warnings

import numpy as np
import pytest

import stablek
from stablek.datasets import mixture
from stablek.errors import InputError
from stablek.measures.fixed_k import METHODS
from stablek.paradigm.indices import adjusted_rand, contingency
from stablek.paradigm.statistic.bagging import bagged, majority, votes


def separated(seed=0):
    return mixture("equal", 3, 5, seed, separation=9.0, n=75)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_separated_clusters_are_kept_with_full_confidence(method):
    made = separated()
    found = stablek.assess(made.values, 3, method, repeats=12)
    assert adjusted_rand(contingency(made.labels, found.labels)) == 1
    assert np.nanmin(found.confidence) > 0.95
    assert found.value > 0.95
    assert len(found.table) == 75


@pytest.mark.parametrize("method", sorted(METHODS))
def test_an_item_between_two_clusters_is_less_sure_than_the_others(method):
    rng = np.random.default_rng(1)
    values = np.concatenate(
        [rng.normal(0, 1, (30, 2)), rng.normal([12, 0], 1, (30, 2)), [[6.0, 0.0]]]
    )
    found = stablek.assess(values, 2, method, "kmeans-r", repeats=60, seed=3)
    assert found.confidence[60] < 0.95
    assert np.nanmedian(found.confidence[:60]) > found.confidence[60]


@pytest.mark.parametrize("method", sorted(METHODS))
def test_the_same_seed_gives_the_same_bits_for_any_number_of_workers(method):
    made = mixture("unequal", 3, 4, 1, bayes_error=0.05)
    texts = {
        stablek.assess(
            made.values, 3, method, "kmeans-r", repeats=9, seed=5, jobs=jobs
        ).to_json()
        for jobs in (1, 2)
    }
    assert len(texts) == 1
    again = json.loads(texts.pop())
    assert again["method"] == method
    assert len(again["labels"]) == len(made.values)


def test_votes_count_every_drawn_item_once_after_matching():
    start = np.array([0, 0, 0, 1, 1, 1])
    labels = np.array(
        [[1, 1, 255, 0, 0, 0], [0, 0, 0, 1, 1, 0]], np.uint8
    )  # the first is renamed, in the second the last item moved
    counts = votes(labels, start, 2)
    assert counts.tolist() == [[2, 0], [2, 0], [1, 0], [0, 2], [0, 2], [1, 1]]
    found, confidence, margin = majority(counts, start)
    assert found.tolist() == [0, 0, 0, 1, 1, 1]  # a tie stays where it was
    assert confidence.tolist() == [1, 1, 1, 1, 1, 0.5]
    assert margin.tolist() == [1, 1, 1, 1, 1, 0]


def test_an_item_never_drawn_keeps_its_cluster_and_nothing_is_claimed_of_it():
    counts = np.array([[0, 0], [0, 3]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, confidence, margin = majority(counts, np.array([1, 0]))
    assert found.tolist() == [1, 1]
    assert np.isnan(confidence[0])
    assert np.isnan(margin[0])


def test_bagclust2_clusters_one_minus_the_share_of_common_clusters():
    labels = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]], np.uint8)
    found, own, margin = bagged(labels, 2, "average")
    assert found.tolist() == [0, 0, 1, 1]
    np.testing.assert_allclose(own, [1, 1, 2 / 3, 2 / 3])
    np.testing.assert_allclose(margin, [1 - 1 / 6, 1 - 1 / 6, 1 / 3, 2 / 3])


def test_wrong_wishes_are_refused_with_a_remedy():
    made = separated()
    with pytest.raises(InputError, match="did you mean 'bagclust"):
        stablek.assess(made.values, 3, "bagclust")
    with pytest.raises(InputError, match="at least 2"):
        stablek.assess(made.values, 1)
    with pytest.raises(InputError, match="no setting 'training'; it has: repeats"):
        stablek.assess(made.values, 3, "bagclust1", training=0.5)
    with pytest.raises(InputError, match="unknown linkage 'ward2'; did you mean 'ward"):
        stablek.assess(made.values, 3, "bagclust2", linkage="ward2")
    with pytest.raises(
        InputError, match=r"replicating clusters parts of .* largest possible k"
    ):
        stablek.assess(made.values, 60, "replicating")


def test_a_k_of_numpy_is_kept_as_a_plain_number():
    found = stablek.assess(separated().values, np.int64(3), repeats=np.int64(4))
    assert json.loads(found.to_json())["k"] == 3
    with pytest.raises(InputError, match=r"2\.5; pass whole numbers"):
        stablek.assess(separated().values, 2.5)


@pytest.mark.parametrize(
    ("method", "given", "told"),
    [
        ("replicating", {"training": "abc"}, "training = 'abc' must be a number"),
        ("replicating", {"classifier": 3}, "classifier = 3 must be a name"),
        ("bagclust1", {"repeats": 2.5}, "repeats = 2.5 must be a whole number"),
        ("bagclust2", {"linkage": 3}, "unknown linkage '3'"),
    ],
)
def test_a_setting_of_the_wrong_kind_says_what_is_expected(method, given, told):
    with pytest.raises(InputError, match=told):
        stablek.assess(separated().values, 3, method, **given)


@pytest.mark.parametrize("method", ["replicating", "bagclust1"])
def test_noise_items_make_more_labels_than_k_and_break_nothing(method):
    class Noisy:
        def __init__(self):
            self.n_clusters = 2

        def fit_predict(self, values):
            order = values[:, 0].argsort().argsort()
            labels = order * self.n_clusters // len(values)
            return np.where(order % 7 == 0, -1, labels)

    found = stablek.assess(separated().values, 3, method, Noisy(), repeats=4, jobs=1)
    assert np.isfinite(found.value)
