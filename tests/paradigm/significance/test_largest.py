"""Rules that take the largest k whose value is good enough."""

import numpy as np
import pytest

from stablek.errors import InputError
from stablek.paradigm.contracts import Curve, Facts
from stablek.paradigm.significance.extremes import (
    LargestAbove,
    LargestBelow,
    LargestNearTop,
)

KS = (2, 3, 4, 5)
UNKNOWN = np.full(4, np.nan)


def decided(rule, values, asked=KS):
    curve = Curve(KS, {"mean": np.asarray(values, float)}, "mean")
    return rule(curve, None, Facts(50, 3, KS, asked))


def test_the_largest_k_above_a_threshold():
    found = decided(LargestAbove(0.8), [0.9, 0.7, 0.85, 0.2])
    assert (found.k_star, found.candidates) == (4, (2, 4))
    assert decided(LargestAbove(0.8), [0.8, 0.1, 0.1, 0.1]).k_star == 2
    assert decided(LargestAbove(0.8), [0.7, 0.1, np.nan, 0.1]).k_star == 1


def test_the_largest_k_below_a_threshold():
    found = decided(LargestBelow(0.6), [0.1, 0.7, 0.6, 0.9])
    assert found.k_star == 4
    assert decided(LargestBelow(0.6), [0.9, 0.8, 0.7, np.nan]).k_star == 1


def test_the_largest_k_near_the_top():
    found = decided(LargestNearTop(0.95), [1.0, 0.96, 0.94, 0.2])
    assert (found.k_star, found.candidates) == (3, (2, 3))
    assert decided(LargestNearTop(0.95), [0.2, 0.5, 0.9, 0.88]).k_star == 5
    assert decided(LargestNearTop(0.999), [0.2, 0.5, 0.9, 0.88]).k_star == 4
    assert decided(LargestNearTop(0.95), [-0.1, 0, -0.2, 0]).k_star is None
    assert decided(LargestNearTop(0.95), UNKNOWN).k_star is None


@pytest.mark.parametrize("rule", [LargestAbove(0.8), LargestNearTop(0.95)])
def test_only_ks_that_were_asked_for_are_taken(rule):
    assert decided(rule, [0.9, 0.9, 0.9, 0.9], asked=(2, 3)).k_star == 3


@pytest.mark.parametrize("rule", [LargestAbove, LargestNearTop])
def test_a_share_is_between_0_and_1(rule):
    with pytest.raises(InputError):
        rule(1.5)
