"""The memory of a verdict is told, and kept, before anything is made."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import stablek
from stablek.api.verdict_plan import verdict_cost
from stablek.cli.verdict import write
from stablek.data import Dataset, canonical, content, preparation
from stablek.engine.execution.execute import Execution
from stablek.errors import InputError
from stablek.panel import components, coordinates
from stablek.panel import needs as needs_module
from stablek.panel.needs import needs_of
from stablek.results import rank_shifts

QUICK = {"null_sets": 9, "repeats": 10}


def peak_of(values, **options):
    """Return the most bytes a verdict holds beside its input."""
    tracemalloc.start()
    try:
        stablek.verdict(values, range(2, 5), **QUICK, **options, backend="serial")
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
    needs = needs_of(
        Dataset(values), range(2, 5), Execution(1), repeats=10, changed=False
    )
    assert peak_of(values) <= sum(needs.values()) - needs["data"]


def counts(n, m):
    rng = np.random.default_rng(0)
    rate = np.tile(rng.lognormal(2, 1, m), (n, 1))
    rate[: n // 2, : m // 20] *= 4
    return rng.poisson(rate * rng.lognormal(0, 0.5, (n, 1))).astype(np.float64)


def rows_of_one_length(n, m):
    values = two_clusters(n, m)
    return values / np.linalg.norm(values, axis=1, keepdims=True)


@pytest.fixture
def small_blocks(monkeypatch):
    """A table of some megabytes is then as wide as one of gigabytes."""
    for module in (canonical, content, needs_module):
        monkeypatch.setattr(module, "AT_ONCE", 1 << 15)
    for module in (components, coordinates, preparation, rank_shifts):
        monkeypatch.setattr(module, "BLOCK", 20_000)
    monkeypatch.setattr(needs_module, "RANKED", 20_000)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(
    ("made", "options"),
    [
        (two_clusters, {}),
        (lambda n, m: two_clusters(n, m, np.float32), {}),
        (counts, {}),
        (rows_of_one_length, {}),
        (two_clusters, {"metric": "spearman"}),
    ],
    ids=["values", "single", "counts", "rows of one length", "ranks"],
)
def test_a_wide_table_takes_less_than_twice_itself_and_than_was_told(made, options):
    values = made(120, 8_000)
    if made is two_clusters:
        values[:2] *= 2  # isolated: the others are judged without them
    stablek.verdict(made(60, 200), range(2, 5), **QUICK, **options)  # compile
    changed = made is counts or bool(options)
    needs = needs_of(
        Dataset(values), range(2, 5), Execution(1), repeats=10, changed=changed
    )
    peak = peak_of(values, **options)
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


@pytest.mark.usefixtures("small_blocks")
def test_writing_a_wide_verdict_copies_no_table(tmp_path):
    values = two_clusters(120, 8_000)
    small = stablek.verdict(two_clusters(60, 200), range(2, 5), **QUICK)
    write(small, tmp_path)  # imports, and compiles
    found = stablek.verdict(values, range(2, 5), **QUICK, backend="serial")
    how = Execution(1)
    needs = needs_of(Dataset(values), range(2, 5), how, repeats=10, changed=False)
    tracemalloc.start()
    try:
        write(found, tmp_path)
        peak = tracemalloc.get_traced_memory()[1]
        assert peak <= values.nbytes
        assert peak <= needs["markers"] + needs["items"] + needs["work"]
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

    needs = needs_of(Large(), range(2, 16), Execution(2), repeats=40, changed=False)
    assert sum(needs.values()) - needs["data"] < 1e9
