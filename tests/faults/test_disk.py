"""A full disk, a folder that takes no files, links that somebody planted."""

import errno
import json
import os
from pathlib import Path

import pytest
from blobs import blobs
from fault_tools import SHORT, chunks, lost_items, same_files, until

from stablek.api.choose_k import choose_k
from stablek.api.compare import compare
from stablek.cli import guarded
from stablek.data import from_arrays
from stablek.errors import InputError, TryAgainError
from stablek.io.store import atomic, folder
from stablek.io.store.folder import RunFolder
from stablek.io.store.manifest import manifest_of
from stablek.io.store.results import check_writable

DATA = from_arrays(blobs(24, 2))
COMMAND = ("run", "x.csv", "-m", "fc", "-k", "2:5", "--repeats", "12", "--jobs", "2")


def run_in(path, monkeypatch):
    monkeypatch.setattr("stablek.engine.execution.execute.BATCH_SECONDS", 1e-9)
    with RunFolder(Path(path), manifest_of(DATA, {"seed": 0})) as kept:
        return choose_k(
            DATA, "fc", "hier-a", range(2, 4), repeats=14, backend="serial",
            journal=kept.journal(),
        ).to_json()  # fmt: skip


@pytest.mark.parametrize("ever_after", [False, True])
@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
def test_a_write_that_fails_at_any_place_loses_nothing(
    tmp_path, monkeypatch, tally, fault, ever_after
):
    """The n-th write fails, n = 1, 2, 3 ..., once or from then on."""
    real = os.fsync
    whole = run_in(tmp_path / "whole", monkeypatch)
    survived = 0
    for place in range(1, 100):
        seen = 0

        def fails(handle, place=place):
            nonlocal seen
            seen += 1
            if seen == place or (ever_after and seen > place):
                raise OSError(fault, os.strerror(fault))
            real(handle)

        out = tmp_path / f"out{place}"
        monkeypatch.setattr(os, "fsync", fails)
        try:
            found = run_in(out, monkeypatch)
        except (TryAgainError, OSError):
            found = None
        monkeypatch.setattr(os, "fsync", real)
        if found is not None:
            break
        assert not list(out.glob("chunks/.*")), "a part of a chunk was left behind"
        assert run_in(out, monkeypatch) == whole
        survived += 1
    assert survived > 10
    assert found == whole
    tally("faults survived", survived)
    tally("bits compared", survived * len(whole) * 8)


@pytest.mark.parametrize("room", [400, 4000, 30000])
def test_a_disk_that_is_full_is_told_and_the_run_goes_on_later(cli, table, tally, room):
    """Without a small disk at hand, a limit on the size of files does the same."""
    place = table.parent
    code, out, err = cli(
        *COMMAND, "-o", "out", patches=SHORT, limits={"RLIMIT_FSIZE": room}
    )
    assert code == 75, err
    assert out == ""
    if (place / "out" / "run.json").exists():
        assert "no space left on out while writing " in err
        assert "tasks are kept; resume with: stablek resume out" in err
    else:
        assert "free some" in err
    assert not (place / "out" / "report.html").exists()
    for target in ("out", "whole"):
        code, _, err = cli(*COMMAND, "-o", target, patches=SHORT)
        assert code == 0, err
    tally("faults survived", 1)
    tally("items lost", lost_items(place / "whole", place / "out"))
    tally("bits compared", same_files(place / "whole", place / "out"))


@pytest.mark.parametrize("kind", ["file", "below a file", "read-only", "not ours"])
def test_a_folder_that_takes_no_files_is_found_before_anything_is_computed(
    table, tmp_path, monkeypatch, capsys, kind
):
    def never(*_, **__):
        raise AssertionError("computed before the folder was tried")

    monkeypatch.setattr("stablek.api.choose_k.choose_k", never)
    file = tmp_path / "file"
    file.write_text("mine")
    out = tmp_path / "new"
    if kind.endswith("file"):
        out = file if kind == "file" else file / "new"
    else:
        number = errno.EROFS if kind == "read-only" else errno.EACCES
        real = os.open

        def refuses(path, flags, *more, **kinds):
            if flags & os.O_CREAT and str(path).startswith(str(out)):
                raise OSError(number, os.strerror(number))
            return real(path, flags, *more, **kinds)

        monkeypatch.setattr(os, "open", refuses)
    code = guarded(["run", str(table), "-o", str(out)])
    told = capsys.readouterr().err
    assert code == 2
    assert f"cannot write in {out}" in told
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    "planted",
    [".lock", ".holder", "manifest.json", "result.json", "run.json", "report.html",
     "labels.tsv", "chunks/run-000001.chunk"],
)  # fmt: skip
def test_a_planted_link_leads_nowhere(table, tmp_path, capsys, planted):
    canary = tmp_path / "canary"
    canary.write_text("untouched")
    out = tmp_path / "out"
    (out / "chunks").mkdir(parents=True)
    (out / planted).symlink_to(canary)
    code = guarded(
        ["run", str(table), "-k", "2:3", "--repeats", "4", "-o", str(out), "--restart"]
    )
    assert code == (2 if planted == ".lock" else 0), capsys.readouterr().err
    assert canary.read_text() == "untouched"


