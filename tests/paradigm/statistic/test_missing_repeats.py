"""Statistics of repeats that are not there, and of one cluster."""

import numpy as np
import pytest

from stablek.data import from_arrays
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.dispersion import HeldOut, WithinSS
from stablek.paradigm.statistic.quality import Quality

X = np.random.default_rng(0).normal(size=(20, 3))


@pytest.mark.parametrize("statistic", [WithinSS(), HeldOut(), Quality("wcss")])
def test_repeats_that_are_not_there_have_no_score(statistic):
    data = from_arrays(X)
    cube = PartitionCube(3, (2,), 1, 20)
    cube.put(1, (2,), (np.arange(20) % 2).astype(np.uint8)[None, None])
    scores = statistic.collect(cube, data)
    assert np.isnan(scores[[0, 2]]).all()
    assert np.isfinite(scores[1]).all()
    empty = statistic.collect(PartitionCube(2, (2,), 1, 20), data)
    assert np.isnan(empty).all()


def test_one_cluster_has_no_silhouette():
    labels = np.zeros((1, 20), np.uint8)
    assert Quality("silhouette").of(from_arrays(X), labels) == [0.0]
