"""A configuration or a folder from somebody else obeys bounds, unless it is trusted."""

import json
import sys

import numpy as np
import pytest

from stablek.cli import guarded
from stablek.cli.trust import is_within

FEW = ["-k", "2:3", "--repeats", "4", "-j", "1", "-q"]
SECRET = "root:x:0:0:hunter2"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Return the folder where the user is, with data, beside one of secrets."""
    place = tmp_path / "work"
    place.mkdir()
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "secret.csv").write_text(f"{SECRET}\nb:y:1:1:swordfish\n")
    (place / "evil.py").write_text("open('ran', 'w').close()\nA = None\n")
    rows = np.random.default_rng(0).normal(size=(12, 2)).tolist()
    text = "id,a,b\n" + "".join(f"s{i},{a!r},{b!r}\n" for i, (a, b) in enumerate(rows))
    (place / "x.csv").write_text(text)
    monkeypatch.chdir(place)
    monkeypatch.delitem(sys.modules, "evil", raising=False)
    monkeypatch.setattr("sys.path", [*sys.path])
    return place


@pytest.fixture
def filled(here, monkeypatch):
    """Return the folder of a run, and a function that edits its command."""
    command = ["run", "x.csv", *FEW, "-o", "out"]
    monkeypatch.setattr("sys.argv", ["stablek", *command])
    assert guarded(command) == 0
    file = here / "out" / "run.json"

    def edit(change):
        kept = json.loads(file.read_text())
        change(kept)
        file.write_text(json.dumps(kept))

    return edit


def test_a_configuration_imports_nothing_unless_it_is_trusted(here, capsys):
    (here / "c.toml").write_text('algorithm = "evil:A"\n')
    command = ["run", "x.csv", *FEW, "--config", "c.toml"]
    assert guarded(command) == 2
    assert "names code to import" in capsys.readouterr().err
    assert not (here / "ran").exists()
    guarded([*command, "--trust"])
    assert (here / "ran").exists()


def test_what_the_user_names_is_imported_as_ever(here):
    (here / "c.toml").write_text("seed = 3\n")
    guarded(["run", "x.csv", *FEW, "--config", "c.toml", "-a", "evil:A"])
    assert (here / "ran").exists()


@pytest.mark.parametrize(
    "line",
    [
        'labels-file = "../private/secret.csv"',
        'labels_file = "{private}/secret.csv"',
        'embedding = "../private/secret.csv"',
        'out = "../private/out"',
        'scheduler = "tcp://example.org:1"',
        "allow-external = true",
    ],
)
def test_a_configuration_names_no_files_elsewhere(here, capsys, line):
    line = line.format(private=here.parent / "private")
    (here / "c.toml").write_text(line + "\n")
    assert guarded(["run", "x.csv", *FEW, "--config", "c.toml"]) == 2
    err = capsys.readouterr().err
    assert "--trust" in err
    assert "hunter2" not in err
    assert not (here.parent / "private" / "out").exists()


def test_a_configuration_may_name_files_of_its_own_folder(here):
    (here / "c.toml").write_text('out = "mine"\nembedding = "map.csv"\n')
    rows = "".join(f"s{i},{i},{i * i}\n" for i in range(12))
    (here / "map.csv").write_text("id,u,v\n" + rows)
    assert guarded(["run", "x.csv", *FEW, "--config", "c.toml"]) == 0
    assert (here / "mine" / "result.json").exists()


def test_a_configuration_cannot_trust_itself(here, capsys):
    (here / "c.toml").write_text('trust = true\nalgorithm = "evil:A"\n')
    assert guarded(["run", "x.csv", *FEW, "--config", "c.toml"]) == 2
    assert "unknown option" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["resume", "merge", "report"])
def test_a_folder_reads_nothing_far_from_it(here, filled, capsys, command):
    filled(lambda kept: kept["arguments"].__setitem__(1, "../private/secret.csv"))
    guarded([command, "out"])
    said = capsys.readouterr()
    assert "hunter2" not in said.out + said.err
    if command == "resume":
        assert "add --trust" in said.err
    page = here / "out" / "report-tables.html"
    assert not page.exists() or "hunter2" not in page.read_text()


@pytest.mark.parametrize("command", ["resume", "report"])
def test_a_file_that_a_folder_names_is_not_quoted(here, filled, capsys, command):
    (here / "mine.csv").write_text((here.parent / "private/secret.csv").read_text())
    filled(lambda kept: kept["arguments"].__setitem__(1, "mine.csv"))
    guarded([command, "out"])
    said = capsys.readouterr()
    assert "hunter2" not in said.out + said.err
    assert "cannot be read as it was" in said.err


def test_other_data_than_those_of_the_folder_are_not_told(here, filled, capsys):
    (here / "mine.csv").write_text("id,salary\nann,1\nbob,2\ncy,30\ndee,44\n")
    filled(lambda kept: kept["arguments"].__setitem__(1, "mine.csv"))
    assert guarded(["resume", "out"]) == 2
    err = capsys.readouterr().err
    assert "the input changed" in err
    assert "salary" not in err
    assert "ann" not in err


def test_with_trust_the_command_of_a_folder_is_given(here, filled):
    elsewhere = here.parent / "private" / "x.csv"
    elsewhere.write_text((here / "x.csv").read_text())
    filled(lambda kept: kept["arguments"].__setitem__(1, str(elsewhere)))
    assert guarded(["resume", "out"]) == 2
    assert guarded(["resume", "out", "--trust"]) == 0


def test_trust_is_not_kept_in_a_folder(here, monkeypatch):
    command = ["run", "x.csv", *FEW, "--trust", "-o", "out"]
    monkeypatch.setattr("sys.argv", ["stablek", *command])
    assert guarded(command) == 0
    kept = json.loads((here / "out" / "run.json").read_text())
    assert "--trust" not in kept["arguments"]


def test_what_lies_within(tmp_path):
    assert is_within(tmp_path / "a" / "b.csv", [tmp_path])
    assert not is_within(tmp_path / ".ssh" / "id", [tmp_path])
    assert not is_within(tmp_path / "a" / ".." / ".." / "b", [tmp_path])
    (tmp_path / "link").symlink_to("/etc")
    assert not is_within(tmp_path / "link" / "passwd", [tmp_path])
    assert not is_within(tmp_path, [tmp_path.__class__("/")])
