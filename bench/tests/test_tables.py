"""The thesis's tables, run again: on toys, in a folder made for the test."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from stablek.api.choose_k import choose_k
from stablek.engine.execution.execute import Execution
from stablek.measures.compose import compose
from stablek_bench import beyond, reference
from stablek_bench.beyond import BEYOND, PEERS, ask_peer, combinations
from stablek_bench.command import command
from stablek_bench.grid import (
    TABLES,
    Recipe,
    Table,
    choose,
    fast,
    largest_k,
    smallest_k,
)
from stablek_bench.page import text
from stablek_bench.passes import compute
from stablek_bench.reference import printed
from stablek_bench.run import Bench, bearable
from stablek_bench.sources import SOURCES, load_source
from stablek_bench.store import Answer, Store
from stablek_bench.summary import ranked, rows, settings
from stablek_bench.tables import Cell, cell_text, cells_of, score

GOLD_ROW = "Gold solution"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a data folder with a toy Leukemia: 30 items in three clear groups."""
    rng = np.random.default_rng(5)
    values = rng.normal(size=(30, 4)) + np.repeat(np.eye(3, 4) * 9, 10, axis=0)
    values = 300 * 10 ** (values / 9)  # arrays, of which logs are taken
    where = tmp_path / "data"
    where.mkdir()
    with gzip.open(where / "leukemia_full.tsv.gz", "wt") as file:
        file.write("id\ta\tb\tc\td\n")
        for i, row in enumerate(values):
            file.write(f"s{i}\t" + "\t".join(f"{v:.6f}" for v in row) + "\n")
    lines = [f"s{i}\tg{i // 10}" for i in range(30)]
    (where / "leukemia_full.labels.tsv").write_text(
        "\n".join(["id\tclass", *lines, ""])
    )
    return where


@pytest.fixture
def bench(folder: Path) -> Bench:
    return Bench(Store(), str(folder), execution=Execution(1), only=("Leukemia",))


def restricted(name: str, *names: str) -> Table:
    table = TABLES[name]
    return replace(table, rows={row: table.rows[row] for row in names})


def test_the_grid_has_every_printed_cell_and_no_other() -> None:
    ours = {
        (t.name, row, c) for t in TABLES.values() for row in t.rows for c in t.columns
    }
    theirs = {cell for cell in printed() if cell[1] != GOLD_ROW}
    assert len(TABLES) == 61
    assert ours == theirs


def test_ranges_of_k_are_those_of_the_thesis() -> None:
    clest = choose("clest", "Hier-A", index="fm")
    assert [largest_k(clest, d) for d in ("Leukemia", "NCI60", "Yeast")] == [10, 15, 30]
    few = TABLES["H500p66"].rows["Hier-A"]
    assert largest_k(few, "Leukemia") == 25
    assert smallest_k(choose("g-gap", "Hier-A")) == 1
    assert smallest_k(choose("wcss", "Hier-A")) == 2


def test_gold_ks_are_those_the_thesis_prints() -> None:
    gold = {d: v for (_, row, d), v in printed().items() if row == GOLD_ROW}
    assert {name: str(source.gold) for name, source in SOURCES.items()} == gold


def test_factorisation_is_left_out_on_the_largest_sets() -> None:
    assert not bearable(fast("NMF-A"), "Yeast")
    assert bearable(fast("NMF-A"), "NCI60")
    # The thesis prints "-" for Brunet's on the sets of Monti et al.
    for dataset in ("Novartis", "St.Jude", "Normal"):
        assert not bearable(fast("NMF-A"), dataset)
        assert bearable(Recipe("choose", "fc", "nmf-a+fold"), dataset)


def test_a_table_finds_the_groups_and_is_not_computed_twice(bench: Bench) -> None:
    table = restricted("WCSS", "Hier-A", "K-means-R")
    assert bench.run([table]) == 0
    found = {c.row: c for c in cells_of(table, bench) if c.dataset == "Leukemia"}
    assert {c.ours for c in found.values()} == {3}
    assert found["Hier-A"].thesis == "3"
    assert bench.passes([table, restricted("WCSSapp", "Hier-A")]) == []


