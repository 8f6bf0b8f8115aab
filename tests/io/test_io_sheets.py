"""Workbooks: sheets are read by the rules of text."""

import zipfile

import openpyxl
import pandas as pd
import pytest

from stablek.errors import InputError
from stablek.io import read


def sheet(path, rows, name="Sheet"):
    book = openpyxl.Workbook()
    book.active.title = name
    for row in rows:
        book.active.append(row)
    book.save(path)


def test_a_sheet_is_read_by_the_rules_of_text(tmp_path):
    path = tmp_path / "x.xlsx"
    sheet(path, [["id", "a", "kind"], ["x", 1, "u"], ["y", 2.5, "v"], ["z", 4, "u"]])
    data = read(path, labels="kind")
    assert data.values.ravel().tolist() == [1, 2.5, 4]
    assert data.ids == ("x", "y", "z")
    assert data.classes == ("u", "v", "u")
    with pytest.raises(InputError, match="column 'kind' is not numeric: 'u' at row 2"):
        read(path)


def test_a_sheet_is_chosen_by_name_or_number(tmp_path):
    path = tmp_path / "x.xlsx"
    with pd.ExcelWriter(path) as writer:
        pd.DataFrame({"about": ["text"]}).to_excel(writer, sheet_name="info")
        numbers = {"a": [1.0, 2.0, 4.0], "b": [0.5, 0.25, 8.0]}
        pd.DataFrame(numbers, index=list("xyz")).to_excel(writer, sheet_name="data")
    for chosen in ("data", 2, "2"):
        assert read(path, sheet=chosen).ids == ("x", "y", "z")
    with pytest.raises(InputError, match=r"no numeric column.*another sheet"):
        read(path)
    with pytest.raises(InputError, match="unknown sheet 'dato'; did you mean 'data'"):
        read(path, sheet="dato")


def test_empty_cells_and_errors_of_a_sheet_are_missing(tmp_path):
    path = tmp_path / "x.xlsx"
    sheet(path, [["id", "a", "b"], ["x", None, 1], ["y", "#N/A", 2], ["z", 4, 3]])
    with pytest.raises(InputError, match=r"2 missing values .* row 'x' \(row 2\)"):
        read(path)
    sheet(path, [["id", "a"], ["x", 1], ["y", "#DIV/0!"], ["z", 4]])
    with pytest.raises(InputError, match="'#DIV/0!' at row 3"):
        read(path)


def test_truth_values_and_dates_of_a_sheet_are_told(tmp_path):
    path = tmp_path / "x.xlsx"
    sheet(path, [["id", "a"], ["x", True], ["y", 2], ["z", 4]])
    with pytest.raises(InputError, match=r"'TRUE' at row 2\. Write 1 and 0"):
        read(path)
    day = pd.Timestamp("2026-09-01").to_pydatetime()
    sheet(path, [["gene", "a"], [day, 1], ["y", 2], ["z", 4]])
    assert any("looks like a date" in note for note in read(path).notes)


def test_an_empty_sheet_is_refused(tmp_path):
    sheet(tmp_path / "x.xlsx", [])
    with pytest.raises(InputError, match="sheet 'Sheet' is empty"):
        read(tmp_path / "x.xlsx")


def test_a_workbook_that_expands_too_much_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "x.xlsx"
    sheet(path, [["id", "a"], ["x", 1], ["y", 2], ["z", 4]])
    monkeypatch.setattr("stablek.io.readers.excel.FLOOR", 2**16)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/x.bin", bytes(10**7))
    with pytest.raises(InputError, match="expands to 10 MB, more than"):
        read(path)


def test_a_workbook_with_xml_entities_is_refused(tmp_path):
    path = tmp_path / "x.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
    with pytest.raises(InputError, match="defines XML entities"):
        read(path)


def test_a_damaged_workbook_is_refused(tmp_path):
    path = tmp_path / "x.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "<a>")
    with pytest.raises(InputError, match="is a damaged workbook"):
        read(path)
