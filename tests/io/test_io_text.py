"""Text tables: what is read, what is refused, and in which words."""

import bz2
import gzip
import lzma

import numpy as np
import pytest

from stablek.errors import InputError
from stablek.io import read

GOOD = "id,a,b\nx,1.5,2\ny,-2,3e1\nz,0.25,4\n"
VALUES = np.array([[1.5, 2.0], [-2.0, 30.0], [0.25, 4.0]])


def same_as_good(data):
    assert np.array_equal(data.values, VALUES)
    assert data.ids == ("x", "y", "z")
    assert data.columns == ("a", "b")


SAME_TABLES = {
    "comma": GOOD,
    "byte order mark": b"\xef\xbb\xbf" + GOOD.encode(),
    "CRLF": GOOD.replace("\n", "\r\n"),
    "CR": GOOD.replace("\n", "\r"),
    "mixed line ends": GOOD.replace("\n", "\r\n", 2),
    "semicolon": GOOD.replace(",", ";"),
    "tab in a .csv": GOOD.replace(",", "\t"),
    "blanks": GOOD.replace(",", "  "),
    "blanks around fields": GOOD.replace(",", " , "),
    "UTF-16 with mark": GOOD.encode("utf-16"),
    "UTF-16 LE": GOOD.encode("utf-16-le"),
    "UTF-16 BE": GOOD.encode("utf-16-be"),
    "quoted": '"id","a","b"\n"x","1.5","2"\n"y",-2,3e1\n"z",0.25,4\n',
    "R header, tab": "a\tb\nx\t1.5\t2\ny\t-2\t3e1\nz\t0.25\t4\n",
    "R write.table": '"a" "b"\n"x" 1.5 2\n"y" -2 3e1\n"z" 0.25 4\n',
    "R write.csv": '"","a","b"\n"x",1.5,2\n"y",-2,3e1\n"z",0.25,4\n',
    "semicolon and decimal commas": "id;a;b\nx;1,5;2\ny;-2;3e1\nz;0,25;4\n",
    "blank lines": GOOD.replace("\n", "\n\n"),
    "rows without content at the end": GOOD + ",,\n,,\n",
    "delimiter at the end of every line": GOOD.replace("\n", ",\n"),
    "gz": gzip.compress(GOOD.encode()),
    "xz": lzma.compress(GOOD.encode()),
    "bz2": bz2.compress(GOOD.encode()),
}


@pytest.mark.parametrize("kind", SAME_TABLES)
def test_the_same_table_is_read_the_same_however_it_is_written(put, kind):
    same_as_good(read(put(SAME_TABLES[kind])))


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("semicolon", "delimiter ';'"),
        ("tab in a .csv", "delimiter tab"),
        ("blanks", "delimiter white space"),
        ("UTF-16 with mark", "encoding utf-16"),
        ("semicolon and decimal commas", "decimal commas"),
        ("blank lines", "blank lines ignored"),
        ("rows without content at the end", "2 rows without content"),
        ("delimiter at the end of every line", "1 empty column without a name"),
        ("comma", "3 items x 2 columns (rows are items; --transpose if not)"),
    ],
)
def test_what_was_detected_is_said(put, kind, told):
    assert told in "; ".join(read(put(SAME_TABLES[kind])).notes)


