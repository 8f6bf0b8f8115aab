"""Partitions made by merging clusters."""

import numpy as np

from stablek.data import from_arrays
from stablek.paradigm.cluster.merge_down import MergedDown

X = np.random.default_rng(0).normal(size=(20, 3))


def test_what_cannot_be_merged_further_stays(monkeypatch):
    class Fewer:
        name, random, native = "fewer", False, False

        def partitions(self, sample, ks, streams):
            return np.array([[0, 0, 1, 1, 1]], np.uint16)

        def refine(self, sample, labels, k):
            return labels

    down = MergedDown(Fewer(), refresh=9)
    found = down.partitions(from_arrays(X[:5]).whole(), (2, 3, 4), None)
    np.testing.assert_array_equal(found, [[0, 0, 1, 1, 1]] * 3)
