"""``stablek verdict``."""

import json
import sys

import click
import numpy as np
import pytest
from click.testing import CliRunner

from stablek.api.verdict import verdict
from stablek.cli import cli, guarded
from stablek.data.canonical import canonical
from stablek.datasets.mixtures import mixture
from stablek.errors import InputError
from stablek.panel.trivial import trivial_verdict


@pytest.fixture
def table(tmp_path):
    made = mixture("equal", 2, 3, 1, bayes_error=0.0005, n=40, smallest=15)
    path = tmp_path / "data.csv"
    lines = ["id,class,a,b,c"]
    for i, (row, label) in enumerate(zip(made.values, made.labels, strict=True)):
        lines.append(f"i{i},c{label}," + ",".join(f"{v:.6f}" for v in row))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


QUICK = ["--null-sets", "19", "--level", "0.05", "--repeats", "10", "-k", "2:5"]


def test_a_dry_run_tells_the_cost_and_writes_nothing(table, tmp_path):
    out = tmp_path / "out"
    asked = ["verdict", str(table), "--labels", "class", "-q", "--dry-run", *QUICK]
    asked += ["-o", str(out)]
    result = CliRunner().invoke(cli, asked)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["tasks", "time", "memory"]
    assert "null sets (box): 19" in lines[0]
    assert not out.exists()
    plain = json.loads(CliRunner().invoke(cli, [*asked, "--json"]).stdout)
    assert plain["total"] == sum(plain["memory"].values())
    assert plain["tasks"]["null sets (box)"] == 19


def test_a_verdict_beyond_the_memory_budget_is_refused(table):
    asked = ["verdict", str(table), "--labels", "class", "--memory", "10k", *QUICK]
    refused = CliRunner().invoke(cli, asked).exception
    assert isinstance(refused, InputError)  # which the shell sees as exit code 2
    assert "a verdict on 40 items needs" in str(refused)
    assert "the budget is 10 kB (set by --memory)" in str(refused)


def test_a_verdict_is_a_paragraph_and_a_folder(table, tmp_path):
    out = tmp_path / "out"
    arguments = ["verdict", str(table), "--labels", "class", "-o", str(out), *QUICK]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("2 clusters. ")
    assert "Both of your classes are stable clusters." in result.stdout
    assert "All 5 measures favour 2." in " ".join(result.stdout.split())
    assert "Strength: weak." in result.stdout  # 19 null sets show no more
    assert (out / "report.html").exists()
    found = json.loads((out / "verdict.json").read_text(encoding="utf-8"))
    assert (found["schema"], found["k"]) == (2, 2)
    labels = (out / "labels.tsv").read_text(encoding="utf-8").splitlines()
    assert labels[0].split("\t")[:2] == ["id", "cluster"]
    assert {row.split("\t")[1] for row in labels[1:]} == {"1", "2"}
    assert len(labels) == 41


@pytest.mark.parametrize("metric", ["precomputed", "similarity"])
def test_a_matrix_of_distances_is_judged_as_well(tmp_path, metric):
    made = mixture("equal", 2, 3, 1, bayes_error=0.0005, n=40, smallest=15)
    given = np.sqrt(((made.values[:, None] - made.values) ** 2).sum(axis=2))
    if metric == "similarity":
        given = given.max() - given
    path, out = tmp_path / "d.csv", tmp_path / "out"
    names = [f"i{i}" for i in range(40)]
    rows = [",".join([f"i{i}", *map(repr, r)]) for i, r in enumerate(given.tolist())]
    path.write_text("\n".join([",".join(["id", *names]), *rows]) + "\n")
    arguments = ["verdict", str(path), "--metric", metric, "-o", str(out), *QUICK]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("2 clusters. ")
    assert "coordinates by classical scaling: 3 axes" in result.stderr
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert metric in json.dumps(manifest)
    again = CliRunner().invoke(cli, [*arguments[:2], *arguments[4:]])
    assert f"metric {metric} -> None. Use a new folder" in str(again.exception)


def test_what_was_understood_of_the_file_is_told_before_the_work_and_once(
    table, monkeypatch
):
    from stablek.api import verdict as run

    def work(dataset, **_):
        click.echo("at work", err=True)
        same = dataset.with_values(0 * dataset.values)
        notes = (*dataset.notes, "one note more")
        common = {"ids": dataset.item_ids(), "notes": notes}
        return trivial_verdict(same, canonical(same.values), common)

    monkeypatch.setattr(run, "verdict", work)
    result = CliRunner().invoke(cli, ["verdict", str(table), "--labels", "class"])
    lines = result.stderr.splitlines()
    at = lines.index("at work")
    understood = [i for i, line in enumerate(lines) if "40 items x 3 columns" in line]
    assert len(understood) == 1
    assert understood[0] < at < lines.index("one note more")


def test_json_is_one_object(table):
    arguments = ["verdict", str(table), "--labels", "class", "--json", "-q", *QUICK]
    result = CliRunner().invoke(cli, arguments)
    assert json.loads(result.stdout)["k"] == 2


def test_one_k_is_the_only_one_tried(table, tmp_path, capsys):
    out = tmp_path / "out"
    arguments = ["verdict", str(table), "--labels", "class", *QUICK[:-1], "2"]
    assert guarded([*arguments, "-o", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "You asked for 2 clusters; no other number was tried." in shown
    assert "Leave out -k to see which number" in shown
    header = (out / "labels.tsv").read_text().split("\n")[0]
    assert header.split("\t") == ["id", "cluster", "k2"]
    assert guarded([*arguments, "-o", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ks"] == [2]
    assert "-k 2 " in (out / "report.html").read_text(encoding="utf-8")
    assert guarded([*arguments[:-1], "1"]) == 2
    assert guarded([*arguments[:-1], "30"]) == 2


def test_advice_names_options_here_and_arguments_in_python(table):
    refused = CliRunner().invoke(cli, ["verdict", str(table), "--labels", "class",
                                       "-k", "2:90"])  # fmt: skip
    assert "use -k 2:" in str(refused.exception)
    with pytest.raises(InputError, match=r"use ks=range\(2, "):
        verdict(np.random.default_rng(0).normal(size=(30, 3)), range(2, 90))


def test_a_report_is_drawn_within_a_budget_of_its_own(
    table, tmp_path, capsys, monkeypatch
):
    out = tmp_path / "out"
    asked = ["verdict", "--labels", "class", "--memory", "2G", "-o", str(out), *QUICK]
    asked += ["--", str(table)]
    monkeypatch.setattr(sys, "argv", ["stablek", *asked])
    monkeypatch.chdir(tmp_path)
    assert guarded(asked) == 0
    assert guarded(["report", str(out)]) == 0
    assert "curves and tables only" not in capsys.readouterr().err
    assert guarded(["report", str(out), "--memory", "10k"]) == 0
    assert "the budget is 10 kB (set by --memory)" in capsys.readouterr().err
    assert (out / "report-tables.html").exists()
