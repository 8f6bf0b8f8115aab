"""``stablek assign`` and ``stablek validate``."""

import json

import numpy as np
import pandas as pd
import pytest

from stablek.api.new_data import Model
from stablek.results.assign import Projection


def plane(values):
    centred = values - values.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2][:1]
    return Projection(values.mean(axis=0), axes.T)


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a model and two tables, one of them without clusters."""
    rng = np.random.default_rng(0)
    labels = np.arange(60) % 2
    names = [f"g{j}" for j in range(12)]

    def table(name, shift):
        values = rng.normal(size=(60, 12))
        values[labels == 1, :4] += shift
        lines = ["\t".join(["id", *names])]
        lines += [
            "\t".join([f"s{i}", *(f"{v:.5f}" for v in row)])
            for i, row in enumerate(values)
        ]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
        return values

    first = table("first.tsv", 4.0)
    table("other.tsv", 4.0)
    table("noise.tsv", 0.0)
    frame = plane(first)
    Model(
        2, frame, tuple(names), first.mean(axis=0), first.std(axis=0),
        frame.scores(first), {2: labels.astype(np.int64)},
    ).save(tmp_path / "model.npz",
)  # fmt: skip
    return tmp_path


def test_assign_prints_and_writes(folder, call):
    out = folder / "out"
    code, text, _ = call("assign", folder, folder / "first.tsv", "-o", out)
    assert code == 0
    assert text.startswith("60 items: 30 to cluster 1, 30 to cluster 2")
    lines = (out / "assigned.tsv").read_text().splitlines()
    assert lines[0].split("\t")[:3] == ["id", "cluster", "distance"]
    assert [line.split("\t")[1] for line in lines[1:]] == ["1", "2"] * 30


def test_one_new_item_is_enough(folder, call):
    lines = (folder / "first.tsv").read_text().splitlines()
    (folder / "one.tsv").write_text("\n".join(lines[:2]) + "\n")
    code, text, _ = call("assign", folder, folder / "one.tsv", "-q")
    assert code == 0
    assert text.startswith("1 item: 1 to cluster 1.")
    code, _, text = call("run", folder / "one.tsv", "-m", "wcss")
    assert code == 2
    assert "at least 3 items are needed" in text


def test_assign_as_json_and_csv(folder, call):
    code, text, _ = call("assign", folder, folder / "other.tsv", "--json", "-q")
    assert code == 0
    assert len(json.loads(text)["items"]) == 60
    code, text, _ = call("assign", folder, folder / "other.tsv", "--csv", "-q")
    assert text.splitlines()[0].startswith("id,cluster")


def test_validate_says_what_comes_back(folder, call):
    code, text, _ = call("validate", folder, folder / "other.tsv", "-o", folder / "v",
        "--null-sets", 39,
    )  # fmt: skip
    assert code == 0
    assert text.startswith("All 2 clusters come back")
    assert (folder / "v" / "validation.tsv").read_text().count("comes back") == 2
    plain = json.loads((folder / "v" / "validation.json").read_text())
    assert plain["k"] == 2
    code, text, _ = call("validate", folder, folder / "noise.tsv", "--json", "-q",
        "--null-sets", 39,
    )  # fmt: skip
    assert json.loads(text)["p"] > 0.05


def test_a_folder_without_a_model_is_refused(tmp_path, folder, call):
    code, _, text = call("assign", folder / "none", folder / "first.tsv")
    assert code == 2
    assert "stablek verdict DATA -o" in text


@pytest.mark.parametrize("command", ["assign", "validate"])
def test_a_name_that_stands_for_two_columns_is_refused(folder, call, command):
    path = folder / "first.tsv"
    text = path.read_text().replace("g1\t", "g0\t", 1)
    path.write_text(text)
    code, _, err = call(command, folder, path)
    assert code == 2
    assert "several columns called 'g0'" in err


def test_the_data_in_the_place_of_the_folder_are_told(folder, call):
    code, _, err = call("assign", folder / "first.tsv", folder / "other.tsv")
    assert code == 2
    assert "name the folder first, then the data" in err


def with_facts(folder, name):
    """Add a column of classes, one of text, and one with a gap, to a table."""
    head, *rows = (folder / "first.tsv").read_text().splitlines()
    more = [head + "\tclass\tsite\tage"]
    for i, row in enumerate(rows):
        age = "" if i == 7 else 40 + i
        more.append(f"{row}\t{'uv'[i % 2]}\tS {i % 3}\t{age}")
    path = folder / name
    path.write_text("\n".join(more) + "\n")
    return path


@pytest.mark.parametrize("command", ["assign", "validate"])
def test_columns_that_the_verdict_did_not_use_are_left_out_with_a_note(
    folder, call, command
):
    more = ["--null-sets", 19] if command == "validate" else []
    code, alone, _ = call(command, folder, folder / "first.tsv", "--json", *more)
    assert code == 0
    facts = with_facts(folder, "facts.tsv")
    code, text, err = call(command, folder, facts, "--json", *more)
    assert code == 0
    for part in ("clusters", "items"):
        assert json.loads(text).get(part) == json.loads(alone).get(part)
    told = " ".join(err.split())
    assert "left out: columns 'class', 'site' (text), which the clusters were" in told
    assert "left out: column 'age' (missing values), which the clusters were" in told
    assert "is used as data" not in told


def test_the_table_of_a_verdict_with_labels_is_taken_as_it_is(folder, call):
    facts, out = with_facts(folder, "facts.tsv"), folder / "verdict"
    code, _, _ = call("verdict", facts, "--labels", "class", "--drop", "site", "--drop",
        "age", "-k", "2:3", "--null-sets", 19, "--level", 0.05, "-q",
        "-o", out,
    )  # fmt: skip
    assert code == 0
    code, text, _ = call("assign", out, facts, "-q")
    assert code == 0
    assert text.startswith("60 items: 30 to cluster 1, 30 to cluster 2")


def test_what_the_verdict_used_is_refused_where_it_is_text_or_missing(folder, call):
    path = with_facts(folder, "facts.tsv")
    head, first, *rest = path.read_text().splitlines()
    for wrong, says in (("high", "column 'g0' is not numeric: 'high'"), ("", "g0")):
        cells = first.split("\t")
        cells[1] = wrong
        path.write_text("\n".join([head, "\t".join(cells), *rest]) + "\n")
        code, _, err = call("assign", folder, path)
        assert code == 2
        assert says in err
    assert "missing value" in err
    code, _, err = call("run", with_facts(folder, "facts.tsv"), "-m", "wcss")
    assert code == 2
    assert "--drop class --drop site" in err


def test_text_in_a_parquet_file_is_left_out_too(folder, call):
    pytest.importorskip("pyarrow")
    table = pd.read_csv(with_facts(folder, "facts.tsv"), sep="\t", index_col="id")
    table.to_parquet(folder / "facts.parquet")
    code, text, err = call("assign", folder, folder / "facts.parquet")
    assert code == 0
    assert text.startswith("60 items: 30 to cluster 1, 30 to cluster 2")
    assert "left out: columns 'class', 'site' (text)" in " ".join(err.split())
    code, _, err = call("run", folder / "facts.parquet", "-m", "wcss")
    assert code == 2
    assert "Annotation columns? --drop class --drop site" in " ".join(err.split())


def test_items_of_text_are_never_left_out(folder, call):
    frame = pd.read_csv(folder / "first.tsv", sep="\t", index_col="id").T
    frame["s3"] = "x"
    frame.to_csv(folder / "turned.tsv", sep="\t")
    code, _, err = call("assign", folder, folder / "turned.tsv", "--transpose")
    assert code == 2
    assert "column 's3' is not numeric" in err
