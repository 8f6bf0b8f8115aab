"""What a colleague's spreadsheet holds beside the table: told, never misread."""

import io
import zipfile

import numpy as np
import openpyxl
import pytest

from stablek.errors import InputError
from stablek.io import read
from stablek.io.readers import excel

BODY = "s1,1,2\ns2,3,4\ns3,9,9\ns4,8,8\n"


@pytest.fixture
def put(tmp_path):
    def write(content, name="x.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sep=;\nid;a;b\n" + BODY.replace(",", ";"), "line 1, 'sep=;', is a note for"),
        ('"sep=,"\nid,a,b\n' + BODY, "is a note for Excel, not a row: remove it"),
        ("My data from May,,\n,,\nid,a,b\n" + BODY, "names one column of 3, 'My data"),
        ("id,a,b\n" + BODY.replace("3", "\u22123"), "only looks like a minus"),
        (
            "id,a,b\n" + BODY.replace("3", "\u200b3"),
            r"'\\x200b3' at line 3. It holds a",
        ),
        ("id,a,b\n" + BODY.replace("3", "1\u202f003"), "a blank that hardly shows"),
    ],
)
def test_what_stands_around_the_numbers_is_told_with_its_remedy(put, text, told):
    with pytest.raises(InputError, match=told):
        read(put(text))


def test_columns_without_names_are_no_title(put):
    data = read(put("id,,\n" + BODY))
    assert data.values.tolist() == [[1, 2], [3, 4], [9, 9], [8, 8]]


@pytest.mark.parametrize(
    ("name", "warned"), [("Total", True), ("mean:", True), ("s5", False)]
)
def test_a_last_row_that_sums_up_is_warned_of(put, name, warned):
    data = read(put(f"id,a,b\n{BODY}{name},21,23\n"))
    assert data.n == 5
    assert any("the last row is called" in note for note in data.notes) == warned


def test_two_members_of_one_name_are_refused(put):
    held = io.BytesIO()
    np.save(held, np.eye(4))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.npy", held.getvalue())
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.npy", held.getvalue())
    with pytest.raises(InputError, match="two files with the same name"):
        read(put(packed.getvalue(), "x.npz"))


def test_a_sheet_that_claims_a_row_far_below_does_not_hang(put, monkeypatch):
    monkeypatch.setattr(excel, "MOST_ROWS", 1000)
    book, made = openpyxl.Workbook(), io.BytesIO()
    for row in (["id", "a"], ["s1", 1], ["s2", 2], ["s3", 9]):
        book.active.append(row)
    book.save(made)
    changed = io.BytesIO()
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            far = old.read(name).replace(b'<row r="4"', b'<row r="999999999"')
            new.writestr(name, far)
    assert changed.getvalue() != made.getvalue()
    with pytest.raises(InputError, match="a row beyond 1,000, the last"):
        read(put(changed.getvalue(), "x.xlsx"))
