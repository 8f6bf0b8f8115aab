"""``stablek assess`` as a user types it."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from stablek.cli import cli, guarded
from stablek.datasets import mixture


@pytest.fixture
def table(tmp_path):
    made = mixture("equal", 3, 4, 0, separation=8.0, n=60)
    path = tmp_path / "x.tsv"
    rows = ["\t".join(["id", "a", "b", "c", "d"])]
    rows += [
        "\t".join([f"item{i}", *(f"{v:.5f}" for v in row)])
        for i, row in enumerate(made.values)
    ]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def run(*arguments):
    return CliRunner().invoke(cli, ["assess", *map(str, arguments)])


def test_it_prints_clusters_with_their_confidence(table):
    done = run(table, "-k", 3, "--repeats", 10, "-q")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("3 clusters by kmeans-w: mean overlap")
    assert "cluster  items  confidence  margin" in done.stdout


def test_labels_are_compared_with_the_clusters(table):
    first, *rows = table.read_text(encoding="utf-8").splitlines()
    lines = [f"{first}\tkind", *(f"{row}\tk{i % 3}" for i, row in enumerate(rows))]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = run(table, "-k", 3, "--repeats", 10, "-q", "--labels", "kind")
    assert done.exit_code == 0, done.output
    line = done.stdout.splitlines()[1]
    assert line.startswith("agreement with your labels (adjusted Rand index): ")
    assert -0.1 < float(line.split(": ")[1].split(";")[0]) < 0.2  # by turns, not kinds
    plain = run(table, "-k", 3, "--repeats", 10, "-q", "--drop", "kind")
    assert "agreement" not in plain.stdout


def test_json_is_one_object_and_the_folder_holds_items_to_join(table, tmp_path):
    out = tmp_path / "out"
    done = run(
        table, "-k", 3, "--method", "bagclust2", "--repeats", 8, "--json", "-q",
        "-o", out,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["method"] == "bagclust2"
    assert len(found["confidence"]) == 60
    assert json.loads((out / "assessment.json").read_text(encoding="utf-8")) == found
    lines = (out / "items.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "id\tcluster\tconfidence\tmargin"
    assert [line.split("\t")[0] for line in lines[1:3]] == ["item0", "item1"]
    clusters = [int(line.split("\t")[1]) for line in lines[1:]]
    np.testing.assert_array_equal(clusters, found["labels"])


def test_an_unknown_method_is_refused_before_anything_runs(table):
    done = run(table, "-k", 3, "--method", "bagging", "-q")
    assert done.exit_code != 0
    assert "unknown method 'bagging'" in str(done.exception)


def test_a_folder_keeps_the_work_and_resume_goes_on_with_it(
    table, tmp_path, monkeypatch, capsys
):
    given = ["assess", table, "-k", 3, "--repeats", 12, "-q", "-o", tmp_path / "out"]
    given = [str(word) for word in given]
    monkeypatch.setattr("sys.argv", ["stablek", *given])
    assert guarded(given) == 0
    file = tmp_path / "out" / "assessment.json"
    whole = file.read_bytes()
    file.unlink()
    monkeypatch.setattr("stablek.engine.run.run_tasks", lambda *_: iter(()))
    assert guarded(["resume", str(tmp_path / "out")]) == 0
    assert file.read_bytes() == whole
    assert guarded([*given, "--seed", "1"]) == 2
    assert "holds another run: seed 0 -> 1" in capsys.readouterr().err
    monkeypatch.undo()
    assert guarded([*given, "--seed", "1", "--restart"]) == 0


PRINTS = """
class Prints:
    def __init__(self):
        self.n_clusters = 2

    def fit_predict(self, values):
        print("not an answer")
        return values[:, 0].argsort().argsort() * self.n_clusters // len(values)
"""


@pytest.mark.parametrize(
    "more", [("assess", "--repeats", 4), ("significance", "--null-sets", 4)]
)
def test_what_an_algorithm_prints_is_not_taken_for_the_answer(
    table, tmp_path, monkeypatch, capsys, more
):
    (tmp_path / "prints_one.py").write_text(PRINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    command, *rest = more
    words = (command, table, "-k", 3, "-a", "prints_one:Prints", *rest, "--json")
    code = guarded([*map(str, words), "-q", "--backend", "serial"])
    told = capsys.readouterr()
    assert code == 0, told.err
    assert json.loads(told.out)["k"] == 3
    assert "not an answer" in told.err


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("training=abc", "replicating: training = 'abc' must be a number"),
        ("k=4", "k is not a setting of a method"),
        ("colour=3", "method 'replicating' has no setting 'colour'"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_with_what_is_expected(
    table, capsys, given, told
):
    words = ("assess", table, "-k", 3, "--method", "replicating", "--set", given)
    assert guarded([*map(str, words), "-q"]) == 2
    assert told in capsys.readouterr().err


def test_repeats_may_be_given_as_a_setting(table):
    done = run(table, "-k", 3, "--set", "repeats=3", "--json", "-q")
    assert json.loads(done.stdout)["repeats"] == 3
