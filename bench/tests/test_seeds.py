"""How many seeds a cell gets, and what counts as one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stablek.api.choose_k import request
from stablek_bench.grid import TABLES, choose, consensus, fast
from stablek_bench.passes import measure_of
from stablek_bench.run import Bench
from stablek_bench.seeds import FEW, SEEDS
from stablek_bench.store import Answer, Store
from stablek_bench.tables import cell_text, cells_of


@pytest.fixture
def bench() -> Bench:
    return Bench(Store())


def test_dear_cells_get_fewer_seeds_and_pbm_one(bench: Bench) -> None:
    assert list(bench.seeds(fast("Hier-A"), "PBM")) == [0]
    assert len(bench.seeds(consensus("K-means-R", 100), "Gaussian3")) == SEEDS
    assert len(bench.seeds(consensus("K-means-R", 500), "Gaussian5")) == SEEDS
    assert len(bench.seeds(consensus("K-means-R", 500), "Gaussian3")) == FEW


def test_what_shows_whether_seeds_agree_has_all_of_them(bench: Bench) -> None:
    assert len(bench.seeds(consensus("K-means-R", None), "Gaussian3")) == SEEDS
    assert len(bench.seeds(fast("K-means-R", None), "Gaussian3")) == SEEDS
    assert len(bench.seeds(fast("K-means-R"), "Gaussian3")) == SEEDS


@pytest.mark.parametrize("row", ["Hier-A", "K-means-R", "K-means-S"])
@pytest.mark.parametrize(
    ("measure", "recipe_of"), [("fc", fast), ("consensus", consensus)]
)
def test_the_default_is_what_a_user_gets(measure, recipe_of, row) -> None:  # type: ignore[no-untyped-def]
    recipe = recipe_of(row, None)
    data = np.random.default_rng(0).normal(size=(20, 2))
    assert measure_of(recipe) == request(data, measure, recipe.algorithm).measure


def test_gap_has_one_seed(bench: Bench) -> None:
    assert list(bench.seeds(choose("gap-ps", "K-means-R"), "Gaussian5")) == [0]


def test_the_runs_of_gap_stand_for_seeds(bench: Bench) -> None:
    row = "Gap-Ps-Hier-A"
    table = replace(TABLES["Gap"], rows={row: TABLES["Gap"].rows[row]})
    loaded = bench.load("PBM")
    assert loaded is not None
    said = Answer(4, 1.0, 1, facts={"outcomes": {"3": 7, "4": 13}})
    bench.store.put("PBM", loaded.digest, {table.rows[row]: said}, 0)
    found = next(c for c in cells_of(table, bench) if c.dataset == "PBM")
    assert (found.ours, found.agree, found.seeds) == (4, 13, 20)
    assert " 13/20 (" in cell_text(found)
