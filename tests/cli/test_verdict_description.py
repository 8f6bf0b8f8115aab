"""What the folder and the terminal of a verdict say of its clusters."""

import csv
import json

import numpy as np
import pytest

import stablek
from stablek.cli import guarded
from stablek.cli.verdict_description import marker_lines
from stablek.data import from_arrays


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Return a folder with three groups, their plates, and their classes."""
    folder = tmp_path_factory.mktemp("tables")
    rng = np.random.default_rng(0)
    kind = np.arange(60) % 3
    values = rng.normal(size=(60, 12))
    for c in range(3):
        values[kind == c, c * 3 : c * 3 + 3] += 5
    lines = ["\t".join(["id", *(f"gene{j}" for j in range(12))])]
    lines += [
        "\t".join([f"s{i}", *(f"{v:.4f}" for v in row)]) for i, row in enumerate(values)
    ]
    (folder / "x.tsv").write_text("\n".join(lines) + "\n")
    rows = ["id\tplate\tage\tcode"]
    rows += [f"s{i}\tP{c}\t{40.5 + i % 7}\tx{i}" for i, c in enumerate(kind)]
    (folder / "clinic.tsv").write_text("\n".join(rows) + "\n")
    rows = ["id\tclass", *(f"s{i}\tk{c}" for i, c in enumerate(kind))]
    (folder / "classes.tsv").write_text("\n".join(rows) + "\n")
    return folder


HOW = ["-k", "2:5", "--null-sets", "19", "--level", "0.05"]


def read(path):
    with path.open() as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.fixture(scope="module")
def folder(tables):
    out = tables / "out"
    code = guarded(
        ["verdict", str(tables / "x.tsv"), *HOW, "-o", str(out), "-q",
         "--annotations", str(tables / "clinic.tsv"), "--keep-matrices",
         "--labels-file", str(tables / "classes.tsv")]
    )  # fmt: skip
    assert code == 0
    return out


def test_markers_are_in_the_folder(folder):
    rows = read(folder / "markers.tsv")
    assert {row["k"] for row in rows} >= {"3"}
    first = {row["column"] for row in rows if row["place"] == "1" and row["k"] == "3"}
    assert {int(name[4:]) // 3 for name in first} == {0, 1, 2}
    assert all(row["stable"] == "True" for row in rows if row["place"] == "1")


def test_annotations_and_classes_are_in_the_folder(folder):
    rows = {(r["annotation"], r["k"]): r for r in read(folder / "annotations.tsv")}
    assert float(rows["plate", "3"]["association"]) > 0.9
    assert rows["plate", "3"]["batch_like"] == "True"
    assert ("code", "3") not in rows
    table = read(folder / "class_by_cluster.tsv")
    assert {row["annotation"] for row in table} == {"plate", "your labels"}
    assert len(read(folder / "classes.tsv")) == 3


def test_matrices_are_kept_on_request(folder):
    matrix = np.load(folder / "consensus-k3.npy")
    ids = (folder / "consensus-ids.txt").read_text().splitlines()
    assert matrix.shape == (len(ids), len(ids))
    np.testing.assert_allclose(np.diag(matrix), 1)


def test_new_items_use_the_folder(folder, tables, capsys):
    assert guarded(["assign", str(folder), str(tables / "x.tsv"), "--csv", "-q"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    labels = {row["id"]: row for row in read(folder / "items.tsv")}
    assert all(row["cluster"] == labels[row["id"]]["cluster"] for row in rows)


def test_the_page_has_the_sections(folder):
    page = (folder / "report.html").read_text()
    for words in (
        "What sets the clusters apart", "What else explains them", "Your classes",
        "All k side by side", "may be a batch effect", "gene0",
        "Items by &#39;plate&#39;",
    ):  # fmt: skip
        assert words in page
    assert page.index("may be a batch effect") < page.index('<section id="markers"')
    strips = "Strips above the consensus matrix at k = 3: "
    assert f"{strips}&#39;plate&#39;, &#39;age&#39;." in page
    assert len(page) < 700_000


def test_the_terminal_says_it(tables, capsys):
    code = guarded(
        ["verdict", str(tables / "x.tsv"), *HOW,
         "--annotations", str(tables / "clinic.tsv")]
    )  # fmt: skip
    text = capsys.readouterr().out
    assert code == 0
    assert "Cluster membership follows 'plate'" in text
    assert "'code' is different for every item (an id?)" in text
    assert "What sets them apart:" in text


def test_columns_of_noise_are_not_said_to_set_clusters_apart():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(90, 6))
    values[:30, :2] += 9.0
    found = stablek.verdict(from_arrays(values, columns=tuple("abcdef")), range(2, 5))
    for line, sign in zip(marker_lines(found), "-+", strict=True):
        named = line.partition(": ")[2].split(", ")
        assert sorted(named) == [f"a {sign}", f"b {sign}"]


def test_groups_that_are_no_clusters_have_no_markers_in_the_terminal():
    found = stablek.verdict(np.random.default_rng(0).normal(size=(60, 4)), range(2, 5))
    assert found.k == 1
    assert marker_lines(found) == []


def test_adjusting_takes_the_plates_out(tables, capsys):
    code = guarded(
        ["verdict", str(tables / "x.tsv"), *HOW, "--json", "-q",
         "--annotations", str(tables / "clinic.tsv"), "--adjust", "plate"]
    )  # fmt: skip
    assert code == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["k"] == 1
    assert {row["annotation"] for row in plain["annotations"]} == {"plate", "age"}
    assert any("'plate' removed" in note for note in plain["notes"])


def test_strange_annotations_are_refused_or_told(tables, tmp_path, capsys):
    strange = tmp_path / "strange.tsv"
    strange.write_text("id\tsex\nq1\tf\nq2\tm\n")
    code = guarded(["verdict", str(tables / "x.tsv"), "--annotations", str(strange)])
    assert code == 2
    assert "no id of the annotations is an id of the data" in capsys.readouterr().err


FEW = ["-k", "2:3", "--repeats", "10", "--null-sets", "4", "-j", "1", "-q"]


def test_nothing_of_an_earlier_verdict_stays_beside_a_later_one(
    tables, tmp_path, capsys
):
    """Or new items would be given to clusters that are there no more."""
    out = tmp_path / "out"
    first = ["verdict", str(tables / "x.tsv"), *FEW, "-o", str(out)]
    labels = ["--labels-file", str(tables / "classes.tsv")]
    assert guarded([*first, *labels]) == 0
    optional = {"classes.tsv", "class_items.tsv", "class_by_cluster.tsv", "model.npz"}
    assert optional <= {file.name for file in out.iterdir()}
    square = np.abs(np.arange(12.0)[:, None] - np.arange(12.0)[None])
    np.savetxt(tmp_path / "d.csv", square, delimiter=",", fmt="%g")
    later = ["verdict", str(tmp_path / "d.csv"), "--metric", "precomputed"]
    later += ["--no-header", *FEW, "-o", str(out), "--restart"]
    assert guarded(later) == 0
    assert not optional & {file.name for file in out.iterdir()}
    assert guarded(["assign", str(out), str(tables / "x.tsv")]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_a_table_of_the_user_under_one_of_our_names_stays(tables, tmp_path):
    mine = tmp_path / "classes.tsv"
    mine.write_text("id\tclass\ns0\tmine\n")
    assert guarded(
        ["verdict", str(tables / "x.tsv"), *FEW, "-o", str(tmp_path)]
    ) == 0  # fmt: skip
    assert mine.read_text().endswith("mine\n")


def test_matrices_need_a_folder(tables, capsys):
    given = ["verdict", str(tables / "x.tsv"), *FEW, "--keep-matrices"]
    assert guarded(given) == 2
    assert "-o" in capsys.readouterr().err
