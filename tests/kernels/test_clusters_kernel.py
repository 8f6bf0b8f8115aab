"""Clusters in each partition, against NumPy's unique."""

import numpy as np
import pytest

from stablek.kernels.clusters import clusters_in_each
from stablek.paradigm.cube import PartitionCube


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_counts_are_those_of_unique(dtype):
    missing = int(np.iinfo(dtype).max)
    labels = np.random.default_rng(0).integers(0, 9, (5, 2, 2, 12)).astype(dtype)
    labels[::3, ..., :5] = missing
    labels[1, 1] = missing
    labels.flags.writeable = False
    rows = labels.reshape(-1, 12).tolist()
    expected = np.array([len(set(row) - {missing}) for row in rows])
    found = clusters_in_each(labels, missing)
    assert np.array_equal(found, expected.reshape(5, 2, 2))


def test_a_cube_counts_partitions_with_fewer_than_k_clusters_over_all_roles():
    cube = PartitionCube(3, (2, 3), 2, 4)
    full, short = [0, 1, 2, 0], [0, 1, 1, 255]
    two = [[0, 1, 0, 255], [1, 0, 0, 0]]
    cube.put(0, (2, 3), np.array([two, [full, short]], np.uint8))
    cube.put(1, (2, 3), np.array([two, [short, short]], np.uint8))
    assert cube.fewer_clusters() == {2: (0, 4), 3: (3, 4)}  # repeat 2 is not filled
