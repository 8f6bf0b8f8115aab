"""Rules and measures on a real collection: who is asked, and what is counted."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from stablek.engine.execution.execute import Execution
from stablek.paradigm.significance.votes import WORDS
from stablek_bench import real_rules
from stablek_bench.command import command
from stablek_bench.real_rules import fair_sets, small_sets


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a collection: three clear classes, fair or not, two sets of one group."""
    rng = np.random.default_rng(2)
    values = rng.normal(size=(30, 4)) + np.repeat(np.eye(3, 4) * 15, 10, axis=0)
    lines = ["name\tn\tm\tK\tkind\tfair\tkm\tgroup"]
    for name, mark, group in (
        ("one", "fair", "a"), ("same", "half", "a"), ("two", "no", "b"),
    ):  # fmt: skip
        with gzip.open(tmp_path / f"{name}.tsv.gz", "wt") as file:
            file.write("id\tx\ty\tz\tw\n")
            for i, row in enumerate(values):
                file.write(f"s{i}\t" + "\t".join(f"{v:.5f}" for v in row) + "\n")
        told = "".join(f"s{i}\t{i // 10}\n" for i in range(30))
        (tmp_path / f"{name}.labels.tsv").write_text("id\tclass\n" + told)
        lines.append(f"{name}\t30\t4\t3\tother\t{mark}\t0.9\t{group}")
    (tmp_path / "stats.tsv").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_only_sets_whose_classes_can_be_seen_are_asked_and_one_per_group(folder):
    assert [one.name for one in fair_sets(folder, 30)] == ["one"]
    assert fair_sets(folder, 29) == []
    assert [one.name for one in small_sets(folder, 9)] == ["one"]


def test_the_command_has_a_row_for_every_word(folder, monkeypatch):
    monkeypatch.setattr(real_rules, "REPEATS", 20)
    asked = ["rules", "--real", str(folder), "-j1", "--json"]
    done = CliRunner().invoke(command, asked)
    assert done.exit_code == 0, done.output
    rows = {row["rule"]: row for row in json.loads(done.stdout)}
    assert list(rows) == [*WORDS, "always 2", "always 3"]
    for word in ("settles", "clear", "always 3"):
        assert rows[word]["exact, hier-a"] == rows[word]["exact, kmeans-w"] == [1, 1]
    assert rows["always 2"]["exact, hier-a"] == [0, 1]
    assert rows["always 2"]["within one, hier-a"] == [1, 1]


def test_ends_of_the_range_are_counted_for_every_measure(folder, monkeypatch):
    kept = {name: real_rules.MEASURES[name] for name in ("kl", "wcss-r", "composed")}
    monkeypatch.setattr(real_rules, "MEASURES", kept)
    rows = {row["measure"]: row for row in
            real_rules.ends_table(folder, 5, Execution(1))}  # fmt: skip
    assert set(rows) == {"kl", "wcss-r"}
    own = rows["kl"]
    assert (own["runs"], own["within one of the classes"].of) == ("2", 2)
    assert own["smallest k"].hits + own["largest k"].hits <= 2
    page = folder / "page.md"
    page.write_text("<!-- table: ends -->\n<!-- end of table -->\n")
    asked = ["ends", "--data", str(folder), "-j1", "--page", str(page)]
    assert CliRunner().invoke(command, asked).exit_code == 0
    assert "| kl | 2 |" in page.read_text()
