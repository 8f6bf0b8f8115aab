"""``stablek datasets``: data to try, and how to get more."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from stablek.cli.options import JSON_OPTION
from stablek.cli.show import table
from stablek.errors import InputError

if TYPE_CHECKING:
    from stablek.datasets import Labelled, Simulated


@click.command("datasets")
@click.argument("name", required=False)
@click.option("-o", "--out", metavar="FILE", help="File to write; default NAME.tsv.")
@click.option("--seed", default=0, show_default=True, help="Seed for simulated data.")
@click.option("--data", metavar="DIR", help="Folder with data; or set STABLEK_DATA.")
@JSON_OPTION
def command(
    *, name: str | None, out: str | None, seed: int, data: str | None, as_json: bool
) -> None:
    """List data sets to try, or write the one called NAME as a table.

    Example: stablek datasets iris -o iris.tsv
    """
    from stablek.datasets.listing import catalogue

    if name is not None:
        export(name, Path(out or f"{name}.tsv"), seed, data)
        return
    entries = catalogue(data)
    if as_json:
        click.echo(json.dumps([asdict(entry) for entry in entries]))
        return
    rows: list[tuple[str, ...]] = [
        ("name", "kind", "items", "columns", "k", "here", "how to get it")
    ]
    for e in entries:
        here = "yes" if e.present else "no"
        sizes = ("?" if size is None else str(size) for size in (e.n, e.m, e.k))
        rows.append((e.name, e.kind, *sizes, here, e.how))
    click.echo(table(rows))


def export(name: str, file: Path, seed: int, data: str | None) -> None:
    """Write a set by name; never over a file that is there."""
    from stablek.datasets.listing import load
    from stablek.io.store.atomic import write_text
    from stablek.io.store.results import tsv

    made = load(name, seed, data)
    if file.exists():
        raise InputError(f"{file} already exists; name another file with -o")
    write_text(file, tsv(rows_of(made)))
    n, m = made.values.shape
    click.echo(f"{n} items x {m} columns and their classes, in {file}")
    click.echo(f"try: stablek verdict {file} --labels class")


def rows_of(made: Labelled | Simulated) -> list[list[str]]:
    """Return a set as the rows of a table: id, class, values; empty where missing."""
    facts, (n, m) = made.facts, made.values.shape
    ids = getattr(made, "ids", None) or facts.get("ids") or range(1, n + 1)
    columns = getattr(made, "columns", None) or facts.get("columns")
    classes = getattr(made, "classes", None)
    if classes is None:
        classes = [f"c{label + 1}" for label in getattr(made, "labels", ())]
    rows = [["id", "class", *(columns or (f"x{j + 1}" for j in range(m)))]]
    for item, own, row in zip(ids, classes, made.values.tolist(), strict=True):
        values = ("" if value != value else repr(value) for value in row)
        rows.append([str(item), str(own), *values])
    return rows
