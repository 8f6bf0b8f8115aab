"""Labels, columns left out, orientation, standard input, files that are not there."""

import io
import os
import sys
import threading

import numpy as np
import pytest

from stablek.errors import InputError, TryAgainError
from stablek.io import read

TABLE = "id,a,class,b\nx,1,u,2\ny,3,v,4\nz,5,u,7\n"
GENES = "gene\ts1\ts2\ts3\nclass\tu\tv\tu\ng1\t1\t2\t4\ng2\t3\t5\t6\n"


def test_labels_are_kept_apart(put):
    data = read(put(TABLE), labels="class")
    assert data.classes == ("u", "v", "u")
    assert data.columns == ("a", "b")
    assert np.array_equal(data.values, [[1, 2], [3, 4], [5, 7]])


def test_labels_in_the_first_column_are_not_taken_for_ids(put):
    data = read(put("class,a\nu,1\nv,2\nu,3\n"), labels="class")
    assert data.ids == ()
    assert data.classes == ("u", "v", "u")


def test_labels_may_be_named_by_their_number(put):
    data = read(put("x,1,u\ny,2,v\nz,3,u\n"), header=False, labels="3")
    assert data.classes == ("u", "v", "u")
    assert data.ids == ("x", "y", "z")


def test_a_mistyped_label_column_is_answered_with_the_nearest(put):
    with pytest.raises(InputError, match="did you mean 'class'"):
        read(put(TABLE), labels="clas")


def test_an_empty_label_is_warned_of(put):
    notes = read(put(TABLE.replace("v", "")), labels="class").notes
    assert "warning: 1 item with an empty label" in notes


def test_a_numeric_column_named_class_is_pointed_out(put):
    notes = read(put("id,a,class\nx,1,1\ny,2,1\nz,3,2\n")).notes
    assert any("--labels class" in note for note in notes)


def test_columns_are_left_out_by_name_or_number(put):
    assert read(put(TABLE), drop=("class", "a")).columns == ("b",)
    assert read(put(TABLE), drop=["class", "2"]).columns == ("b",)


def test_a_column_to_drop_that_is_not_there_is_refused(put):
    with pytest.raises(InputError, match="unknown column to drop 'q'"):
        read(put(TABLE), drop=("q",), labels="class")


def test_the_id_column_may_be_named_numbered_or_denied(put):
    text = "a,key,b\n1,x,2\n3,y,4\n5,z,7\n"
    assert read(put(text), id_column="key").ids == ("x", "y", "z")
    assert read(put(text), id_column=2).columns == ("a", "b")
    numbers = "id,a\n1,2\n2,5\n3,4\n"
    assert read(put(numbers)).ids == ("1", "2", "3")
    assert read(put(numbers), id_column=False).columns == ("id", "a")


def test_nothing_is_transposed_without_the_flag(put):
    text = "gene\ts1\ts2\ts3\ng1\t1\t2\t4\ng2\t3\t5\t6\ng3\t1\t1\t2\n"
    assert read(put(text)).ids == ("g1", "g2", "g3")
    turned = read(put(text), transpose=True)
    assert turned.ids == ("s1", "s2", "s3")
    assert turned.columns == ("g1", "g2", "g3")
    assert np.array_equal(turned.values, read(put(text)).values.T)


def test_labels_are_a_row_of_the_file_when_it_is_transposed(put):
    data = read(put(GENES), transpose=True, labels="class")
    assert data.classes == ("u", "v", "u")
    assert data.columns == ("g1", "g2")


def test_rows_of_the_file_are_left_out_when_it_is_transposed(put):
    data = read(put(GENES), transpose=True, drop=("class", "g1"))
    assert data.columns == ("g2",)


def test_a_row_of_labels_that_is_not_there_is_refused(put):
    with pytest.raises(InputError, match="has no row or column 'type'"):
        read(put(GENES.replace("class\tu\tv\tu\n", "")), transpose=True, labels="type")


def test_labels_are_joined_on_the_id_from_a_second_file(put):
    table = put("id,a\nx,1\ny,2\nz,3\n")
    labels = put("id\tclass\nz\tw\nx\tu\ny\tv\nq\tv\n", "labels.tsv")
    data = read(table, labels_file=labels)
    assert data.classes == ("u", "v", "w")
    assert "1 label of labels.tsv without an item" in data.notes


def test_labels_without_a_header_are_joined_too(put):
    table = put("id,a\nx,1\ny,2\nz,3\n")
    assert read(table, labels_file=put("x u\ny v\nz u\n", "l.txt")).classes == (
        "u",
        "v",
        "u",
    )


