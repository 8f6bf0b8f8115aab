"""Runs with one repeat, or with items that are all alike."""

import numpy as np
import pytest

from stablek.api.choose_k import choose_k

X = np.random.default_rng(0).normal(size=(20, 3))


@pytest.mark.parametrize("name", ["fc", "consensus", "brunet"])
def test_a_single_repeat_has_no_spread_and_warns_of_nothing(name):
    found = choose_k(X, name, "hier-a", range(2, 4), repeats=1, jobs=1)
    np.testing.assert_array_equal(found.columns["area_error"], 0)


def test_distances_that_are_all_zero_are_one_cluster():
    found = choose_k(np.zeros((12, 12)), "fc", "hier-a", metric="precomputed")
    assert found.k_star == 1
    assert found.reason == "all distances are 0: no clusters to look for"
