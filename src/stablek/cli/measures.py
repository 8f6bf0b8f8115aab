"""``stablek measures``: what there is to choose from."""

import json
from typing import Any

import click

from stablek.cli.explain import title_of
from stablek.cli.options import JSON_OPTION, as_typed
from stablek.cli.show import table


@click.command("measures")
@JSON_OPTION
def command(*, as_json: bool) -> None:
    """List the measures, what each does, and its settings.

    Example: stablek measures
    """
    from stablek.measures import MEASURES, settings_of

    known: dict[str, dict[str, Any]] = {
        name: {
            "what": title_of(name, factory.__doc__),
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
        settings = ", ".join(
            key if value is None else f"{key}={as_typed(value)}"
            for key, value in facts["settings"].items()
        )
        rows.append((name, str(facts["what"]), settings))
    click.echo(table(rows))
