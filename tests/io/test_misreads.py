"""Tables that were read wrongly without a word: read rightly now, or refused."""

import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pyarrow.parquet
import pytest
import scipy.sparse

from stablek.errors import InputError
from stablek.io import read

NUMBERS = np.arange(12.0).reshape(4, 3) ** 1.5


@pytest.mark.parametrize("form", ["csr", "csc", "bsr", "dia", "coo"])
@pytest.mark.parametrize("kind", ["matrix", "array"])
def test_a_sparse_matrix_is_read_as_the_matrix_it_is(tmp_path, form, kind):
    values = np.array([[1.0, 0, 2], [0, 0, 3], [4, 5, 0], [0, 6, 0]])
    made = getattr(scipy.sparse, f"coo_{kind}")(values).asformat(form)
    file = tmp_path / "x.npz"
    scipy.sparse.save_npz(file, made)
    data = read(file)
    np.testing.assert_array_equal(data.values, values)
    assert f"NPZ, a sparse matrix of SciPy ({form})" in data.notes


def test_blocks_of_a_sparse_matrix_find_their_places(tmp_path):
    values = np.kron(
        np.array([[1.0, 0], [0, 2], [3, 4]]), np.arange(1.0, 7).reshape(2, 3)
    )
    file = tmp_path / "x.npz"
    scipy.sparse.save_npz(file, scipy.sparse.bsr_matrix(values, blocksize=(2, 3)))
    np.testing.assert_array_equal(read(file).values, values)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("indices", 99), ("indices", -1), ("indptr", 99), ("shape", 10**9)],
)
def test_a_damaged_sparse_matrix_is_refused(tmp_path, name, wrong):
    made = scipy.sparse.csr_matrix(np.eye(4))
    parts = {
        "data": made.data,
        "indices": made.indices.copy(),
        "indptr": made.indptr.copy(),
        "shape": np.array(made.shape),
        "format": np.array(b"csr"),
    }
    parts[name][1] = wrong
    file = tmp_path / "x.npz"
    np.savez(file, **parts)
    with pytest.raises(InputError, match=r"damaged sparse matrix|needs .*budget"):
        read(file)


def test_other_matrices_of_an_archive_are_named(tmp_path):
    file = tmp_path / "x.npz"
    np.savez(file, X=NUMBERS, Y=NUMBERS)
    assert "other matrices not read: 'Y' (--layer)" in read(file).notes


@pytest.mark.parametrize(
    "text",
    [
        "patient,glucose\n" + "".join(f"p{i},{i},{i + 1}\n" for i in range(5)),
        "case,glucose\n" + "".join(f"c{i},{i},{i + 1}\n" for i in range(5)),
        "case a\n" + "".join(f"c{i} {i},{i + 1}\n" for i in range(5)),
        "case|a\n" + "".join(f"c{i}|{i},{i + 1}\n" for i in range(5)),
        "case,a,b\n" + "".join(f"c{i},{i}.5,{i},7\n" for i in range(5)),
    ],
)
def test_decimal_commas_are_not_the_row_names_of_r(put, text):
    with pytest.raises(InputError, match=r"decimal comma|--decimal ,"):
        read(put(text))


def test_names_that_r_wrote_are_read_where_they_are_certain(put):
    text = "a,b\n" + "".join(f"c{i},{i}.5,{i + 1}.5\n" for i in range(5))
    assert read(put(text)).ids[0] == "c0"
    text = text.replace(".5", "")
    with pytest.raises(InputError, match=r"if two, use --decimal \."):
        read(put(text))
    data = read(put(text), decimal=".")
    assert (data.ids[1], data.columns) == ("c1", ("a", "b"))
    assert data.values[1].tolist() == [1, 2]


@pytest.mark.parametrize("first", ["NA,NA", "p1,NA,NA", "p1,,", ",NA,NA", "?,?"])
def test_a_first_row_of_missing_values_is_not_lost(put, first):
    width = first.count(",") + 1
    rows = [f"{first}\n"]
    for i in range(5):
        name = [f"q{i}"] if width == 3 else []
        rows.append(",".join([*name, str(i), str(i * i)]) + "\n")
    text = "".join(rows)
    with pytest.raises(InputError, match="--no-header; if it is names, use --header"):
        read(put(text))
    assert (
        read(put(text), header=False, missing="drop-rows", id_column=width == 3).n == 5
    )


def test_a_name_that_is_also_a_missing_value_may_stand_among_others(put):
    text = "patient,K,Na\n" + "".join(f"p{i},{i},{i * i}\n" for i in range(5))
    assert read(put(text)).columns == ("K", "Na")


