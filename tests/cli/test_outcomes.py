"""What commands print and leave behind: every form of the answer, every way out."""

import errno
import json
import os
import sys

import click
import numpy as np
import pytest
from blobs import blobs

from stablek.cli import _pipe_closed
from stablek.cli.watch import interim_result, plan_in, watch
from stablek.errors import InputError
from stablek.io.store.results import (
    SAFE_TABLES,
    check_writable,
    formula_note,
    strength,
    tsv,
)

#: A clusterer that fails on some samples; a module of one's own beside the data.
SHAKY = """
import numpy as np

class Shaky:
    def __init__(self, n_clusters=2, random_state=0):
        self.n_clusters, self.random_state = n_clusters, random_state

    def get_params(self, deep=True):
        return {"n_clusters": self.n_clusters, "random_state": self.random_state}

    def fit_predict(self, X):
        if self.random_state % 4 == 0:
            raise RuntimeError("no luck")
        return X[:, 0].argsort().argsort() * self.n_clusters // len(X)
"""


@pytest.fixture
def table(tmp_path, monkeypatch):
    rows = [f"s{i},{a!r},{b!r},7" for i, (a, b) in enumerate(blobs(30, 2).tolist())]
    path = tmp_path / "x.csv"
    path.write_text("\n".join(["id,a,b,c", *rows]) + "\n")
    (tmp_path / "shaky_one.py").write_text(SHAKY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p != str(tmp_path)])
    return path


SMALL = ("-k", "2:4", "--set", "repeats=6")


def test_a_comparison_is_given_as_json_and_as_csv(call, table):
    words = ("compare", "x.csv", "-m", "fc,wcss", "-a", "hier-a", *SMALL, "-q")
    code, out, _ = call(*words, "--json")
    found = json.loads(out)
    assert (code, found["failures"]) == (0, [])
    assert [row["k_star"] for row in found["results"]] == [3, 3]
    code, out, _ = call(*words, "--csv")
    assert out.splitlines() == ["measure,hier-a", "fc,3", "wcss,3"]


def test_all_stands_for_every_measure_or_algorithm(call, table):
    from stablek.cli.compare import _listed

    assert _listed(["all"], {"b": 1, "a": 2}) == ["a", "b"]
    assert _listed(["a, c,"], {}) == ["a", "c"]


def test_an_option_of_a_comparison_that_is_given_again_adds_to_the_first(call, table):
    code, out, err = call(
        "compare", "x.csv", "-m", "wcss", "-m", "fc,wcss", "-a", "hier-c", "-a",
        "hier-a", *SMALL, "-q", "--csv",
    )  # fmt: skip
    assert code == 0, err
    assert out.splitlines()[0] == "measure,hier-c,hier-a"
    assert [line.split(",")[0] for line in out.splitlines()[1:]] == ["wcss", "fc"]


def test_two_algorithms_of_one_name_have_a_folder_each(call, table, monkeypatch):
    for name, column in (("slices_one", 0), ("slices_two", 1)):
        table.with_name(f"{name}.py").write_text(
            "class Slices:\n"
            "    n_clusters = 2\n"
            "    def fit_predict(self, X):\n"
            f"        order = X[:, {column}].argsort().argsort()\n"
            "        return order * self.n_clusters // len(X)\n"
        )
    monkeypatch.syspath_prepend(str(table.parent))
    code, out, err = call(
        "compare", "x.csv", "-m", "fc", "-a", "slices_one:Slices,slices_two:Slices",
        *SMALL, "-q", "-o", "both", "--csv", "--backend", "serial",
    )  # fmt: skip
    assert code == 0, err
    assert out.splitlines()[0] == "measure,Slices,Slices~2"
    one, two = (
        (table.parent / "both" / name / "result.json").read_text()
        for name in ("fc-Slices", "fc-Slices~2")
    )
    assert json.loads(one)["columns"] != json.loads(two)["columns"]


def test_a_comparison_in_which_some_repeats_failed_says_so_and_exits_with_4(
    call, table
):
    code, out, err = call(
        "compare", "x.csv", "-m", "fc", "-a", "shaky_one:Shaky,hier-a", "-k", "2:3",
        "--set", "repeats=30", "-j", "1", "-q",
    )  # fmt: skip
    assert code == 4
    assert "k = " in out
    assert "fc with Shaky: Shaky failed at k = " in err
    assert "hier-a" not in err


def test_a_comparison_of_which_a_part_failed_says_which(call, table):
    code, _, err = call(
        "compare", "x.csv", "-m", "fc,clest", "-a", "hier-a", "-k", "2:12",
        "--set", "repeats=3", "-q",
    )  # fmt: skip
    assert code == 4
    assert "clest with hier-a failed: k = 12 is too large" in err


