"""Inputs that never end, never begin, or are not there: an answer at once."""

import gzip
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from stablek.errors import InputError
from stablek.io import read
from stablek.io.readers import streams
from stablek.io.store.chunks import HugeChunkError, chunk_bytes
from stablek.machine.temporary import LOCK, PREFIX, temporary_folder
from stablek.results.json_form import regular_text

TABLE = b"id,a\n" + b"".join(b"s%d,%d.5\n" % (i, i * i) for i in range(5))


@pytest.fixture
def within():
    """Fail a test that takes longer than ten seconds."""
    began = time.monotonic()
    yield
    assert time.monotonic() - began < 10


@pytest.mark.usefixtures("within")
def test_a_pipe_without_a_writer_is_told(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="a pipe to which nobody writes"):
        read(tmp_path / "pipe")


@pytest.mark.parametrize("pause", [0.0, 0.5])
def test_a_pipe_whose_writer_comes_later_is_read(tmp_path, pause, monkeypatch):
    monkeypatch.setattr(streams, "PATIENCE", 60.0)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write():
        time.sleep(0.2)
        with pipe.open("wb", buffering=0) as stream:
            time.sleep(pause)
            stream.write(TABLE)

    writer = threading.Thread(target=write)
    writer.start()
    assert read(pipe).n == 5
    writer.join()


@pytest.mark.usefixtures("within")
@pytest.mark.parametrize(
    "name", ["/proc/self/mem", "/proc/self/environ", "/proc/kmsg", "/proc/kcore"]
)
def test_windows_into_the_system_are_no_data(name):
    if not os.path.exists(name):  # noqa: PTH110
        pytest.skip(f"no {name} on this system")
    with pytest.raises(InputError, match=r"belongs to the system|cannot be read"):
        read(name)


@pytest.mark.usefixtures("within")
@pytest.mark.parametrize("line", [b"1,2\n", b"0", b"s,1.5,2.5,3.5\n"])
def test_a_bomb_is_refused_at_once(tmp_path, line):
    file = tmp_path / "x.csv.gz"
    member = gzip.compress(line * (2**22 // len(line)))
    file.write_bytes(member * (2_600_000 // len(member)))  # more than two gigabytes
    with pytest.raises(InputError, match="expands to more than"):
        read(file)


def test_a_table_whose_beginning_packs_well_is_read(tmp_path):
    rng = np.random.default_rng(0)
    rows = [b"0," * 200 + b"0\n"] * 50_000
    for row in rng.random((300, 201)).tolist():
        rows.append(",".join(map(repr, row)).encode() + b"\n")
    file = tmp_path / "x.csv.gz"
    names = ",".join(f"x{j}" for j in range(201)).encode() + b"\n"
    file.write_bytes(gzip.compress(names + b"".join(rows), 1))
    from stablek.io.readers.source import locate

    locate(file, 2**30).close()  # not refused; to read it all takes its time


def test_a_link_that_leads_nowhere_is_called_that(tmp_path):
    (tmp_path / "x.csv").symlink_to("gone.csv")
    with pytest.raises(InputError, match=r"link to gone\.csv, which does not exist"):
        read(tmp_path / "x.csv")


@pytest.mark.usefixtures("within")
def test_a_sparse_chunk_of_thirty_gigabytes_is_refused_for_its_size(tmp_path):
    file = tmp_path / "run-000001.chunk"
    with file.open("wb") as stream:
        stream.truncate(10**15 if os.name == "nt" else 2 * 10**12)
    with pytest.raises(HugeChunkError):
        chunk_bytes(file)
    with pytest.raises(InputError, match="TB, more than memory may hold"):
        regular_text(file)


def test_the_folder_of_a_killed_process_is_swept_and_no_other(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    code = (
        "import os\nfrom stablek.machine.temporary import temporary_folder\n"
        "with temporary_folder() as f:\n    print(f, flush=True)\n    os._exit(9)\n"
    )
    dead = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    ).stdout.strip()
    assert os.listdir(tmp_path) == [os.path.basename(dead)]  # noqa: PTH119, PTH208
    mine = tmp_path / f"{PREFIX}mine"  # just made: its owner takes the lock next
    mine.mkdir()
    with temporary_folder() as first, temporary_folder() as second:
        assert sorted(tmp_path.iterdir()) == sorted([mine, first, second])
        assert (first / LOCK).exists()
    assert list(tmp_path.iterdir()) == [mine]