@pytest.fixture
def book(tmp_path):
    """Return a workbook of one sheet with a table, and where it is to be saved."""
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = "data"
    sheet.append(["id", "a", "b", "c"])
    for i in range(5):
        sheet.append([f"s{i}", i, i * i, i + 0.5])
    return made, tmp_path / "x.xlsx"


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_a_hidden_sheet_is_not_read_for_the_visible_one(book, state):
    made, file = book
    other = made.create_sheet("raw", 0)
    for row in (["id", "a"], ["x", 1], ["y", 2], ["z", 3]):
        other.append(row)
    other.sheet_state = state
    made.active = 1
    made.save(file)
    data = read(file)
    assert (data.n, data.m) == (5, 3)
    assert "other sheets not read: 'raw' (hidden) (--sheet)" in data.notes
    assert read(file, sheet="raw").n == 3
    assert read(file, sheet=1).n == 3


def hide_row(sheet):
    sheet.row_dimensions[4].hidden = True


def hide_column(sheet):
    sheet.column_dimensions["C"].hidden = True


def hide_columns(sheet):
    sheet.column_dimensions.group("B", "C", hidden=True)


@pytest.mark.parametrize(
    ("hide", "said", "left"),
    [
        (hide_row, r"1 hidden row \(4\)", (4, 3)),
        (hide_column, r"1 hidden column \(C\)", (5, 2)),
        (hide_columns, r"2 hidden columns \(B, C\)", (5, 1)),
    ],
)
def test_hidden_rows_and_columns_are_asked_about(book, hide, said, left):
    made, file = book
    hide(made.active)
    made.save(file)
    with pytest.raises(InputError, match=said + r".*--hidden keep.*--hidden drop"):
        read(file)
    kept = read(file, hidden="keep")
    assert (kept.n, kept.m) == (5, 3)
    dropped = read(file, hidden="drop")
    assert (dropped.n, dropped.m) == left
    assert any("left out, as --hidden says" in note for note in dropped.notes)


def test_what_is_hidden_beside_the_table_does_not_matter(book):
    made, file = book
    made.active.column_dimensions["Z"].hidden = True
    made.active.row_dimensions[99].hidden = True
    made.save(file)
    assert read(file).n == 5


def test_blank_rows_of_a_sheet_are_told(book):
    made, file = book
    made.active.insert_rows(4)
    made.save(file)
    assert "1 blank row ignored" in read(file).notes


def table(name, first):
    return f"{name},a\n" + "".join(f"{v},{i * i}\n" for i, v in enumerate(first))


@pytest.mark.parametrize("name", ["genes", "features", "index", "cells", "samples"])
@pytest.mark.parametrize("first", [[310, 205, 310, 99], [0.5, 1.5, 2.5, 4]])
def test_numbers_that_may_be_a_count_are_not_taken_for_ids(put, name, first):
    file = put(table(name, first))
    with pytest.raises(InputError, match=rf"--id-column {name}; if data.*none"):
        read(file)
    data = read(file, id_column=False)
    assert (data.columns, data.ids) == ((name, "a"), ())
    assert data.values[:, 0].tolist() == first


def test_a_count_in_parquet_is_asked_about_too(tmp_path):
    file = tmp_path / "x.parquet"
    frame = pd.DataFrame({"genes": [310, 205, 99, 4], "a": [1.0, 2, 3, 5]})
    frame.to_parquet(file, index=False)
    with pytest.raises(InputError, match="--id-column genes; if data"):
        read(file)
    assert read(file, id_column=False).columns == ("genes", "a")
    frame.rename(columns={"genes": "gene"}).to_parquet(file, index=False)
    assert read(file).ids[0] == "310"


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("index", [0, 1, 2, 3]),
        ("samples", [17, 18, 19, 20]),
        ("gene", [672, 7157, 675, 99]),
        ("patient", [4, 2, 9, 1]),
        ("patient_id", [4, 2, 9, 1]),
        ("", [4, 2, 9, 1]),
        ("id", [0.5, 1.5, 2.5, 3.5]),
    ],
)
def test_numbers_that_name_items_for_certain_are_ids(put, name, first):
    data = read(put(table(name, first)))
    assert (data.columns, data.ids) == (("a",), tuple(map(str, first)))


def test_thousands_points_are_asked_about_as_thousands_commas_are(put):
    rows = [("a", "1.234"), ("b", "12"), ("c", "2.500"), ("d", "7")]
    text = "id;x\n" + "".join(f"{i};{x}\n" for i, x in rows)
    with pytest.raises(InputError, match=r"thousands separator.*--decimal \."):
        read(put(text))
    with pytest.raises(InputError, match="thousands separator"):
        read(put(text.replace(".", ",")))
    assert read(put(text), decimal=".").values[0, 0] == 1.234
    sure = text + "e;0.5\n"
    assert read(put(sure)).values[0, 0] == 1.234