def test_null_sets_that_failed_are_told_with_the_p_value(call, table):
    words = (
        "significance", "x.csv", "-a", "shaky_one:Shaky", "-k", "3", "--null-sets",
        "19", "--seed", "1", "-j", "1",
    )  # fmt: skip
    code, out, err = call(*words)
    assert code == 4
    assert out.startswith("p = ")
    assert "note: null set " in err
    assert "constant column" in err
    code, out, err = call(*words, "--json")
    assert (code, len(json.loads(out)["failures"]) > 0) == (4, True)


def test_a_verdict_is_given_as_csv_and_without_clusters(call, tmp_path, table):
    words = ("-k", "2:4", "--null-sets", "19", "--level", "0.06", "-q")
    code, out, _ = call("verdict", "x.csv", *words, "--csv")
    assert code == 0
    assert out.splitlines()[0].startswith("k,")
    assert len(out.splitlines()) == 4
    flat = np.random.default_rng(3).uniform(size=(40, 2))
    np.savetxt(tmp_path / "flat.csv", flat, delimiter=",", header="a,b", comments="")
    code, out, _ = call("verdict", "flat.csv", *words, "-o", "none")
    assert code == 0
    assert out.startswith("No evidence of clusters")
    assert "If you must split them, " in out
    names = ("items", "clusters", "moves", "table")
    texts = [
        (tmp_path / "none" / f"{name}.tsv").read_text(encoding="utf-8")
        for name in names
    ]
    items, clusters, moves, by_k = (
        [r.split("\t") for r in t.splitlines()] for t in texts
    )
    assert items[0][:2] == ["id", "cluster"]
    assert [row[1] for row in items[1:]] == ["1"] * 40
    told = json.loads((tmp_path / "none" / "verdict.json").read_text(encoding="utf-8"))
    alone = items[0].index("isolated")
    assert [row[0] for row in items if row[alone] == "True"] == told["isolated"] != []
    assert [row[:2] for row in clusters] == [["cluster", "size"], ["1", "40"]]
    assert moves[0][:4] == ["k", "source", "next_k", "target"]
    assert [row[0] for row in by_k] == ["k", "2", "3", "4"]


def test_a_fixed_k_is_given_as_csv_and_names_the_items_least_sure(call, table):
    words = ("assess", "x.csv", "-k", "4", "--repeats", "12")
    code, out, err = call(*words)
    assert code == 0
    assert "least sure" in out
    assert "constant column" in err
    code, out, _ = call(*words, "-q", "--csv")
    assert len(out.splitlines()) == 1 + 30


def test_a_shard_says_what_it_kept_and_how_to_merge(call, table):
    words = ("run", "x.csv", "-m", "fc", "-k", "2:3", "--repeats", "4", "--seed", "0")
    code, out, err = call(*words, "--shard", "1/2", "-o", "part")
    assert (code, out) == (0, "")
    assert "shard 1/2: 2 tasks kept in part" in err
    assert "when all shards are finished: stablek merge part" in err


def test_equal_rows_need_no_plan_no_shard_and_no_time(call, tmp_path, table):
    (tmp_path / "same.csv").write_text("a,b\n" + "1,2\n" * 6)
    assert call("run", "same.csv", "--dry-run", "-q")[1] == (
        "all rows are identical: nothing to run\n"
    )
    code, _, err = call("run", "same.csv", "--shard", "1/1", "-o", "part")
    assert (code, "0 tasks kept" in err) == (0, True)
    code, _, err = call("merge", "part")
    assert (code, "no shard in " in err) == (2, True)


def test_the_cost_of_a_run_is_given_as_json(call, table):
    code, out, _ = call("run", "x.csv", "-k", "2:3", "--dry-run", "--json", "-q")
    found = json.loads(out)
    assert code == 0
    assert set(found) == {
        "tasks", "seconds", "seconds_per_task", "workers", "memory", "total", "budget",
    }  # fmt: skip


def test_tables_are_made_safe_for_spreadsheets_when_asked(call, tmp_path, table):
    text = table.read_text().replace("s1,", "=1+1,").replace("s2,", "-5,")
    table.write_text(text)
    words = ("run", "x.csv", "-m", "wcss", "-k", "2:4", "-o")
    code, _, err = call(*words, "plain")
    assert code == 0
    assert "1 ids look like formulas" in err
    assert "\n=1+1\t" in (tmp_path / "plain" / "labels.tsv").read_text()
    code, _, err = call(*words, "safe", "--safe-tables")
    assert "look like formulas" not in err
    labels = (tmp_path / "safe" / "labels.tsv").read_text()
    assert "\n'=1+1\t" in labels
    assert "\n-5\t" in labels
    assert not SAFE_TABLES.get()
    assert tsv([["=1"]]) == "=1\n"
    assert formula_note(["=1", "a"])[0].startswith("1 ids")