def test_several_columns_of_labels_need_a_name(put):
    table = put("id,a\nx,1\ny,2\nz,3\n")
    labels = put("id,sex,age\nx,m,1\ny,f,2\nz,m,3\n", "l.csv")
    with pytest.raises(InputError, match="say --labels COLUMN"):
        read(table, labels_file=labels)
    assert read(table, labels_file=labels, labels="sex").classes == ("m", "f", "m")


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ("id,class\nx,u\ny,v\n", "no label for 1 item: 'z'"),
        ("id,class\nx,u\ny,v\nz,u\nx,v\n", "gives 'x' two labels"),
        ("id\nx\n", "labels need two columns"),
        ("id,class\nx,u\ny,v,w\nz,u\n", "row 3 has 3 fields"),
    ],
)
def test_labels_that_do_not_fit_are_refused(put, labels, told):
    with pytest.raises(InputError) as error:
        read(put("id,a\nx,1\ny,2\nz,3\n"), labels_file=put(labels, "l.csv"))
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"missing": "zero"}, "unknown missing policy 'zero'"),
        ({"delimiter": "::"}, "is not one character"),
        ({"decimal": ";"}, "neither '.' nor ','"),
        ({"memory": "lots"}, "is not a size"),
        ({"memory": 0}, "is not positive"),
        ({"missing": "mean", "precomputed": True}, "cannot be filled"),
    ],
)
def test_wrong_options_are_refused(put, options, told):
    with pytest.raises(InputError) as error:
        read(put(TABLE), **options)
    assert told in str(error.value)


def test_standard_input_is_read(put, monkeypatch):
    class Standard:
        buffer = io.BytesIO(TABLE.encode())

    monkeypatch.setattr(sys, "stdin", Standard)
    data = read("-", labels="class")
    assert data.name == "stdin"
    assert data.classes == ("u", "v", "u")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_read(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(TABLE,))
    writer.start()
    assert read(path, labels="class").n == 3
    writer.join()


def test_a_missing_file_is_answered_with_the_nearest_name(put, tmp_path):
    put(TABLE, "leukemia.csv")
    with pytest.raises(InputError, match=r"no such file; did you mean .*leukemia\.csv"):
        read(tmp_path / "lukemia.csv")
    with pytest.raises(InputError, match="no such file, and no folder"):
        read(tmp_path / "nowhere" / "data.csv")


def test_a_folder_and_a_device_are_refused(tmp_path):
    with pytest.raises(InputError, match="is a folder"):
        read(tmp_path)
    with pytest.raises(InputError, match="is a device"):
        read("/dev/zero")


def test_a_name_with_a_nul_is_refused():
    with pytest.raises(InputError, match="cannot be read"):
        read("a\0b")


def test_a_file_without_permission_is_refused(put, monkeypatch):
    # Root may read anything, so the refusal is simulated where the file is opened.
    path = put(TABLE)

    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        read(path)


def test_too_little_memory_asks_to_try_again(put, monkeypatch):
    import stablek.io.readers.text

    def refuse(*_args, **_options):
        raise MemoryError

    monkeypatch.setattr(stablek.io.readers.text, "read_lines", refuse)
    with pytest.raises(TryAgainError, match="not enough memory") as error:
        read(put(TABLE))
    assert error.value.exit_code == 75


def test_a_data_set_is_named_after_its_file_without_control_characters(put):
    assert read(put(TABLE, "leu\x1b[31m.kemia.tsv"), labels="class").name == (
        "leu[31m.kemia"
    )


def test_distances_are_read_as_they_are(put):
    text = "id,x,y,z\nx,0,1,2\ny,1,0,3\nz,2,3,0\n"
    data = read(put(text), precomputed=True)
    assert data.precomputed
    assert np.array_equal(data.values, [[0, 1, 2], [1, 0, 3], [2, 3, 0]])


def test_the_last_digits_of_distances_are_evened_out(put):
    text = "id,x,y,z\nx,0,1.000000000001,2\ny,1,0,3\nz,2,3,0\n"
    data = read(put(text), precomputed=True)
    assert data.values[0, 1] == data.values[1, 0]
    assert any("by rounding: it was symmetrised" in note for note in data.notes)


def test_distances_that_are_not_symmetric_are_refused(put):
    with pytest.raises(InputError, match="not symmetric"):
        read(put("id,x,y,z\nx,0,1,2\ny,9,0,3\nz,2,3,0\n"), precomputed=True)


def test_similarities_become_distances(put):
    text = "id,x,y,z\nx,1,0.5,0\ny,0.5,1,-1\nz,0,-1,1\n"
    data = read(put(text), similarity=True)
    assert data.precomputed
    assert np.array_equal(data.values, [[0, 0.5, 1], [0.5, 0, 2], [1, 2, 0]])


def test_similarities_need_their_largest_value_on_the_diagonal(put):
    text = "id,x,y,z\nx,1,0.5,0\ny,0.5,0.9,-1\nz,0,-1,1\n"
    with pytest.raises(InputError, match="all along the diagonal"):
        read(put(text), similarity=True)
    with pytest.raises(InputError, match="must be square"):
        read(put("id,x,y\nx,1,0.5\ny,0.5,0.9\nz,0,-1\n"), similarity=True)
