"""The plain form of a kernel, which small work gets, has the kernel's bits."""

import numpy as np
import pytest

from stablek.kernels.clusters import clusters_in_each
from stablek.kernels.comembership import (
    consensus_distances,
    consensus_matrix,
    item_consensus,
    shares_of_pairs,
)
from stablek.kernels.cuts import cut_all
from stablek.kernels.distances import METRICS, pairwise
from stablek.kernels.histogram import drawn_together, pair_histogram
from stablek.kernels.linkage import linkage, linkage_of_rows
from stablek.kernels.nearest import assign_each
from stablek.kernels.neighbours import nearest_items
from stablek.kernels.ranks import column_ranks
from stablek.kernels.reachability import reachability_tree
from stablek.kernels.tier import Tier


def both_ways(monkeypatch, call):
    """Return what a call gives by NumPy, and what by kernels."""
    monkeypatch.setattr(Tier, "pays", lambda *_: False)
    plain = call()
    monkeypatch.setattr(Tier, "pays", lambda *_: True)
    return np.asarray(plain), np.asarray(call())


def same_bits(plain, compiled):
    assert (plain.dtype, plain.shape) == (compiled.dtype, compiled.shape)
    assert plain.tobytes() == compiled.tobytes()


def drawn_labels(dtype, repeats=9, n=37, k=5):
    rng = np.random.default_rng(3)
    labels = rng.integers(0, k, (repeats, n)).astype(dtype)
    labels[rng.random(labels.shape) < 0.4] = np.iinfo(dtype).max
    labels[:, 5] = np.iinfo(dtype).max  # never drawn
    labels[1:, 6] = np.iinfo(dtype).max  # drawn once
    labels[2] = np.iinfo(dtype).max
    return labels


PAIRS = {
    "histogram": pair_histogram,
    "drawn": drawn_together,
    "matrix": consensus_matrix,
    "distances": consensus_distances,
    "items": lambda labels: item_consensus(labels, np.arange(37) % 4),
    "some items": lambda labels: item_consensus(
        labels, np.arange(37) // 10, np.array([5, 30])
    ),
    "shares": shares_of_pairs,
    "clusters": lambda labels: clusters_in_each(labels, np.iinfo(labels.dtype).max),
}


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("name", PAIRS)
def test_pairs_of_items(monkeypatch, name, dtype):
    labels = drawn_labels(dtype)
    same_bits(*both_ways(monkeypatch, lambda: PAIRS[name](labels)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_nearest_centre(monkeypatch, dtype):
    rng = np.random.default_rng(4)
    values = rng.integers(-3, 4, (700, 3)).astype(dtype)  # many at equal distance
    centres = [rng.integers(-3, 4, (k, 3)).astype(float) for k in (1, 4, 9)]
    same_bits(*both_ways(monkeypatch, lambda: assign_each(values, centres)))


@pytest.mark.parametrize("method", ["average", "complete", "ward", "single"])
@pytest.mark.parametrize("ties", [False, True])
def test_trees_of_few_items(monkeypatch, method, ties):
    rng = np.random.default_rng(5)
    points = rng.normal(size=(95, 2))
    points = points.round(1) if ties else points
    square = np.sqrt(np.square(points[:, None] - points[None]).sum(axis=2))
    rows = rng.permutation(95)[:80]
    same_bits(*both_ways(monkeypatch, lambda: linkage(square.copy(), method)))
    same_bits(*both_ways(monkeypatch, lambda: linkage_of_rows(square, rows, method)))


@pytest.mark.parametrize("n", [1, 2, 3, 90])
def test_cuts_of_a_tree(monkeypatch, n):
    points = np.random.default_rng(6).normal(size=(n, 2)).round(1)
    merges = linkage(pairwise(points, "euclidean"), "average")
    for ks in ([1], [n], range(1, n + 1), range(1, n + 1, 7)):
        same_bits(*both_ways(monkeypatch, lambda ks=ks: cut_all(merges, ks)))


@pytest.mark.parametrize("metric", METRICS)
def test_distances(monkeypatch, metric):
    values = np.random.default_rng(7).normal(size=(70, 9)) * 10.0 ** np.arange(9)
    values[5:8] = 0.0  # without a direction
    values[9] = 3.0
    values[11] = values[12]
    same_bits(*both_ways(monkeypatch, lambda: pairwise(values, metric)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_ranks(monkeypatch, dtype):
    rng = np.random.default_rng(8)
    values = rng.integers(0, 9, (40, 5)).astype(dtype)
    values[rng.random(values.shape) < 0.2] = np.nan
    values[:, 2] = np.nan
    values[:, 3] = rng.normal(size=40)
    same_bits(*both_ways(monkeypatch, lambda: column_ranks(values)))


@pytest.mark.parametrize("count", [1, 5, 59])
def test_nearest_items(monkeypatch, count):
    values = np.random.default_rng(9).integers(0, 7, (60, 2)).astype(float)
    square = pairwise(values, "euclidean")
    same_bits(*both_ways(monkeypatch, lambda: nearest_items(square, count)))


@pytest.mark.parametrize("points", [1, 5, 100])
def test_reachability(monkeypatch, points):
    values = np.random.default_rng(9).integers(0, 7, (60, 2)).astype(float)
    square = pairwise(values, "euclidean")
    same_bits(*both_ways(monkeypatch, lambda: reachability_tree(square, points)[2]))
    same_bits(*both_ways(monkeypatch, lambda: reachability_tree(square, points)[:2]))


def test_a_kernel_pays_once_there_was_work_enough(monkeypatch):
    monkeypatch.setattr("stablek.kernels.tier.ENOUGH", 100)
    one = Tier(kernel=None, step=2.0)
    assert [one.pays(20) for _ in range(4)] == [False, False, True, True]


def test_a_kernel_that_is_there_is_taken(monkeypatch):
    monkeypatch.setattr("stablek.kernels.tier.ENOUGH", 100)
    compiled = type("Kernel", (), {"overloads": {"a signature": "code"}})
    assert Tier(compiled).pays(1)
