"""K-means gives one answer, whichever kernel runs."""

import numpy as np
import pytest
from blobs import blobs

from stablek.data import Dataset, Sample
from stablek.data.seeds import Streams
from stablek.kernels.tier import Tier
from stablek.paradigm.cluster import algorithm, by_pairs

KS = (2, 3, 4, 7, 12)


def labels_of(word, sample, ks=KS):
    return algorithm(word).partitions(sample, ks, Streams(5))


@pytest.fixture
def table():
    values = blobs(50, 80, 3, away=2.0)
    values[7] = values[8]  # random starts take both, and one cluster runs empty
    return Dataset(values)


def count_calls(monkeypatch, name):
    calls = []
    real = getattr(by_pairs, name)

    def counted(*given):
        calls.append(given)
        return real(*given)

    monkeypatch.setattr(by_pairs, name, counted)
    return calls


@pytest.mark.parametrize("word", ["kmeans-r", "kmeans-a", "kmeans-w"])
@pytest.mark.parametrize("draw", ["all", "some", "twice", "dropped"])
def test_both_kernels_give_one_answer(monkeypatch, table, word, draw):
    rows = np.arange(50)
    if draw == "some":
        rows = rows[::2]
    elif draw == "twice":
        rows = np.sort(np.random.default_rng(1).integers(0, 50, 50))
    sample = Sample(table, rows, dropped=3 if draw == "dropped" else None)
    monkeypatch.setattr(Tier, "pays", lambda *_: False)
    plain = labels_of(word, sample)
    monkeypatch.setattr(Tier, "pays", lambda *_: True)
    monkeypatch.setattr(by_pairs, "PAIR", 0.0)  # the distances cost nothing
    calls = count_calls(monkeypatch, "lloyd_by_pairs")
    np.testing.assert_array_equal(labels_of(word, sample), plain)
    assert len(calls) == 1


def test_what_one_kernel_gives_up_the_other_does(monkeypatch, table):
    monkeypatch.setattr(Tier, "pays", lambda *_: True)
    monkeypatch.setattr(by_pairs, "PAIR", 0.0)
    calls = count_calls(monkeypatch, "_by_columns")
    ks = np.arange(20, 40)
    start = np.concatenate([np.arange(k) for k in ks])  # 7 and 8 are in all of them
    whole = table.whole()
    found = by_pairs.lloyd_of_sample(whole, start, ks, 100)
    assert calls
    np.testing.assert_array_equal(
        found, by_pairs.lloyd_from_rows(table.values, start, ks)[0]
    )


@pytest.mark.parametrize("word", ["kmeans-a", "kmeans-s"])
def test_many_draws_get_what_each_gets_alone(monkeypatch, table, word):
    monkeypatch.setattr(Tier, "pays", lambda *_: True)
    rng = np.random.default_rng(2)
    draws = [np.sort(rng.permutation(50)[:40]) for _ in range(6)]
    draws.append(np.sort(rng.integers(0, 50, 40)))
    labels = np.full((len(draws), len(KS), 50), 255, np.uint8)
    clusterer = algorithm(word)
    clusterer.prepare(table)
    clusterer.label_draws(table, draws, KS, labels)
    monkeypatch.setattr(Tier, "pays", lambda *_: False)
    for rows, found in zip(draws, labels, strict=True):
        alone = labels_of(word, Sample(table, rows))
        wanted = np.full((len(KS), 50), 255, np.uint8)
        wanted[:, rows[::-1]] = alone[:, ::-1]
        np.testing.assert_array_equal(found, wanted)


def test_distances_are_made_once_the_runs_have_cost_as_much(monkeypatch, table):
    monkeypatch.setattr(Tier, "pays", lambda *_: True)
    monkeypatch.setattr(by_pairs, "PAIR", 1.0)
    known = []
    for _ in range(20):
        labels_of("kmeans-r", table.whole())
        known.append(table.knows("euclidean"))
    assert not known[0]
    assert known[-1]


def test_few_columns_are_left_to_their_kernel(monkeypatch):
    monkeypatch.setattr(Tier, "pays", lambda *_: True)
    calls = count_calls(monkeypatch, "lloyd_by_pairs")
    narrow = Dataset(blobs(400, 2, 3))
    narrow.distances("euclidean")
    labels_of("kmeans-r", narrow.whole())
    assert not calls
