"""Held-out valleys, the modularity of neighbours, halves of the columns."""

import numpy as np
import pytest

from stablek.data import Dataset, as_dataset
from stablek.errors import InputError
from stablek.paradigm.assign import cluster_both
from stablek.paradigm.cluster import algorithm
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.split import ColumnHalves
from stablek.paradigm.statistic.graph import Modularity, modularity, neighbour_graph
from stablek.paradigm.statistic.valley import HeldOutValley, held_out_valley, neighbours


def cube_of(labels):
    k = int(labels.max()) + 1
    cube = PartitionCube(1, (k,), 1, len(labels))
    cube.put(0, (k,), labels[None, None].astype(cube.labels.dtype))
    return cube


def test_two_blobs_have_a_valley_and_a_cut_cloud_has_none():
    rng = np.random.default_rng(0)
    blobs = np.vstack([rng.normal(size=(80, 4)), rng.normal(size=(80, 4)) + 4])
    cloud = rng.normal(size=(160, 4))
    halves = np.repeat([0, 1], 80)
    cut = (cloud[:, 0] > np.median(cloud[:, 0])).astype(int)
    deep = HeldOutValley().collect(cube_of(halves), Dataset(blobs))
    flat = HeldOutValley().collect(cube_of(cut), Dataset(cloud))
    assert deep["valley"][0] < 0.1
    assert flat["valley"][0] > 0.6
    for columns in (deep, flat):
        both = (columns["valley_a"][0] + columns["valley_b"][0]) / 2
        assert columns["valley"][0] == pytest.approx(both, abs=1e-12)


def test_a_gap_only_on_the_items_that_made_it_is_no_valley():
    """In many columns some axis tells any two halves apart, but not other items."""
    rng = np.random.default_rng(1)
    cloud = rng.normal(size=(60, 50))
    found = held_out_valley(cloud[:30], cloud[30:], np.random.default_rng(0))
    assert found > 0.8


def test_a_cluster_too_small_to_halve_has_no_valley():
    rng = np.random.default_rng(2)
    one, many = rng.normal(size=(1, 2)) + 50, rng.normal(size=(30, 2))
    assert held_out_valley(one, many, rng) == 1


def test_each_cluster_meets_its_nearest_ones():
    groups = [np.full((3, 1), float(x)) for x in (0, 1, 10, 11, 100)]
    assert list(neighbours(groups, 1)) == [(0, 1), (2, 3), (3, 4)]
    assert len(list(neighbours(groups, 9))) == 10


@pytest.mark.parametrize("k", [1, 2, 4])
def test_modularity_is_newmans_sum_over_all_pairs(k):
    rng = np.random.default_rng(k)
    values = rng.normal(size=(50, 3))
    square = np.linalg.norm(values[:, None] - values, axis=2)
    labels = rng.integers(0, k, 50)
    labels[:k] = np.arange(k)
    first, second = neighbour_graph(square)
    joined = np.zeros((50, 50))
    joined[first, second] = joined[second, first] = 1
    ends, total = joined.sum(axis=1), joined.sum()
    alike = labels[:, None] == labels
    wanted = ((joined - np.outer(ends, ends) / total) * alike).sum() / total
    assert modularity(first, second, labels) == pytest.approx(wanted, abs=1e-12)
    found = Modularity().collect(cube_of(labels), Dataset(values))
    assert found[0, 0] == pytest.approx(wanted, abs=1e-12)


def test_items_are_joined_if_one_is_among_the_nearest_of_the_other():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(40, 2))
    square = np.linalg.norm(values[:, None] - values, axis=2)
    near = round(2 * np.log(40))
    wanted = set()
    for i in range(40):
        for j in np.argsort(square[i])[1 : near + 1].tolist():
            wanted.add((min(i, j), max(i, j)))
    first, second = neighbour_graph(square)
    assert set(zip(first.tolist(), second.tolist(), strict=True)) == wanted


def test_halves_of_the_columns_are_drawn_anew_and_need_two():
    whole = as_dataset(np.arange(60.0).reshape(6, 10)).whole()
    drawn = [
        ColumnHalves().parts(whole, np.random.default_rng(b)).learning.values()[0]
        for b in range(2)
    ]
    assert not np.array_equal(*drawn)
    assert ColumnHalves().size(6) == 6
    with pytest.raises(InputError, match="at least 2 columns"):
        ColumnHalves().parts(as_dataset(np.ones((4, 1))).whole(), None)


def test_both_halves_are_clustered():
    parts = ColumnHalves().parts(
        as_dataset(np.arange(60.0).reshape(6, 10)).whole(), np.random.default_rng(0)
    )
    edges = cluster_both([parts], algorithm("kmeans-w"), None)
    assert len(edges) == 2
