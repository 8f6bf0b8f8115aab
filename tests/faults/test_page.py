"""The page "What we survive" and the tests are about the same things."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "survive.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`(tests/[^`]+)`", PAGE)) - {"tests/faults"}


def names_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        f"{path.relative_to(ROOT).as_posix()}::{node.name}"
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_the_page_names_thirty_cases_and_tests_that_exist():
    rows = re.findall(r"^\| (\d+) \|.*$", PAGE, re.MULTILINE)
    assert [int(number) for number in rows] == list(range(1, 31))
    for row in re.findall(r"^\| \d+ \|.*$", PAGE, re.MULTILINE):
        assert "`tests/" in row, row[:40]
    files = {ROOT / name.split("::")[0] for name in NAMED}
    known = set().union(*(names_in(path) for path in files))
    assert NAMED - known == set()


def test_every_fault_test_is_named_on_the_page():
    here = Path(__file__).parent.glob("test_*.py")
    assert set().union(*map(names_in, here)) - NAMED == set()
