"""What an unkind user types is refused in a sentence: exit code 2, and no bug."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest
from blobs import blobs

from stablek.cli import guarded
from stablek.cli.show import plain


@pytest.fixture
def given(tmp_path, monkeypatch, capsys):
    """Give a command beside a small table; return code, stdout and stderr."""
    np.savetxt(
        tmp_path / "x.csv", blobs(18, 2), delimiter=",", header="a,b", comments=""
    )
    monkeypatch.chdir(tmp_path)
    for name, text in MODULES.items():
        (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.delitem(sys.modules, name, raising=False)

    def call(*arguments):
        code = guarded(list(arguments))
        return code, *capsys.readouterr()

    return call


MODULES = {
    "unkind_syntax": "def (\n",
    "unkind_raises": "raise KeyError('boom')\n",
    "unkind_ends": "raise SystemExit(3)\n",
    "unkind_call": "def needs(a, b):\n    return 1\n",
}

REFUSED = {
    "a superscript": ("run", "x.csv", "-k", "2:\u00b2"),
    "more clusters than numbers": ("run", "x.csv", "-k", "2:99999999999999999999"),
    "an empty folder": ("run", "x.csv", "-o", ""),
    "no measure": ("compare", "x.csv", "-m", ""),
    "no algorithm": ("compare", "x.csv", "-a", " , "),
    "a module without a name": ("run", "x.csv", "-m", ":x"),
    "a module from above": ("run", "x.csv", "-m", "..x:y"),
    "a module with a mistake": ("run", "x.csv", "-m", "unkind_syntax:x"),
    "a module that raises": ("run", "x.csv", "-m", "unkind_raises:x"),
    "a module that ends": ("run", "x.csv", "-m", "unkind_ends:x"),
    "a function with arguments": ("run", "x.csv", "-a", "unkind_call:needs"),
    "a level that is no number": ("verdict", "x.csv", "--level", "nan"),
    "no subsample": ("verdict", "x.csv", "--repeats", "0"),
    "a page nowhere": ("report", "out", "-o", "nowhere/page.html"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_makes_no_sense_is_refused_in_a_sentence(given, what):
    if REFUSED[what][0] == "report":
        assert given("run", "x.csv", "-k", "2:3", "--repeats", "3", "-o", "out")[0] == 0
    before = sorted(Path.cwd().iterdir())
    code, out, err = given(*REFUSED[what])
    assert (code, out) == (2, ""), err
    assert "bug" not in err
    assert "Traceback" not in err
    assert sorted(set(Path.cwd().iterdir()) - {Path.cwd() / "__pycache__"}) == before


def test_a_log_on_a_full_disk_is_told_once_and_sinks_no_run(given):
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    code, out, err = given(
        "run", "x.csv", "-k", "2:3", "--repeats", "3", "--log", "/dev/full"
    )
    assert code == 0
    assert out.startswith("k* = ")
    assert err.count("the log /dev/full is incomplete: No space left") == 1


def test_a_terminal_without_the_sign_gets_ascii(monkeypatch):
    assert plain("p ≤ 0.02") == "p ≤ 0.02"
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), "cp1252"))
    assert plain("p ≤ 0.02") == "p <= 0.02"


def test_no_name_of_a_file_steers_the_terminal(given):
    """A colour that a name sets would stay; it could as well clear the screen."""
    Path("\x1b[31mred.csv").write_text("a,b\n1,2\n")
    code, _, err = given("run", "red.csv")
    assert code == 2
    assert "did you mean \ufffd[31mred.csv?" in err
    assert "\x1b" not in err
