"""Pairs that a continuation looks at."""

import numpy as np

from stablek.paradigm.statistic.continuation import PAIRS, some_pairs


def test_pairs_to_go_on_with_are_all_or_enough_and_never_an_item_with_itself():
    assert len(some_pairs(10)) == 45
    many = some_pairs(300)
    assert many.shape == (PAIRS, 2)
    assert (many[:, 0] != many[:, 1]).all()
    assert many.max() < 300
    np.testing.assert_array_equal(many, some_pairs(300))
