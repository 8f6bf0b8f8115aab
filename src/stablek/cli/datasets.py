"""``stablek datasets``: data to try, and how to get more."""

from __future__ import annotations

import json
from dataclasses import asdict

import click


@click.command("datasets")
@click.option("--data", metavar="DIR", help="A folder of data; or STABLEK_DATA.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(*, data: str | None, as_json: bool) -> None:
    """List the data sets that are present, and how to get the rest.

    Example: stablek datasets
    """
    from stablek.cli.show import table
    from stablek.datasets.listing import catalogue

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
