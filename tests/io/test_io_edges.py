"""Rare shapes of every format: read rightly, or refused with the reason."""

import errno
import gzip
import json
import os
import shutil
from types import SimpleNamespace

import h5py
import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stablek.api.choose_k import choose_k, request
from stablek.engine.plan import Output, Task
from stablek.errors import InputError
from stablek.io import read
from stablek.io.readers import anndata as h5ad
from stablek.io.readers.delimiter import delimiter_of
from stablek.io.readers.excel import chosen_sheet
from stablek.io.readers.table import Table
from stablek.io.readers.text import may_lose_digits
from stablek.io.store import snapshot as growing
from stablek.io.store.chunks import encode
from stablek.io.store.shards import Shards

X = np.random.default_rng(2).normal(size=(6, 3))


def h5(path, **parts):
    """Write a file in the manner of anndata, with these parts."""
    with h5py.File(path, "w") as file:
        file["X"] = parts.pop("X", X)
        for name, content in parts.items():
            place = name.replace("__", "/")
            if isinstance(content, str):
                file.create_group(place).attrs["_index"] = content
            else:
                file[place] = content
    return path


def test_a_matrix_without_names_is_read(tmp_path):
    data = read(h5(tmp_path / "a.h5ad"))
    np.testing.assert_array_equal(data.values, X)
    assert not data.ids
    assert not read(h5(tmp_path / "b.h5ad", obs="gone", var="gone")).ids


def test_what_an_old_anndata_wrote_is_refused(tmp_path):
    kind = np.dtype([("index", "S2"), ("n", "i4")])
    with pytest.raises(InputError, match="written by an old anndata; save it again"):
        read(h5(tmp_path / "a.h5ad", obs=np.zeros(6, kind)))


def test_labels_that_are_no_vector_or_of_another_length_are_refused(tmp_path):
    names = [f"s{i}".encode() for i in range(6)]
    base = {"obs": "id", "obs__id": names}
    short = h5(tmp_path / "a.h5ad", **base, obs__kind=[b"u"] * 4)
    with pytest.raises(InputError, match="obs and X differ in length: damaged"):
        read(short, labels="kind")
    flat = h5(tmp_path / "b.h5ad", **base, obs__kind=np.zeros((6, 2)))
    with pytest.raises(InputError, match="has 2 dimensions, not 1"):
        read(flat, labels="kind")
    deep = h5(tmp_path / "c.h5ad", **base, obs__kind="x")
    with pytest.raises(InputError, match="is not stored as a vector"):
        read(deep, labels="kind")


def test_a_column_of_an_h5ad_can_be_left_out(tmp_path):
    names = {"var": "id", "var__id": [b"a", b"b", b"c"]}
    data = read(h5(tmp_path / "a.h5ad", **names), drop=("b",))
    np.testing.assert_array_equal(data.values, X[:, [0, 2]])
    with pytest.raises(InputError, match="has no column 'z' to drop"):
        read(tmp_path / "a.h5ad", drop=("z",))


def test_a_file_of_countless_parts_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(h5ad, "MOST_OBJECTS", 3)
    parts = {f"uns__p{i}": [1.0] for i in range(5)}
    with pytest.raises(InputError, match="has more than 3 parts; is it an H5AD"):
        read(h5(tmp_path / "a.h5ad", **parts))


def test_types_stored_by_name_are_no_danger_and_no_matrix_is_too_small(tmp_path):
    path = h5(tmp_path / "a.h5ad")
    with h5py.File(path, "a") as file:
        file["kind"] = np.dtype("i4")
    np.testing.assert_array_equal(read(path).values, X)
    with pytest.raises(InputError, match="has 0 rows of data"):
        read(h5(tmp_path / "b.h5ad", X=np.empty((0, 3))))


def test_empty_rows_and_cells_of_a_sheet_are_passed_over(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["id", "a", "b"], [], ["x", 1, 2], ["y", 3, 5, None], ["z", 4, 6]):
        sheet.append(row)
    sheet["E9"] = None
    book.save(tmp_path / "a.xlsx")
    data = read(tmp_path / "a.xlsx")
    assert data.ids == ("x", "y", "z")
    np.testing.assert_array_equal(data.values, [[1, 2], [3, 5], [4, 6]])