def test_a_thousands_point_far_down_is_seen_too(put):
    rows = [f"s{i};{i}\n" for i in range(999)]
    with pytest.raises(InputError, match=r"'1\.001' at line 1001"):
        read(put("id;x\n" + "".join(rows) + "s1001;1.001\n"))


@pytest.mark.parametrize("delimiter", ["\t", ",", "|"])
def test_other_delimiters_have_decimal_points(put, delimiter):
    text = "id|x\n" + "".join(f"s{i}|{i + 1}.234\n" for i in range(4))
    options = {"delimiter": "pipe"} if delimiter == "|" else {}
    assert read(put(text.replace("|", delimiter)), **options).values[0, 0] == 1.234
    mixed = text.replace("|", delimiter) + f"t{delimiter}12\n"
    with pytest.raises(InputError, match="thousands separator"):
        read(put(mixed), **options)
    sure = mixed + f"u{delimiter}12.5\n"
    assert read(put(sure), **options).values[0, 0] == 1.234


def test_a_single_column_of_thousands_points_is_asked_about(put):
    text = "x\n4.668\n1.053\n2.228\n"
    with pytest.raises(InputError, match="thousands separator"):
        read(put(text))
    assert read(put(text), decimal=".").values[0, 0] == 4.668


def test_whole_thousands_are_seen_where_all_numbers_are_whole(put):
    text = "id;x;y\n" + "".join(f"s{i};{i}.000;{i}\n" for i in range(1, 5))
    with pytest.raises(InputError, match="thousands separator"):
        read(put(text))


# What the comparison with pandas found (tests/io/differential.py).


def test_a_headerless_table_with_decimal_commas_keeps_its_first_row(put):
    rows = "966,141;1,79e1\n-345,317;8,49e7\n167,397;-7,82\n1,5;2,5\n"
    with pytest.raises(InputError, match="all numbers: is it data or names"):
        read(put(rows))
    assert read(put(rows), header=False).values[0].tolist() == [966.141, 17.9]


@pytest.mark.parametrize("first", ["0,1,2", "1,2,3", ",0,1,2"])
def test_a_row_that_numbers_the_columns_is_a_header(put, first):
    named = first.lstrip(",").split(",")
    rows = [[i + 0.25, i * 1.5, -i / 4] for i in range(6)]
    lines = (",".join(map(str, row)) for row in rows)
    if first.startswith(","):
        lines = (f"{i},{line}" for i, line in enumerate(lines))
    found = read(put("\n".join([first, *lines]) + "\n"))
    assert found.columns == tuple(named)
    assert found.values.tolist() == rows


def test_a_row_that_counts_above_whole_numbers_is_asked_about(put):
    text = "0,1,2\n" + "".join(f"{i},{i}.5,{i}.5\n" for i in range(4))
    with pytest.raises(InputError, match="all numbers: is it data or names"):
        read(put(text))


@pytest.mark.parametrize("first", ["1'236", "12 %", "< 0.5", "1 000", "5,36e-8"])
def test_numbers_in_another_manner_are_not_names(put, first):
    text = "crp\tb\n" + "".join(f"{first}\t{i}.5\n" for i in range(4))
    with pytest.raises(InputError, match="column 'crp' is not numeric"):
        read(put(text))


def test_a_header_that_splits_like_the_rows_is_better_than_one_of_r(put):
    text = "gene,a\n" + "".join(f"y;{i},{i * i}\n" for i in range(4))
    with pytest.raises(InputError, match=r"commas split .* and so does ';'"):
        read(put(text))
    assert read(put(text), delimiter=",").ids[2] == "y;2"


def test_a_comma_in_a_name_is_no_decimal_comma(put):
    text = "y;0,-41\ny;1,2\ny;2,17296\ny;3,4\n"
    with pytest.raises(InputError, match=r"commas split .* and so does ';'"):
        read(put(text))
    told = {"delimiter": ",", "header": False}
    assert read(put(text), **told).values[0, 0] == -41


def test_missing_values_above_decimal_commas_are_asked_about(put):
    text = "a0;None\na1;46,3\na2;61,2\na3;1,5\n"
    with pytest.raises(InputError, match="--no-header; if it is names"):
        read(put(text))


def test_a_tab_separates_whatever_commas_do(put):
    text = "q,r\tx1\n" + "".join(f"s{i}\t{i}\t5{i}.6,\n" for i in range(4))
    text = text.replace(".6,", ",6")
    with pytest.raises(InputError, match=r"--decimal ,"):
        read(put(text))
    assert read(put(text), decimal=",").columns == ("q,r", "x1")


