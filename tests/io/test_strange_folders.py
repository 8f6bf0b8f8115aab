"""Run folders that a stranger made, or that were moved, damaged, or lost a part."""

import errno
import json
import os
import stat
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from blobs import blobs

from stablek.api.choose_k import choose_k
from stablek.cli import guarded
from stablek.data import from_arrays
from stablek.errors import InputError, TryAgainError
from stablek.io.store import atomic
from stablek.io.store.chunks import decode, encode
from stablek.io.store.folder import RunFolder
from stablek.io.store.manifest import manifest_of, run_of

#: A module that leaves a trace wherever it is imported.
TRACE = "from pathlib import Path\nPath('trace').write_text('was here')\n"


@pytest.fixture
def given(tmp_path, monkeypatch, capsys):
    """Give a command in ``tmp_path``; return code and what it said on stderr."""
    np.savetxt(
        tmp_path / "x.csv", blobs(18, 2), delimiter=",", header="a,b", comments=""
    )
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["stablek", *arguments])
        code = guarded(list(arguments))
        return code, capsys.readouterr().err

    return call


RUN = ("run", "x.csv", "-k", "2:3", "--repeats", "4", "-o", "out")


@pytest.mark.parametrize(
    ("module", "name"), [("1", "x"), ("a-", "x"), ("evil", "9"), ("evil", "\u00b2")]
)
@pytest.mark.parametrize("command", ["resume", "report"])
def test_no_spelling_of_a_module_makes_us_import_it(
    given, monkeypatch, module, name, command
):
    """The manifest fits the command, as that of the stranger's own run would."""
    Path(f"{module}.py").write_text(TRACE)
    assert given(*RUN)[0] == 0
    kept = json.loads(Path("out/manifest.json").read_text())
    kept["settings"]["measure"] = f"{module}:{name}"
    Path("out/manifest.json").write_text(json.dumps(kept))
    again = [*RUN, "-m", f"{module}:{name}"]
    made = {"arguments": again, "folder": str(Path.cwd())}
    Path("out/run.json").write_text(json.dumps(made))
    monkeypatch.delitem(sys.modules, module, raising=False)
    code, err = given(command, "out")
    assert not Path("trace").exists()
    assert "run its command again" in err
    assert command == "report" or code == 2


@pytest.mark.parametrize(
    "trusting",
    [
        ("--backend", "dask", "--scheduler", "tcp://192.0.2.1:8786"),
        ("--allow-external",),
    ],
)
def test_whom_to_trust_is_not_for_a_folder_to_say(given, trusting):
    assert given(*RUN)[0] == 0
    made = {"arguments": [*RUN, *trusting], "folder": str(Path.cwd())}
    Path("out/run.json").write_text(json.dumps(made))
    code, err = given("resume", "out")
    assert code == 2
    assert "run its command again" in err


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        ({"arguments": [], "folder": "."}, "was not filled by one of"),
        ({"arguments": ["demo", "-o", "out"], "folder": "."}, "was not filled by"),
        ({"arguments": [*RUN, "--repeaus", "4"], "folder": "."}, "is damaged (No such"),
        ({"arguments": ["run"], "folder": "."}, "is damaged (Missing argument"),
        (
            {"arguments": [*RUN], "folder": "gone"},
            "run in gone, which is no longer a folder",
        ),
        ({"arguments": [*RUN], "folder": "x.csv"}, "which is no longer a folder"),
        ({"arguments": [*RUN], "folder": "a\0b"}, "which is no longer a folder"),
    ],
)
def test_a_command_that_cannot_be_given_again_is_told(given, kept, told):
    assert given(*RUN)[0] == 0
    Path("out/run.json").write_text(json.dumps(kept))
    before = Path.cwd()
    code, err = given("resume", "out")
    assert (code, told in err) == (2, True), err
    assert Path.cwd() == before


@pytest.mark.parametrize("file", ["run.json", "manifest.json"])
def test_brackets_without_end_are_damage_and_no_bug(given, file):
    assert given(*RUN)[0] == 0
    Path("out", file).write_text("[" * 100_000)
    for command in (("resume", "out"), RUN if file == "manifest.json" else ("merge",)):
        code, err = given(*command)
        assert code == 2
        assert "bug" not in err


def test_a_file_is_no_folder_to_resume(given):
    code, err = given("resume", "x.csv")
    assert code == 2
    assert "is not the folder of a run" in err


def test_work_without_a_manifest_is_neither_used_nor_thrown_away(given):
    assert given(*RUN)[0] == 0
    Path("out/manifest.json").unlink()
    left = sorted(Path("out/chunks").iterdir())
    for command in (RUN, ("resume", "out")):
        code, err = given(*command)
        assert code == 2
        assert "no manifest.json" in err
        assert sorted(Path("out/chunks").iterdir()) == left
    assert given(*RUN, "--restart")[0] == 0


def test_another_numpy_is_another_version_of_the_numbers(given, monkeypatch):
    assert given(*RUN)[0] == 0
    monkeypatch.setattr(np, "__version__", "99.1")
    code, err = given(*RUN)
    assert code == 2
    assert "versions.numpy" in err
    assert "-> 99.1" in err


