"""Pages of what is edited, missing or no file; and a stderr that takes nothing."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from stablek.cli import guarded

RUN = ("--drop", "group", "-k", "2:4", "--repeats", "5", "-j", "1", "-q")


@pytest.fixture
def folder(table, tmp_path, monkeypatch, capsys):
    """Return the folder of a run."""
    out = tmp_path / "out"
    given = ["run", str(table), *RUN, "-o", str(out)]
    monkeypatch.setattr(sys, "argv", ["stablek", *given])
    assert guarded(given) == 0
    capsys.readouterr()
    return out


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ks", [2]),
        ("ks", []),
        ("ks", ["a", "b", "c"]),
        ("columns", {}),
        ("columns", 7),
        ("facts", 7),
        ("facts", {"calibration": 3}),
        ("settings", []),
        ("labels", [0, 1]),
        ("k_star", "three"),
        ("data", 3),
        ("candidates", 7),
    ],
)
def test_an_edited_result_is_refused_by_its_name(folder, tmp_path, capsys, name, value):
    found = json.loads((folder / "result.json").read_text())
    file, page = tmp_path / "r.json", tmp_path / "x.html"
    file.write_text(json.dumps({**found, name: value}))
    assert guarded(["report", str(file), "-o", str(page)]) == 2
    err = capsys.readouterr().err
    assert f"{file} is damaged, or was edited" in err
    assert "bug" not in err
    assert not page.exists()


def test_a_page_of_an_unfinished_run_is_not_the_way_to_finish_it(
    folder, capsys, monkeypatch
):
    (folder / "result.json").unlink()

    def refuse(*_):
        raise AssertionError("a task was run")

    monkeypatch.setattr("stablek.engine.execution.execute.carry_out_all", refuse)
    assert guarded(["report", str(folder)]) == 75
    assert f"not finished; finish it with stablek resume {folder}" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize("plane", ["X_umap", "no_such_file.csv"])
@pytest.mark.parametrize("source", ["folder", "file", "data are gone"])
def test_a_plane_that_is_not_there_is_told(folder, table, capsys, plane, source):
    where = folder / "result.json" if source == "file" else folder
    if source == "data are gone":
        table.unlink()
    before = (folder / "report.html").read_bytes()
    assert guarded(["report", str(where), "--embedding", plane]) == 2
    err = capsys.readouterr().err
    assert err.count(f"--embedding {plane}") == 1
    assert (folder / "report.html").read_bytes() == before
    assert not (folder / "report-tables.html").exists()


@pytest.mark.parametrize("what", ["pipe", "folder"])
@pytest.mark.parametrize(
    "name", ["run.json", "result.json", "manifest.json", ".holder"]
)
@pytest.mark.parametrize("command", ["report", "resume", "merge", "run"])
def test_a_pipe_in_a_folder_keeps_nobody_waiting(
    folder, table, cli, name, command, what
):
    (folder / name).unlink(missing_ok=True)
    if what == "pipe":
        os.mkfifo(folder / name)
    else:
        (folder / name).mkdir()
    given = [command, folder]
    if command == "run":
        given = ["run", table, *RUN, "-o", folder]
    code, _, err = cli(*given)
    assert code in (0, 2)
    assert "bug" not in err
    assert not re.match(r"stablek: \d", err)  # the number of an open file


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("log", [False, True])
def test_a_stderr_that_takes_nothing_sinks_no_run(table, tmp_path, log):
    file = tmp_path / "log"
    given = ["run", str(table), *RUN[:-1], *(["--log", str(file)] if log else [])]
    with Path("/dev/full").open("w") as full:
        child = subprocess.run(
            [sys.executable, "-m", "stablek", *given],
            stdout=subprocess.PIPE, stderr=full, text=True, timeout=100, check=False,
        )  # fmt: skip
    assert child.returncode == 0
    assert child.stdout.startswith("k* = ")
    if log:
        assert "30 items" in file.read_text()


def test_a_reader_of_the_notes_that_is_gone_sinks_no_run(table):
    end, start = os.pipe()
    os.close(end)
    child = subprocess.run(
        [sys.executable, "-m", "stablek", "run", str(table), *RUN[:-1]],
        stdout=subprocess.PIPE, stderr=start, text=True, timeout=100, check=False,
    )  # fmt: skip
    os.close(start)
    assert (child.returncode, child.stdout[:5]) == (0, "k* = ")


def test_an_unknown_metric_of_a_verdict_says_what_to_do(table, capsys):
    given = ["verdict", str(table), "--drop", "group", "--metric", "manhattan", "-q"]
    assert guarded(given) == 2
    err = capsys.readouterr().err
    assert "unknown metric 'manhattan'" in err
    assert "with --metric precomputed" in err