def test_blanks_between_thousands_are_not_names_of_rows(put):
    text = "x\n" + "".join(f"{i} 415\n" for i in range(1, 5))
    with pytest.raises(InputError, match="thousands set apart, or several"):
        read(put(text))
    assert read(put(text), delimiter="space").ids == ("1", "2", "3", "4")


def test_quotes_at_the_start_of_a_row_are_not_always_r(put):
    text = '"case" "b"\n' + "".join(f'"x,{i}" {i},9\n' for i in range(4))
    with pytest.raises(InputError, match="decimal comma"):
        read(put(text))
    told = {"delimiter": "space", "decimal": ","}
    assert read(put(text), **told).values[1, 0] == 1.9


def test_rows_and_header_that_end_in_a_delimiter_have_no_name_too_few(put):
    text = "a,b,\n" + "".join(f"{i},{i}.5,7.5,\n" for i in range(4))
    with pytest.raises(InputError, match="line 2 has 4 fields, header has 3"):
        read(put(text))


def test_the_first_value_of_a_single_column_may_be_missing(put):
    data = read(put("a\n\n1.5\n\n2.5\n3\n4\n"), missing="mean")
    assert data.n == 6
    np.testing.assert_allclose(data.values[[0, 2], 0], 2.75)


def test_a_column_that_counts_the_rows_is_warned_of(put):
    text = "case,b\n" + "".join(f"{i},{i * i}.5\n" for i in range(4))
    told = "warning: column 'case' counts the rows and is used as data"
    assert any(note.startswith(told) for note in read(put(text)).notes)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (-999, ["the only negative number there"]),
        (-9, ["the only negative number there"]),
        (9999, ["far above all others there"]),
        (-8, []),
    ],
)
def test_a_code_for_missing_values_is_warned_of(put, code, told):
    rows = [f"{i + 1.5},{-i}\n" for i in range(5)]
    data = read(put("".join(["a,b\n", *rows, f"{code},-9\n", f"{code},3\n"])))
    notes = [note for note in data.notes if "if it means missing" in note]
    assert len(notes) == len(told)
    assert all(why in note for why, note in zip(told, notes, strict=True))
    assert all(f"{code} (2 cells of column 'a')" in note for note in notes)


@pytest.mark.parametrize("first", [True, False], ids=["first", "last"])
def test_the_index_of_pandas_is_no_data_whoever_wrote_it(tmp_path, first):
    """Polars keeps the column, and not what pandas said of it."""
    columns = {"a": [1.5, 2.5, 4.5], "__index_level_0__": [7, 9, 8]}
    names = sorted(columns, reverse=not first)
    table = pyarrow.table({name: columns[name] for name in names})
    pyarrow.parquet.write_table(table, tmp_path / "x.parquet")
    data = read(tmp_path / "x.parquet")
    assert (data.columns, data.ids) == (("a",), ("7", "9", "8"))


def test_the_index_of_pandas_in_a_text_is_ids_or_warned_of(put):
    first = read(put("__index_level_0__,a\n7,1.5\n9,2.5\n8,4.5\n"))
    assert (first.columns, first.ids) == (("a",), ("7", "9", "8"))
    last = read(put("a,__index_level_0__\n1.5,7\n2.5,9\n4.5,8\n"))
    assert any(
        "if it holds ids: --id-column __index_level_0__" in n for n in last.notes
    )


def test_a_skew_symmetric_matrix_has_no_diagonal(tmp_path):
    path = tmp_path / "x.mtx"
    head = "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 3\n"
    path.write_text(head + "1 1 5\n2 1 6\n3 1 7\n")
    with pytest.raises(InputError, match="lists its diagonal"):
        read(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<row r="3">', '<row r="1">'),
        ('<row r="3">', '<row r="2">'),
        ('r="B3"', 'r="B2"'),
        ('r="B3"', 'r="A3"'),
        ('r="B3"', 'r="C3"'),
    ],
)
def test_a_sheet_whose_rows_or_cells_are_out_of_order_is_refused(tmp_path, old, new):
    """openpyxl would drop one of them."""
    good = tmp_path / "good.xlsx"
    pd.DataFrame(NUMBERS, columns=list("abc")).to_excel(good, index=False)
    path = tmp_path / "x.xlsx"
    with zipfile.ZipFile(good) as one, zipfile.ZipFile(path, "w") as two:
        for name in one.namelist():
            text = one.read(name)
            if name.endswith("sheet1.xml"):
                assert old.encode() in text
                text = text.replace(old.encode(), new.encode())
            two.writestr(name, text)
    np.testing.assert_allclose(read(good).values, NUMBERS, rtol=1e-14)
    with pytest.raises(InputError, match="stands out of order"):
        read(path)