def test_a_workbook_with_a_picture_is_read_and_one_without_sheets_refused(tmp_path):
    import zipfile

    book = openpyxl.Workbook()
    for row in (["a", "b"], [1, 2], [3, 4], [5, 7]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    with zipfile.ZipFile(tmp_path / "a.xlsx", "a") as archive:
        archive.writestr("xl/media/picture.png", b"\x89PNG <!DOCTYPE")
    assert read(tmp_path / "a.xlsx").values.shape == (3, 2)
    with pytest.raises(InputError, match="book has no sheet"):
        chosen_sheet(SimpleNamespace(worksheets=[]), None, "book")


def parquet(path, columns, metadata=None):
    names = [name for name, _ in columns]
    table = pa.table([array for _, array in columns], names=names)
    pq.write_table(table.replace_schema_metadata(metadata or {}), path)
    return path


NUMBERS = ("a", pa.array([1.0, 2.0, 4.0]))


def test_categories_name_the_items_of_a_parquet_file(tmp_path):
    names = pa.array(["x", "y", "z"]).dictionary_encode()
    data = read(parquet(tmp_path / "a.parquet", [("who", names), NUMBERS]))
    assert data.ids == ("x", "y", "z")


@pytest.mark.parametrize("stored", [b"{", b"[]"])
def test_damaged_notes_of_pandas_in_a_parquet_file_do_no_harm(tmp_path, stored):
    path = parquet(tmp_path / "a.parquet", [NUMBERS], {b"pandas": stored})
    np.testing.assert_array_equal(read(path).values.ravel(), [1, 2, 4])


def test_two_columns_of_one_name_are_refused(tmp_path):
    path = parquet(tmp_path / "a.parquet", [NUMBERS, NUMBERS])
    with pytest.raises(InputError, match="more than one column named 'a'"):
        read(path)


def test_a_sparse_matrix_without_entries_holds_zeros(tmp_path):
    head = "%%MatrixMarket matrix coordinate real general\n3 2 0\n"
    path = tmp_path / "a.mtx"
    path.write_text(head)
    np.testing.assert_array_equal(read(path).values, np.zeros((3, 2)))
    path.write_text(head + "1 1 5\n")
    with pytest.raises(InputError, match="0 entries"):
        read(path)


def test_an_array_of_the_second_version_is_read_and_others_refused(tmp_path):
    with (tmp_path / "a.npy").open("wb") as file:
        np.lib.format.write_array(file, X, version=(2, 0))
    np.testing.assert_array_equal(read(tmp_path / "a.npy").values, X)
    with (tmp_path / "b.npy").open("wb") as file:
        np.lib.format.write_array(file, X, version=(3, 0))
    with pytest.raises(InputError, match=r"version \(3, 0\); save it again"):
        read(tmp_path / "b.npy")


@pytest.mark.parametrize(("top", "warned"), [(2.0**60, True), (2.0**70, False)])
def test_long_whole_numbers_of_an_array_are_warned_of(tmp_path, top, warned):
    values = np.array([[1.0, 2.0], [3.0, top], [5.0, 6.0]])
    np.save(tmp_path / "a.npy", values)
    notes = read(tmp_path / "a.npy").notes
    assert any("beyond 2^53" in note for note in notes) == warned


def test_a_compressed_file_that_is_read_from_several_places_is_refused(tmp_path):
    h5(tmp_path / "a.h5ad")
    with (
        (tmp_path / "a.h5ad").open("rb") as raw,
        gzip.open(tmp_path / "a.h5ad.gz", "wb") as packed,
    ):
        shutil.copyfileobj(raw, packed)
    with pytest.raises(InputError, match="decompress this format first"):
        read(tmp_path / "a.h5ad.gz")


def written(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


TABLE = "id,a,b\nx,1,2\ny,3,5\nz,4,6\n"


@pytest.mark.parametrize("encoding", ["utf-32", "utf-16", "utf-8-sig"])
def test_a_byte_order_mark_tells_the_encoding(tmp_path, encoding):
    data = read(written(tmp_path / "a.csv", TABLE, encoding))
    assert data.columns == ("a", "b")
    assert data.ids == ("x", "y", "z")


def test_a_mark_in_a_file_whose_encoding_was_named_is_no_part_of_a_name(tmp_path):
    path = written(tmp_path / "a.csv", "\ufeff" + TABLE, "utf-16-le")
    data = read(path, encoding="utf-16-le")
    assert data.ids == ("x", "y", "z")
    assert data.columns == ("a", "b")


def test_labels_are_found_by_the_name_of_their_column(tmp_path):
    table = written(tmp_path / "a.csv", TABLE)
    file = written(tmp_path / "l.csv", "id,batch,class\nx,1,u\ny,1,v\nz,2,u\n")
    assert read(table, labels_file=file).classes == ("u", "v", "u")
    assert read(table, labels_file=file, labels="batch").classes == ("1", "1", "2")
    with pytest.raises(InputError, match="unknown label column 'clas'"):
        read(table, labels_file=file, labels="clas")


def test_a_gct_of_which_every_column_is_dropped_is_refused(tmp_path):
    text = "#1.2\n3\t1\nName\tDescription\ts1\ng1\td\t1\ng2\td\t2\ng3\td\t4\n"
    path = written(tmp_path / "a.gct", text)
    with pytest.raises(InputError, match="has no column of numbers"):
        read(path, drop=("s1",), transpose=True)


def test_decimal_commas_between_quotes_are_told_from_those_between_fields(tmp_path):
    path = written(tmp_path / "a.csv", 'id,a,b\nx,"1,5",2\ny,"3,5",5\nz,"4,5",6\n')
    data = read(path, delimiter=",", decimal=",")
    np.testing.assert_array_equal(data.values[:, 0], [1.5, 3.5, 4.5])


def test_decimal_commas_among_points_are_named_as_such(tmp_path):
    text = "id;a;b\nx;1.5;2.5\ny;3.5;5,5\nz;4.25;6.5\n"
    with pytest.raises(InputError, match="looks like decimal commas: --decimal ,"):
        read(written(tmp_path / "a.csv", text), decimal=".")


def test_fields_with_quotes_and_blanks_are_split_or_refused(tmp_path):
    text = 'id a b\n"x 1" 1 2\n"y 1" 3 5\n"z 1" 4 6\n'
    assert read(written(tmp_path / "a.txt", text)).ids == ("x 1", "y 1", "z 1")
    broken = text.replace('"y 1" 3', '"y 1"7 3')
    with pytest.raises(InputError):
        read(written(tmp_path / "b.txt", broken))


def test_small_helpers_know_nothing_of_nothing():
    assert delimiter_of([], "x") == ""
    assert not may_lose_digits(np.empty((0, 2)))
    assert Table(X).column_name(1) == "column 2"


def test_an_unnamed_column_that_is_not_empty_stays(tmp_path):
    text = "id,a,\nx,1,2\ny,3,5\nz,4,6\n"
    assert read(written(tmp_path / "a.csv", text)).values.shape == (3, 2)


def test_a_growing_run_takes_in_null_sets_and_the_original(tmp_path):
    rng = np.random.default_rng(0)
    values = 9.0 * np.eye(3)[np.arange(24) % 3] + rng.normal(size=(24, 3))
    kept = []

    class Keeper:
        def kept(self, tasks):
            return []

        def keep(self, outputs):
            kept.append(list(outputs))

    how = {"null_sets": 5, "runs": 1, "seed": 3}
    whole = choose_k(values, "gap-ps", "hier-a", range(1, 5), journal=Keeper(), **how)
    planned = request(values, "gap-ps", "hier-a", range(1, 5), **how).plan
    (tmp_path / "chunks").mkdir()
    for number, batch in enumerate(kept, 1):
        name = f"run-{number:06d}.chunk"
        (tmp_path / "chunks" / name).write_bytes(encode(batch))
    seen = growing.RunSnapshot(tmp_path, planned)
    assert seen.read() == len(kept)
    found = seen.so_far()
    assert found.decision.k_star == whole.k_star
    assert "5 null sets" in seen.words()
    seen._take(Task("original", planned.ks), np.zeros((5, 24), np.uint8), None)
    assert not seen.cube.original.any()
    seen._take(Task("repeat", planned.ks, repeat=99), np.zeros((5, 1, 24)), None)


def test_a_folder_is_at_work_while_its_process_lives(tmp_path, monkeypatch):
    assert not growing.at_work(tmp_path)
    holder = tmp_path / ".holder"
    holder.write_text("nobody")
    assert not growing.at_work(tmp_path)
    holder.write_text("process 1 on elsewhere since 20:14")
    assert growing.at_work(tmp_path)

    def forbidden(*_):
        raise PermissionError

    holder.write_text(f"process 1 on {growing.this_machine()} since 20:14")
    monkeypatch.setattr(os, "kill", forbidden)
    assert growing.at_work(tmp_path)

    def gone(*_):
        raise ProcessLookupError

    monkeypatch.setattr(os, "kill", gone)
    assert not growing.at_work(tmp_path)


def test_shards_are_copied_where_links_cannot_be_made(tmp_path, monkeypatch):
    from stablek.io.store.folder import RunFolder

    manifest = {"schema": 1}
    outputs = [Output(Task("repeat", (2,), repeat=0), np.zeros((1, 1, 3), np.uint8))]
    with RunFolder(tmp_path / "part", manifest, shard="shard-1-of-1") as folder:
        folder.journal("shard-1-of-1").keep(outputs)
    place = tmp_path / "part" / "chunks"
    (place / "shard-strange.chunk").write_bytes(b"")
    (place / "shard-1-of-1-000009.chunk").symlink_to("/dev/zero")
    shards = Shards([tmp_path / "part"])
    assert len(shards.files) == 1
    assert sum(shards.damaged.values()) == 1

    def refuse(*_):
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    with RunFolder(tmp_path / "whole", manifest) as folder:
        shards.hand_over(folder)
        assert len(list(folder.journal().kept([outputs[0].task]))) == 1
    assert json.loads((tmp_path / "whole" / "manifest.json").read_text())
