"""Pairs: rejoined shares, and the cophenetic correlation against SciPy."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

from stablek.kernels.histogram import cells_of, pair_histogram
from stablek.paradigm.contracts import Facts
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.comembership import (
    THREADED_ITEMS,
    THREADS,
    CoMembership,
    cophenetic_correlations,
    is_sparse,
)
from stablek.paradigm.statistic.rejoined import Rejoined
from stablek.paradigm.synopsis import consensus_distribution


def random_cube(seed=0, repeats=12, ks=(2, 3, 4), n=25, drawn=0.8):
    rng = np.random.default_rng(seed)
    cube = PartitionCube(repeats, ks, 1, n)
    truth = np.arange(n) % max(ks)
    for repeat in range(repeats):
        for k in ks:
            noisy = np.where(rng.random(n) < 0.3, rng.integers(k, size=n), truth % k)
            noisy[rng.random(n) > drawn] = 255
            cube.put(repeat, (k,), noisy.astype(np.uint8)[None, None])
    cube.original = np.stack([truth % k for k in ks]).astype(np.uint8)
    return cube


def share_by_hand(whole, again):
    met = total = 0
    for i in range(len(whole)):
        for j in range(i):
            if whole[i] == whole[j] and again[i] != 255 and again[j] != 255:
                total += 1
                met += again[i] == again[j]
    return met / total if total else np.nan


def test_the_share_of_rejoined_pairs_equals_a_count_over_all_pairs():
    cube = random_cube()
    scores = Rejoined().collect(cube, None)
    for repeat in range(cube.repeats):
        for column in range(len(cube.ks)):
            expected = share_by_hand(
                cube.original[column], cube.labels[repeat, column, 0]
            )
            assert scores[repeat, column] == pytest.approx(expected)


def test_a_resample_without_pairs_of_the_original_is_skipped():
    cube = PartitionCube(2, (2,), 1, 4)
    cube.original = np.array([[0, 0, 1, 1]], np.uint8)
    cube.put(0, (2,), np.array([[[0, 255, 0, 255]]], np.uint8))
    cube.put(1, (2,), np.array([[[0, 0, 0, 1]]], np.uint8))
    scores = Rejoined().collect(cube, None)
    assert np.isnan(scores[0, 0])
    assert scores[1, 0] == 0.5
    assert np.nanmean(scores) == 0.5


def random_distances(seed):
    square = np.random.default_rng(seed).random((30, 30))
    apart = 1 - (square + square.T) / 2
    np.fill_diagonal(apart, 0)
    return apart


def test_cophenetic_correlations_equal_those_of_scipy():
    several = np.stack([random_distances(seed) for seed in range(4)])
    flat = [squareform(apart) for apart in several]
    expected = [cophenet(linkage(one, "average"), one)[0] for one in flat]
    assert cophenetic_correlations(several) == pytest.approx(expected, abs=1e-12)


def test_blocks_and_equal_distances_are_kept_whole():
    blocks = np.kron(np.eye(3), np.ones((4, 4)))
    found = cophenetic_correlations(np.stack([1 - blocks, np.zeros((12, 12))]))
    assert found == pytest.approx([1, 1])


def test_pairs_never_drawn_together_count_as_apart_in_the_cophenetic_correlation():
    never, apart = np.array([[0, 0, 1, 255]] * 3), np.array([[0, 0, 1, 2]] * 3)
    found = []
    for labels in (never, apart):
        cube = PartitionCube(3, (3,), 1, 4)
        for repeat, row in enumerate(labels):
            cube.put(repeat, (3,), row.astype(np.uint8)[None, None])
        found.append(CoMembership(True).collect(cube, None).cophenetic[0])
    assert found[0] == found[1]


def test_the_column_is_left_open_where_it_was_not_asked_for():
    cube = random_cube()
    facts = Facts(n=25, m=2, ks=cube.ks, asked=cube.ks, repeats=12)
    without = consensus_distribution(CoMembership(False).collect(cube, None), facts)
    assert np.isnan(without.columns["cophenetic"]).all()
    with_it = consensus_distribution(CoMembership().collect(cube, None), facts)
    found = with_it.columns["cophenetic"]
    assert ((found > 0) & (found <= 1)).all()
    for name in without.columns.keys() - {"cophenetic"}:
        np.testing.assert_array_equal(without.columns[name], with_it.columns[name])


def test_few_pairs_in_many_repeats_are_counted_without_a_table():
    cube = random_cube(repeats=1500, n=12, drawn=0.6)
    assert is_sparse(12 * 11 // 2, 1500)
    assert CoMembership().memory(60, 4000, 30, 1) < 1e6
    found = CoMembership(False).collect(cube, None)
    for column, k in enumerate(cube.ks):
        drawn, together, pairs = cells_of(pair_histogram(cube.of_k(k)))
        assert found.drawn[column].tolist() == drawn.tolist()
        assert found.together[column].tolist() == together.tolist()
        assert found.weight[column].tolist() == pairs.tolist()
    assert found.sampled is None


def test_two_threads_count_what_one_does():
    rng = np.random.default_rng(0)
    cube = PartitionCube(5, (2, 3, 4), 1, THREADED_ITEMS)
    for repeat in range(5):
        labels = rng.integers(0, 2, (3, 1, THREADED_ITEMS)).astype(np.uint8)
        cube.put(repeat, (2, 3, 4), labels)
    alone = CoMembership().collect(cube, None)
    token = THREADS.set(2)
    try:
        together = CoMembership().collect(cube, None)
    finally:
        THREADS.reset(token)
    for name in ("drawn", "together", "weight"):
        for one, two in zip(getattr(alone, name), getattr(together, name), strict=True):
            assert np.array_equal(one, two)
    assert np.array_equal(alone.never, together.never)
    assert np.array_equal(alone.cophenetic, together.cophenetic, equal_nan=True)
