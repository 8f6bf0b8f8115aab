"""Above a number of items pairs are sampled; the error that adds is told and true."""

import numpy as np
import pytest

from stablek.api.choose_k import choose_k
from stablek.data import Dataset
from stablek.engine.plan import distinct_rows
from stablek.paradigm.statistic import comembership
from stablek.testing import some_data


@pytest.fixture
def few_pairs(monkeypatch):
    monkeypatch.setattr(comembership, "ALL_PAIRS_ITEMS", 100)
    monkeypatch.setattr(comembership, "SAMPLED_PAIRS", 20_000)


def curve(data):
    return choose_k(data, "fc", "kmeans-w", range(2, 7), repeats=20)


def test_sampled_pairs_give_the_curve_of_all_pairs_within_their_error(few_pairs):
    data = some_data(300, 4, 4)
    sampled = curve(data)
    comembership.ALL_PAIRS_ITEMS = 1000
    exact = curve(data)
    error = sampled.columns["pairs_error"]
    assert (error > 0).all()
    off = np.abs(sampled.columns["area"] - exact.columns["area"])
    assert (off <= 4 * error).all()
    assert off.max() > 0
    assert "pairs_error" not in exact.columns
    assert sampled.k_star == exact.k_star
    assert (sampled.columns["area_error"] > exact.columns["area_error"]).all()


def test_the_pairs_are_pairs_of_different_items_and_always_the_same(few_pairs):
    pairs = comembership.sampled_pairs(50)
    assert pairs.shape == (20_000, 2)
    assert (pairs[:, 0] != pairs[:, 1]).all()
    assert pairs.min() >= 0
    assert pairs.max() < 50
    assert np.array_equal(pairs, comembership.sampled_pairs(50))


def test_every_pair_is_as_likely_as_any_other(few_pairs):
    pairs = np.sort(comembership.sampled_pairs(5), axis=1)
    counts = np.bincount(pairs[:, 0] * 5 + pairs[:, 1], minlength=25)
    counts = counts[counts > 0]
    assert len(counts) == 10
    assert np.abs(counts / 2000 - 1).max() < 0.1


def test_k_means_for_many_items_finds_what_k_means_finds():
    data = some_data(30_000, 3, 4)
    result = choose_k(data, "fc", "kmeans-mb", range(2, 8), repeats=6)
    assert result.k_star == 4
    assert result.columns["pairs_error"].max() < 0.01


def test_distinct_rows_are_counted_no_further_than_needed():
    rows = np.repeat(np.arange(3000.0), 2)[:, None]
    assert distinct_rows(Dataset(rows), 10) == 10
    assert distinct_rows(Dataset(rows), 10_000) == 3000
    assert distinct_rows(Dataset(np.zeros((50, 2))), 5) == 1
    assert distinct_rows(Dataset(np.array([[0.0], [-0.0], [1.0]])), 5) == 2
    assert distinct_rows(Dataset(np.array([[0.0], [-0.0], [1.0]], np.float32)), 5) == 2
