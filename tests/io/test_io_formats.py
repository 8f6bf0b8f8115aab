"""GCT and CLS, NPY and NPZ, MatrixMarket, Parquet, Excel."""

import decimal

import numpy as np
import pandas as pd
import pytest
import scipy.io
from scipy import sparse

from stablek.errors import InputError
from stablek.io import read

X = np.random.default_rng(1).normal(size=(6, 4))
IDS = tuple(f"s{i}" for i in range(6))
COLUMNS = tuple("abcd")
FRAME = pd.DataFrame(X, index=list(IDS), columns=list(COLUMNS))


def gct(rows=4, columns=3):
    lines = ["#1.2", f"{rows}\t{columns}", "Name\tDescription\tA\tB\tC"]
    lines += [f"g{i}\ta gene\t{i}\t{i + 1}\t{i * i + 0.5}" for i in range(4)]
    return "\n".join(lines) + "\n"


GCT13 = (
    "#1.3\n3\t3\t1\t2\nid\tsym\tA\tB\tC\nsex\tna\tm\tf\tm\ngrp\tna\tu\tv\tu\n"
    "g1\tS1\t1\t2\t3\ng2\tS2\t4\t5\t7\ng3\tS3\t7\t8\t8\n"
)


def test_gct_has_genes_in_rows_and_says_so(put):
    data = read(put(gct(), "x.gct"))
    assert data.ids == ("g0", "g1", "g2", "g3")
    assert data.columns == ("A", "B", "C")
    assert data.values[3].tolist() == [3, 4, 9.5]
    assert any("use --transpose" in note for note in data.notes)


def test_gct_transposed_takes_its_classes_from_cls(put):
    cls = put("3 2 1\n# AML ALL\n1 0 1\n", "x.cls")
    data = read(put(gct(), "x.gct"), transpose=True, labels_file=cls)
    assert data.ids == ("A", "B", "C")
    assert data.classes == ("ALL", "AML", "ALL")


def test_gct_13_keeps_the_fields_of_rows_and_columns_apart(put):
    path = put(GCT13, "x.gct")
    assert read(path, labels="sym").classes == ("S1", "S2", "S3")
    turned = read(path, transpose=True, labels="grp")
    assert turned.classes == ("u", "v", "u")
    assert turned.values.tolist() == [[1, 4, 7], [2, 5, 8], [3, 7, 8]]
    with pytest.raises(InputError, match="unknown field of the columns 'zz'"):
        read(path, transpose=True, labels="zz")


def test_gct_columns_and_rows_are_left_out(put):
    data = read(put(gct(), "x.gct"), transpose=True, drop=("g0",))
    assert data.columns == ("g1", "g2", "g3")
    assert read(put(gct(), "x.gct"), drop=("A",)).columns == ("B", "C")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (gct(rows=5), "declares 5 rows and has 4"),
        (gct(columns=4), "the header has 5 fields, the sizes in line 2 ask for 6"),
        (gct().replace("4\t3", "4\tx"), "line 2 of a GCT 1.2 file holds 2 sizes"),
        (gct().replace("4\t3\n", "4000000000\t4000000000\n"), "the budget is"),
        ("#1.2\n4\t3\n", "ends in its header"),
        (gct().replace("9.5", "inf"), "1 infinite"),
        (gct().replace("1.5", "one"), "not numeric: 'one' at line 5"),
    ],
)
def test_gct_that_does_not_keep_its_word_is_refused(put, text, told):
    with pytest.raises(InputError) as error:
        read(put(text, "x.gct"))
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("text", "labels", "told"),
    [
        ("3 2 1\n# AML ALL\n1 0 1\n", ("ALL", "AML", "ALL"), "positions, from 0"),
        ("3 2 1\n# AML ALL\n2 1 2\n", ("AML", "ALL", "AML"), "2 = AML, 1 = ALL"),
        ("3 2 1\n# AML ALL\nq p q\n", ("AML", "ALL", "AML"), "order of appearance"),
        ("3 2 1\n#AML ALL\nALL AML ALL\n", ("ALL", "AML", "ALL"), "names of classes"),
    ],
)
def test_cls_says_how_its_labels_were_understood(put, text, labels, told):
    data = read(put(gct(), "x.gct"), transpose=True, labels_file=put(text, "x.cls"))
    assert data.classes == labels
    assert told in " ".join(data.notes)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("4 2 1\n# A B\n0 1 0\n", "declares 4 samples and 2 classes, and has 3"),
        ("3 2 1\n# A B\n0 1 0\n", "the table 4 items; the columns are that many"),
        ("#numeric\n#score\n1 2 3\n", "continuous CLS is not read"),
        ("3 2 1\n# A B\n", "a CLS file has three lines"),
        ("3 2 1\n# A B\np q r\n", "names 2 classes, its labels are 3"),
    ],
)
def test_cls_that_does_not_fit_is_refused(put, text, told):
    with pytest.raises(InputError) as error:
        read(put(gct(), "x.gct"), labels_file=put(text, "x.cls"))
    assert told in str(error.value)


