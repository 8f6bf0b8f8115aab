"""Cut-off, damaged and hostile files: refused, within the budget, never misread."""

import gzip
import io
import math
import zipfile

import numpy as np
import pytest

from stablek.errors import InputError
from stablek.io import read
from stablek.io.readers.limits import Counted
from stablek.machine import memory


def table(rows=12, columns=4, seed=0):
    """Return a text table and its values; every number has the same form."""
    values = np.round(np.random.default_rng(seed).uniform(1, 9, (rows, columns)), 4)
    lines = ["\t".join(["id", *(f"c{j}" for j in range(columns))])]
    lines += [
        "\t".join([f"item{i}", *(f"{v:.4f}" for v in row)])
        for i, row in enumerate(values)
    ]
    return "\n".join(lines) + "\n", values


TEXT, VALUES = table()
PLACES = np.linspace(1, len(TEXT) - 1, 50).astype(int).tolist()


@pytest.mark.parametrize("place", PLACES)
def test_a_file_cut_anywhere_is_refused_or_ends_at_a_line(put, place):
    path = put(TEXT[:place], "cut.tsv")
    try:
        data = read(path)
    except InputError:
        return
    assert TEXT[place - 1] == "\n" or TEXT[place] == "\n"
    assert np.array_equal(data.values, VALUES[: data.n])
    assert f"{data.n} items x 4 columns" in " ".join(data.notes)


def test_a_number_cut_where_no_form_betrays_it_is_warned_of(put):
    data = read(put("id,a\nx,1\ny,12\nz,145\nw,15"))
    assert any("may be wrong" in note for note in data.notes)


@pytest.mark.parametrize("place", np.linspace(1, 199, 50).astype(int).tolist())
def test_a_compressed_file_cut_anywhere_is_refused(put, place):
    content = gzip.compress(TEXT.encode())
    assert len(content) > 200
    with pytest.raises(InputError):
        read(put(content[: len(content) * place // 200], "cut.tsv.gz"))


def test_a_cut_off_archive_is_called_so(put):
    with pytest.raises(InputError, match="is cut off: is the download complete"):
        read(put(gzip.compress(TEXT.encode())[:-9], "cut.tsv.gz"))


def test_a_wrong_checksum_is_refused(put):
    content = bytearray(gzip.compress(TEXT.encode()))
    content[-6] ^= 1
    with pytest.raises(InputError, match="is the file damaged"):
        read(put(bytes(content), "bad.tsv.gz"))


def test_a_file_that_expands_a_hundredfold_is_refused(put, monkeypatch):
    monkeypatch.setattr("stablek.io.readers.limits.FLOOR", 2**16)
    monkeypatch.setattr("stablek.io.readers.source.FLOOR", 2**16)
    text = "id\ta\tb\n" + "".join(f"i{i}\t0\t0\n" for i in range(10))
    path = put(gzip.compress((text + "i\t0\t0\n" * 10**5).encode()), "bomb.tsv.gz")
    with pytest.raises(
        InputError, match=r"expands to more than .* decompress it first"
    ):
        read(path)


def test_a_table_beyond_the_budget_is_refused_at_its_line(put):
    text = "id\ta\tb\n" + "".join(f"i{i}\t{i}\t1\n" for i in range(5000))
    with pytest.raises(InputError, match="more than the budget of 16 kB at line 1002"):
        read(put(text), memory=16000)


def test_a_line_beyond_the_budget_is_refused(put, monkeypatch):
    monkeypatch.setattr("stablek.io.readers.source.FLOOR", 2**16)
    with pytest.raises(InputError, match="has a line longer than"):
        read(put("id,a\n" + "x" * 10**6 + ",1\n"), memory=10**5)


def test_a_pipe_beyond_the_budget_is_refused(monkeypatch):
    class Standard:
        buffer = io.BytesIO(b"1\n" * 10**6)

    monkeypatch.setattr("sys.stdin", Standard)
    with pytest.raises(InputError, match="gives more than 400 kB"):
        read("-", memory="100k")


def test_a_counter_counts_and_stops():
    stream = io.BufferedReader(Counted(io.BytesIO(b"x" * 100), "it", 50), 10)
    assert stream.read(20) == b"x" * 20
    with pytest.raises(InputError, match="it expands to more than 50 bytes"):
        stream.read()


def test_the_budget_is_a_part_of_what_is_free():
    assert 2**26 <= memory.budget() <= max(2**26, min(memory.free_memory()))
    assert memory.budget("1.5 GB") == 1_500_000_000


@pytest.mark.parametrize("text", ["", "x", "-1", "1 parsec", "1e9", "٣"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(InputError, match="is not a size"):
        memory.parse_size(text)


def test_declared_sizes_are_refused_before_anything_is_allocated():
    with pytest.raises(InputError, match=r"needs 80 GB .* the budget is 8 GB"):
        memory.afford("X", (10**5, 10**5), 8 * 10**9)
    with pytest.raises(InputError, match="negative size"):
        memory.afford("X", (-1, 5), 8 * 10**9)
    memory.afford("X", (10, 10), 800)
    assert math.isfinite(memory.budget())


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.npy", b"not", "is called .npy but is not a NPY file"),
        ("a.h5ad", b"not", "is called .h5ad but is not a H5AD file"),
        ("a.xlsx", b"not", "is called .xlsx but is not a XLSX file"),
        ("a.mtx", b"1 2\n", "is called .mtx but is not a MatrixMarket file"),
        ("a.feather", b"ARROW1\0\0" + bytes(50), "Feather file, which is not read"),
        ("a.xls", b"\xd0\xcf\x11\xe0" + bytes(50), "old Excel file"),
        ("a.csv", b"\x28\xb5\x2f\xfd" + bytes(50), "Zstandard file"),
    ],
)
def test_a_file_that_is_not_what_it_is_called_is_refused(put, name, content, told):
    with pytest.raises(InputError) as error:
        read(put(content, name))
    assert told in str(error.value)


def test_a_zip_of_anything_is_refused(tmp_path):
    path = tmp_path / "table.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("table.csv", TEXT)
    with pytest.raises(InputError, match="unpack it and name the table inside"):
        read(path)
