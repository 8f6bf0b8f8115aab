"""Make docs/glossary.md: ``python docs/make_glossary.py``."""

from __future__ import annotations

from pathlib import Path

from stablek.results.glossary import COLUMNS, WORDS

HEAD = """\
# Glossary

The words of the report, every column of every table, and every entry of `verdict.json`.
On the command line, `stablek explain WORD` prints the same: `stablek explain jaccard`.
"""


def glossary() -> str:
    """Return the page."""
    # The search of the site puts main entries of the index ("!") first.
    entries = ", ".join(f"!{word}" for word in WORDS)
    lines = [HEAD, f"```{{index}} {entries}", "```", "", "## Words", ""]
    lines += ["| word | meaning |", "|---|---|"]
    lines += [f"| **{word}** | {text} |" for word, text in WORDS.items()]
    for file, columns in COLUMNS.items():
        what = "entry" if file.endswith(".json") else "column"
        lines += ["", f"## {file}", "", f"| {what} | meaning |", "|---|---|"]
        lines += [f"| `{name}` | {text} |" for name, text in columns.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("glossary.md").write_text(glossary(), encoding="utf-8")