def test_fewer_repeats_are_a_prefix_of_more(folder: Path) -> None:
    loaded = load_source(SOURCES["Leukemia"], str(folder))
    assert loaded is not None
    recipes = [replace_repeats(fast("K-means-R"), h) for h in (10, 30)]
    together = compute(recipes, loaded, 0, Execution(1))
    for recipe in recipes:
        alone = compute([recipe], loaded, 0, Execution(1))[recipe]
        assert together[recipe].k == alone.k
        assert together[recipe].facts == alone.facts


def replace_repeats(recipe: Recipe, repeats: int) -> Recipe:
    changed = {**dict(recipe.settings), "repeats": repeats}
    return replace(recipe, settings=tuple(sorted(changed.items())))


def test_one_pass_gives_clest_for_each_index_as_alone(folder: Path) -> None:
    loaded = load_source(SOURCES["Leukemia"], str(folder))
    assert loaded is not None
    small = {"repeats": 3, "null_sets": 4}
    recipes = [
        choose("clest", "Hier-A", index=index, **small) for index in ("fm", "adj", "f")
    ]
    together = compute(recipes, loaded, 0, Execution(1))
    for recipe in recipes:
        alone = choose_k(
            loaded.data, "clest", "hier-a", range(2, 10), jobs=1,
            preset="thesis", **dict(recipe.settings),
        )  # fmt: skip
        assert together[recipe].k == alone.k_star


def test_similarity_tables_score_the_cut_of_the_consensus_matrix(bench: Bench) -> None:
    tables = [
        restricted(n, "Hier-A") for n in ("siimEuclidean", "simmConsensuns500-80")
    ]
    bench.run(tables)
    for table in tables:
        (cell,) = [c for c in cells_of(table, bench) if c.dataset == "Leukemia"]
        assert cell.ours == pytest.approx(1.0)


def test_external_indices_peak_at_the_classes(bench: Bench) -> None:
    table = replace(
        BEYOND["external"], rows={"K-means-A": BEYOND["external"].rows["K-means-A"]}
    )
    bench.run([table])
    answer = bench.answer(table.rows["K-means-A"], "Leukemia")
    assert answer is not None
    assert answer.facts is not None
    for index in ("adj", "fm", "f"):
        assert answer.facts["ks"][int(np.argmax(answer.facts[index]))] == 3


