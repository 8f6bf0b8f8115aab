"""New data prepared as the first were, and columns matched by name."""

import tracemalloc

import numpy as np
import pytest

from stablek.data import from_arrays
from stablek.data.matching import match_columns
from stablek.data.preparation import prepare
from stablek.data.replay import Step, replayed, step_numbers
from stablek.errors import InputError


def sample(n=12, m=5):
    values = np.random.default_rng(0).uniform(1, 9, (n, m))
    return from_arrays(values, columns=tuple("abcde"[:m]))


@pytest.mark.parametrize(
    "steps",
    [
        ["log2"],
        ["log1p", "standardise-columns"],
        ["standardise-rows"],
        ["equal-totals", "log1p"],
        ["pca:2"],
        ["standardise-columns", "pca:3"],
    ],
)
def test_the_first_items_come_out_as_they_did(steps):
    data = sample()
    made = prepare(data, steps)
    some = from_arrays(data.values[:3], columns=data.columns)
    np.testing.assert_allclose(
        replayed(some, made.steps).values, made.values[:3], atol=1e-10
    )


def test_columns_chosen_are_matched_later():
    data = sample()
    made = prepare(data, ["most-variable:2", "standardise-columns"])
    got = replayed(from_arrays(data.values[:4], columns=data.columns), made.steps)
    assert got.columns == made.columns
    np.testing.assert_allclose(got.values, made.values[:4], atol=1e-10)


def test_what_cannot_be_repeated_is_refused():
    with pytest.raises(InputError, match="'nmf', which cannot be repeated"):
        replayed(sample(), [Step("nmf")])


def test_an_adjustment_is_said():
    got = replayed(sample(), [Step("adjust", ("plate",))])
    assert "adjusted for 'plate'" in got.notes[-1]


def test_columns_are_matched_by_name():
    values = np.array([[1.0, 2.0, 3.0]])
    fill = np.array([7.0, 8, 9])
    got, notes = match_columns(values, ["c", "x", "a"], ["a", "b", "c"], fill)
    assert got.tolist() == [[3.0, 8.0, 1.0]]
    assert notes == (
        "1 of 3 columns are missing ('b'): the mean of the first data is used instead",
        "1 column that the first data do not have: left out",
    )
    same, notes = match_columns(values, ["a", "b", "c"], ["a", "b", "c"], np.zeros(3))
    assert same.tolist() == values.tolist()
    assert notes == ()


def test_too_few_columns_are_refused():
    values = np.array([[1.0, 2.0, 3.0]])
    with pytest.raises(InputError, match="lack 3 of the 4 columns"):
        match_columns(values, ["a", "y", "z"], ["a", "b", "c", "d"], np.zeros(4))
    with pytest.raises(InputError, match="3 columns, the first had 4"):
        match_columns(values, (), (), np.zeros(4))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_numbers_of_a_step_are_read_in_blocks_with_the_same_bits(dtype):
    values = np.random.default_rng(0).gamma(2.0, size=(60, 30_001)).astype(dtype)
    rows = np.arange(59, 9, -1)
    taken = values[rows].astype(np.float64)
    tracemalloc.start()
    found = step_numbers("standardise-columns", values, rows)
    total = step_numbers("equal-totals", values, rows)["total"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.9 * taken.nbytes  # blocks of one size, however wide the table is
    assert (found["mean"] == taken.mean(axis=0)).all()
    assert (found["spread"] == taken.std(axis=0, ddof=1)).all()
    assert total == np.median(taken.sum(axis=1))
