"""Results as JSON: what goes out comes back, and what is not ours is refused."""

import json

import numpy as np
import pytest

from stablek.errors import InputError
from stablek.results.json_form import (
    column_of,
    json_text,
    plain_column,
    plain_form,
    read_json,
)


def test_a_column_comes_back_with_nan_where_it_was_not_finite():
    column = np.array([1.5, np.nan, np.inf, -0.1])
    plain = plain_column(column)
    assert plain == [1.5, None, None, -0.1]
    np.testing.assert_array_equal(column_of(plain), [1.5, np.nan, np.nan, -0.1])


@pytest.mark.parametrize("value", ["gone", None, 3, "x", [1, "a"], {"a": 1}, 10**30])
def test_a_result_in_which_anything_is_missing_or_garbled_is_read_or_refused(value):
    from stablek.api.choose_k import choose_k
    from stablek.results.result import Result

    X = np.random.default_rng(0).normal(size=(9, 3))
    good = json.loads(choose_k(X, "wcss", "hier-a", range(2, 4)).to_json())
    refused = 0
    for key in good:
        bad = {name: kept for name, kept in good.items() if name != key}
        if value != "gone":
            bad[key] = value
        try:
            Result.from_json(json.dumps(bad))
        except InputError as error:
            refused += "not a stablek result" in str(error) or "schema" in str(error)
    assert refused >= 3


def test_bytes_that_are_no_text_are_refused(tmp_path):
    (tmp_path / "result.json").write_bytes(b'{"schema": \xff')
    with pytest.raises(InputError, match="not a stablek result"):
        read_json(tmp_path / "result.json", "result", 1)


def test_a_record_keeps_all_but_numbers_that_json_does_not_know():
    row = {"id": "a", "gap": float("inf"), "n": 3, "near": None, "between": False}
    assert plain_form(row) == {**row, "gap": None}
    assert json.loads(json.dumps(plain_form(row), allow_nan=False))["gap"] is None


def test_text_and_file_read_alike(tmp_path):
    file = tmp_path / "x.json"
    text = json_text({"schema": 7, "k": 2}, file)
    assert file.read_text(encoding="utf-8") == text
    for source in (text, file, str(file)):
        assert read_json(source, "thing", 7) == {"schema": 7, "k": 2}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"schema": 8}', "thing schema 8; this version reads schema 7"),
        ("{}", "thing schema None"),
        ("{broken", "not a stablek thing"),
    ],
)
def test_what_is_not_ours_is_refused_by_its_name(text, told):
    with pytest.raises(InputError, match=told):
        read_json(text, "thing", 7)


def test_a_list_in_a_file_is_no_result(tmp_path):
    file = tmp_path / "x.json"
    file.write_text("[1, 2]", encoding="utf-8")
    with pytest.raises(InputError, match="thing schema None"):
        read_json(file, "thing", 7)