def test_a_result_without_an_answer_has_no_strength():
    from stablek.api.choose_k import choose_k

    X = np.random.default_rng(0).normal(size=(9, 2))
    found = choose_k(X, "wcss", "hier-a", range(2, 4))
    assert found.k_star is None
    assert strength(found) == "not calibrated"


def test_a_folder_that_cannot_be_made_is_told(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(InputError, match="Permission denied; name another folder"):
        check_writable(tmp_path / "new")


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (MemoryError(), 75, "out of memory; try --jobs 1"),
        (OSError(errno.ENOMEM, "no"), 75, "out of memory"),
        (RuntimeError("can't start new thread"), 75, "out of memory"),
        (OSError(errno.ENOSPC, "No space left", "f"), 75, r"No space left (f); free"),
        (ValueError("odd"), 1, "unexpected ValueError: odd. This is a bug"),
        (click.exceptions.Abort(), 130, "interrupted"),
    ],
)
def test_every_error_is_one_line_and_an_exit_code(call, monkeypatch, error, code, told):
    import stablek.cli.cite as cite

    def breaks(**_):
        raise error

    monkeypatch.setattr(cite.command, "callback", breaks)
    found, out, err = call("cite", "fc")
    assert (found, out) == (code, "")
    assert told in err
    assert len(err.strip().splitlines()) == 1


def test_debug_shows_the_traceback(call, monkeypatch):
    import stablek.cli.cite as cite

    def breaks(**_):
        raise ValueError("odd")

    monkeypatch.setenv("STABLEK_DEBUG", "")
    monkeypatch.setattr(cite.command, "callback", breaks)
    with pytest.raises(ValueError, match="odd"):
        call("--debug", "cite", "fc")


def test_a_broken_pipe_ends_quietly(call, monkeypatch):
    import stablek.cli.cite as cite

    def breaks(**_):
        raise BrokenPipeError

    closed = []
    monkeypatch.setattr(os, "dup2", lambda *pair: closed.append(pair))
    monkeypatch.setattr(cite.command, "callback", breaks)
    assert call("cite", "fc")[0] == 0
    assert _pipe_closed() == 0
    assert [to for _, to in closed] == [1, 1]


def test_the_bare_help_lists_every_command(call):
    from stablek.cli import COMMANDS

    code, out, _ = call("--help")
    assert code == 0
    for name in COMMANDS:
        assert f"  {name} " in out


def test_only_a_run_is_drawn_on_its_way(tmp_path, capsys, call, table):
    call("compare", "x.csv", "-m", "wcss", "-a", "hier-a", "-k", "2:4", "-o", "c", "-q")
    place = tmp_path / "c"
    arguments = ["compare", "x.csv", "-m", "wcss", "-a", "hier-a", "-o", "c"]
    (place / "run.json").write_text(
        json.dumps({"arguments": arguments, "folder": str(tmp_path)})
    )
    from stablek.cli.report_path import PageOptions

    assert plan_in(place, PageOptions()) == (None, None, "")
    for file in place.glob("*.*"):
        if file.name not in ("run.json", "manifest.json"):
            file.unlink()
    assert watch(place, PageOptions(), 0.01, quiet=False) is False
    assert "only `stablek run` can be watched" in capsys.readouterr().err


def test_nothing_is_drawn_of_equal_rows_or_of_too_little_work(tmp_path, call, table):
    from stablek.api.choose_k import request
    from stablek.cli.report_path import PageOptions
    from stablek.io.store.snapshot import RunSnapshot

    (tmp_path / "same.csv").write_text("a,b\n" + "1,2\n" * 6)
    call("run", "same.csv", "-o", "s", "-q")
    (tmp_path / "s" / "run.json").write_text(
        json.dumps(
            {"arguments": ["run", "same.csv", "-o", "s"], "folder": str(tmp_path)}
        )
    )
    assert plan_in(tmp_path / "s", PageOptions()) == (None, None, "")
    asked = request(np.eye(6), "fc", "hier-a", range(2, 4), repeats=9)
    assert (
        interim_result(RunSnapshot(tmp_path / "none", asked.plan), asked, "euclidean")
        is None
    )
