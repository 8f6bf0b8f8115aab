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
    assert sex.texts() == ("m", "f", "", "f")
    assert age.numeric
    assert age.texts() == ("40", "51.5", "", "")
    assert got.notes == (
        "2 annotations joined on the id from clinic.tsv",
        "1 item without annotations: 'c'",
        "1 row of clinic.tsv without an item: 'z'",
    )


def test_the_ids_may_stand_in_any_column(tmp_path):
    path = written(tmp_path, "n,sample,batch\n1,d,x\n2,c,x\n3,b,y\n4,a,y\n")
    got = with_annotations(data(), path)
    assert [one.name for one in got.annotations] == ["n", "batch"]
    assert got.annotations[1].texts() == ("y", "y", "x", "x")


def test_no_matching_id_is_refused_with_both_kinds_of_ids(tmp_path):
    path = written(tmp_path, "id\tsex\nS1\tf\nS2\tm\n")
    with pytest.raises(InputError, match=r"no id of the annotations.*'S1'.*'a'"):
        with_annotations(data(), path)


def test_two_rows_for_one_item_are_refused(tmp_path):
    path = written(tmp_path, "id\tsex\na\tf\na\tm\n")
    with pytest.raises(InputError, match="two different rows for 'a'"):
        with_annotations(data(), path)


def test_an_empty_table_is_refused(tmp_path):
    path = written(tmp_path, "id\tsex\n")
    with pytest.raises(InputError, match="no id of the annotations"):
        with_annotations(data(), path)


def test_two_columns_of_one_name_are_refused(tmp_path):
    path = written(tmp_path, "id\tsex\tsex\na\tf\tm\n")
    with pytest.raises(InputError, match="several columns called 'sex'"):
        with_annotations(data(), path)
