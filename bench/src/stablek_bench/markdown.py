"""Tables of a page: made, and filled in by a command, so that nobody pastes them."""

from __future__ import annotations

from pathlib import Path

import jinja2

from stablek.errors import InputError
from stablek.io.store.atomic import write_text

END = "<!-- end of table -->"


def fill(page: Path, tables: dict[str, list[list[str]]]) -> None:
    """Write tables between the marks ``<!-- table: NAME -->`` and ``END`` of a page."""
    text = page.read_text()
    for name, lines in tables.items():
        start = f"<!-- table: {name} -->"
        before, found, rest = text.partition(start)
        _, ended, after = rest.partition(END)
        if not (found and ended):
            msg = f"{page} has no place for the table '{name}': write {start} {END}"
            raise InputError(msg)
        text = f"{before}{start}\n\n{markdown(lines)}\n\n{END}{after}"
    write_text(page, text)


def markdown(lines: list[list[str]], *, plain: bool = False) -> str:
    """Return rows of text as a Markdown table; the first is the heading.

    ``plain``: asterisks are emphasis; otherwise they are shown.
    """
    star = "*" if plain else "\\*"
    texts = [[cell.replace("*", star) for cell in line] for line in lines]
    heading, *rest = ["| " + " | ".join(line) + " |" for line in texts]
    return "\n".join([heading, "|" + "---|" * len(lines[0]), *rest])


def table(lines: list[list[str]]) -> str:
    """Return a Markdown table that ends with a line break; asterisks are emphasis."""
    return markdown(lines, plain=True) + "\n"


def template(name: str) -> jinja2.Template:
    """Return the prose of a page of the docs; all that it needs must be given."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("stablek_bench", "pages"),
        autoescape=False,  # Markdown, made from our own numbers
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
    )
    return environment.get_template(f"{name}.j2")


def show(tables: dict[str, list[list[str]]], page: Path | None = None) -> None:
    """Print tables, and fill them into a page if there is one."""
    for name, lines in tables.items():
        print(f"{name}\n\n{markdown(lines)}\n")
    if page is not None:
        fill(page, tables)
