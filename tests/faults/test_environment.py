"""Whatever surrounds it: the same numbers, plain text, nothing left behind."""

import csv
import io
import json
import os
import socket
import sys
from pathlib import Path

import pytest
from fault_tools import HOSTILE

import stablek
from stablek.cli import guarded
from stablek.io.store.results import formula

SOURCE = str(Path(stablek.__file__).parents[1])
COMMAND = ("run", "x.csv", "-k", "2:4", "--repeats", "8", "--csv")


def bare(**more):
    """Return an environment of almost nothing."""
    cache = os.environ.get("NUMBA_CACHE_DIR")
    known = {"PATH": os.environ["PATH"], "PYTHONPATH": SOURCE, **more}
    return {**known, "NUMBA_CACHE_DIR": cache} if cache else known


def test_surroundings_change_no_byte_of_the_numbers(shell, table, tmp_path, tally):
    no_folder = tmp_path / "file"
    no_folder.write_text("")
    ways = {
        "plain": bare(HOME=str(tmp_path), LANG="C.UTF-8"),
        "poor": bare(LANG="C", LC_ALL="C", NO_COLOR="1", COLUMNS="20", TERM="dumb"),
        "homeless": bare(HOME=str(no_folder / "x"), OMP_NUM_THREADS="3", COLUMNS="0"),
    }
    found = {}
    for name, env in ways.items():
        done = shell(*COMMAND, env=env)
        assert done.returncode == 0, done.stderr.decode()
        assert b"Traceback" not in done.stderr
        assert b"\x1b" not in done.stdout + done.stderr
        found[name] = done.stdout
    assert len(set(found.values())) == 1
    tally("faults survived", 2)
    tally("bits compared", 8 * 2 * len(found["plain"]))


def test_a_closed_stdout_is_no_error(shell, table):
    code = "import os; os.close(1); from stablek.cli import main; main()"
    done = shell(*COMMAND, "-q", code=code)
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 1)


@pytest.mark.parametrize("backend", ["serial", "processes"])
def test_a_run_needs_none_of_the_three_streams(shell, table, backend):
    """Some schedulers start a command with all of them closed."""

    def close():
        os.closerange(0, 3)

    out = table.parent / "out"
    done = shell(*COMMAND, "--backend", backend, "-o", out, preexec_fn=close)
    assert done.returncode == 0
    assert json.loads((out / "result.json").read_text())["k_star"] == 3


def test_kernels_compile_where_numba_may_write_nowhere(shell, tally):
    """A container without a home, run by a user who does not own the package."""
    code = """
import os, sys, numba.core.caching as caching
implementation = getattr(caching, "CacheImpl", None) or caching._CacheImpl
implementation._locator_classes = [
    c for c in implementation._locator_classes if "UserProvided" in c.__name__]
from stablek.kernels.cuts import cut_all
print(os.environ["NUMBA_CACHE_DIR"])
"""
    env = {k: v for k, v in bare().items() if k != "NUMBA_CACHE_DIR"}
    done = shell(env=env, code=code)
    assert done.returncode == 0, done.stderr.decode()
    assert not Path(done.stdout.decode().strip()).exists()
    tally("faults survived", 1)


def test_nothing_is_sent_or_asked_over_a_network(table, monkeypatch, capsys):
    def refuse(*_, **__):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "bind", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.chdir(table.parent)
    assert guarded([*COMMAND, "-o", "out"]) == 0
    assert guarded(["verdict", "x.csv", "-k", "2:3", "--null-sets", "4", "-q"]) == 0
    capsys.readouterr()


def test_nothing_is_written_outside_the_folder(table, monkeypatch, capsys):
    """Beside the folder of -o and temporary files; numba's own cache excepted."""
    monkeypatch.chdir(table.parent)
    before = set(table.parent.iterdir())
    written = []
    allowed = [str(table.parent / "out"), os.path.realpath("/tmp/stablek-")]

    def hook(event, arguments):
        if event == "open" and written is not None and len(arguments) == 3:
            path, _, flags = arguments
            writes = (flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if isinstance(path, (str, os.PathLike)) and writes:
                written.append(os.path.realpath(path))

    sys.addaudithook(hook)
    code = guarded([*COMMAND, "-o", str(table.parent / "out"), "-q"])
    seen, written = written, []
    capsys.readouterr()
    assert code == 0
    strange = [
        path
        for path in seen
        if not path.startswith(tuple(allowed))
        and "__pycache__" not in path
        and not path.endswith((".nbi", ".nbc"))
        and path != os.devnull
    ]
    assert not strange
    assert set(table.parent.iterdir()) - before == {table.parent / "out"}


@pytest.mark.parametrize("safe", [False, True])
def test_hostile_names_are_shown_literally_and_run_nowhere(
    tmp_path, monkeypatch, capsys, safe
):
    """In the terminal and in tables; the report's turn is in tests/browser."""
    monkeypatch.chdir(tmp_path)
    table = io.StringIO()
    rows = csv.writer(table)
    rows.writerow(["id", "=HYPERLINK()", "<b>b</b>"])
    names = [*HOSTILE, *(f"s{i}" for i in range(10))]
    for i, name in enumerate(names):
        rows.writerow([name, i % 3 * 9 + i / 99, i * i % 7])
    Path("x.csv").write_text(table.getvalue(), encoding="utf-8")
    more = ["--safe-tables"] if safe else []
    command = ["run", "x.csv", "-k", "2:4", "--repeats", "6", "-o", "out", *more]
    code = guarded(command)
    out, err = capsys.readouterr()
    assert code == 0, err
    assert "\x1b" not in out + err
    assert ("look like formulas" in err) != safe
    kept = (tmp_path / "out" / "labels.tsv").read_text(encoding="utf-8")
    found = [row[0] for row in csv.reader(io.StringIO(kept), delimiter="\t")][1:]
    if safe:
        assert not any(map(formula, found))
        found = [text.removeprefix("'") for text in found]
    assert found == names
    assert not [f.name for f in (tmp_path / "out").iterdir() if "<" in f.name]