def test_a_link_under_the_name_of_the_probe_leads_nowhere(tmp_path):
    canary = tmp_path / "canary"
    canary.write_text("untouched")
    (tmp_path / f".probe.{os.getpid()}.stablek").symlink_to(canary)
    check_writable(tmp_path)
    assert canary.read_text() == "untouched"


def test_chunks_elsewhere_are_neither_written_nor_thrown_away(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "run-000001.chunk").write_text("theirs")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "chunks").symlink_to(elsewhere)
    link = pytest.raises(InputError, match="is a link")
    with link, RunFolder(tmp_path / "out", {"schema": 1}, restart=True):
        pass
    assert [f.read_text() for f in elsewhere.iterdir()] == ["theirs"]


def test_restart_throws_away_our_files_only(tmp_path):
    chunks = tmp_path / "out" / "chunks"
    chunks.mkdir(parents=True)
    (chunks / "notes.txt").write_text("mine")
    (chunks / "run-000007.chunk").write_text("torn")
    with RunFolder(tmp_path / "out", {"schema": 1}, restart=True):
        pass
    assert [f.name for f in chunks.iterdir()] == ["notes.txt"]


def test_what_was_there_is_whole_until_the_new_is(tmp_path, monkeypatch):
    file = tmp_path / "result.json"
    atomic.write_text(file, "old")

    def fails(handle):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="full"):
        atomic.write_text(file, "new")
    assert [f.name for f in tmp_path.iterdir()] == ["result.json"]
    assert file.read_text() == "old"


def test_two_plans_whose_names_begin_alike_never_share_chunks(tmp_path, monkeypatch):
    with RunFolder(tmp_path / "out", {"schema": 1}) as kept:
        choose_k(
            DATA, "fc", "hier-a", range(2, 4), repeats=4, backend="serial",
            journal=kept.journal("fc-Mine-2"),
        )  # fmt: skip
        assert not list(kept.journal("fc-Mine")._read())
        assert list(kept.journal("fc-Mine-2")._read())


def test_an_input_that_changed_is_refused_by_resume_with_the_difference(cli, table):
    code, _, err = cli(*COMMAND, "-o", "out")
    assert code == 0, err
    table.write_text(table.read_text() + "new,1,2\n")
    code, _, err = cli("resume", "out")
    assert code == 2
    assert "the input changed (sha256" in err
    assert "items 36 -> 37" in err
    assert "--restart" in err


def test_a_manifest_that_is_damaged_is_told(table, tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    (out / "manifest.json").write_text("{")
    assert guarded(["run", str(table), "-o", str(out)]) == 2
    assert "--restart" in capsys.readouterr().err


def test_a_lock_is_free_again_as_soon_as_its_holder_is_killed(start, cli, table):
    run = start(
        "run", "x.csv", "-a", "mine:Deaf", "-k", "2:3", "--backend", "serial", "-o", "o"
    )
    until((table.parent / "busy").exists, run)
    code, _, err = cli(*COMMAND, "-o", "o")
    assert code == 75
    assert f"in use by process {run.pid} on " in err
    run.kill()
    code, _, err = cli(*COMMAND, "-o", "o", "--restart")
    assert code == 0, err
    assert json.loads((table.parent / "o" / "result.json").read_text())["k_star"] == 3
    assert chunks(table.parent / "o")
    assert folder.MANIFEST == "manifest.json"


@pytest.mark.timeout(60)
@pytest.mark.parametrize("measures", [["fc"], ["fc", "consensus"]], ids=["one", "two"])
def test_a_full_disk_ends_a_comparison(measures):
    """It was taken for a pass that failed, and tried again without end."""

    class Full:
        def kept(self, tasks):
            del tasks
            return ()

        def keep(self, outputs):
            del outputs
            msg = "no space left"
            raise TryAgainError(msg)

    with pytest.raises(TryAgainError, match="no space left"):
        compare(
            DATA, measures, ["hier-a"], range(2, 4), repeats=4, backend="serial",
            journal=lambda name: Full(),
        )  # fmt: skip
