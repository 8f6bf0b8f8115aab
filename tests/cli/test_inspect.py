"""``stablek inspect`` says what the reader makes of a file."""

import gzip
import json

import numpy as np
import openpyxl
import pytest

from stablek.cli import guarded
from stablek.io.inspect import inspect


@pytest.fixture
def told(capsys):
    def run(*arguments, code=0):
        assert guarded(["inspect", *map(str, arguments)]) == code
        return capsys.readouterr()

    return run


def test_it_says_what_was_understood(told, tmp_path):
    file = tmp_path / "x.csv.gz"
    text = "id;a;b;c\np;1,5;2;0\nq;3,5;4;0\nr;7;8;0\n"
    file.write_bytes(gzip.compress(text.encode()))
    out = told(file).out
    rows = dict(line.split("  ", 1) for line in out.splitlines() if "  " in line)
    rows = {name: text.strip() for name, text in rows.items()}
    assert rows["format"] == "delimited text (gz)"
    assert rows["delimiter"] == "';'"
    assert rows["decimal"] == ","
    assert rows["id column"] == "id"
    assert rows["numbers"] == "3 rows x 3 columns"
    assert rows["to cluster"] == "3 items x 2 columns"
    assert rows["first cell"] == "row p, column a: 1.5"
    assert rows["last cell"] == "row r, column c: 0.0"
    assert "constant column" in out


def test_json_holds_the_same(told, table):
    found = json.loads(told(table, "--labels", "group", "--json").out)
    assert (found["rows"], found["columns"], found["items"]) == (30, 4, 30)
    assert found["layout"]["label column"] == "group"
    assert found["layout"]["delimiter"] == "tab"
    assert found["refused"] is None
    assert found["ids"] == ["s0", "s1", "s2"]


def test_a_file_that_would_be_refused_is_told_as_far_as_it_was_understood(
    told, tmp_path
):
    file = tmp_path / "x.csv"
    file.write_text("id,a\np,NA\nq,2\nr,3\n")
    said = told(file, "--json", code=2)
    found = json.loads(said.out)
    assert (found["rows"], found["missing"], found["first"][2]) == (3, 1, None)
    assert "1 missing value" in found["refused"]
    assert "1 missing value" in said.err
    file.write_text("id,a\np,x\nq,y\nr,z\n")
    assert "no numeric column" in told(file, code=2).err


def test_columns_of_text_are_named_and_the_rest_is_shown(told, tmp_path):
    file = tmp_path / "x.csv"
    file.write_text(
        "id,sex,a,b\n" + "".join(f"s{i},{'mf'[i % 2]},{i},{i * i}\n" for i in range(5))
    )
    said = told(file, code=2)
    assert "numbers     5 rows x 2 columns" in said.out
    assert "to cluster  5 items x 2 columns" in said.out
    assert "shown without columns of text: 'sex'" in said.out
    assert "Annotation column? --drop sex; class labels? --labels sex" in said.err
    many = [f"t{j}" for j in range(15)]  # more than one refusal names
    rows = [f"s{i},{','.join(['x'] * 15)},{i}" for i in range(4)]
    file.write_text("\n".join([f"id,{','.join(many)},a", *rows]) + "\n")
    found = inspect(file)
    assert (found.columns, found.items) == (1, 4)
    assert "and 10 more" in found.notes[0]
    assert "--drop t0" in found.refused


def test_the_sheet_of_a_workbook_is_named(tmp_path):
    file = tmp_path / "x.xlsx"
    book = openpyxl.Workbook()
    for row in (["id", "a"], ["p", 1], ["q", 2], ["r", 5]):
        book.active.append(row)
    book.active.title = "mine"
    book.save(file)
    assert inspect(file).layout["sheet"] == "mine"


def test_arrays_have_a_format_and_a_size(tmp_path):
    file = tmp_path / "x.npy"
    np.save(file, np.eye(4))
    found = inspect(file)
    assert (found.format, found.rows, found.first) == ("NPY", 4, ("1", "1", 1.0))


def test_nothing_is_run_or_written(told, table, tmp_path):
    before = sorted(tmp_path.iterdir())
    told(table, "--drop", "group")
    assert sorted(tmp_path.iterdir()) == before


def test_a_run_says_the_first_value_aloud(table, capsys):
    arguments = [str(table), "--drop", "group", "-m", "wcss", "-k", "2:3"]
    assert guarded(["run", *arguments]) == 0
    assert "first value: row 's0', column 'a': " in capsys.readouterr().err
    assert guarded(["run", "-q", *arguments]) == 0
    assert "first value" not in capsys.readouterr().err
