"""Headers that are one field short, names of ids, and options without a meaning."""

import numpy as np
import pandas as pd
import pytest

from stablek.errors import InputError
from stablek.io import read

ROWS = [(f"s{i}", f"{i % 3 * 9 + i / 50:.2f}", f"{i * 7 % 11}.5") for i in range(30)]


def written(path, header, rows):
    path.write_text(header + "\n" + "".join(f"{row}\n" for row in rows))
    return path


@pytest.mark.parametrize("name", ["id", "ID", "sample", "patient_id", '"gene"', ""])
def test_decimal_commas_are_not_two_columns(tmp_path, name):
    rows = [f"{i},{x.replace('.', ',')}" for i, x, _ in ROWS]
    file = written(tmp_path / "x.csv", f"{name},x", rows)
    with pytest.raises(InputError, match="decimal commas") as refused:
        read(file)
    assert "line 2 has 3 fields, the header 2" in str(refused.value)


def test_two_values_under_one_name_are_refused(tmp_path):
    rows = [",".join(row) for row in ROWS]
    file = written(tmp_path / "x.csv", "id,x", rows)
    with pytest.raises(InputError, match=r"two values under one name.*R wrote"):
        read(file)


@pytest.mark.parametrize("quote", ['"', ""])
@pytest.mark.parametrize("name", ["id", "gene", "index"])
def test_r_may_call_a_column_as_others_call_ids(tmp_path, name, quote):
    """In a table of R's with tabs or quotes the names of rows have no name."""
    rows = ["\t".join((f"{quote}{i}{quote}", *row)) for i, (_, *row) in enumerate(ROWS)]
    file = written(tmp_path / "x.tsv", f"{quote}{name}{quote}\tb", rows)
    data = read(file)
    assert (data.columns, data.ids[:2]) == ((name, "b"), ("0", "1"))
    assert read(file, drop=(name,)).columns == ("b",)


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_a_delimiter_at_the_end_of_the_rows_misnames_nothing(tmp_path, delimiter):
    rows = [delimiter.join(row) + delimiter for row in ROWS]
    header = delimiter.join(("id", "a", "b"))
    data = read(written(tmp_path / "x.csv", header, rows))
    assert (data.columns, data.ids[0]) == (("a", "b"), "s0")
    np.testing.assert_array_equal(data.values[1], [9.02, 7.5])
    assert "1 empty column without a name ignored" in data.notes


def test_numbers_with_a_delimiter_at_the_end_are_read_too(tmp_path):
    rows = [f"{x},{y}," for _, x, y in ROWS]
    data = read(written(tmp_path / "x.csv", "a,b", rows))
    assert data.columns == ("a", "b")


def test_r_may_still_leave_out_the_name_of_its_row_names(tmp_path):
    rows = ["\t".join(row) for row in ROWS]
    data = read(written(tmp_path / "x.tsv", "a\tb", rows))
    assert (data.columns, data.ids[:2]) == (("a", "b"), ("s0", "s1"))


@pytest.mark.parametrize(
    "name", ["id", "ID", "patient_id", "Patient ID", "subject", "sampleId", "index"]
)
def test_numbers_that_are_called_ids_are_told(tmp_path, name):
    rows = [f"{x},{y},{i}" for i, (_, x, y) in enumerate(ROWS)]
    file = written(tmp_path / "x.csv", f"a,b,{name}", rows)
    told = f"column '{name}' is used as data; if it holds ids: --id-column {name}"
    assert told in read(file).notes
    assert not any("used as data" in n for n in read(file, id_column=name).notes)


def test_a_second_column_of_ids_is_to_be_dropped(tmp_path):
    rows = [f"{row[0]},{row[1]},{i}" for i, row in enumerate(ROWS)]
    data = read(written(tmp_path / "x.csv", "id,a,patient_id", rows))
    assert any(
        note.endswith("if it holds ids: --drop patient_id") for note in data.notes
    )


@pytest.mark.parametrize("name", ["covid", "acid", "lipid", "idle", "x"])
def test_other_names_are_no_ids(tmp_path, name):
    rows = [f"{x},{y}" for _, x, y in ROWS]
    data = read(written(tmp_path / "x.csv", f"a,{name}", rows))
    assert not any("used as data" in note for note in data.notes)


@pytest.mark.parametrize(
    "given",
    [{"sheet": "a"}, {"layer": "b"}, {"use_rep": "X_pca"}, {"allow_external": True}],
)
def test_an_option_without_a_meaning_for_the_format_is_told(tmp_path, given):
    file = written(tmp_path / "x.csv", "id,a,b", [",".join(row) for row in ROWS])
    name = next(iter(given)).replace("_", "-")
    told = f"--{name} was not used: it has no meaning for this format"
    assert told in read(file, **given).notes


def test_options_of_text_are_not_used_by_arrays(tmp_path):
    file = tmp_path / "x.npy"
    np.save(file, np.random.default_rng(1).normal(size=(9, 2)))
    notes = read(file, delimiter=",", header=True, id_column=False).notes
    told = [note.split()[0] for note in notes if "was not used" in note]
    assert told == ["--delimiter", "--header"]


@pytest.fixture
def frame():
    """Return a frame with an index of numbers, and a column of names."""
    values = np.random.default_rng(2).normal(size=(9, 2))
    made = pd.DataFrame(values, columns=["a", "b"], index=[100 + i for i in range(9)])
    made["name"] = [f"n{i}" for i in range(9)]
    return made


def test_the_index_of_pandas_is_no_feature(frame, tmp_path):
    file = tmp_path / "x.parquet"
    frame.to_parquet(file)
    data = read(file, id_column="name")
    assert (data.columns, data.ids[:2]) == (("a", "b"), ("n0", "n1"))
    assert any("index left out: '__index_level_0__'" in note for note in data.notes)
    data = read(file, drop=["name"])
    assert (data.columns, data.ids[:2]) == (("a", "b"), ("100", "101"))
    data = read(file, drop=["name"], id_column=False)
    assert (data.columns, data.ids) == (("a", "b"), ())


def test_an_index_of_two_levels_is_no_feature_either(frame, tmp_path):
    file = tmp_path / "x.parquet"
    frame.index = pd.MultiIndex.from_arrays([range(9), range(9)], names=["u", "v"])
    frame[["a", "b"]].to_parquet(file)
    assert read(file).columns == ("a", "b")
    assert read(file, id_column="v").ids[:2] == ("0", "1")


def test_ids_stored_as_bytes_are_text(frame, tmp_path):
    file = tmp_path / "x.parquet"
    frame.insert(0, "key", [f"sä{i}".encode() for i in range(9)])
    frame[["key", "a", "b"]].to_parquet(file, index=False)
    data = read(file)
    assert (data.columns, data.ids[:2]) == (("a", "b"), ("sä0", "sä1"))
