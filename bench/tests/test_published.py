"""What the bench publishes: pages, pictures and tables of a store that is filled."""

import gzip
import json
import re
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

from stablek.api.choose_k import choose_k
from stablek.engine.execution.execute import Execution
from stablek.errors import InputError, StablekError
from stablek_bench import knee_page, knees, page, passes, rules
from stablek_bench.beyond import BEYOND, ask_peer
from stablek_bench.command import cells_of as row_cells
from stablek_bench.command import command
from stablek_bench.grid import FIRST_FIVE, TABLES, Recipe, choose, table_named
from stablek_bench.page_data import Work, rest, run_table
from stablek_bench.page_questions import nmf
from stablek_bench.passes import compute, external
from stablek_bench.run import Bench, bearable
from stablek_bench.sources import SOURCES, load_source
from stablek_bench.store import Answer, Store
from stablek_bench.summary import picture
from stablek_bench.tables import Cell, cell_text, cells_of, duration, layout
from stablek_bench.wilson import Share

rng = np.random.default_rng(5)
TOY = rng.normal(size=(30, 4)) + np.repeat(np.eye(3, 4) * 9, 10, axis=0)
TOY = 300 * 10 ** (TOY / 9)  # arrays, of which logs are taken


CLEAR = rules.mixture("equal", 2, 2, 0, bayes_error=0.001)


