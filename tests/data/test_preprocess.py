"""Preparation of the values: explicit, recorded, exact."""

import numpy as np
import pytest

from stablek.data import from_arrays
from stablek.data.preparation import (
    STEPS,
    drop_constant_columns,
    most_variable,
    prepare,
    standardise_columns,
    standardise_rows,
)
from stablek.errors import InputError


def sample(seed=0, shape=(7, 5)):
    values = np.random.default_rng(seed).normal(3.0, 2.0, shape)
    return from_arrays(values, columns=tuple("abcdefgh"[: shape[1]]))


def test_standardised_rows_have_mean_zero_and_deviation_one():
    data = standardise_rows(sample())
    assert np.allclose(data.values.mean(axis=1), 0, atol=1e-12)
    assert np.allclose(data.values.std(axis=1, ddof=1), 1)
    assert data.notes == ("rows standardised",)


def test_standardised_columns_have_mean_zero_and_deviation_one():
    data = standardise_columns(sample())
    assert np.allclose(data.values.mean(axis=0), 0, atol=1e-12)
    assert np.allclose(data.values.std(axis=0, ddof=1), 1)
    assert data.columns == tuple("abcde")


def test_what_has_no_spread_becomes_zero_and_is_counted():
    data = standardise_rows(from_arrays([[1.0, 2.0], [0.1, 0.1], [3.0, 5.0]]))
    assert data.values[1].tolist() == [0, 0]
    assert data.notes == ("rows standardised (1 constant row set to 0)",)


def test_large_and_small_values_are_standardised_alike():
    base = sample().values
    for scale in (1e-130, 1e140):
        scaled = standardise_rows(from_arrays(base * scale)).values
        assert np.allclose(scaled, standardise_rows(from_arrays(base)).values)


def test_the_logarithm_is_that_of_the_base():
    data = STEPS["log2"](from_arrays([[1.0, 2.0], [4.0, 8.0], [16.0, 0.5]]))
    assert np.allclose(data.values, [[0, 1], [2, 3], [4, -1]])
    counts = STEPS["log1p"](from_arrays([[0.0], [1.0], [3.0]]))
    assert counts.values.ravel().tolist() == [0, 1, 2]


def test_a_value_without_a_logarithm_is_named():
    with pytest.raises(InputError, match=r"first is -3 in row '2', column 'b'"):
        STEPS["log2"](from_arrays([[1.0, 2], [4, -3], [0, 5]], columns=("a", "b")))


def test_rows_of_counts_get_the_median_of_their_totals():
    data = STEPS["equal-totals"](
        from_arrays([[1.0, 3.0], [10.0, 10.0], [0.0, 8.0], [0.0, 0.0]])
    )
    assert np.array_equal(data.values, [[2, 6], [4, 4], [0, 8], [0, 0]])
    assert data.notes == ("rows scaled to the same total, 8 (1 row left at 0)",)
    assert not STEPS["equal-totals"](from_arrays(np.zeros((3, 2)))).values.any()


def test_totals_are_for_counts():
    with pytest.raises(InputError, match=r"-3 in row '2' is negative"):
        STEPS["equal-totals"](from_arrays([[1.0, 2], [4, -3], [0, 5]]))


def test_the_most_variable_columns_keep_their_order():
    values = np.array([[0, 0, 0], [1, 5, 9], [2, 10, 18], [0, 0, 0.0]])
    data = most_variable(from_arrays(values, columns=("a", "b", "c")), 2)
    assert data.columns == ("b", "c")
    assert np.array_equal(data.values, values[:, 1:])
    assert data.notes == ("2 most variable of 3 columns kept",)


@pytest.mark.parametrize("count", [0, 6])
def test_more_columns_than_there_are_cannot_be_kept(count):
    with pytest.raises(InputError, match="out of range: name 1 to 5"):
        most_variable(sample(), count)


def test_constant_columns_go_with_a_note():
    data = drop_constant_columns(from_arrays([[1.0, 2], [1, 3], [1, 4]]))
    assert data.values.ravel().tolist() == [2, 3, 4]
    assert data.notes[0].startswith("1 constant column dropped")


def test_equal_rows_stay_with_a_note():
    data = drop_constant_columns(from_arrays(np.ones((3, 2))))
    assert data.values.shape == (3, 2)
    assert data.notes == ("all rows are identical",)


def test_dropping_constant_columns_changes_no_euclidean_distance():
    data = sample()
    padded = from_arrays(np.column_stack([data.values, np.full(7, 5.0)]))
    dropped = drop_constant_columns(padded)
    assert np.array_equal(dropped.distances("euclidean"), data.distances("euclidean"))


def test_the_data_given_is_not_changed():
    data = sample()
    before = data.values.copy()
    prepare(data, ["standardise-rows", "most-variable:2", "standardise-columns"])
    assert np.array_equal(data.values, before)
    assert data.notes == ()


def test_steps_are_applied_in_order_and_recorded():
    data = from_arrays(np.abs(sample().values))
    steps = ["log1p", "standardise-rows", "most-variable:3", "standardise-columns"]
    done = prepare(data, steps)
    assert len(done.notes) == 4
    by_hand = most_variable(standardise_rows(STEPS["log1p"](data)), 3)
    assert np.array_equal(done.values, standardise_columns(by_hand).values)


@pytest.mark.parametrize("step", ["standardize-rows", "most-variable", "log3"])
def test_an_unknown_step_is_refused(step):
    with pytest.raises(InputError, match="unknown step"):
        prepare(sample(), [step])


@pytest.mark.parametrize("step", ["standardise-rows", "log2", "most-variable:1"])
def test_distances_are_not_prepared(step):
    data = from_arrays(np.ones((3, 3)) - np.eye(3), precomputed=True)
    with pytest.raises(InputError, match="the input is a distance matrix"):
        prepare(data, [step])