def test_results_do_not_follow_a_link_that_stands_for_their_folder(given, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "wcss-hier-a").symlink_to(elsewhere)
    compare = (
        "compare",
        "x.csv",
        "-m",
        "wcss",
        "-a",
        "hier-a",
        "-k",
        "2:4",
        "-o",
        "out",
    )
    code, err = given(*compare)
    assert code == 2
    assert "is a link or a file; remove it" in err
    assert not list(elsewhere.iterdir())


def data(n=18):
    return from_arrays(blobs(n, 2))


def run_in(path, repeats=5, seed=0):
    with RunFolder(path, manifest_of(data(), {"seed": seed})) as kept:
        found = choose_k(
            data(), "fc", "hier-a", range(2, 4), repeats=repeats, backend="serial",
            journal=kept.journal(), seed=seed,
        )  # fmt: skip
    return found.to_json(), kept


@pytest.mark.parametrize(
    "change",
    [
        lambda labels: labels[..., :5],
        lambda labels: labels.astype(float) + 0.5,
        lambda labels: labels.ravel(),
        lambda labels: labels[:1],
    ],
)
def test_labels_of_other_items_are_damage_whatever_their_checksum(tmp_path, change):
    whole, kept = run_in(tmp_path / "out")
    for file in kept.chunks.glob("*.chunk"):
        outputs = decode(file.read_bytes())
        changed = [replace(o, labels=change(o.labels)) for o in outputs]
        file.write_bytes(encode(changed, run_of(kept.manifest)))
    again, kept = run_in(tmp_path / "out")
    assert again == whole
    assert "damaged chunk(s) were set aside" in kept.notes[0]


def test_chunks_of_another_run_are_set_aside_and_told(tmp_path):
    """Their checksums are right, their tasks and items the same; not so the seed."""
    whole, kept = run_in(tmp_path / "out")
    other, strange = run_in(tmp_path / "other", seed=1)
    assert other != whole
    for file in strange.chunks.glob("*.chunk"):
        (kept.chunks / file.name).write_bytes(file.read_bytes())
    again, kept = run_in(tmp_path / "out")
    assert again == whole
    assert "of another run) were set aside" in kept.notes[0]


#: The number of a process that no machine has.
GONE = 2**31 - 2


def test_what_a_kill_left_of_a_chunk_is_cleared_away_and_nothing_else(tmp_path):
    whole, kept = run_in(tmp_path / "out")
    part, shard, mine = (
        kept.chunks / name
        for name in (
            f".run-000003.chunk.{GONE}.stablek",
            f".shard-1-of-2-000003.chunk.{GONE}.stablek",
            ".mine",
        )
    )
    for file in (part, shard, mine):
        file.write_bytes(b"half")
    assert run_in(tmp_path / "out")[0] == whole
    assert (part.exists(), shard.exists(), mine.exists()) == (False, True, True)


def test_what_a_kill_left_of_results_is_swept_and_what_is_being_written_stays(tmp_path):
    _, kept = run_in(tmp_path / "out")
    left = [kept.path / f".{name}.{GONE}.stablek" for name in ("curve.tsv", ".holder")]
    alive = kept.path / f".report.html.{os.getpid()}.stablek"
    for file in (*left, alive):
        file.write_bytes(b"half")
    run_in(tmp_path / "out")
    assert not any(file.exists() for file in left)
    assert alive.exists()


@pytest.mark.parametrize(
    ("fault", "fatal"),
    [(errno.EINVAL, False), (errno.ENOTSUP, False), (errno.EIO, True)],
)
def test_a_disk_whose_folders_cannot_be_flushed_still_takes_files(
    tmp_path, monkeypatch, fault, fatal
):
    real = os.fsync

    def flush(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(fault, os.strerror(fault))
        real(handle)

    monkeypatch.setattr(os, "fsync", flush)
    if fatal:
        with pytest.raises(OSError, match=os.strerror(fault)):
            atomic.write_text(tmp_path / "f", "whole")
    else:
        atomic.write_text(tmp_path / "f", "whole")
    assert (tmp_path / "f").read_text() == "whole"


def test_a_disk_without_locks_is_told(tmp_path, monkeypatch):
    import filelock

    def refuse(self, **_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(filelock.FileLock, "acquire", refuse)
    with pytest.raises(
        InputError, match=r"cannot lock .* use a folder on another disk"
    ):
        RunFolder(tmp_path / "out", {"schema": 1}).__enter__()


@pytest.mark.parametrize("said", [b"\xff\xfe", b"", b"\x1b[2J nobody"])
def test_a_holder_that_cannot_be_read_is_another_process(tmp_path, said):
    here = tmp_path / "out"
    with RunFolder(here, {"schema": 1}):
        (here / ".holder").write_bytes(said)
        with (
            pytest.raises(TryAgainError, match="in use by another process; wait"),
            RunFolder(here, {"schema": 1}),
        ):
            pass
