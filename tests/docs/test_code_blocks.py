"""Every Python and shell block of the documentation runs.

The blocks of a page run in order, in a folder of their own. They may use ``X`` (60
items in three groups) and the files ``expression.tsv`` (the same) and ``patients.tsv``
(with the column ``group``); README.md is run like a page. ``expression  # -> value`` is
checked: the expression must have that representation. A block in another language
stands after a comment ``<!-- not run: reason -->``; for Python and shell there is no
such way out.
Lines of shell that install something are not run.
"""

import ast
import contextlib
import io
import re
import runpy
import shlex
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from matplotlib.figure import Figure

from stablek.cli import guarded

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (*ROOT.glob("[RCS]*.md"), *ROOT.glob("docs/**/*.md"))
    if "_build" not in path.parts
)
FENCE = re.compile(
    r"(?P<before>[^\n]*\n)?^```(?P<language>[^\n`]*)\n(?P<code>.*?)^```$", re.M | re.S
)
SHELL = ("sh", "bash", "shell", "console")
CHECKED = re.compile(r"^(?P<code>\S.*?)  # -> (?P<value>.+)$")
INSTALLS = re.compile(r"^(pip|uv|conda|git|pytest|ruff|\.ci/|python bench/speed/)\b")


@dataclass(frozen=True)
class Block:
    language: str
    code: str
    excuse: str | None
    line: int


def blocks(page):
    text = "\n" + (ROOT / page).read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        excuse = re.search(r"<!-- not run: (.+) -->", found["before"] or "")
        language = found["language"].strip()
        if not language and re.match(r"(stablek|pip) ", found["code"]):
            language = "sh"
        line = text.count("\n", 0, found.start("code"))
        yield Block(language, found["code"], excuse[1] if excuse else None, line)


WITH_CODE = [
    page
    for page in PAGES
    # The blocks of the gallery are lines of the functions that draw it: see below.
    if page != "docs/gallery.md"
    and any(b.language in ("python", *SHELL) for b in blocks(page))
]


def three_groups():
    rng = np.random.default_rng(8)
    centres = rng.normal(size=(3, 6)) * 6
    return centres[np.arange(60) % 3] + rng.normal(size=(60, 6))


def write_tables(folder, X):
    lines = ["\t".join(["id", *(f"gene{j}" for j in range(6)), "group"])]
    for i, row in enumerate(X):
        lines.append("\t".join([f"s{i}", *map(repr, row.tolist()), f"g{i % 3}"]))
    (folder / "patients.tsv").write_text("\n".join(lines) + "\n")
    kept = [line.rpartition("\t")[0] for line in lines]
    (folder / "expression.tsv").write_text("\n".join(kept) + "\n")


def checked(code):
    """Return the code with its "# -> value" comments as assertions."""
    lines = []
    for line in code.splitlines():
        found = CHECKED.match(line)
        if found:
            ast.parse(found["code"], mode="eval")
            line = f"_same({found['code']}, {found['value']!r})"
        lines.append(line)
    return "\n".join(lines)


def same(value, text):
    shown = repr(value.item() if isinstance(value, np.generic) else value)
    assert shown == text, f"the page says {text}, it is {shown}"


def run_python(page, block, names):
    where = f"{page}:{block.line}"
    names["_same"] = same
    code = compile(checked(block.code), where, "exec", dont_inherit=True)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, names)


def run_shell(page, block):
    joined = block.code.replace("\\\n", " ")
    for line in map(str.strip, joined.splitlines()):
        if not line or line.startswith("#"):
            continue
        line = re.sub(r"^pip install [^&]* && ", "", line)
        if INSTALLS.match(line):
            continue
        if line.startswith("stablek ") and not re.search(r"[|<>&;$]", line):
            arguments = shlex.split(line, comments=True)[1:]
            # A run folder keeps the command as the process was given it.
            argv = mock.patch.object(sys, "argv", ["stablek", *arguments])
            with contextlib.redirect_stdout(io.StringIO()), argv:
                code = guarded(arguments)
        else:
            line = re.sub(r"\bstablek\b(?= )", f"{sys.executable} -m stablek", line)
            code = subprocess.run(["bash", "-ec", line], timeout=200, check=False,
                                  capture_output=True).returncode  # fmt: skip
        assert code == 0, f"{page}:{block.line}: {line}"


@pytest.mark.parametrize("page", WITH_CODE)
@pytest.mark.filterwarnings("default")
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # In this process: each other one would import and compile scanpy's modules anew.
    monkeypatch.setattr("stablek.engine.execution.execute.cores", lambda: 1)
    X = three_groups()
    write_tables(tmp_path, X)
    names = {"X": X, "__name__": "__main__"}
    for block in blocks(page):
        if block.language == "python":
            run_python(page, block, names)
        elif block.language in SHELL:
            monkeypatch.setattr(sys, "argv", ["stablek"])
            run_shell(page, block)


@pytest.mark.parametrize("page", PAGES)
def test_only_other_languages_are_left_out_and_with_a_reason(page):
    for block in blocks(page):
        where = f"{page}:{block.line}"
        if block.language in ("python", *SHELL):
            assert block.excuse is None, f"{where} is {block.language}: it must run"
        elif not block.language.startswith("{"):
            assert block.excuse, f"{where} ({block.language or 'no language'}) not run?"


def test_the_blocks_of_the_gallery_are_those_that_draw_it():
    made = runpy.run_path(str(ROOT / "docs" / "make_gallery.py"))
    text = (ROOT / "docs" / "make_gallery.py").read_text(encoding="utf-8")
    shown = [b.code for b in blocks("docs/gallery.md") if b.language == "python"]
    assert len(made["FIGURES"]) == len(shown)
    for draw, code in zip(made["FIGURES"], shown, strict=True):
        assert textwrap.indent(code, "    ") in text
        axes = Figure().subplots()
        draw(axes)
        assert axes.has_data(), draw.__name__


def test_a_claim_that_does_not_hold_is_found():
    with pytest.raises(AssertionError, match="the page says 3, it is 2"):
        run_python("page", Block("python", "1 + 1  # -> 3\n", None, 1), {})
