"""No log and no result takes the place of a file that the command reads."""

import os
import sys

import pytest

from stablek.cli import guarded
from stablek.cli.write_guard import WRITTEN
from stablek.io.store.atomic import READ, write_text

RUN = ("-k", "2:3", "--repeats", "5", "-j", "1", "-q")
VERDICT = ("-k", "2:4", "--repeats", "10", "--null-sets", "4", "-q")

#: Commands that name the folder of a verdict before their data.
NEW_DATA = ("assign", "validate")


@pytest.fixture
def plain(table, tmp_path):
    """Return a file of names and numbers only."""
    rows = [line.rpartition("\t")[0] for line in table.read_text().splitlines()]
    path = tmp_path / "plain.tsv"
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def classes(table, tmp_path):
    """Return a file of the items' classes."""
    rows = [line.split("\t") for line in table.read_text().splitlines()]
    path = tmp_path / "classes.tsv"
    path.write_text("".join(f"{row[0]}\t{row[-1]}\n" for row in rows))
    return path


def refused(*arguments, capsys):
    code = guarded([str(a) for a in arguments])
    err = capsys.readouterr().err
    assert code == 2, err
    assert "name another" in err
    return err


@pytest.mark.parametrize("link", ["itself", "symbolic", "hard"])
@pytest.mark.parametrize("command", ["run", "compare", "verdict", "assess"])
def test_a_log_never_empties_the_data(plain, tmp_path, capsys, command, link):
    before, log = plain.read_bytes(), tmp_path / "log"
    if link == "symbolic":
        log.symlink_to(plain)
    elif link == "hard":
        os.link(plain, log)
    else:
        log = plain
    ks = "2" if command == "assess" else "2:3"
    err = refused(command, plain, "-k", ks, "--log", log, capsys=capsys)
    assert "DATA itself" in err
    assert plain.read_bytes() == before


@pytest.mark.parametrize("option", ["--labels-file", "--embedding", "--config"])
def test_a_log_never_empties_another_input(plain, classes, capsys, option):
    other = {"--labels-file": classes, "--embedding": plain}.get(option)
    if other is None:
        other = plain.with_name("c.toml")
        other.write_text("repeats = 5\n")
    before = other.read_bytes()
    data = plain.with_name("data.tsv")
    data.write_bytes(plain.read_bytes())
    err = refused("run", data, option, other, "--log", other, capsys=capsys)
    assert f"{option} itself" in err
    assert other.read_bytes() == before


def test_a_log_never_empties_what_stands_behind_stdin(plain, capsys):
    before = plain.read_bytes()
    with plain.open() as stream:
        kept = os.dup(0)
        os.dup2(stream.fileno(), 0)
        try:
            refused("run", "-", "--log", plain, capsys=capsys)
        finally:
            os.dup2(kept, 0)
            os.close(kept)
    assert plain.read_bytes() == before


def test_a_log_is_not_opened_before_the_options_are_known_to_be_fine(
    plain, tmp_path, capsys
):
    log = tmp_path / "log"
    log.write_text("of the last run")
    assert guarded(["run", str(plain), "--log", str(log), "-k", "many"]) == 2
    capsys.readouterr()
    assert log.read_text() == "of the last run"


def test_a_log_under_the_name_of_a_result_is_refused(plain, tmp_path, capsys):
    log = tmp_path / "out" / "manifest.json"
    refused("run", plain, "-o", tmp_path / "out", "--log", log, capsys=capsys)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("run", "curve.tsv"),
        ("run", "Labels.tsv"),
        ("verdict", "items.tsv"),
        ("compare", "comparison.csv"),
        ("compare", "fc-hier-a/curve.tsv"),
        ("assess", "items.tsv"),
        ("factorize", "metagenes.tsv"),
        ("assign", "assigned.tsv"),
        ("validate", "validation.tsv"),
    ],
)
@pytest.mark.parametrize("way", ["path", "from within", "link"])
def test_no_result_takes_the_place_of_the_data(
    plain, tmp_path, capsys, monkeypatch, command, name, way
):
    folder = tmp_path / "L"
    data = folder / name
    data.parent.mkdir(parents=True)
    data.write_bytes(plain.read_bytes())
    given, out = data, folder
    if way == "from within":
        monkeypatch.chdir(folder)
        given, out = name, "."
    elif way == "link":
        given = tmp_path / "elsewhere.tsv"
        given.symlink_to(data)
    ks = "2:3" if command in ("run", "compare", "verdict") else "2"
    before = ["some verdict"] if command in NEW_DATA else []
    err = refused(command, *before, given, "-k", ks, "-o", out, capsys=capsys)
    assert "would be overwritten" in err
    assert data.read_bytes() == plain.read_bytes()
    assert sorted(p for p in folder.rglob("*") if p.is_file()) == [data]


