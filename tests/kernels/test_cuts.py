"""Cuts of dendrograms, against SciPy's."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.cluster.hierarchy as sch
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import by_first_appearance

from stablek.kernels.cuts import cut_all


def tree(n, method="average", seed=0):
    values = np.random.default_rng(seed).normal(size=(n, 4))
    return sch.linkage(values, method)


@pytest.mark.parametrize("method", ["average", "single", "ward"])
@pytest.mark.parametrize("n", [2, 3, 10, 60])
def test_every_cut_is_scipys_numbered_by_first_appearance(n, method):
    merges = tree(n, method)
    labels = cut_all(merges, range(1, n + 1))
    for k, row in zip(range(1, n + 1), labels, strict=True):
        wanted = sch.fcluster(merges, k, "maxclust")
        assert np.array_equal(row, by_first_appearance(wanted))
        wanted = sch.cut_tree(merges, n_clusters=k)[:, 0]
        assert np.array_equal(row, by_first_appearance(wanted))


@settings(deadline=None, max_examples=60, derandomize=True)
@given(st.data())
def test_any_choice_of_ks_gives_the_rows_of_all_ks(data):
    n = data.draw(st.integers(2, 40))
    ks = sorted(data.draw(st.sets(st.integers(1, n), min_size=1)))
    merges = tree(n, seed=n)
    every = cut_all(merges, range(1, n + 1))
    np.testing.assert_array_equal(cut_all(merges, ks), every[np.array(ks) - 1])


def test_labels_run_from_zero_and_each_cut_refines_the_one_before():
    labels = cut_all(tree(120), range(1, 31))
    for k, row in enumerate(labels, start=1):
        assert sorted(set(row.tolist())) == list(range(k))
        assert np.array_equal(row, by_first_appearance(row))
    for coarse, fine in pairwise(labels):
        nested = set(zip(coarse.tolist(), fine.tolist(), strict=True))
        assert len(nested) == fine.max() + 1


def test_merges_at_one_height_are_undone_in_their_order():
    merges = np.array([[0, 1, 1.0, 2], [2, 3, 1.0, 2], [4, 5, 1.0, 4]])
    labels = cut_all(merges, [1, 2, 3, 4])
    assert labels.tolist() == [[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 2, 3]]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_the_type_of_the_labels_is_the_callers(dtype):
    labels = cut_all(tree(30), [2, 5], dtype)
    assert labels.dtype == dtype
    assert labels.shape == (2, 30)


def test_one_item_is_one_cluster():
    assert cut_all(np.empty((0, 4)), [1]).tolist() == [[0]]


@pytest.mark.parametrize("ks", [[0], [2, 2], [3, 2], [11]])
def test_ks_that_do_not_increase_within_the_items_are_refused(ks):
    with pytest.raises(ValueError, match=r"must increase within 1\.\.10"):
        cut_all(tree(10), ks)


def test_more_clusters_than_the_type_can_label_are_refused():
    with pytest.raises(ValueError, match="uint8 cannot label 300 clusters"):
        cut_all(tree(300), [300], np.uint8)
