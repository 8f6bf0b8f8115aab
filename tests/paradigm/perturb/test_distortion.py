"""How far a projection moves items apart."""

import numpy as np

from stablek.data import Sample, from_arrays
from stablek.paradigm.perturb.projection import distortion

X = np.random.default_rng(0).normal(size=(20, 3))


def test_equal_items_are_not_distorted():
    data = from_arrays(np.ones((5, 2)))
    found = distortion(Sample(data, np.arange(5), changed=X[:5, :2]))
    assert (found.smallest, found.largest, found.within) == (1.0, 1.0, 1.0)