def write_toy(where, name, cell="{:.6f}"):
    with gzip.open(where / f"{name}.tsv.gz", "wt") as file:
        file.write("id\ta\tb\tc\td\n")
        for i, row in enumerate(TOY):
            file.write(f"s{i}\t" + "\t".join(cell.format(v) for v in row) + "\n")
    lines = [f"s{i}\tg{i // 10}" for i in range(30)]
    (where / f"{name}.labels.tsv").write_text("\n".join(["id\tclass", *lines, ""]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a data folder in which five sets of the thesis are one toy."""
    where = tmp_path_factory.mktemp("data")
    for name in FIRST_FIVE:
        write_toy(where, SOURCES[name].file)
    return where


@pytest.fixture(scope="module")
def loaded(folder):
    return load_source(SOURCES["Leukemia"], str(folder))


@pytest.fixture(scope="module")
def store(folder, tmp_path_factory):
    """Return a file of bench results with an answer in every cell."""
    place = tmp_path_factory.mktemp("store") / "all.sqlite"
    bench = Bench(Store(place), str(folder))
    facts = {"ks": [2, 3, 4], "adj": [0.5, 1, 0.8], "fm": [0.6, 1, 0.9], "f": [0, 1, 0]}
    for number, dataset in enumerate(SOURCES):
        one = bench.load(dataset)
        if one is None:
            continue
        answers = {
            recipe: Answer(one.gold + (number == 2), 0.5, 1, 0.75, facts)
            for table in {**TABLES, **BEYOND}.values()
            for recipe in table.rows.values()
            if dataset in table.columns and bearable(recipe, dataset)
        }
        bench.store.put(dataset, one.digest, answers)
    bench.store.close()
    return str(place)


def asked(*words):
    done = CliRunner().invoke(command, [str(word) for word in words])
    return done.exit_code, done.stdout, done.stderr


def test_a_page_without_gaps_says_so_and_answers_the_questions(store, folder, tmp_path):
    file = tmp_path / "page.md"
    code, out, err = asked(
        "page", "--store", store, "--data", folder, "-o", file, "--note", "One core."
    )
    assert (code, out) == (0, ""), err
    written = file.read_text()
    assert "This page is complete" in written
    assert "One core." in written
    assert "| fc | 35 of 35 | 35 (100 %) |" in written
    assert "FC-Hier-A takes 2 s for the four timed sets" in written
    assert "It is number" in written
    assert "12 exact and 16 within one of 16 cells, median time 0.5 s" in written
    assert "| wcss | 42 of 42 | 42 of 87 | 22 s |" in written
    assert "| external | 63 of 63 | 63 of 63 | - |" in written
    assert "### FC-H250p80\n" in written
    assert "-time\n" not in written
    printed = asked("page", "--store", store, "--data", folder, "--note", "One core.")
    assert printed[1] == written


def test_a_partial_page_says_what_the_rest_would_cost(folder):
    bench = Bench(Store(), str(folder))
    recipe = TABLES["KL-Index"].rows["Hier-A"]
    digest = bench.load("Leukemia").digest
    bench.store.put("Leukemia", digest, {recipe: Answer(3, 2.0, 1)})
    told = run_table(bench, "")
    assert "**This page is partial**: 1 of" in told
    assert ", 1 of the " in told
    assert "| kl | 1 of 42 | 1 of 87 | " in told
    assert re.search(r"\| clest \| 0 of 105 \| 0 of 1050 \| \d+ s \|", told)


def test_missing_runs_cost_what_runs_of_about_the_same_work_did():
    small = Work(expected=1.0, seeds=2, took=[[0.2, 0.5]])
    large = Work(expected=100.0, seeds=1, took=[[50.0]])
    assert rest([small, large]) == "-"
    # Two cells of one pass, three seeds.
    wider = Work(expected=20.0, seeds=3, took=[[], []])
    assert rest([small, large, wider]) == "30 s"
    assert rest([small, wider]) == "12 s"
    assert rest([wider]) == "60 s"


def test_a_page_of_an_empty_store_says_that_nothing_was_run(folder):
    bench = Bench(Store(), str(folder))
    written = page.text(bench)
    assert "Nothing has been run yet." in written
    assert "No cell to compare yet." in written
    assert "No time to compare yet." in written


def test_the_figures_show_the_indices_and_both_sides(
    store, folder, tmp_path, monkeypatch
):
    whole = BEYOND["external"]
    one = replace(whole, rows={"Hier-A": whole.rows["Hier-A"]}, columns=("Leukemia",))
    monkeypatch.setattr(page, "BEYOND", {"external": one})
    figures = tmp_path / "figures"
    code, _, err = asked(
        "page", "--store", store, "--data", folder, "--figures", figures, "-o",
        tmp_path / "p.md",
    )  # fmt: skip
    assert code == 0, err
    names = {file.name for file in figures.iterdir()}
    assert names == {
        "precision-against-time.svg", "external-adj.svg", "external-fm.svg",
        "external-f.svg",
    }  # fmt: skip
    drawn = (figures / "external-adj.svg").read_text()
    assert "Adjusted Rand index against the classes" in drawn
    assert "Hier-A" in drawn


def test_the_summary_ranks_the_settings_and_draws_them(store, folder, tmp_path):
    drawn = tmp_path / "summary.png"
    code, out, err = asked(
        "summary", "--store", store, "--data", folder, "--most", 3, "-o", drawn
    )
    assert code == 0, err
    assert len(out.strip().splitlines()) == 4
    assert "5 of 5" in out
    assert drawn.read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_it_is_said_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(StablekError, match=r"pip install 'stablek\[plot\]'"):
        picture([], tmp_path / "summary.svg")


def test_a_store_that_is_not_there_is_told(tmp_path, folder):
    code, _, err = asked("summary", "--store", tmp_path / "none", "--data", folder)
    assert code == 2
    assert "is not there; `stablek bench all -o" in err


def test_a_file_that_is_no_store_is_refused(tmp_path):
    file = tmp_path / "text"
    file.write_text("this is no data base, and long enough to be looked into" * 20)
    with pytest.raises(InputError, match="is not a file of bench results"):
        Store(file)


def test_a_table_is_printed_ours_beside_theirs_with_what_failed(
    folder, tmp_path, monkeypatch
):
    def breaks(recipes, *_):
        if recipes[0].algorithm == "hier-s":
            raise InputError("no luck with this one")
        return {recipe: Answer(3, 0.01, 1) for recipe in recipes}

    monkeypatch.setattr("stablek_bench.carry.compute", breaks)
    words = (
        "table", "WCSS", "--data", folder, "--dataset", "Leukemia", "-a", "hier-a",
        "-a", "hier-s", "-o", tmp_path / "b.sqlite",
    )  # fmt: skip
    code, out, err = asked(*words)
    assert code == 0, err
    assert "3* (3*)" in out
    assert out.splitlines()[-1].startswith("Cells with an answer on both sides: 1.")
    assert "note: no luck with this one" in err
    assert "note: " not in asked(*words, "-q")[2]


def test_a_table_of_times_has_no_sentence_on_precision(store, folder):
    code, out, err = asked(
        "table", "FC-H250p80-time", "--data", folder, "--dataset", "Leukemia",
        "-a", "hier-a", "-o", store, "-q",
    )  # fmt: skip
    assert code == 0, err
    assert "0.5 s (" in out
    assert "on both sides" not in out


def test_another_file_may_stand_for_a_set(folder, tmp_path):
    words = ("table", "WCSS", "--data", folder, "--dataset", "Leukemia", "-a", "hier-a")
    code, _, err = asked(*words, "--use", "Leukemia")
    assert code == 2
    assert "write --use 'CNS Rat=cns_rat'" in err
    code, out, err = asked(*words, "--use", "Leukemia = yeast", "-q")
    assert code == 0, err
    assert "3* (3*)" in out
    with pytest.raises(InputError, match="did you mean 'Leukemia'"):
        _ = Bench(Store(), str(folder), uses={"Leukaemia": "yeast"}).sources


def test_a_set_with_missing_values_and_a_folder_that_is_not_there_are_refused(
    tmp_path, monkeypatch
):
    write_toy(tmp_path, "leukemia_full", cell="NA")
    with pytest.raises(InputError, match="leukemia_full has missing values"):
        load_source(SOURCES["Leukemia"], str(tmp_path))
    with pytest.raises(InputError, match="is not a folder"):
        load_source(SOURCES["Leukemia"], str(tmp_path / "none"))
    monkeypatch.delenv("STABLEK_DATA", raising=False)
    assert load_source(SOURCES["Leukemia"]) is None


def test_an_unknown_table_is_told():
    with pytest.raises(
        InputError, match="unknown table 'WCSSap'; did you mean 'WCSSapp'"
    ):
        table_named("WCSSap")


def test_what_is_not_bearable_is_not_run(folder):
    bench = Bench(Store(), str(folder), execution=Execution(1), algorithms=("nmf-a",))
    assert bench.passes([replace(TABLES["FC-H250p80"], columns=("Yeast",))]) == []


def test_cells_say_why_they_are_empty(folder, tmp_path):
    write_toy(tmp_path, "leukemia_full")
    (tmp_path / "gold.tsv").write_text(
        "name\tgold_k\tlabels_are_gold\nleukemia_full\t3\tno\n"
    )
    bench = Bench(Store(), str(tmp_path), execution=Execution(1))
    table = TABLES["siimEuclidean"]
    recipe = table.rows["Hier-A"]
    digest = bench.load("Leukemia").digest
    bench.store.put("Leukemia", digest, {recipe: Answer(3, 0.1, 1)})
    broken = table.rows["Hier-C"]
    failed = Answer(None, 0.0, 1, facts={"failure": "too few items"})
    bench.store.put("Leukemia", digest, {broken: failed})
    found = {(c.row, c.dataset): c.state for c in cells_of(table, bench)}
    assert found["Hier-A", "Leukemia"] == "labels are not the gold classes"
    assert found["Hier-C", "Leukemia"] == "too few items"
    assert found["Hier-S", "Leukemia"] == "not run"
    assert found["Hier-A", "NCI60"] == "absent"


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (Cell("a", "Yeast", "k", "5", None, 5, None), "- (5*)"),
        (Cell("a", "Yeast", "k", "9", 6, 5, 0.1), "6~ (9)"),
        (Cell("a", "Yeast", "time", "30000", 20.0, 5, 0.02), "20 ms (30 s, x1.5e+03)"),
        (Cell("a", "Yeast", "time", "-", 20.0, 5, 0.02), "20 ms (-)"),
        (Cell("a", "Yeast", "time", None, None, 5, None), "-"),
        (Cell("a", "Yeast", "index", "0.5", 0.25, 5, 0.1), "0.250 (0.500)"),
        (Cell("a", "Yeast", "index", "-", None, 5, 0.1), "- (-)"),
        (Cell("a", "Yeast", "k", "9", 6, 5, 0.1, random=True), "6~ 1/1 (9)"),
        (Cell("a", "Yeast", "k", "9", 6, 5, 0.1, "", 10, 10, random=True), "6~ (9)"),
        (
            Cell("a", "Yeast", "index", "0.5", 0.25, 5, 0.1, "", 10, 7, random=True),
            "0.250 7/10 (0.500)",
        ),
    ],
)
def test_a_cell_shows_ours_then_theirs(cell, shown):
    assert cell_text(cell) == shown


def test_a_table_of_an_index_has_no_row_of_gold_ks(store, folder):
    table = TABLES["siimEuclidean"]
    rows = layout(table, cells_of(table, Bench(Store(store), str(folder))))
    assert rows[-1][0] == "Hier-S"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.0123, "12 ms"), (1.23, "1.2 s"), (12.3, "12 s"), (7200, "2.0 h")],
)
def test_times_have_a_fitting_unit(seconds, shown):
    assert duration(seconds) == shown


def test_me_is_answered_for_each_index_as_alone(loaded):
    recipes = [
        choose("me", "Hier-A", index=index, repeats=6) for index in ("fm", "adj")
    ]
    together = compute(recipes, loaded, 0, Execution(1))
    for recipe in recipes:
        alone = choose_k(
            loaded.data, passes.measure_of(recipe), "hier-a",
            passes.range_of(recipe, loaded), jobs=1,
        )  # fmt: skip
        assert together[recipe].k == alone.k_star
    assert len({together[recipe].seconds for recipe in recipes}) == 1


def test_the_delta_of_fc_nears_that_of_consensus(loaded, monkeypatch):
    monkeypatch.setattr(passes, "DELTA_REPEATS", (4, 60))
    (answer,) = compute(
        [Recipe("delta", "", "hier-a")], loaded, 0, Execution(1)
    ).values()
    apart = answer.facts["apart"]
    assert list(apart) == ["4", "60"]
    assert apart["60"] < apart["4"]
    assert answer.value == apart["60"]


def test_a_peer_and_a_composed_measure_answer_as_they_do_alone(loaded):
    peer = Recipe("peer", "silhouette", "")
    assert compute([peer], loaded, 0, Execution(1))[peer].k == ask_peer(
        "silhouette", loaded.data.values, 0
    )
    composed = next(iter(BEYOND["composed"].rows.values()))
    quick = replace(composed, settings=(*composed.settings, ("repeats", 5)))
    (answer,) = compute([quick], loaded, 0, Execution(1)).values()
    assert answer.facts["ks"][0] == 2
    assert answer.k in answer.facts["ks"]


def test_memberships_are_scored_only_where_the_labels_are_gold(loaded):
    recipe = BEYOND["external"].rows["Hier-A"]
    doubtful = replace(loaded, labels_are_gold=False)
    found = external(recipe, doubtful, 0, 1)
    assert found.value is None
    assert set(found.facts) == {"ks"}
    beyond = external(recipe, replace(loaded, gold=99), 0, 1)
    assert beyond.value is None
    assert max(beyond.facts["adj"]) == 1.0
    cut = TABLES["siimEuclidean"].rows["Hier-A"]
    found = compute([cut], loaded, 0, Execution(1))[cut]
    assert (found.k, found.value, found.facts) == (3, 1.0, {"at": {"3": 1.0}})
    assert compute([cut], doubtful, 0, Execution(1))[cut].value is None


def test_peers_that_cannot_answer_say_so(monkeypatch):
    with pytest.raises(InputError, match="silhouette: "):
        ask_peer("silhouette", np.full((5, 2), np.nan), 0)


def test_rules_are_compared_on_mixtures_and_null_sets(monkeypatch):
    every = list(rules.sets(range(1)))
    kinds = [kind for kind, _ in every]
    assert kinds.count("null") == len(rules.NULLS)
    assert all(made.k == 1 for kind, made in every if kind == "null")
    assert all(made.k > 1 for kind, made in every if kind == "mixture")
    small = [("mixture", CLEAR), next(
        one for one in every if one[0] == "null"
    )]  # fmt: skip
    monkeypatch.setattr(rules, "sets", lambda seeds: small)
    monkeypatch.setattr(rules, "KS", (2, 3, 4))
    monkeypatch.setattr(rules, "REPEATS", 8)
    words = ("rules", "--sets", 1, "-a", "hier-a", "-j", 1, "--null-sets", 4)
    code, out, err = asked(*words, "--json")
    assert code == 0, err
    rows = json.loads(out)
    assert {row["rule"] for row in rows} == {*rules.RULES, *rules.WITH_NULLS}
    assert all(row["exact"][1] == 1 for row in rows)
    assert all(row["claims on null sets"][1] == 1 for row in rows)
    monkeypatch.setattr(rules, "whole_verdict", lambda kind, made: (
        rules.Known(kind, made.k, rules.VERDICT, (), {}, None), {rules.VERDICT: made.k}
    ))  # fmt: skip
    code, out, err = asked(*words[:-2], "--verdict")
    assert code == 0, err
    lines = [line for line in out.splitlines() if line.startswith(rules.VERDICT)]
    assert len(lines) == 1
    assert "100.0 %" in lines[0]


def test_the_verdict_takes_part_with_its_best_guess():
    known, said = rules.whole_verdict("mixture", CLEAR)
    assert (known.k, known.algorithm) == (2, rules.VERDICT)
    assert said == {rules.VERDICT: 2}


def test_a_rule_that_is_calibrated_says_one_where_null_sets_do_as_well():
    flat = {
        "area": np.array([0.5, 0.6]), "pac": np.array([0.2, 0.1]),
        "entropy": np.zeros(2), "dispersion": np.ones(2), "cophenetic": np.ones(2),
    }  # fmt: skip
    alike = {"pac": np.tile([0.2, 0.1], (19, 1))}
    apart = {"pac": np.tile([0.5, 0.6], (19, 1)) + np.linspace(0, 0.1, 19)[:, None]}
    rule = rules.WITH_NULLS["pac, calibrated"]
    assert rule((2, 3), flat, alike) == 1
    assert rule((2, 3), flat, apart) == 3


def test_a_share_is_said_with_its_interval_and_nothing_is_known_of_none():
    assert Share(0, 0).interval() == (0.0, 1.0)
    assert str(Share(1, 2)) == "1/2 = 50.0 % (9.5-90.5)"
    assert row_cells({"rule": "x", "hier-a": Share(0, 0), "nmf-a": Share(1, 4)}) == [
        "x", "", "25 %",
    ]  # fmt: skip


def test_knees_are_held_against_the_eye_of_the_thesis(folder):
    seen = list(knees.real_curves(str(folder)))
    assert all(one.curve.ks[0] == 2 for one in seen)
    assert all(one.eye for one in seen)
    choice = knees.Choice(1, 0.02, {})
    told = knee_page.on_the_tables(choice, seen)
    assert told.count("| `") == len(choice.rules)


def test_the_simulated_sets_of_knees_leave_out_what_cannot_be(monkeypatch):
    made = []

    def note(flavour, k, m, seed, **how):
        made.append((flavour, k, m, how["n"], how["smallest"]))
        return SimpleNamespace(values=TOY)

    monkeypatch.setattr("stablek.datasets.mixtures.mixture", note)
    list(knees.simulated_data([0, 1], ()))
    assert len(made) > 20
    assert all(k in (4, 6, 8, 10) for kind, k, *_ in made if kind == "two-level")
    wide = [(k, n, least) for _, k, m, n, least in made if m >= 100]
    assert wide
    assert all(n == 10 * k + 10 and least == 6 for k, n, least in wide)


def test_the_page_of_knees_is_printed_or_written(folder, tmp_path, monkeypatch):
    asked_for = []

    def page_of(data, choosing, reporting):
        asked_for.append((data, len(choosing), len(reporting)))
        return "# Knees\n"

    monkeypatch.setattr(knee_page, "page", page_of)
    assert asked("knees", "--seeds", 1)[1] == "# Knees\n"
    file = tmp_path / "knees.md"
    assert asked("knees", "--data", folder, "--seeds", 2, "-o", file)[:2] == (0, "")
    assert file.read_text() == "# Knees\n"
    assert asked_for == [(None, 1, 1), (str(folder), 2, 2)]


def test_an_nmf_is_held_against_the_classic_algorithms_on_its_own_sets():
    def cell(row, dataset, k, seconds):
        return Cell(row, dataset, "k", None, k, 3, seconds)

    cells = {
        "FC-H250p80": [
            cell("NMF-R", "Leukemia", 3, 90.0),
            cell("NMF-R", "Lymphoma", None, None),
            cell("Hier-A", "Leukemia", 4, 0.5),
            cell("Hier-A", "Lymphoma", 9, 0.5),
        ],
        "FC-HALS": [cell("NMF-R", "Lymphoma", 5, 2.0)],
    }
    theirs, ours, left = nmf(cells).split("\n\n")
    assert theirs.startswith("The thesis's NMF (Brunet's) on Leukemia: 1 exact and 1 ")
    assert "same sets: 0 exact and 1 within one of 1 cell," in theirs
    assert ours.startswith("HALS on Lymphoma: 0 exact and 0 within one of 1 cell,")
    assert left.startswith("Only 1 of 2 cells of the thesis's NMF have been run")
    assert nmf({}) == "Its cells have not been run yet."
