"""``stablek measures``: what there is to choose from."""

from __future__ import annotations

import json
from typing import Any

import click

from stablek.cli.options import JSON_OPTION


@click.command("measures")
@JSON_OPTION
def command(*, as_json: bool) -> None:
    """List the measures, what each does, and its settings.

    Example: stablek measures
    """
    from stablek.cli.show import table
    from stablek.measures import MEASURES, settings_of

    known: dict[str, dict[str, Any]] = {
        name: {
            "what": first_line(factory.__doc__),
            "settings": settings_of(name),
            "steps": factory().steps(),
        }
        for name, factory in sorted(MEASURES.items())
    }
    if as_json:
        click.echo(json.dumps(known, default=str))
        return
    rows = [("measure", "what it does", "settings")]
    for name, facts in known.items():
        settings = ", ".join(f"{k}={v}" for k, v in facts["settings"].items())
        rows.append((name, str(facts["what"]), settings))
    click.echo(table(rows))


def first_line(doc: str | None) -> str:
    """Return the first line of a docstring, without its 'Return'."""
    line = (doc or "").strip().split("\n")[0]
    return line.removeprefix("Return ").rstrip(".")
