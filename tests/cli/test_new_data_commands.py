"""``stablek assign`` and ``stablek validate``."""

import json

import numpy as np
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
