"""Annotations from a file, joined on the id."""

import numpy as np
import pytest

from stablek.data import from_arrays
from stablek.errors import InputError
from stablek.io.readers.annotations import with_annotations


def data():
    return from_arrays(np.arange(8.0).reshape(4, 2), ids=("a", "b", "c", "d"))


def written(folder, text):
    path = folder / "clinic.tsv"
    path.write_text(text)
    return path


def test_columns_are_joined_and_strays_named(tmp_path):
    path = written(tmp_path, "id\tsex\tage\nb\tf\t51.5\na\tm\t40\nd\tf\tNA\nz\tm\t7\n")
    got = with_annotations(data(), path)
    sex, age = got.annotations
    assert (sex.levels, sex.codes.tolist()) == (("f", "m"), [1, 0, -1, 0])
    assert age.numeric
    np.testing.assert_array_equal(age.values, [40, 51.5, np.nan, np.nan])
    assert got.notes == (
        "2 annotations joined on the id from clinic.tsv",
        "1 item without annotations: 'c'",
        "1 row of clinic.tsv without an item: 'z'",
    )


def test_the_ids_may_stand_in_any_column(tmp_path):
    path = written(tmp_path, "n,sample,batch\n1,d,x\n2,c,x\n3,b,y\n4,a,y\n")
    got = with_annotations(data(), path)
    assert [one.name for one in got.annotations] == ["n", "batch"]
    batch = got.annotations[1]
    assert [batch.levels[code] for code in batch.codes] == ["y", "y", "x", "x"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("id\tsex\nS1\tf\nS2\tm\n", r"no id of the annotations.*'S1'.*'a'"),
        ("id\tsex\na\tf\na\tm\n", "two different rows for 'a'"),
        ("id\tsex\n", "no id of the annotations"),
        ("id\tsex\tsex\na\tf\tm\n", "several columns called 'sex'"),
    ],
)
def test_a_table_that_cannot_be_joined_is_refused(tmp_path, text, problem):
    path = written(tmp_path, text)
    with pytest.raises(InputError, match=problem):
        with_annotations(data(), path)