REFUSED = {
    # FAULTS 15
    "no bytes": ("", "empty (0 bytes)"),
    "blank lines only": ("\n\n", "only blank lines"),
    "header only": ("id,a,b\n", "has a header but no rows"),
    "one row": ("id,a,b\nx,1,2\n", "1 row of data: at least 3"),
    "two rows": ("id,a,b\nx,1,2\ny,3,4\n", "2 rows of data: at least 3"),
    # FAULTS 17
    "NA": ("id,a\nx,NA\ny,2\nz,3\n", "1 missing value in 1 of 3 rows; first: row 'x'"),
    "empty": ("id,a,b\nx,1,2\ny,,2\nz,3,4\n", "row 'y' (line 3), column 'a'"),
    "nan": ("id,a\nx,1\ny,nan\nz,3\n", "--missing drop-rows / drop-columns"),
    "inf": ("id,a\nx,1\ny,-inf\nz,3\n", "1 infinite in 1 of 3 rows"),
    "1e400": ("id,a\nx,1\ny,1e400\nz,3\n", "1 infinite in 1 of 3 rows"),
    "gap in one column": ("a\n1\n\n3\n4\n", "1 missing value in 1 of 4 rows"),
    # FAULTS 19
    "text": (
        "id,a,b\nx,1,2\ny,1,oops\nz,3,4\n",
        "column 'b' is not numeric: 'oops' at line 3. Correct it, or leave the column "
        "out: --drop b",
    ),
    "text column": (
        "id,a,b\nx,1,u\ny,1,v\nz,3,u\n",
        "'u' at line 2. Annotation column? --drop b; class labels? --labels b",
    ),
    "two text columns": (
        "id,a,b,c\nx,u,u,1\ny,v,v,2\nz,w,w,3\n",
        "Annotation columns? --drop a --drop b (and --annotations FILE to compare the "
        "clusters with them); class labels? --labels a instead of --drop a (text in "
        "'a', 'b')",
    ),
    "text in the first column": (
        "a,b\n1,2\noops,3\n4,5\n",
        "column 'a' of data.csv mixes numbers and text ('oops' at line 3): if it holds "
        "ids, use --id-column a",
    ),
    "text throughout": ("id,a\nx,u\ny,v\nz,w\n", "no numeric column"),
    "names only": ("id\nx\ny\nz\n", "no numeric column"),
    "TRUE": ("id,a,b\nx,1,TRUE\ny,2,FALSE\nz,3,TRUE\n", "Write 1 and 0"),
    "hexadecimal": ("id,a\nx,0x10\ny,2\nz,3\n", "not numeric: '0x10' at line 2"),
    "underscore": ("id,a\nx,1_000\ny,2\nz,3\n", "not numeric: '1_000' at line 2"),
    "percent": ("id,a\nx,1%\ny,2%\nz,3\n", "Remove the percent signs"),
    "thousands": ('id,a\nx,"1,234"\ny,2\nz,3\n', "A thousands separator? Remove it"),
    "thousands, point": ('id,a\nx,"1,234.5"\ny,2\nz,3\n', "Remove the thousands"),
    "decimal comma": ("id\ta\nx\t1,5\ny\t2\nz\t3\n", "decimal commas: --decimal ,"),
    "one column of decimal commas": ("a\n1,5\n2,5\n3,5\n", "--delimiter and --decimal"),
    "thousands or decimal": (
        "id;a\nx;1,500\ny;2,500\nz;3\n",
        "is '1,500' a decimal comma or a thousands separator?",
    ),
    "comma and point": ("id;a;b\nx;1,5;2.5\ny;2;3\nz;3;4\n", "one decimal mark"),
    "European thousands": (
        "id;a;b\nx;1.234,5;2,5\ny;2;3\nz;3;4\n",
        "'1.234,5' at line 2. Its points separate thousands: remove them",
    ),
    "European thousands throughout": (
        "id;a\nx;1.234,5\ny;2.222,5\nz;3.333,4\n",
        "no numeric column: column 'a' holds '1.234,5' at line 2 (delimiter ';'; "
        "another one? --delimiter). Its points separate thousands: remove them",
    ),
    "European thousands between tabs": (
        "id\ta\nx\t1.234,5\ny\t2\nz\t3\n",
        "Its points separate thousands: remove them, and use --decimal ,",
    ),
    "European millions": (
        "id;a;b\nx;1.234.567;2,5\ny;2;3\nz;3;4\n",
        "Its points separate thousands: remove them",
    ),
    "thousands or decimal point": (
        "id;a;b\nx;1.234;2,5\ny;2;3\nz;3;4\n",
        "Does the point separate thousands? Remove it. Is it a decimal point?",
    ),
    "row of text": (
        "id,a,b\nx,1,2\nclass,u,v\ny,1,4\n",
        "line 3 ('class') is text throughout, such as 'u'. If it labels the columns: "
        "--transpose --labels class",
    ),
    # FAULTS 20
    "latin-1": ("id,a\né,1\n".encode("latin-1"), "byte 5 (line 2): name its encoding"),
    "no header": ("1,2\n3,4\n5,6\n", "all numbers: is it data or names? If data, use"),
    "no header, ids": ("x,1,2\ny,3,4\nz,5,6\n", "if it is data, use --no-header"),
    "no header, class": ("1,2,u\n3,4,u\n5,6,v\n", "numbers ('1') and text ('u')"),
    # FAULTS 21
    "short row": (
        "id,a,b\nx,1,2\ny,1\nz,3,4\n",
        "line 3 has 2 fields, header has 3: is the file complete?",
    ),
    "long row": ("id,a,b\nx,1,2\ny,1,2,3\nz,3,4\n", "line 3 has 4 fields, header has"),
    "short row, blanks": ("id a b\nx 1 2\ny 1\nz 3 4\n", "line 3 has 2 fields"),
    "comment above": (
        "# made by hand\nid,a\nx,1\ny,2\nz,3\n",
        "looks like a comment: remove",
    ),
    "open quote": ('id,a\n"x,1\ny,2\nz,3\n', "quote opened in line 2 is not closed"),
    "NUL": ("id,a\nx,1\ny,\x00\nz,3\n", "NUL byte in line 3"),
    "cut in the last field": (
        "id,a\nx,1.25\ny,1.25\nz,3.2",
        "'3.2' (column 'a') looks",
    ),
    "cut in the last label": ("id,a,c\nx,1,up\ny,2,up\nz,3,u", "looks cut off"),
    # FAULTS 22
    "repeated ids": (
        "id,a\nx,1\ny,2\nx,3\n",
        "1 id more than once: 'x' ('x': line 2, line 4); make them unique, or use "
        "--number-ids",
    ),
    "empty id": ("id,a\nx,1\n,2\nz,3\n", "1 empty id, the first at line 3"),
    # FAULTS 23
    "1e308": ("id,a\nx,1e308\ny,2\nz,3\n", "overflow squared distances"),
    # issue 2
    "bytes": (bytes(range(256)) * 40, "is a binary file, not a table of text"),
    "PNG": (b"\x89PNG\r\n\x1a\n" + bytes(90), "is a PNG file"),
    "pickle": (b"\x80\x04\x95" + bytes(90), "is a pickle file"),
    "web page": ("<!DOCTYPE html><html></html>\n", "is a web page"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_doubtful_input_is_refused_with_its_place_and_a_remedy(
    put, kind, monkeypatch, tmp_path
):
    content, told = REFUSED[kind]
    put(content)
    monkeypatch.chdir(tmp_path)
    options = {"labels": "c"} if kind == "cut in the last label" else {}
    with pytest.raises(InputError) as error:
        read("data.csv", **options)
    assert told in str(error.value)
    assert error.value.exit_code == 2


def test_numbers_as_names_of_columns_are_a_header_after_an_id_name(put):
    data = read(put("id\t0\t5\nx\t1\t2\ny\t3\t4\nz\t5\t6\n"))
    assert data.columns == ("0", "5")


def test_a_first_row_of_numbers_is_data_where_the_user_says_so(put):
    data = read(put("1,2\n3,4\n5,6\n"), header=False)
    assert np.array_equal(data.values, [[1, 2], [3, 4], [5, 6]])
    assert data.columns == ()


def test_a_first_row_of_numbers_is_names_where_the_user_says_so(put):
    data = read(put("1,2\n3,4\n5,6\n7,8\n"), header=True)
    assert data.columns == ("1", "2")
    assert data.n == 3


def test_one_column_is_fine_and_said(put):
    data = read(put("a\n1\n2\n4\n"))
    assert np.array_equal(data.values, [[1], [2], [4]])
    assert "1 column: distances are one-dimensional, which is fine" in data.notes


def test_decimal_commas_are_read_where_the_user_names_them(put):
    text = "id\ta\nx\t1,5\ny\t2\nz\t3,25\n"
    assert np.array_equal(read(put(text), decimal=",").values.ravel(), [1.5, 2, 3.25])
    quoted = 'id,a\nx,"1,5"\ny,2\nz,"3,25"\n'
    data = read(put(quoted), decimal=",")
    assert np.array_equal(data.values.ravel(), [1.5, 2, 3.25])


def test_one_column_of_decimal_commas_is_read_with_both_options(put):
    data = read(put("a\n1,5\n2,5\n3,5\n"), delimiter="tab", decimal=",")
    assert np.array_equal(data.values.ravel(), [1.5, 2.5, 3.5])


def test_another_encoding_is_read_where_the_user_names_it(put):
    data = read(put("id,a\né,1\ny,2\nz,3\n".encode("latin-1")), encoding="latin-1")
    assert data.ids[0] == "é"


def test_an_unknown_encoding_is_refused(put):
    with pytest.raises(InputError, match="unknown encoding 'klingon'"):
        read(put(GOOD), encoding="klingon")


def test_ids_keep_delimiters_quotes_and_line_ends(put):
    text = 'id,a\n"a, b",1\n"say ""x""",2\n"two\nlines",3\n'
    assert read(put(text)).ids == ("a, b", 'say "x"', "two\nlines")


def test_ids_called_na_stay_ids(put):
    assert read(put("id,a\nNA,1\nnan,2\nNone,3\n")).ids == ("NA", "nan", "None")


def test_dates_among_the_ids_are_warned_of(put):
    notes = read(put("gene,a\n1-Sep,1\n2-Mar,2\nTP53,3\n")).notes
    assert any("2 ids look like dates" in n and "'1-Sep'" in n for n in notes)


def test_repeated_ids_are_numbered_where_the_user_allows_it(put):
    data = read(put("id,a\nx,1\nx,2\n,3\n"), number_ids=True)
    assert data.ids == ("x", "x#2", "row 3")
    assert "2 ids numbered to be unique" in data.notes


def test_a_long_id_is_kept_whole_and_shortened_in_messages(put):
    long = "q" * 10**6
    assert read(put(f"id,a\n{long},1\ny,2\nz,3\n")).ids[0] == long
    with pytest.raises(InputError) as error:
        read(put(f"id,a\n{long},1\n{long},2\nz,3\n"))
    assert len(str(error.value)) < 500


def test_control_characters_do_not_reach_messages(put):
    with pytest.raises(InputError) as error:
        read(put("id,a\n\x1b[31mred\u202e,1\n\x1b[31mred\u202e,2\nz,3\n"))
    assert "\x1b" not in str(error.value)
    assert "\u202e" not in str(error.value)


def test_integers_beyond_2_to_the_53_are_warned_of(put):
    notes = read(put(f"id,a\nx,{2**53 + 1}\ny,2\nz,{2**70}\n")).notes
    told = "warning: 1 integer beyond 2^53 loses digits; first: '9007199254740993'"
    assert any(note.startswith(told) for note in notes)


def test_the_smallest_numbers_are_read_exactly(put):
    smallest = [1e-320, 5e-324, 2.2250738585072014e-308]
    rows = [f"s{i},{value!r},{i}" for i, value in enumerate(smallest)]
    data = read(put("\n".join(["id,a,b", *rows, ""])))
    assert data.values[:, 0].tolist() == smallest


def test_constant_columns_are_dropped_and_said(put):
    data = read(put("id,a,b\nx,1,2\ny,1,3\nz,1,4\n"))
    assert data.columns == ("b",)
    assert any("1 constant column dropped ('a')" in note for note in data.notes)


def test_rows_that_are_all_equal_are_read(put):
    data = read(put("id,a,b\nx,1,2\ny,1,2\nz,1,2\n"))
    assert data.values.shape == (3, 2)
    assert "all rows are identical" in data.notes


def test_a_missing_line_end_is_noted(put):
    data = read(put("id,a\nx,1\ny,2\nz,3"))
    assert any("last line (4) has no line end" in note for note in data.notes)


@pytest.mark.parametrize(
    ("rows", "columns", "told"),
    [(1200, 8, "1,200 x 8: if the rows are genes and you want to group the 8 samp")],
)
def test_a_likely_mistake_of_orientation_is_pointed_out(put, rows, columns, told):
    lines = ["\t".join(["id", *(f"c{j}" for j in range(columns))])]
    lines += [
        "\t".join([f"r{i}", *(str((i + 1) ** (j % 3)) for j in range(columns))])
        for i in range(rows)
    ]
    data = read(put("\n".join(lines) + "\n"))
    assert data.n == rows
    assert any(note.startswith(told) for note in data.notes)


def test_reading_twice_gives_the_same_notes_without_any_path(put, tmp_path):
    path = put(GOOD)
    assert read(path).notes == read(path).notes
    assert str(tmp_path) not in "".join(read(path).notes)


def test_the_place_of_a_wrong_byte_is_told_far_into_the_file(put):
    lines = [f"é{i},{i}\n".encode() for i in range(30000)]
    lines[20000] = b"\xff,1\n"
    place = len(b"id,a\n") + sum(len(line) for line in lines[:20000])
    with pytest.raises(InputError, match=rf"at byte {place} \(line 20002\)"):
        read(put(b"id,a\n" + b"".join(lines)))


def test_utf_8_is_told_where_utf_16_was_named(put):
    with pytest.raises(InputError, match="--encoding utf-8"):
        read(put(GOOD + "é"), encoding="utf-16-le")


def test_columns_of_one_name_cannot_be_asked_for(put):
    text = "id,a,a,b\nx,1,2,3\ny,3,4,5\nz,5,7,8\n"
    assert read(put(text)).columns == ("a", "a", "b")
    assert read(put(text), drop=("a",)).columns == ("b",)
    with pytest.raises(InputError, match="has 2 columns named 'a'"):
        read(put(text), labels="a")


def test_the_first_column_may_be_left_out(put):
    data = read(put("note,a,b\nu,1,2\nu,3,4\nv,5,7\n"), drop=("note",))
    assert data.ids == ()
    assert data.columns == ("a", "b")


def test_nothing_left_to_read_is_refused(put):
    with pytest.raises(InputError, match="no numeric column: only 'id', 'a'"):
        read(put("id,a\nx,1\ny,2\nz,3\n"), drop=("a",))


def test_a_text_cell_in_a_transposed_table_is_told_beside_its_labels(put):
    text = "gene\ts1\ts2\ts3\nclass\tu\tv\tu\ng1\t1\toops\t4\ng2\t3\t5\t6\n"
    with pytest.raises(InputError, match="column 's2' is not numeric: 'oops' at line"):
        read(put(text), transpose=True, labels="class")


def test_a_row_of_text_without_a_name_is_told(put):
    with pytest.raises(InputError, match=r"is text throughout.*Leave it out"):
        read(put("a,b\n1,2\n" + "5,6\n" * 200 + "kg,m\n"))


@pytest.mark.parametrize("diagonal", [0, 1])
def test_a_table_that_looks_like_distances_is_told(put, diagonal):
    d = diagonal
    text = f"id,x,y,z\nx,{d},1,2\ny,1,{d},3\nz,2,3,{d}\n"
    told = "if these are distances, use --metric precomputed"
    assert (told in "; ".join(read(put(text)).notes)) == (diagonal == 0)
