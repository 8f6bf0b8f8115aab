"""Factorisation as a clustering algorithm: the laws of a clusterer, and its own."""

from dataclasses import replace

import numpy as np
import pytest

from stablek.data import from_arrays
from stablek.data.seeds import Streams
from stablek.errors import InputError
from stablek.factorize import FixedIterations, StationaryConnectivity
from stablek.kernels.clusters import by_first_appearance
from stablek.paradigm.cluster import ALGORITHMS, algorithm
from stablek.paradigm.cluster.nmf import NMF

NAMES = [name for name in ALGORITHMS if name.startswith("nmf")]
KS = range(2, 7)


def blocks(seed=0, noise=0.1):
    rng = np.random.default_rng(seed)
    truth = np.repeat([0, 1, 2], 8)
    x = noise * rng.random((24, 15))
    for block in range(3):
        x[truth == block, 5 * block : 5 * block + 5] += 1 + rng.random((8, 5))
    return x, truth


X, TRUTH = blocks()
DATA = from_arrays(X)


def same(one, other):
    return np.array_equal(one[:, None] == one, other[:, None] == other)


def test_the_five_starts_and_the_path_are_known_by_name():
    assert NAMES == ["nmf-r", "nmf-a", "nmf-c", "nmf-s", "nmf-w", "nmf-i"]


@pytest.mark.parametrize("name", NAMES)
def test_labels_have_the_shape_and_range_of_a_clusterer(name):
    found = algorithm(name).partitions(DATA.whole(), KS, Streams(0))
    assert found.shape == (5, 24)
    assert found.dtype == np.uint8
    for k, labels in zip(KS, found, strict=True):
        assert labels.max() < k
        # Numbered by first appearance, without gaps.
        assert np.array_equal(np.unique(labels), np.arange(labels.max() + 1))
        assert np.array_equal(labels, by_first_appearance(labels))


@pytest.mark.parametrize("name", NAMES)
def test_blocks_are_found(name):
    found = algorithm(name).partitions(DATA.whole(), [3], Streams(0))[0]
    assert same(found, TRUTH)


@pytest.mark.parametrize("name", NAMES)
def test_a_partition_does_not_depend_on_the_other_ks(name):
    one = algorithm(name).partitions(DATA.whole(), [4], Streams(3))[0]
    among = algorithm(name).partitions(DATA.whole(), KS, Streams(3))[2]
    assert np.array_equal(one, among)


@pytest.mark.parametrize("name", NAMES)
def test_only_the_random_start_draws_from_its_streams(name):
    clusterer = algorithm(name)
    noisy = from_arrays(np.random.default_rng(1).random((30, 6))).whole()
    one, other = (clusterer.partitions(noisy, [5], Streams(seed)) for seed in (0, 1))
    assert clusterer.random == (name == "nmf-r")
    assert np.array_equal(one, other) != clusterer.random


# The start of nmf-r is drawn column by column, so their order matters there.
@pytest.mark.parametrize("name", [name for name in NAMES if name != "nmf-r"])
def test_the_order_of_the_columns_does_not_matter(name):
    clusterer = replace(algorithm(name), stop=FixedIterations(60))
    turned = from_arrays(X[:, ::-1].copy())
    one = clusterer.partitions(DATA.whole(), [3], Streams(0))[0]
    assert same(one, clusterer.partitions(turned.whole(), [3], Streams(0))[0])


def test_a_start_from_a_partition_can_leave_it():
    wrong = TRUTH.copy()
    wrong[[0, 8]] = [1, 0]
    for method in ("hals", "lee-seung", "brunet", "lin", "als"):
        clusterer = NMF("nmf-a", method=method)
        found = clusterer.refine(DATA.whole(), wrong, 3)
        assert same(found, TRUTH), method


@pytest.mark.parametrize("name", NAMES)
def test_negative_values_are_refused_before_the_run_with_both_remedies(name):
    negative = from_arrays(X - 1.0)
    with pytest.raises(InputError, match=r"nmf-.\+shift.* or .*nmf-.\+fold"):
        algorithm(name).prepare(negative)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("remedy", ["shift", "fold"])
def test_a_remedy_is_part_of_the_name_and_is_applied_to_every_sample(name, remedy):
    clusterer = algorithm(f"{name}+{remedy}")
    assert clusterer.name == f"{name}+{remedy}"
    negative = from_arrays(X - X.mean())
    clusterer.prepare(negative)
    found = clusterer.partitions(negative.whole().take(np.arange(20)), [3], Streams(0))
    assert found.shape == (1, 20)


def test_folded_blocks_about_zero_are_found():
    x = X - X.mean(axis=0)
    found = algorithm("nmf-a+fold").partitions(from_arrays(x).whole(), [3], Streams(0))
    assert same(found[0], TRUTH)


def test_the_thesis_s_own_nmf_is_brunet_s_rule_with_its_stopping_rule():
    broad = algorithm("nmf-a+brunet+shift")
    assert broad.name == "nmf-a+brunet+shift"
    assert (broad.method, broad.nonnegative) == ("brunet", "shift")
    assert isinstance(broad.stop, StationaryConnectivity)
    (found,) = broad.factorisations(DATA.whole(), [3], Streams(0))
    assert found.iterations >= 400
    assert same(found.labels, TRUTH)


def test_wrong_remedies_are_refused():
    with pytest.raises(InputError, match="did you mean 'shift'"):
        algorithm("nmf-a+shif")
    with pytest.raises(InputError, match="leave out"):
        algorithm("hier-a+shift")
    with pytest.raises(InputError, match="did you mean 'nmf-"):
        algorithm("nmf-q+shift")


def test_a_random_start_needs_no_metric():
    with pytest.raises(InputError, match="Euclidean"):
        algorithm("nmf-r", "cosine")
    assert algorithm("nmf-a", "cosine").start.metric == "cosine"


def test_fewer_clusters_than_asked_are_returned_as_such():
    x = np.outer(np.arange(1.0, 11), np.ones(4))  # rank one: a single component fits
    found = algorithm("nmf-i").partitions(from_arrays(x).whole(), [3], Streams(0))[0]
    assert found.max() + 1 < 3


def test_single_precision_is_left_where_items_hardly_differ():
    clusterer = algorithm("nmf-r")
    assert clusterer.problem(DATA.whole()).rows.dtype == np.float32
    assert clusterer.problem(from_arrays(X + 1e6).whole()).rows.dtype == np.float64
    broad = algorithm("nmf-r+brunet")
    assert broad.problem(DATA.whole()).rows.dtype == np.float64
