"""stablek factorize: two tables, a picture, and what it says about itself."""

import csv
import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from stablek.cli import guarded
from stablek.data.seeds import stream
from stablek.factorize import factorise, fold
from stablek.report.charts.factors import picture


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    x = 0.1 * rng.random((12, 6))
    for block in range(3):
        x[4 * block : 4 * block + 4, 2 * block : 2 * block + 2] += 1.0
    path = tmp_path / "x.tsv"
    rows = [["id", *(f"gene{j}" for j in range(6))]]
    rows += [[f"item{i}", *map(repr, map(float, row))] for i, row in enumerate(x)]
    path.write_text("\n".join("\t".join(row) for row in rows))
    return path, x


def read(path):
    with path.open() as file:
        return list(csv.reader(file, delimiter="\t"))


def test_it_writes_the_factors_the_facts_and_a_picture(table, tmp_path, capsys):
    path, x = table
    out = tmp_path / "out"
    assert guarded(["factorize", str(path), "-k", "3", "-o", str(out), "-q"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("3 clusters from 3 components\n")
    patterns, metagenes = read(out / "patterns.tsv"), read(out / "metagenes.tsv")
    assert patterns[0] == ["id", "cluster", "component1", "component2", "component3"]
    assert [row[0] for row in metagenes] == ["feature", *(f"gene{j}" for j in range(6))]
    c = np.array([row[2:] for row in patterns[1:]], dtype=float)
    w = np.array([row[1:] for row in metagenes[1:]], dtype=float)
    assert np.abs(x - c @ w.T).max() < 0.2
    clusters = np.array([int(row[1]) for row in patterns[1:]])
    assert np.array_equal(clusters, c.argmax(axis=1) + 1)
    assert len({tuple(clusters[i : i + 4]) for i in (0, 4, 8)}) == 3
    facts = json.loads((out / "factorisation.json").read_text())
    assert facts["clusters"] == 3
    assert facts["stopped_by"].startswith("stationary objective")
    ET.fromstring((out / "factors.svg").read_text())


def test_equal_commands_write_equal_bytes(table, tmp_path):
    path, _ = table
    for name in "ab":
        words = ["-k", "2", "--json", "-q", "-o", str(tmp_path / name)]
        assert guarded(["factorize", str(path), *words]) == 0
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


@pytest.mark.parametrize("init", ["nndsvd", "hier-a", "hier-w"])
def test_every_start_is_taken(table, tmp_path, capsys, init):
    words = ["-k", "3", "--init", init, "--json", "-q", "-o", str(tmp_path / "o")]
    assert guarded(["factorize", str(table[0]), *words]) == 0
    assert json.loads(capsys.readouterr().out)["init"] == init


def test_brunet_can_be_repeated(table, tmp_path, capsys):
    words = "-k 3 --method brunet --stop connectivity --starts 2 --json -q -o"
    code = guarded(["factorize", str(table[0]), *words.split(), str(tmp_path / "o")])
    assert code == 0
    found = json.loads(capsys.readouterr().out)
    assert found["stopped_by"].startswith("stationary connectivity")
    assert found["iterations"] >= 400


def test_negative_data_are_refused_or_folded(table, tmp_path, capsys):
    x = table[1]
    negative = tmp_path / "n.csv"
    np.savetxt(negative, x - 0.5, delimiter=",")
    words = ["factorize", str(negative), "--no-header", "-k", "2", "-q"]
    assert guarded([*words, "-o", str(tmp_path / "o")]) == 2
    assert "--nonnegative fold" in capsys.readouterr().err
    assert guarded([*words, "-o", str(tmp_path / "o"), "--nonnegative", "fold"]) == 0
    names = [row[0] for row in read(tmp_path / "o" / "metagenes.tsv")[1:]]
    assert len(names) == 12
    assert names[0].endswith("+")
    assert names[-1].endswith("-")


def test_more_components_than_items_have_no_partition_to_start_from(
    table, tmp_path, capsys
):
    words = ["factorize", str(table[0]), "-k", "13", "-q", "-o", str(tmp_path / "o")]
    assert guarded([*words, "--init", "hier-a"]) == 2
    assert (
        "12 items cannot form that many clusters; use --init random"
        in capsys.readouterr().err
    )
    assert guarded(words) == 0


def test_a_picture_of_many_items_stays_small():
    x = fold(np.random.default_rng(0).normal(size=(3000, 4)))
    text = picture(factorise(x, 4, rng=stream(0)))
    assert len(text) < 100_000
    ET.fromstring(text)
