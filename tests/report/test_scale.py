"""Ticks and numbers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stablek.report.charts.scale import (
    Scale,
    extent,
    number,
    tick_labels,
    ticks,
    whole_ticks,
)


def test_ticks_are_round_and_even():
    assert ticks(0, 1) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert ticks(0.97, 1.0, most=4) == [0.97, 0.98, 0.99, 1.0]


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(3, 10))
def test_ticks_lie_inside_and_are_few(low, width, most):
    found = ticks(low, low + width, most)
    assert len(found) <= most
    slack = 1e-6 * (abs(low) + width)
    assert all(low - slack <= value <= low + width + slack for value in found)


def test_whole_ticks_thin_out():
    assert whole_ticks(2, 6) == [2, 3, 4, 5, 6]
    assert whole_ticks(2, 30, 8) == [5, 10, 15, 20, 25, 30]


def test_tick_labels_share_their_decimals():
    assert tick_labels([0.97, 0.98, 0.99, 1.0]) == ["0.97", "0.98", "0.99", "1.00"]
    assert tick_labels([0.0, 500.0, 1000.0]) == ["0", "500", "1\u202f000"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.12345, "0.123"),
        (-2.0, "\u22122"),
        (1234.0, "1\u202f234"),
        (2.5e7, "2.5e7"),
        (1e-9, "1e\u22129"),
        (float("nan"), "\u2013"),
        (None, "\u2013"),
    ],
)
def test_numbers_are_written_short(value, text):
    assert number(value) == text


def test_extent_skips_what_is_not_known_and_never_is_empty():
    low, high = extent([1.0, math.nan, 3.0])
    assert low < 1.0 < 3.0 < high
    assert extent([math.nan]) == (0.0, 1.0)
    low, high = extent(np.full(4, 2.0))
    assert low < 2.0 < high


def test_a_scale_maps_ends_to_ends():
    scale = Scale(0.0, 2.0, 100.0, 0.0)
    assert (scale(0.0), scale(1.0), scale(2.0)) == (100.0, 50.0, 0.0)
