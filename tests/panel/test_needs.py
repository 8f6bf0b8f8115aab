"""The memory of a verdict is told, and kept, before anything is made."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import stablek
from stablek.api.verdict_cost import verdict_cost
from stablek.cli.verdict import write
from stablek.data import Dataset
from stablek.engine.execution.execute import Execution
from stablek.errors import InputError
from stablek.panel.needs import needs_of

QUICK = {"null_sets": 9, "repeats": 10}


def peak_of(values, ks=range(2, 5)):
    """Return the most bytes a verdict holds beside its input."""
    tracemalloc.start()
    try:
        stablek.verdict(values, ks, **QUICK, backend="serial")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def two_clusters(n, m, dtype=np.float64):
    values = np.random.default_rng(0).normal(size=(n, m)).astype(dtype)
    values[: n // 2, : max(m // 20, 1)] += 6
    return values


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_long_table_takes_no_more_than_was_told(dtype):
    values = two_clusters(60_000, 20, dtype)
    stablek.verdict(two_clusters(300, 20, dtype), range(2, 5), **QUICK)  # compile
    needs = needs_of(Dataset(values), range(2, 5), Execution(1), changed=False)
    assert peak_of(values) <= sum(needs.values()) - needs["data"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_wide_table_takes_less_than_twice_itself_and_than_was_told(dtype):
    values = two_clusters(120, 40_000, dtype)
    values[:2] *= 2  # isolated: the others are judged without them
    stablek.verdict(two_clusters(60, 200, dtype), range(2, 5), **QUICK)  # compile
    needs = needs_of(Dataset(values), range(2, 5), Execution(1), changed=False)
    peak = peak_of(values)
    assert peak <= 2 * 8 * values.size  # in double precision
    assert peak <= sum(needs.values()) - needs["data"]


def test_a_verdict_that_is_kept_holds_no_table():
    values = two_clusters(60, 20_000)
    tracemalloc.start()
    try:
        found = stablek.verdict(values, range(2, 5), **QUICK, backend="serial")
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert found.n == 60
    assert held <= 0.75 * values.nbytes


def test_writing_a_wide_verdict_copies_no_table(tmp_path):
    values = two_clusters(120, 40_000)
    small = stablek.verdict(two_clusters(60, 200), range(2, 5), **QUICK)
    write(small, tmp_path)  # imports, and compiles
    found = stablek.verdict(values, range(2, 5), **QUICK, backend="serial")
    tracemalloc.start()
    try:
        write(found, tmp_path)
        assert tracemalloc.get_traced_memory()[1] <= values.nbytes
    finally:
        tracemalloc.stop()


def test_a_verdict_beyond_its_budget_is_refused_with_the_sum():
    told = r"5,000 items needs .* \(data 800 kB, .*is 5 MB \(set by --memory\)"
    with pytest.raises(InputError, match=told):
        stablek.verdict(two_clusters(5000, 20), memory="5M")


def test_the_cost_of_a_verdict_counts_its_null_sets_and_repeats():
    cost = verdict_cost(two_clusters(80, 6), range(2, 4), null_sets=7, repeats=12)
    assert cost.tasks["repeats"] >= 12
    assert all(n == 7 for what, n in cost.tasks.items() if what.startswith("null"))
    assert cost.seconds > 0
    assert cost.total == sum(cost.memory.values())


def test_columns_that_are_scaled_are_judged_twice():
    values = two_clusters(80, 4) * [1.0, 1.0, 10.0, 1000.0]
    once = verdict_cost(values, range(2, 4), scale="as given", null_sets=7)
    twice = verdict_cost(values, range(2, 4), null_sets=7)
    assert twice.tasks["repeats"] == 2 * once.tasks["repeats"]


def test_a_million_rows_need_less_than_a_gigabyte_beside_the_data():
    class Large:
        n, m, ids = 1_000_000, 20, ()
        values = np.empty((0, 20), np.float32)

    needs = needs_of(Large(), range(2, 16), Execution(2), changed=False)
    assert sum(needs.values()) - needs["data"] < 1e9
