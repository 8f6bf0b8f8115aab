"""``stablek bench`` is a command of stablek, with a page of its own."""

import runpy
import tomllib
from pathlib import Path

import click
import pytest

from stablek.cli import guarded
from stablek.version import __version__
from stablek_bench.command import command

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_command_line_finds_it(capsys):
    assert guarded(["bench", "--help"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in command.commands)


def test_its_page_is_current():
    page = runpy.run_path(str(DOCS / "make_cli.py"))["bench_page"]
    text = (DOCS / "bench.md").read_text(encoding="utf-8")
    assert text == page(), "run: python docs/make_cli.py"


def test_every_command_has_an_example_and_every_option_a_help():
    for name, part in command.commands.items():
        assert f"Example: stablek bench {name}" in part.help
        for param in part.params:
            assert isinstance(param, click.Argument) or param.help, param.name


@pytest.mark.parametrize("place", [".", "nowhere/b.sqlite"])
def test_a_file_that_cannot_be_written_is_refused(place, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert guarded(["bench", "table", "WCSS", "-o", place]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "bug" not in err
    assert list(tmp_path.iterdir()) == []


def test_it_goes_with_one_version_of_stablek():
    project = tomllib.loads((DOCS.parent / "bench" / "pyproject.toml").read_text())
    assert project["project"]["version"] == __version__
    assert f"stablek=={__version__}" in project["project"]["dependencies"]
