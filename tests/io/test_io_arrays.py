"""Arrays of NumPy: npy and npz, and nothing that is pickled."""

import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest

from stablek.data import as_dataset
from stablek.errors import InputError
from stablek.io import read

X = np.random.default_rng(1).normal(size=(6, 4))


IDS = tuple(f"s{i}" for i in range(6))


COLUMNS = tuple("abcd")


class Canary:
    """An object whose unpickling leaves a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


@pytest.mark.parametrize(
    "array", [X, np.asfortranarray(X), X.astype(">f8"), X.astype(np.float32)]
)
def test_npy_comes_back_whatever_its_order(tmp_path, array):
    np.save(tmp_path / "x.npy", array)
    found = read(tmp_path / "x.npy")
    assert np.array_equal(found.values, array.astype(np.float64))


def test_integers_of_npy_that_lose_digits_are_warned_of(tmp_path):
    np.save(tmp_path / "x.npy", np.array([[2**53 + 1], [2], [3]]))
    assert any("lose digits" in note for note in read(tmp_path / "x.npy").notes)


@pytest.mark.parametrize(
    ("array", "told"),
    [
        (X + 1j, "has type complex128; real numbers are needed"),
        (X[0], "has 1 dimension(s)"),
        (np.array([["a", "b"]]), "has type <U1"),
        (np.zeros(3, dtype=[("a", "f8")]), "has 1 dimension(s)"),
    ],
)
def test_npy_of_anything_else_is_refused(tmp_path, array, told):
    np.save(tmp_path / "x.npy", array)
    with pytest.raises(InputError) as error:
        read(tmp_path / "x.npy")
    assert told in str(error.value)


@pytest.mark.parametrize("name", ["x.npy", "x.npz"])
def test_pickled_objects_are_never_loaded(tmp_path, name):
    canary = tmp_path / "canary"
    array = np.array([[Canary(canary)]], dtype=object)
    path = tmp_path / name
    if name == "x.npy":
        np.save(path, array, allow_pickle=True)
    else:
        np.savez(path, X=array)
    with pytest.raises(InputError, match="pickled Python objects, which are never"):
        read(path)
    assert not canary.exists()


def test_a_bare_pickle_is_never_loaded(tmp_path):
    canary = tmp_path / "canary"
    path = tmp_path / "x.pkl"
    path.write_bytes(pickle.dumps(Canary(canary), protocol=4))
    with pytest.raises(InputError, match="is a pickle file"):
        read(path)
    assert not canary.exists()


def test_npy_that_claims_terabytes_is_refused(tmp_path):
    path = tmp_path / "x.npy"
    with path.open("wb") as stream:
        header = {"descr": "<f8", "fortran_order": False, "shape": (10**6, 10**6)}
        np.lib.format.write_array_header_1_0(stream, header)
    with pytest.raises(InputError, match="needs 8 TB"):
        read(path)


def test_npy_cut_off_or_too_long_is_refused(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, X)
    content = path.read_bytes()
    path.write_bytes(content[:-1])
    with pytest.raises(InputError, match="is cut off"):
        read(path)
    path.write_bytes(content + b"x")
    with pytest.raises(InputError, match="longer than it declares"):
        read(path)
    path.write_bytes(content[:20])
    with pytest.raises(InputError, match="damaged NPY header"):
        read(path)


def test_labels_of_npy_are_a_column_by_number(tmp_path):
    np.save(tmp_path / "x.npy", np.column_stack([X, [0, 0, 1, 1, 2, 2]]))
    data = read(tmp_path / "x.npy", labels="5")
    assert data.classes == ("0", "0", "1", "1", "2", "2")
    assert np.array_equal(data.values, X)


def test_npz_brings_names_and_labels(tmp_path):
    path = tmp_path / "x.npz"
    np.savez_compressed(
        path,
        X=X,
        ids=np.array(IDS),
        columns=np.array(COLUMNS, "S1"),
        y=[1, 1, 2, 2, 3, 3],
    )
    data = read(path, labels="y")
    assert (data.ids, data.columns) == (IDS, COLUMNS)
    assert data.classes == ("1", "1", "2", "2", "3", "3")
    assert np.array_equal(data.values, X)
    with pytest.raises(InputError, match="6 labels do not fit 6 x 4 values"):
        read(path, labels="y", transpose=True)


def test_npz_with_several_matrices_needs_a_name(tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, p=X, q=X * 2)
    with pytest.raises(InputError, match="has 2 matrices among 'p', 'q'; name one"):
        read(path)
    assert np.array_equal(read(path, layer="q").values, X * 2)
    with pytest.raises(InputError, match="unknown member 'r'"):
        read(path, layer="r")


def test_npz_whose_member_lies_about_its_size_is_refused(tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, X=X)
    with zipfile.ZipFile(path) as archive:
        content = archive.read("X.npy")
    lie = content.replace(b"(6, 4), }", b"(9, 4), }")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("X.npy", lie)
    with pytest.raises(InputError, match="is cut off"):
        read(path)


def test_npz_takes_the_usual_name_among_several(tmp_path):
    np.savez(tmp_path / "x.npz", other=X * 2, X=X)
    assert np.array_equal(read(tmp_path / "x.npz").values, X)


def test_items_without_names_count_from_1_in_a_file_and_from_0_in_an_array(tmp_path):
    values = np.arange(12.0).reshape(4, 3) ** 2
    np.save(tmp_path / "x.npy", values)
    assert read(tmp_path / "x.npy").item_ids() == ("1", "2", "3", "4")
    assert as_dataset(values).item_ids() == ("0", "1", "2", "3")
    page = Path(__file__).parents[2] / "docs" / "reading.md"
    assert "is `X[6]`, and item 7 of `stablek.verdict(X)` is `X[7]`" in page.read_text()
