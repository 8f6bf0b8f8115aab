"""``stablek explain``: what a measure or an algorithm is, from its own docstring."""

from __future__ import annotations

import inspect
import json
from typing import Any

import click


@click.command("explain")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(name: str, *, as_json: bool) -> None:
    """Tell what a measure or an algorithm is, when to use it, its cost, whom to cite.

    Example: stablek explain fc
    """
    found = explain(name)
    if as_json:
        click.echo(json.dumps(found))
        return
    click.echo(found["title"])
    for key, value in found.items():
        if key in ("name", "title") or not value:
            continue
        click.echo("")
        if key == "what":
            click.echo(value)
        elif isinstance(value, dict):
            click.echo(f"{key}:")
            for inner, cell in value.items():
                click.echo(f"  {inner:<13} {cell}")
        else:
            click.echo(f"{key}: {value}")


def explain(name: str) -> dict[str, Any]:
    """Return what is known of a measure or an algorithm, as plain text by heading."""
    from stablek.cite import entries_for
    from stablek.cluster import ALGORITHMS
    from stablek.errors import unknown_name
    from stablek.measures import MEASURES, settings_of

    known = {**MEASURES, **ALGORITHMS}
    if name not in known:
        raise unknown_name("name", name, known)
    title, what, sections = parsed(inspect.getdoc(known[name]) or "")
    found: dict[str, Any] = {
        "name": name,
        "title": title.removeprefix("Return ").rstrip("."),
        "what": what,
    }
    for heading in ("When to use", "Cost", "Notes"):
        found[heading.lower()] = sections.get(heading, "")
    if name in MEASURES:
        measure = MEASURES[name]()
        settings = settings_of(name)
        found["steps"] = measure.steps()
        found["settings"] = {key: repr(value) for key, value in settings.items()}
        found["example"] = f"stablek run DATA -m {name}"
    else:
        found["example"] = f"stablek run DATA -a {name}"
    found["references"] = sections.get("References", "")
    if entries_for([name]):
        found["bibtex"] = f"stablek cite {name}"
    return found


def parsed(doc: str) -> tuple[str, str, dict[str, str]]:
    """Return a docstring's first line, its body, and its sections by heading."""
    lines = doc.split("\n")
    starts = [
        place - 1
        for place, line in enumerate(lines)
        if place and line and set(line) == {"-"} and len(line) > 2
    ]
    body = "\n".join(lines[1 : starts[0] if starts else len(lines)]).strip()
    sections = {}
    for place, start in enumerate(starts):
        end = starts[place + 1] if place + 1 < len(starts) else len(lines)
        sections[lines[start].strip()] = "\n".join(lines[start + 2 : end]).strip()
    return lines[0], body, sections