@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric"])
@pytest.mark.parametrize("form", ["coordinate", "array"])
def test_matrix_market_is_read_as_scipy_writes_it(tmp_path, form, symmetry):
    square = X[:4]
    if symmetry == "symmetric":
        square = square + square.T
    elif symmetry == "skew-symmetric":
        square = square - square.T
    content = sparse.coo_array(square) if form == "coordinate" else square
    path = tmp_path / "x.mtx"
    scipy.io.mmwrite(path, content, symmetry=symmetry, precision=17)
    assert np.array_equal(read(path).values, square)


def test_matrix_market_fills_in_zeros_and_ones(put):
    text = "%%MatrixMarket matrix coordinate pattern general\n% note\n3 2 2\n1 1\n3 2\n"
    assert read(put(text, "x.mtx")).values.tolist() == [[1, 0], [0, 0], [0, 1]]


MATRIX = "%%MatrixMarket matrix coordinate real general\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (MATRIX + "90000000 9000000 1\n1 1 1\n", "needs 6.48 PB"),
        (MATRIX + "3 3 2\n1 1 1\n1 1 1\n", "lists an entry twice"),
        (MATRIX + "3 3 1\n9 1 1\n", "entry at (9, 1), outside of 3 x 3"),
        (MATRIX + "3 3 1\n1.5 1 1\n", "entry at (1.5, 1)"),
        (MATRIX + "3 3 2\n1 1 1\n", "declares 2 entries and has 1"),
        (MATRIX + "3 3 1\n1 1 1\n2 2 2\n", "line 4, '2 2 2', is not one of 1"),
        (MATRIX + "3 3 1\n1 1\n", "line 3, '1 1', is not one of 1 entries of 3"),
        (MATRIX + "3 3 1\n1 1 x\n", "not a valid MatrixMarket file"),
        (MATRIX + "3 3 99\n1 1 1\n", "declares 99 entries for 3 x 3"),
        (MATRIX + "3 x 1\n1 1 1\n", "must hold 3 sizes"),
        (MATRIX, "ends before its sizes"),
        (MATRIX.replace("real", "complex") + "1 1 1\n1 1 1 1\n", "a real matrix"),
        (MATRIX.replace("general", "symmetric") + "3 2 0\n", "is called symmetric"),
        (
            MATRIX.replace("general", "symmetric") + "3 3 2\n1 2 1\n2 1 1\n",
            "lists an entry twice",
        ),
    ],
)
def test_damaged_matrix_market_is_refused(put, text, told):
    with pytest.raises(InputError) as error:
        read(put(text, "x.mtx"))
    assert told in str(error.value)


def test_parquet_brings_the_index_of_pandas(tmp_path):
    FRAME.to_parquet(tmp_path / "x.parquet")
    data = read(tmp_path / "x.parquet")
    assert np.array_equal(data.values, X)
    assert (data.ids, data.columns) == (IDS, COLUMNS)


