"""The canonical order of a table does not depend on how it is given."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stablek.data.canonical import canonical


@given(st.integers(0, 2**32 - 1), st.integers(2, 30), st.integers(1, 9))
def test_shuffled_tables_have_one_canonical_form(seed, n, m):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 3, (n, m)) + 0.25 * rng.integers(0, 2, (n, 1))
    rows, columns = rng.permutation(n), rng.permutation(m)
    a, b = canonical(table), canonical(table[rows])
    assert (a.values(table) == b.values(table[rows])).all()
    assert (b.place == a.place[rows]).all()
    assert (a.copies == b.copies).all()
    spread = table + 9 * np.arange(m)  # columns of different range have one order
    c, d = canonical(spread), canonical(spread[rows][:, columns])
    assert (c.values(spread) == d.values(spread[rows][:, columns])).all()


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
