"""Folders of real data: pairs are read as they are, and faults are named."""

import gzip

import numpy as np
import pytest

from stablek.datasets import available, catalogue, data_folder, load, load_folder
from stablek.errors import InputError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv("STABLEK_DATA", raising=False)
    matrix = "id\tx\ty\na\t1\t2.5\nb\tNA\t-3e2\nc\t0\t7\n"
    with gzip.open(tmp_path / "toy.tsv.gz", "wt") as file:
        file.write(matrix)
    (tmp_path / "toy.labels.tsv").write_text("id\tclass\na\tred\nb\tblue\nc\tred\n")
    (tmp_path / "gold.tsv").write_text(
        "name\tthesis_dataset\tn\tm\tgold_k\tlabel_classes\tlabels_are_gold\n"
        "toy\tToy\t3\t2\t5\t2\tno\n"
    )
    return tmp_path


def test_a_pair_becomes_values_ids_columns_and_classes(folder):
    toy = load_folder("toy", folder)
    np.testing.assert_array_equal(toy.values, [[1, 2.5], [np.nan, -300], [0, 7]])
    assert toy.ids == ("a", "b", "c")
    assert toy.columns == ("x", "y")
    assert toy.classes == ("red", "blue", "red")
    assert toy.labels.tolist() == [0, 1, 0]
    with pytest.raises(ValueError, match="read-only"):
        toy.values[0, 0] = 1.0


def test_the_gold_number_comes_from_gold_tsv_and_else_from_the_classes(folder):
    toy = load_folder("toy", folder)
    assert (toy.k, toy.facts["k_from"]) == (5, "gold.tsv")
    assert toy.facts["labels_are_gold"] is False
    (folder / "gold.tsv").unlink()
    toy = load_folder("toy", folder)
    assert (toy.k, toy.facts["k_from"]) == (2, "labels")


def test_the_folder_is_the_argument_or_the_environment_variable(folder, monkeypatch):
    with pytest.raises(InputError, match="STABLEK_DATA"):
        data_folder()
    monkeypatch.setenv("STABLEK_DATA", str(folder))
    assert data_folder() == folder
    assert load("toy").name == "toy"
    monkeypatch.setenv("STABLEK_DATA", str(folder / "nowhere"))
    with pytest.raises(InputError, match="not a folder"):
        data_folder()


def test_only_complete_pairs_are_available(folder):
    (folder / "alone.tsv.gz").write_bytes(b"")
    (folder / "toy.finer.labels.tsv").write_text("id\tclass\n")
    assert available(folder) == ["toy"]


def test_a_mistyped_name_is_answered_with_the_nearest(folder):
    with pytest.raises(InputError, match="did you mean 'toy'"):
        load_folder("toi", folder)


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ("id\tclass\na\tred\nc\tblue\nb\tred\n", "item 2"),
        ("id\tclass\na\tred\nb\tblue\n", "item 3"),
        ("id\tkind\na\tred\nb\tblue\nc\tred\n", "no column 'class'"),
    ],
)
def test_labels_that_do_not_fit_are_refused(folder, labels, says):
    (folder / "toy.labels.tsv").write_text(labels)
    with pytest.raises(InputError, match=says):
        load_folder("toy", folder)


@pytest.mark.parametrize(
    ("matrix", "says"),
    [
        ("id\tx\ty\na\t1\t2\nb\t1\n", "line 3: 2 fields"),
        ("id\tx\ty\na\t1\ttwo\n", "two"),
        ("", "empty"),
    ],
)
def test_a_matrix_that_cannot_be_read_is_refused_with_its_place(folder, matrix, says):
    with gzip.open(folder / "toy.tsv.gz", "wt") as file:
        file.write(matrix)
    with pytest.raises(InputError, match=says):
        load_folder("toy", folder)


def test_a_file_that_is_not_compressed_is_refused(folder):
    (folder / "toy.tsv.gz").write_text("id\tx\na\t1\n")
    with pytest.raises(InputError, match="not gzipped UTF-8 text"):
        load_folder("toy", folder)


def test_the_catalogue_lists_what_is_here_and_how_to_get_the_rest(folder):
    rows = {(row.kind, row.name): row for row in catalogue(folder)}
    toy = rows["folder", "toy"]
    assert (toy.n, toy.m, toy.k, toy.present) == (3, 2, 5, True)
    assert rows["simulated", "demo"].present
    assert not rows["folder", "yeast"].present
    assert "yeastCC" in rows["folder", "yeast"].how
    assert all(row.how for row in rows.values())


def test_loading_by_name_prefers_the_folder_and_says_where_else_to_look(folder):
    assert load("demo", seed=3).k == 4
    with pytest.raises(InputError, match="no public copy"):
        load("pbm")
    with pytest.raises(InputError, match="did you mean 'demo'"):
        load("demos")
    for suffix in (".tsv.gz", ".labels.tsv"):
        (folder / f"toy{suffix}").rename(folder / f"gaussian3{suffix}")
    assert load("gaussian3", folder=folder).values.shape == (3, 2)


@pytest.mark.real
def test_every_real_set_has_the_size_that_gold_tsv_says(real_data):
    rows = [row for row in catalogue(real_data) if row.kind == "folder" and row.present]
    assert len(rows) >= 10
    for row in rows:
        real = load_folder(row.name, real_data)
        assert real.values.shape == (row.n, row.m)
        assert real.k == row.k
        assert len(set(real.ids)) == row.n
