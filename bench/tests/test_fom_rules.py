"""FOM's rule, chosen in folds by group."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
from click.testing import CliRunner

from stablek.paradigm.significance.knee import KNEES
from stablek_bench import fom_rules
from stablek_bench.command import command
from stablek_bench.fom_rules import Known, chosen, fold_of, table

KS = tuple(range(2, 12))


def bent(k: int, group: str) -> Known:
    """Return a curve with one bend at k."""
    x = np.asarray(KS, dtype=np.float64)
    values = 10 - np.minimum(x, k) * 0.8 - 0.01 * x
    return Known(f"{group}{k}", group, "hier-a", KS, values, 60, k)


def test_a_rule_that_finds_every_knee_is_chosen_and_reported_in_its_fold() -> None:
    known = [bent(k, f"g{k}") for k in range(3, 10)] + [bent(4, "")]
    best = chosen(known)
    assert all(one.answer(best) == one.k for one in known)
    first, *rest = table(known)
    assert first["rule"].startswith("chosen in folds: ")
    assert (first["exact"].hits, first["exact"].of) == (7, 7)
    assert {row["rule"] for row in rest} == {*KNEES, "always 2", "always 3"}
    three = next(row for row in rest if row["rule"] == "always 3")
    assert (three["exact"].hits, three["within one"].hits) == (1, 2)


def test_the_held_out_fold_has_no_part_in_its_choice() -> None:
    # All groups of one fold lie; the choice for that fold must not see them.
    groups = [f"g{i}" for i in range(40)]
    lying = fold_of(groups[0])
    known = [bent(5, g) for g in groups if fold_of(g) != lying]
    lies = [Known("x", g, "hier-a", KS, bent(5, g).values, 60, 2)
            for g in groups if fold_of(g) == lying]  # fmt: skip
    row = table([*known, *lies])[0]
    assert row["exact"].hits == len(known)


def test_hartigan_squares_reads_the_square_of_the_curve() -> None:
    x = np.array([2.0, 3.0, 4.0, 5.0])
    y = np.array([9.0, 6.0, 5.5, 5.45])
    score, place = KNEES["hartigan-squares"](x, y, 40)
    squared = y**2
    np.testing.assert_allclose(
        score[:-1], (squared[:-1] / squared[1:] - 1) * (40 - x[:-1] - 1)
    )
    assert place == 1 + int(score[1] > 10)


def test_the_command_reads_a_collection(tmp_path: Path, monkeypatch) -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(24, 4)) + np.repeat(np.eye(3, 4) * 9, 8, axis=0)
    with gzip.open(tmp_path / "toy.tsv.gz", "wt") as file:
        file.write("id\ta\tb\tc\td\n")
        for i, row in enumerate(values):
            file.write(f"s{i}\t" + "\t".join(f"{v:.5f}" for v in row) + "\n")
    (tmp_path / "gold.tsv").write_text(
        "name\tn\tm\tK\ntoy\t24\t4\t3\nwide\t9000\t900\t3\nthin\t24\t2\t3\n"
    )
    (tmp_path / "stats.tsv").write_text("name\tgroup\ntoy\ttoy\n")
    monkeypatch.setattr(
        fom_rules, "simulated_curves", lambda seeds: iter([bent(3, "")])
    )
    page = tmp_path / "page.md"
    asked = ["fom", "--data", str(tmp_path), "--json", "--page", str(page)]
    done = CliRunner().invoke(command, asked)
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)
    assert len(rows) == 1 + len(KNEES) + 2
    assert all(row["exact"][1] == 2 for row in rows)
    text = page.read_text()
    assert "2 FOM curves of\n1 real sets (1 groups" in text
    assert "| chosen in folds: " in text
