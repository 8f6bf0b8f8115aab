"""The reference is current and whole."""

import re
import runpy
from pathlib import Path

import click
import pytest

import stablek
from stablek.cli import COMMANDS, cli
from stablek.measures import MEASURES
from stablek.paradigm.card import card_of
from stablek.paradigm.cluster import ALGORITHMS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
MAKER = runpy.run_path(str(DOCS / "make_cli.py"))


@pytest.mark.parametrize("name", MAKER["PAGES"])
def test_the_generated_pages_are_current(name):
    text = (DOCS / name).read_text(encoding="utf-8")
    assert text == MAKER["PAGES"][name](), "run: python docs/make_cli.py"


def every_command():
    for name in COMMANDS.keys() - {"bench"}:  # which has tests of its own
        yield name, cli.get_command(click.Context(cli), name)


def test_every_command_tells_what_it_does_with_an_example():
    for name, command in every_command():
        assert command.help, name
        assert "Example: stablek" in command.help, name


def test_every_option_is_explained():
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    for name, command in every_command():
        for param in command.params:
            if isinstance(param, click.Option):
                assert param.help, f"{name} {param.opts}"
                assert all(f"`{text}`" in page for text in param.opts)


def test_every_measure_and_algorithm_has_its_page_or_row_and_a_use():
    for name in MEASURES:
        page = DOCS / "measures" / f"{name}.md"
        assert page.is_file(), f"docs/measures/{name}.md is missing"
        assert page.read_text(encoding="utf-8").startswith("# "), page
    for factory in (*MEASURES.values(), *ALGORITHMS.values()):
        assert card_of(factory).when, factory


def test_every_public_name_is_in_the_api_page():
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    for name in stablek.__all__:
        assert re.search(rf":: stablek\.{name}$", text, re.M), name


def test_every_page_is_in_a_table_of_contents():
    listed = set()
    for page in DOCS.rglob("*.md"):
        for tree in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(), re.S):
            for line in tree.splitlines():
                if line and not line.startswith(":"):
                    name = re.sub(r".*<(.+)>", r"\1", line)
                    listed.add((page.parent / f"{name}.md").resolve())
    pages = {p for p in DOCS.rglob("*.md") if "_build" not in p.parts}
    assert pages - listed == {DOCS / "index.md"}


def test_every_link_between_pages_leads_somewhere():
    for page in [*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            if "://" not in target and "_build" not in page.parts:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_measure_has_a_word_for_every_step():
    wanted = runpy.run_path(str(DOCS / "make_paradigm.py"))["STEPS"]
    for name, factory in MEASURES.items():
        steps = factory().steps()
        assert all(steps.get(step) for step in wanted), name
