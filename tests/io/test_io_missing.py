"""What each policy does with missing values."""

import numpy as np
import pytest

from stablek.errors import InputError
from stablek.io import read

TABLE = "id,a,b,c\nw,1,2,4\nx,,6,5\ny,3,inf,6\nz,5,1,9\nv,0,0,1\n"


@pytest.mark.parametrize(
    "token",
    ["", "NA", "na", "N/A", "#N/A", "NaN", "nan", "null", "None", "?", ".", " "],
)
def test_every_word_for_missing_is_counted_and_filled(put, token):
    path = put(f"id,a,b\nx,{token},2\ny,2,3\nz,4,5\n")
    with pytest.raises(InputError, match="1 missing value in 1 of 3 rows"):
        read(path)
    assert read(path, missing="mean").values[0, 0] == 3.0


@pytest.mark.parametrize("token", ["inf", "-inf", "Infinity", "1e400", "-1e999"])
def test_every_infinite_value_is_counted_and_filled(put, token):
    path = put(f"id,a,b\nx,{token},2\ny,2,3\nz,4,5\n")
    with pytest.raises(InputError, match="1 infinite in 1 of 3 rows"):
        read(path)
    assert read(path, missing="mean").values[0, 0] == 3.0


def test_rows_with_missing_values_are_dropped_with_their_names(put):
    data = read(put(TABLE), missing="drop-rows")
    assert data.ids == ("w", "z", "v")
    assert any("2 rows dropped (row 'x' (line 3), row 'y'" in n for n in data.notes)


def test_labels_follow_when_rows_are_dropped(put):
    text = "id,a,c\nw,1,u\nx,NA,v\ny,3,u\nz,5,w\n"
    assert read(put(text), missing="drop-rows", labels="c").classes == ("u", "u", "w")


def test_columns_with_missing_values_are_dropped_with_their_names(put):
    data = read(put(TABLE), missing="drop-columns")
    assert data.columns == ("c",)
    assert data.n == 5
    assert any("2 columns dropped (column 'a', column 'b')" in n for n in data.notes)


def test_the_mean_of_the_column_is_that_of_its_other_values(put):
    data = read(put(TABLE), missing="mean")
    assert data.values[1, 0] == (1 + 3 + 5 + 0) / 4
    assert data.values[2, 1] == (2 + 6 + 1 + 0) / 4
    assert any(
        "2 missing values: set to the mean of their column" in n for n in data.notes
    )


def test_the_mean_of_the_row_is_that_of_its_other_values(put):
    data = read(put(TABLE), missing="row-mean")
    assert data.values[1, 0] == (6 + 5) / 2
    assert data.values[2, 1] == (3 + 6) / 2


def test_rows_are_items_after_transposing(put):
    text = "gene,s1,s2,s3\ng1,NA,2,4\ng2,3,5,6\ng3,1,1,2\n"
    data = read(put(text), missing="row-mean", transpose=True)
    assert data.values[0, 0] == (3 + 1) / 2


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ("mean", "column 'a' has no value at all, so it has no mean"),
        ("drop-rows", "0 rows of data"),
    ],
)
def test_a_column_without_any_value_leaves_nothing_to_go_by(put, policy, told):
    with pytest.raises(InputError) as error:
        read(put("id,a,b\nx,NA,1\ny,NA,2\nz,NA,3\n"), missing=policy)
    assert told in str(error.value)


def test_a_column_without_any_value_is_named_in_the_refusal(put):
    with pytest.raises(InputError, match="'a' without any value: --drop"):
        read(put("id,a,b\nx,NA,1\ny,NA,2\nz,NA,3\n"))


def test_dropping_every_column_is_refused(put):
    with pytest.raises(InputError, match="every column has a missing value"):
        read(put("id,a,b\nx,NA,1\ny,1,NA\nz,2,3\n"), missing="drop-columns")


def test_values_that_are_there_keep_their_bits(put):
    rng = np.random.default_rng(3)
    values = rng.normal(size=(20, 5))
    lines = [",".join(["id", *"abcde"])]
    lines += [
        ",".join([f"r{i}", *map(repr, row.tolist())]) for i, row in enumerate(values)
    ]
    lines[7] = lines[7].rsplit(",", 1)[0] + ",NA"
    data = read(put("\n".join(lines) + "\n"), missing="mean")
    there = np.ones(values.shape, dtype=bool)
    there[6, 4] = False
    assert np.array_equal(data.values[there], values[there])
