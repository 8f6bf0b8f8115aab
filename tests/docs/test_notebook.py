"""A page as a notebook has the same code in the same order."""

import runpy

import pytest
from test_code_blocks import ROOT, blocks

PAGES = sorted(
    path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/tutorials/*.md")
)


@pytest.mark.parametrize("page", PAGES)
def test_a_notebook_has_every_block_of_its_page(page):
    notebook = runpy.run_path(str(ROOT / "docs" / "make_notebook.py"))["notebook"]
    cells = notebook((ROOT / page).read_text(encoding="utf-8"))["cells"]
    code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    wanted = [b for b in blocks(page) if b.language in ("python", "sh")]
    assert len(code) == len(wanted)
    for cell, block in zip(code, wanted, strict=True):
        for line in block.code.splitlines():
            assert f"!{line}" in cell if block.language == "sh" else line in cell
    text = "".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    assert "```python" not in text
