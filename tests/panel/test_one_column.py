"""Clusters that one column makes are said to be so."""

import numpy as np
import pytest
from made_sets import QUICK, grouped

import stablek
from stablek.data import Dataset, from_arrays
from stablek.errors import command_line
from stablek.panel.advice import Seen, next_steps
from stablek.panel.finding import COMPACT
from stablek.panel.one_column import OneColumn, one_column

N = 120
PART = np.arange(N) % 3


def noise(columns=4, seed=0):
    return np.random.default_rng(seed).normal(size=(N, columns))


@pytest.mark.parametrize(
    ("column", "is_values"),
    [(PART, True), (2 - PART, True), (PART * 9 + noise(1)[:, 0], False)],
)
def test_the_column_is_found(column, is_values):
    values = np.column_stack([noise(2), column, noise(2, 1)])
    data = Dataset(values, columns=tuple("abcde"))
    found = one_column(data, np.arange(N), PART)
    assert found == OneColumn("c", is_values)
    some = np.arange(0, N, 2)
    assert one_column(data, some, PART[some]).name == "c"


@pytest.mark.parametrize(
    "values",
    [
        noise(),
        np.column_stack([PART, noise()[:, 0] + PART, noise()]),
        np.column_stack([PART, PART, noise()]),
        PART[:, None],
        np.column_stack([np.where(np.arange(N) == 0, 1, PART), noise()]),
    ],
)
def test_other_columns_matter(values):
    data = Dataset(np.asarray(values, dtype=float))
    assert one_column(data, np.arange(N), PART) is None


def test_a_verdict_says_it():
    sex = np.random.default_rng(1).integers(0, 2, N)
    table = from_arrays(
        np.column_stack([noise(), 12.0 * sex]), columns=[*"abcd", "sex"]
    )
    found = stablek.verdict(table, **QUICK)
    assert found.sentence.startswith(
        "2 clusters. Column 'sex' alone makes these clusters: they are its values. Data"
    )
    assert found.next_steps[0].startswith("If column 'sex' is not what you look for")
    assert "One column" not in stablek.verdict(grouped()[0], **QUICK).sentence


def test_the_advice_names_the_option():
    with command_line():
        steps = next_steps(Seen(COMPACT, "strong", 90, column="my sex"))
    assert steps == (
        "If column 'my sex' is not what you look for, run it again with --drop "
        "'my sex': there may be other clusters.",
    )
