"""Make a notebook of a page: ``python docs/make_notebook.py docs/tutorials/csv.md``.

Blocks of Python become cells of code, blocks of shell become cells that call the
shell, everything else is text. The notebook is written into the current folder.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```\n", re.M | re.S)


def notebook(page: str) -> dict[str, Any]:
    """Return the notebook of a page, in the format of Jupyter."""
    cells: list[dict[str, Any]] = []

    def add(kind: str, text: str) -> None:
        text = text.strip("\n")
        if text:
            code = {"execution_count": None, "outputs": []} if kind == "code" else {}
            lines = text.splitlines(keepends=True)
            cells.append(
                {"cell_type": kind, "id": f"cell-{len(cells)}", "metadata": {}}
                | code
                | {"source": lines}
            )

    done = 0
    for block in BLOCK.finditer(page):
        add("markdown", page[done : block.start()])
        code = block[2]
        if block[1] == "sh":
            code = re.sub(r"^(?=\S)", "!", code, flags=re.M)
        add("code", code)
        done = block.end()
    add("markdown", page[done:])
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": kernel},
        "cells": cells,
    }


if __name__ == "__main__":
    for name in sys.argv[1:]:
        made = notebook(Path(name).read_text(encoding="utf-8"))
        target = Path(Path(name).stem + ".ipynb")
        target.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
        print(target)
