"""No damage to a file of any format leads to anything but numbers or a refusal.

``STABLEK_FUZZ=20000 pytest tests/io/test_io_fuzz.py`` tries as many per format.
"""

import hashlib
import json
import os
import struct
import warnings

import anndata
import fuzz_readers
import numpy as np
import other_readers
import pandas as pd
import pytest
import scipy.io

from stablek.errors import StablekError
from stablek.io import read
from stablek.io.store.chunks import MAGIC
from stablek.io.store.folder import RunFolder

TRIES = int(os.environ.get("STABLEK_FUZZ", "60"))
X = np.random.default_rng(4).normal(size=(6, 4))
FRAME = pd.DataFrame(X, index=[f"s{i}" for i in range(6)], columns=list("abcd"))
PIECES = [b"\0", b"\xff", b",", b";", b"\t", b'"', b"\n", b"\r", b"9" * 20, b"-", b"NA"]
GCT = (
    "#1.3\n3\t2\t1\t1\nid\ts\tA\tB\nsex\tna\tm\tf\n"
    "g1\tS\t1\t2\ng2\tS\t4\t5\ng3\tS\t7\t9\n"
)


def h5ad(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        anndata.AnnData(X.copy()).write_h5ad(path)


WRITERS = {
    "csv": FRAME.to_csv,
    "tsv.gz": lambda path: FRAME.to_csv(path, sep="\t"),
    "gct": lambda path: path.write_text(GCT, encoding="ascii"),
    "npy": lambda path: np.save(path, X),
    "npz": lambda path: np.savez(path, X=X),
    "mtx": lambda path: scipy.io.mmwrite(path, X),
    "parquet": FRAME.to_parquet,
    "xlsx": FRAME.to_excel,
    "h5ad": h5ad,
}


def damaged(content, rng):
    """Return the content with a few bytes changed, put in or left out."""
    new = bytearray(content)
    for _ in range(rng.integers(1, 6)):
        place = int(rng.integers(0, len(new))) if new else 0
        kind = rng.integers(0, 4)
        if kind == 0 and new:
            new[place] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            del new[place:]
        elif kind == 2:
            new[place:place] = PIECES[rng.integers(len(PIECES))]
        else:
            del new[place : place + int(rng.integers(1, 20))]
    return bytes(new)


@pytest.mark.parametrize("kind", WRITERS)
def test_damage_leads_to_numbers_or_a_refusal(tmp_path, tally, kind):
    path = tmp_path / f"x.{kind}"
    WRITERS[kind](path)
    content = path.read_bytes()
    refused = 0
    for number in range(TRIES):
        rng = np.random.default_rng([number, len(kind)])
        path.write_bytes(damaged(content, rng))
        options = [{}, {"transpose": True}, {"missing": "mean"}, {"number_ids": True}]
        try:
            found = read(path, memory="200M", **options[number % 4])
        except StablekError:
            refused += 1
            continue
        assert np.isfinite(found.values).all()
    assert refused > TRIES / 2
    tally("inputs fuzzed", TRIES)


def test_first_inputs_and_all_that_ever_broke_a_reader_are_read_or_refused(
    tmp_path, tally
):
    """The seeds that ``fuzz_readers.py`` found, beside those it begins with."""
    first = fuzz_readers.first_inputs()
    assert [fuzz_readers.attempt(raw, tmp_path) for raw in first[::3]].count("read") > 9
    kept = [path for path in fuzz_readers.SEEDS.iterdir() if path.name != "README"]
    for path in kept:
        fuzz_readers.attempt(path.read_bytes(), tmp_path)
    tally("inputs fuzzed", len(first) + len(kept))


def first_content(kind):
    """Return the good file that fuzzing of a reader begins with."""
    begin = bytes([fuzz_readers.KINDS.index(kind), 0])
    (raw,) = [raw for raw in fuzz_readers.first_inputs() if raw[:2] == begin]
    return raw[2:]


@pytest.mark.parametrize("kind", sorted(other_readers.OTHERS))
def test_a_number_at_another_place_is_a_misread(tmp_path, kind):
    content = first_content(kind)
    file = tmp_path / f"x.{kind}"
    file.write_bytes(content)
    if kind in fuzz_readers.PACKED:
        file = fuzz_readers.packed(kind, content, tmp_path)
    values = read(file).values
    assert other_readers.misread(kind, file, {}, values) is None
    wrong = values.copy()
    wrong[1, 0] *= 10
    for other in (wrong, values[::-1], values.T, np.vstack([values, values])):
        assert other_readers.misread(kind, file, {}, other) is not None


@pytest.mark.parametrize("kind", ["chunk", "json", "manifest", "cls"])
def test_damage_to_what_stablek_keeps_is_noticed_too(tmp_path, tally, kind):
    number, content = fuzz_readers.KINDS.index(kind), first_content(kind)
    for seed in range(TRIES):
        raw = damaged(content, np.random.default_rng([seed, number]))
        fuzz_readers.attempt(bytes([number, 0]) + raw, tmp_path)
    tally("inputs fuzzed", TRIES)


@pytest.mark.parametrize(
    "strange",
    [
        {"task": {"kind": [], "ks": [2]}},
        {"task": {"kind": "repeat", "ks": [[]]}},
        {"columns": 3},
        {"labels": {"dtype": "|u1", "shape": [10**30], "at": 0}},
        {"labels": {"dtype": "|u1", "shape": [1, 1, 12], "at": 10**30}},
        {"labels": {"dtype": "|O", "shape": [1], "at": 0}},
        "[" * 200_000,
    ],
    ids=["kind", "ks", "columns", "shape", "place", "object", "deep"],
)
def test_a_chunk_with_a_right_checksum_and_strange_contents_is_set_aside(
    tmp_path, tally, strange
):
    task = {"kind": "repeat", "ks": [2], "repeat": 0}
    deep = isinstance(strange, str)
    head = strange if deep else json.dumps([{"task": task, "failure": None, **strange}])
    body = MAGIC + struct.pack("<Q", len(head)) + head.encode() + bytes(12)
    with RunFolder(tmp_path, {"schema": 1}) as folder:
        raw = body + hashlib.sha256(body).digest()
        folder.begin()
        (folder.chunks / "run-000001.chunk").write_bytes(raw)
        assert list(folder.journal().kept([])) == []
        assert "1 damaged chunk(s) were set aside" in folder.notes[0]
    tally("inputs fuzzed", 1)