def test_parquet_keeps_labels_and_text_apart(tmp_path):
    frame = FRAME.reset_index(names="id")
    frame["kind"] = pd.Categorical(list("uuvvww"))
    frame["note"] = "text"
    frame.to_parquet(tmp_path / "x.parquet", index=False)
    data = read(tmp_path / "x.parquet", labels="kind", drop=("note",))
    assert data.classes == tuple("uuvvww")
    assert np.array_equal(data.values, X)
    named = read(
        tmp_path / "x.parquet", id_column="kind", drop=("id", "note"), number_ids=True
    )
    assert named.ids[:2] == ("u", "u#2")
    with pytest.raises(InputError, match="column 'note' is not numeric but"):
        read(tmp_path / "x.parquet", labels="kind")


def test_parquet_without_ids_or_with_a_numeric_first_column_has_none(tmp_path):
    path = tmp_path / "x.parquet"
    FRAME.to_parquet(path, index=False)
    assert read(path).ids == ()
    assert read(path, id_column=False).columns == COLUMNS
    assert read(path, transpose=True).ids == COLUMNS
    with pytest.raises(InputError, match="give the labels by --labels-file"):
        read(path, transpose=True, labels="a")
    with pytest.raises(InputError, match="has no numeric column"):
        read(path, drop=COLUMNS)


def test_parquet_of_integers_and_decimals_is_numeric(tmp_path):
    path = tmp_path / "x.parquet"
    frame = pd.DataFrame({"note": ["x", "y", "z"], "a": [1, 2, 4], "b": [0.5, 1, 2]})
    frame["b"] = frame["b"].map(decimal.Decimal)
    frame.to_parquet(path, index=False)
    data = read(path)
    assert data.ids == ("x", "y", "z")
    assert data.values.tolist() == [[1, 0.5], [2, 1], [4, 2]]
    assert read(path, drop=("note",)).ids == ()


def test_labels_of_numbers_cannot_be_a_row(tmp_path):
    np.save(tmp_path / "x.npy", X)
    with pytest.raises(InputError, match="give the labels by --labels-file"):
        read(tmp_path / "x.npy", labels="1", transpose=True)
    with pytest.raises(InputError, match="has no column 'a' to drop"):
        read(tmp_path / "x.npy", drop=("a",))


def test_parquet_of_booleans_and_gaps_is_refused(tmp_path):
    FRAME.assign(e=[True, False] * 3).to_parquet(tmp_path / "b.parquet")
    with pytest.raises(InputError, match="column 'e' is not numeric but bool"):
        read(tmp_path / "b.parquet")
    FRAME.assign(e=[1, None] * 3).to_parquet(tmp_path / "m.parquet")
    with pytest.raises(InputError, match="3 missing values in 3 of 6 rows"):
        read(tmp_path / "m.parquet")


def test_parquet_beyond_the_budget_or_cut_off_is_refused(tmp_path):
    path = tmp_path / "x.parquet"
    FRAME.to_parquet(path)
    with pytest.raises(InputError, match="the budget is 100 bytes"):
        read(path, memory=100)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="not a valid Parquet file"):
        read(path)


@pytest.mark.parametrize(
    ("module", "name", "extra"),
    [
        ("pyarrow.parquet", "x.parquet", "tables"),
        ("openpyxl", "x.xlsx", "tables"),
        ("h5py", "x.h5ad", "anndata"),
    ],
)
def test_a_format_without_its_package_names_the_extra(
    tmp_path, monkeypatch, module, name, extra
):
    path = tmp_path / name
    if name == "x.xlsx":
        FRAME.to_excel(path)
    else:
        path.write_bytes({"x.parquet": b"PAR1", "x.h5ad": b"\x89HDF\r\n\x1a\n"}[name])
    monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(InputError, match=rf"pip install 'stablek\[{extra}\]'"):
        read(path)
