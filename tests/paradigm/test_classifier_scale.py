"""Classifiers and the scale of columns."""

import numpy as np

from stablek.paradigm.classify import classifier


def test_a_classifier_bears_columns_of_any_scale():
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1], 10)
    values = rng.normal(size=(20, 2)) + 4 * labels[:, None]
    dlda = classifier("dlda")
    plain = dlda.predict(values, labels, values, 2)
    for power in (-600, 480):
        scaled = np.ldexp(values, [power, 0])
        np.testing.assert_array_equal(dlda.predict(scaled, labels, scaled, 2), plain)
