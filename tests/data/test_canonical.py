"""The canonical order of a table does not depend on how it is given."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stablek.data import canonical as module
from stablek.data.canonical import canonical, canonical_distances, sorted_rows


@given(st.integers(0, 2**32 - 1), st.integers(2, 30), st.integers(1, 9))
def test_shuffled_tables_have_one_canonical_form(seed, n, m):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 3, (n, m)) + 0.25 * rng.integers(0, 2, (n, 1))
    rows, columns = rng.permutation(n), rng.permutation(m)
    a, b = canonical(table), canonical(table[rows])
    assert (a.values(table) == b.values(table[rows])).all()
    assert (b.place == a.place[rows]).all()
    assert (a.copies == b.copies).all()
    c = canonical(table[rows][:, columns])
    assert (a.values(table) == c.values(table[rows][:, columns])).all()


def test_many_tied_rows_are_ordered_without_a_copy_of_the_table():
    table = np.random.default_rng(0).integers(0, 2, (100, 40_000)).astype(float)
    table[:, :9000] = 0.0
    tracemalloc.start()
    try:
        order, starts = sorted_rows(table, np.arange(40_000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert starts.all()
    assert (table[order] == np.unique(table, axis=0)).all()
    assert peak <= table.nbytes


def one_hot(groups=5, size=3):
    """Columns that nothing but the others tells apart, and nothing if shuffled."""
    return np.repeat(np.eye(groups), size, axis=0)


@pytest.mark.parametrize(
    "table",
    [
        np.eye(7),
        one_hot(),
        np.hstack([one_hot(), one_hot()]),
        # Two pairs of columns that change places together.
        np.array([[1.0, 0, 1, 0], [0, 1, 0, 1], [2, 2, 3, 3]]),
        np.array([np.roll([1.0, 1, 0, 0, 0, 0], i) for i in range(6)]),
        np.random.default_rng(3).integers(0, 2, (12, 40)).astype(float),
        np.zeros((3, 4)),
    ],
    ids=["eye", "one-hot", "twice", "pairs", "ring", "wide", "equal"],
)
def test_columns_of_the_same_values_have_one_order(table):
    wanted = canonical(table)
    for seed in range(30):
        rng = np.random.default_rng(seed)
        rows, columns = (rng.permutation(size) for size in table.shape)
        found = canonical(table[rows][:, columns])
        shuffled = found.values(table[rows][:, columns])
        assert (shuffled == wanted.values(table)).all()


def test_a_table_is_reordered_in_place_as_in_a_copy(monkeypatch):
    monkeypatch.setattr(module, "AT_ONCE", 7)  # blocks of one row, or column
    rng = np.random.default_rng(0)
    table = rng.integers(0, 3, (12, 3)).astype(float)
    order = canonical(table)
    assert len(order.rows) < 12
    wanted = table[np.ix_(order.rows, order.columns)]
    assert np.array_equal(order.values(table), wanted)
    assert np.array_equal(order.reorder(table.copy()), wanted)


def test_distances_full_of_ties_have_one_order():
    """Sides of a ladder: every item has the same distances but two."""
    place = np.array([(x, y) for x in range(5) for y in range(2)], dtype=float)
    square = np.abs(place[:, None] - place[None]).sum(axis=2)
    square[0, 9] = square[9, 0] = 20.0
    wanted = canonical_distances(square).rows
    for seed in range(30):
        order = np.random.default_rng(seed).permutation(10)
        found = order[canonical_distances(square[np.ix_(order, order)]).rows]
        assert (square[np.ix_(found, found)] == square[np.ix_(wanted, wanted)]).all()


@given(st.integers(0, 2**32 - 1), st.integers(2, 30), st.integers(1, 9))
def test_distinct_rows_are_those_of_numpy(seed, n, m):
    table = np.random.default_rng(seed).integers(0, 2, (n, m)).astype(float)
    found = canonical(table)
    values = found.values(table)
    unique, counts = np.unique(table[:, found.columns], axis=0, return_counts=True)
    assert (values == unique).all()
    assert (found.copies == counts).all()
    assert (values[found.place] == table[:, found.columns]).all()


def test_zeros_of_both_signs_are_equal():
    table = np.array([[0.0, 1.0], [-0.0, 1.0]])
    assert canonical(table).copies.tolist() == [2]


@pytest.mark.parametrize("n", [1, 2])
def test_tiny_tables_have_an_order(n):
    assert canonical(np.ones((n, 1))).copies.tolist() == [n]
