"""Oracles: double loops over items and repeats; no code shared with the kernels."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stablek.kernels.comembership import (
    TILE,
    all_pair_counts,
    consensus_distances,
    consensus_matrix,
    item_consensus,
    pair_counts,
    shares_of_pairs,
)
from stablek.kernels.histogram import (
    BLOCK,
    MOST,
    cells_of,
    drawn_together,
    pair_histogram,
)
from stablek.kernels.tier import Tier


def draw_labels(repeats, n, k, share=0.8, dtype=np.uint8, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, k, (repeats, n)).astype(dtype)
    labels[rng.random((repeats, n)) > share] = np.iinfo(dtype).max
    return labels


def count_by_hand(labels):
    missing = np.iinfo(labels.dtype).max
    n = labels.shape[1]
    together, drawn = np.zeros((n, n), int), np.zeros((n, n), int)
    for row in labels.tolist():
        for i in range(n):
            for j in range(n):
                if row[i] != missing and row[j] != missing:
                    drawn[i, j] += 1
                    together[i, j] += row[i] == row[j]
    return together, drawn


def histogram_by_hand(labels):
    together, drawn = count_by_hand(labels)
    repeats, n = labels.shape
    counts = np.zeros((repeats + 1, repeats + 1), int)
    for i in range(n):
        for j in range(i + 1, n):
            counts[drawn[i, j], together[i, j]] += 1
    return counts


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("repeats", [1, 63, 64, 65, 130])
@pytest.mark.parametrize("k", [1, 2, 3, 5, 17, 200])
def test_the_histogram_equals_a_double_loop(dtype, repeats, k):
    labels = draw_labels(repeats, 14, k, dtype=dtype, seed=k)
    np.testing.assert_array_equal(pair_histogram(labels), histogram_by_hand(labels))


def test_labels_beyond_a_byte_are_told_apart():
    labels = draw_labels(20, 12, 3, dtype=np.uint16)
    labels[labels == 2] = 256  # equal to 0 in its lowest byte
    np.testing.assert_array_equal(pair_histogram(labels), histogram_by_hand(labels))


@pytest.mark.parametrize("n", [TILE - 1, TILE, TILE + 1, 2 * TILE + 3])
def test_pairs_across_tiles_are_counted_once(n):
    labels = draw_labels(5, n, 3)
    missing = labels == 255
    drawn = (~missing[:, :, None] & ~missing[:, None, :]).sum(0)
    same = labels[:, :, None] == labels[:, None, :]
    together = (same & ~missing[:, :, None]).sum(0)
    upper = np.triu_indices(n, 1)
    expected = np.zeros((6, 6), int)
    np.add.at(expected, (drawn[upper], together[upper]), 1)
    np.testing.assert_array_equal(pair_histogram(labels), expected)


@settings(deadline=None, max_examples=50)
@given(
    arrays(
        np.uint8,
        st.tuples(st.integers(1, 70), st.integers(1, 8)),
        elements=st.sampled_from([0, 1, 2, 7, 128, 254, 255]),
    )
)
def test_the_histogram_obeys_its_laws(labels):
    n = labels.shape[1]
    counts = pair_histogram(labels)
    np.testing.assert_array_equal(counts, histogram_by_hand(labels))
    assert counts.sum() == n * (n - 1) // 2
    assert not np.triu(counts, 1).any()  # never joined more often than drawn
    np.testing.assert_array_equal(counts, pair_histogram(labels[::-1]))
    np.testing.assert_array_equal(counts, pair_histogram(labels[:, ::-1]))


def test_the_cells_are_the_filled_part_of_the_histogram():
    labels = draw_labels(90, 30, 4)
    counts = np.zeros((91, 91), int)
    cells = cells_of(pair_histogram(labels)).T
    counts[cells[:, 0], cells[:, 1]] = cells[:, 2]
    np.testing.assert_array_equal(counts, pair_histogram(labels))
    assert (cells[:, 2] > 0).all()


def test_renaming_the_clusters_of_each_repeat_changes_nothing():
    labels = draw_labels(40, 25, 4)
    rng = np.random.default_rng(1)
    renamed = np.stack([np.append(rng.permutation(255), 255)[r] for r in labels])
    np.testing.assert_array_equal(
        pair_histogram(labels), pair_histogram(renamed.astype(np.uint8))
    )


def test_the_consensus_matrix_equals_a_double_loop():
    labels = draw_labels(70, 20, 3, share=0.3)
    labels[:, 4] = 255
    together, drawn = count_by_hand(labels)
    with np.errstate(invalid="ignore"):
        expected = together / drawn
    np.fill_diagonal(expected, 1.0)
    consensus = consensus_matrix(labels)
    np.testing.assert_array_equal(consensus, expected)
    assert np.isnan(consensus[4, :4]).all()
    assert consensus[4, 4] == 1.0


def test_listed_pairs_get_the_counts_of_the_whole():
    labels = draw_labels(70, 20, 3)
    together, drawn = count_by_hand(labels)
    pairs = np.random.default_rng(2).integers(0, 20, (100, 2))
    t, d = pair_counts(labels, pairs)
    np.testing.assert_array_equal(t, together[pairs[:, 0], pairs[:, 1]])
    np.testing.assert_array_equal(d, drawn[pairs[:, 0], pairs[:, 1]])


@pytest.mark.parametrize("pays", [True, False])
def test_all_pairs_get_the_counts_of_the_whole(monkeypatch, pays):
    monkeypatch.setattr(Tier, "pays", lambda *_: pays)
    labels = draw_labels(70, 20, 3)
    together, drawn = count_by_hand(labels)
    t, d = all_pair_counts(labels)
    np.testing.assert_array_equal(t, together[np.triu_indices(20, 1)])
    np.testing.assert_array_equal(d, drawn[np.triu_indices(20, 1)])


def test_item_consensus_averages_the_matrix_over_other_items_that_were_met():
    labels = draw_labels(9, 20, 3, share=0.4)
    labels[:, 19] = 255
    together, drawn = count_by_hand(labels)
    partition = np.r_[np.arange(18) % 3, 3, 0]
    mean = item_consensus(labels, partition)
    for i in range(20):
        for c in range(4):
            met = [j for j in np.flatnonzero(partition == c) if j != i and drawn[i, j]]
            if met:
                expected = np.mean([together[i, j] / drawn[i, j] for j in met])
                assert mean[i, c] == pytest.approx(expected, abs=1e-15)
            else:
                assert np.isnan(mean[i, c])
    assert np.isnan(mean[18, 3])  # alone in its cluster
    np.testing.assert_array_equal(
        item_consensus(labels, partition, np.array([7, 2])), mean[[7, 2]]
    )


def test_frozen_and_strided_labels_are_read_and_left_alone():
    cube = np.stack([draw_labels(10, 9, 3, seed=s) for s in range(3)], axis=1)
    before = cube.copy()
    cube.flags.writeable = False
    np.testing.assert_array_equal(
        pair_histogram(cube[:, 1]), histogram_by_hand(before[:, 1])
    )
    np.testing.assert_array_equal(cube, before)
    assert not cube.flags.writeable


def test_threads_do_not_disturb_one_another():
    sweep = [draw_labels(30, 200, k, seed=k) for k in range(2, 8)]
    found = [None] * len(sweep)

    def work(at):
        found[at] = pair_histogram(sweep[at])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(sweep))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for labels, counts in zip(sweep, found, strict=True):
        np.testing.assert_array_equal(counts, pair_histogram(labels))


def test_whole_blocks_are_counted_like_parts_of_blocks():
    # Two clusters of more than a block each, and one that no one else ever joins.
    labels = np.repeat(np.arange(3, dtype=np.uint8), BLOCK + 5)[None].repeat(9, axis=0)
    rng = np.random.default_rng(0)
    noisy = rng.random(labels.shape) < 0.05
    labels[noisy] = rng.integers(0, 2, noisy.sum())
    labels[rng.random(labels.shape) < 0.2] = 255
    mixed = labels[:, rng.permutation(labels.shape[1])]
    assert np.array_equal(pair_histogram(mixed), histogram_by_hand(labels))


def test_blocks_without_a_common_label_are_passed_over_rightly_beyond_64_labels():
    labels = np.tile(np.arange(3 * BLOCK) % 130, (2, 1)).astype(np.uint8)
    labels[1] = labels[0, ::-1]
    assert np.array_equal(pair_histogram(labels), histogram_by_hand(labels))


def test_how_often_pairs_were_drawn_is_the_same_for_every_k_that_shares_samples():
    coarse = draw_labels(40, 90, 2)
    fine = np.where(coarse == 255, coarse, 3 * coarse + np.arange(90) % 3)
    fine = fine.astype(np.uint8)
    drawn = drawn_together(coarse)
    assert drawn.tolist() == pair_histogram(coarse).sum(axis=1).tolist()
    assert np.array_equal(pair_histogram(fine, drawn), histogram_by_hand(fine))


def test_more_repeats_than_can_be_counted_are_refused():
    with pytest.raises(ValueError, match="at most 65535"):
        pair_histogram(np.zeros((MOST + 1, 2), np.uint8))


def test_consensus_distances_are_one_minus_the_matrix_and_one_where_it_is_open():
    labels = draw_labels(4, TILE + 70, 3, share=0.4)
    matrix = consensus_matrix(labels)
    assert np.isnan(matrix).any()
    expected = 1 - np.where(np.isnan(matrix), 0.0, matrix)
    assert np.array_equal(consensus_distances(labels), expected)
    assert np.array_equal(matrix, matrix.T, equal_nan=True)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_the_share_of_pairs_is_that_of_a_double_loop(dtype):
    labels = draw_labels(6, 19, 4, dtype=dtype)
    labels[5, 1:] = np.iinfo(dtype).max
    shares = shares_of_pairs(labels)
    for row, share in zip(labels[:5], shares, strict=False):
        kept = row[row != np.iinfo(dtype).max]
        pairs = [
            kept[i] == kept[j]
            for i in range(len(kept))
            for j in range(i + 1, len(kept))
        ]
        assert share == sum(pairs) / len(pairs)
    assert np.isnan(shares[5])
