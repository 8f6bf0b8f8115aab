"""Settings of a measure that is given as an object."""

import numpy as np

from stablek.api.choose_setting import choose_setting, over_settings

X = np.random.default_rng(0).normal(size=(20, 3))


def test_settings_are_compared_by_a_measure_given_as_an_object():
    def slices(values, setting, seed):
        return values[:, 0].argsort().argsort() * setting // len(values)

    named_one = choose_setting(X, (2, 3), slices, repeats=4)
    made = over_settings("fc", repeats=4)
    assert named_one.settings == (2, 3)
    found = choose_setting(X, (2, 3), slices, measure=made)
    assert found.settings == (2, 3)