@pytest.mark.parametrize("option", ["--labels-file", "--embedding"])
def test_no_result_takes_the_place_of_another_input(plain, classes, capsys, option):
    folder = plain.with_name("L")
    folder.mkdir()
    other = folder / "labels.tsv"
    other.write_bytes(classes.read_bytes())
    given = ["verdict", plain, option, other, "-o", folder]
    assert option in refused(*given, capsys=capsys)
    assert other.read_bytes() == classes.read_bytes()


def test_data_beside_the_results_under_a_name_of_their_own_are_fine(
    plain, capsys, monkeypatch
):
    monkeypatch.chdir(plain.parent)
    assert guarded(["run", "plain.tsv", "-o", ".", *RUN]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("command", list(WRITTEN))
def test_every_file_that_a_command_writes_is_known(
    plain, tmp_path, capsys, monkeypatch, command
):
    more = {
        "run": RUN,
        "compare": ("-k", "2:3", "--repeats", "5", "-m", "fc", "-a", "hier-a", "-q"),
        "verdict": VERDICT,
        "assess": ("-k", "2", "--repeats", "5", "-q"),
        "factorize": ("-k", "2", "--nonnegative", "shift", "--starts", "1", "-q"),
        "assign": ("-q",),
        "validate": ("--null-sets", "19", "-q"),
    }[command]
    out, old = tmp_path / "out", str(tmp_path / "old")
    before = [old] if command in NEW_DATA else []
    if before:
        assert guarded(["verdict", str(plain), "-o", old, *VERDICT]) == 0
    given = [command, *before, str(plain), "-o", str(out), *more]
    monkeypatch.setattr(sys, "argv", ["stablek", *given])
    assert guarded(given) == 0, capsys.readouterr().err
    capsys.readouterr()
    files = {p.name for p in out.iterdir() if p.is_file() and p.name[0] != "."}
    assert files <= set(WRITTEN[command])
    if command == "compare":
        below = {p.name for p in (out / "fc-hier-a").iterdir()}
        assert below <= set(WRITTEN["run"])


def test_what_is_read_is_not_written_over_whatever_the_name(tmp_path):
    data = tmp_path / "own_table.tsv"
    data.write_text("mine")
    token = READ.set(frozenset({data.resolve()}))
    try:
        with pytest.raises(ValueError, match="is not overwritten"):
            write_text(data, "other")
    finally:
        READ.reset(token)
    assert data.read_text() == "mine"


def test_a_page_takes_the_place_of_a_page_only(plain, tmp_path, capsys, monkeypatch):
    out = tmp_path / "out"
    monkeypatch.setattr(sys, "argv", ["stablek", "run"])
    assert guarded(["run", str(plain), "-o", str(out), *RUN]) == 0
    capsys.readouterr()
    page = tmp_path / "page.html"
    page.touch()
    for _ in range(2):
        result = out / "result.json"
        assert guarded(["report", str(result), "-o", str(page), "-q"]) == 0
    before = plain.read_bytes()
    refused("report", out, "-o", plain, capsys=capsys)
    assert plain.read_bytes() == before


def test_a_demo_leaves_data_of_the_same_name_alone(tmp_path, capsys):
    (tmp_path / "data.tsv").write_text("mine")
    refused("demo", "-o", tmp_path, capsys=capsys)
    assert (tmp_path / "data.tsv").read_text() == "mine"