def test_our_numbers_do_not_depend_on_the_reference(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = restricted("KL-Index", "Hier-A")
    bench.run([table])
    with_it = cells_of(table, bench)
    monkeypatch.setattr(reference, "FILE", tmp_path / "absent.csv")
    without = cells_of(table, bench)
    assert all(cell.thesis is None for cell in without)
    assert [c.ours for c in with_it] == [c.ours for c in without]


def test_scores_count_ties_and_the_constant_guess() -> None:
    cells = [
        Cell("a", "Leukemia", "k", "3 - 4", 4, 3, 0.1),
        Cell("b", "Leukemia", "k", "2", 3, 3, 0.1),
        Cell("c", "Leukemia", "k", "-", 3, 3, 0.1),
        Cell("d", "PBM", "k", "2", 2, 18, 0.1),
    ]
    assert score(cells).counts() == (2, 1, 2, 1, 2, 1, 2)


def test_a_store_is_resumed_and_keyed_by_data_and_seed(tmp_path: Path) -> None:
    recipe = fast("Hier-A")
    first = Store(tmp_path / "b.sqlite")
    first.put("Yeast", "d1", {recipe: Answer(5, 0.5, 2)})
    first.close()
    again = Store(tmp_path / "b.sqlite")
    assert again.get(recipe, "Yeast", "d1") == Answer(5, 0.5, 2)
    assert again.get(recipe, "Yeast", "d2") is None
    again.close()
    other = Store(tmp_path / "b.sqlite", seed=1)
    assert other.get(recipe, "Yeast", "d1") is None
    other.close()


def test_a_budget_of_nothing_begins_nothing(bench: Bench) -> None:
    table = restricted("WCSS", "Hier-A", "Hier-C")
    assert bench.run([table], minutes=-1.0) == 2


def test_there_are_twenty_combinations_and_each_is_a_measure() -> None:
    made = [compose(**one) for one in combinations()]  # type: ignore[arg-type]
    assert len({(m.name, str(m.collect)) for m in made}) >= 20


@pytest.mark.parametrize("name", PEERS)
def test_peers_find_three_clear_groups(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Calinski-Harabasz grows without bound as k nears the number of items.
    monkeypatch.setattr(beyond, "PEER_K", 8)
    rng = np.random.default_rng(1)
    centres = np.repeat([[0.0, 0.0], [20.0, 0.0], [0.0, 20.0]], 12, axis=0)
    said = ask_peer(name, centres + rng.normal(size=(36, 2)), 0)
    assert said is not None
    if name not in ("bayesian-mixture", "elbow-kneed"):
        assert said == 3


def test_page_and_summary_say_what_is_missing(bench: Bench) -> None:
    bench.run([restricted("WCSS", "Hier-A")])
    written = text(bench)
    assert "This page is partial" in written
    assert "### WCSS" in written
    assert "### Gap" not in written
    found = settings(bench)
    assert [one.name for one in ranked(found)] == ["WCSS-Hier-A"]
    assert len(rows(found)) == 2


def test_the_command_prints_json_with_the_promised_keys(folder: Path) -> None:
    asked = ["table", "WCSS", "--data", str(folder), "--dataset", "Leukemia",
             "-a", "hier-a", "--json", "-q"]  # fmt: skip
    done = CliRunner().invoke(command, asked)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["table"] == "WCSS"
    assert set(found["cells"][0]) == {
        "row", "dataset", "thesis", "ours", "gold", "seconds", "seeds", "agree",
    }  # fmt: skip
    ours = [c["ours"] for c in found["cells"] if c["row"] == "Hier-A"]
    assert ours == [None, 3, None, None, None, None]


def test_all_stops_at_its_budget_goes_on_and_writes_a_page(
    folder: Path, tmp_path: Path
) -> None:
    store, page = str(tmp_path / "b.sqlite"), tmp_path / "page.md"
    asked = ["all", "--data", str(folder), "--dataset", "Leukemia", "-a", "hier-a",
             "-o", store, "--page", str(page), "-q", "--budget"]  # fmt: skip
    first = CliRunner().invoke(command, [*asked, "0"])
    assert first.exit_code == 0, first.output
    assert "0 cells" in first.stdout or "passes left" in first.stdout
    assert "This page is partial" in page.read_text()
    shown = CliRunner().invoke(
        command, ["summary", "--store", store, "--data", str(folder)]
    )
    assert shown.exit_code == 0, shown.output


def test_a_randomised_cell_is_the_mode_over_seeds_with_its_share(bench: Bench) -> None:
    table = restricted("FC-H250p80", "Hier-A", "K-means-R")
    loaded = bench.load("Leukemia")
    assert loaded is not None
    said = [5, 3, 3, 4, 3]
    for ahead, k in enumerate(said):
        answers = {table.rows["Hier-A"]: Answer(k, 1.0 + ahead, 1)}
        bench.store.put("Leukemia", loaded.digest, answers, ahead)
    for ahead in range(10):
        answers = {table.rows["K-means-R"]: Answer(4, 0.1, 1)}
        bench.store.put("Leukemia", loaded.digest, answers, ahead)
    cells = {c.row: c for c in cells_of(table, bench) if c.dataset == "Leukemia"}
    found = cells["Hier-A"]
    assert (found.ours, found.agree, found.seeds, found.seconds) == (3, 3, 5, 1.0)
    assert cell_text(found).startswith("3* 3/5 (")
    assert cell_text(cells["K-means-R"]).startswith("4~ (")


def test_only_what_draws_is_run_with_more_seeds(bench: Bench) -> None:
    tables = [
        restricted("WCSS", "Hier-A", "K-means-R"),
        restricted("ME", "ME-F-Hier-A"),
    ]
    seeds: dict[str, list[int]] = {}
    for one in bench.passes(tables):
        seeds.setdefault(one.recipes[0].key, []).append(one.seed)
    counts = sorted(len(found) for found in seeds.values())
    assert counts == [1, 10, 10]
    assert list(bench.seeds(fast("NMF-R"), "Leukemia")) == [0]
    assert list(bench.seeds(choose("gap-ps", "K-means-R"), "Leukemia")) == [0]
