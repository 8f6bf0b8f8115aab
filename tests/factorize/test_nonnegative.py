"""Negative data: refused, or changed in a way the user named."""

import numpy as np
import pytest

from stablek.errors import InputError
from stablek.factorize import fold, made_nonnegative, shift

X = np.random.default_rng(0).normal(size=(8, 5))


def test_shifting_keeps_all_distances():
    moved = shift(X)
    assert moved.min() == 0.0
    gaps = X[:, None] - X[None]
    np.testing.assert_allclose(moved[:, None] - moved[None], gaps)


def test_shifting_leaves_nonnegative_data_alone():
    assert np.array_equal(shift(np.abs(X)), np.abs(X))


def test_folding_keeps_every_value_in_one_of_two_blocks():
    folded = fold(X)
    assert folded.shape == (8, 10)
    assert folded.min() == 0.0
    assert np.array_equal(folded[:, :5] - folded[:, 5:], X)
    assert not (folded[:, :5] * folded[:, 5:]).any()


def test_nothing_is_changed_silently():
    with pytest.raises(InputError) as caught:
        made_nonnegative(X, None)
    text = str(caught.value)
    assert "nmf-a+shift" in text
    assert "nmf-a+fold" in text
    assert f"{(X < 0).sum()} of 40" in text
    assert np.array_equal(made_nonnegative(np.abs(X), None), np.abs(X))


def test_an_unknown_remedy_is_refused():
    with pytest.raises(InputError, match="did you mean 'shift'"):
        made_nonnegative(X, "shfit")
