"""``stablek explain``: what a measure or an algorithm is, from its own docstring."""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.options import JSON_OPTION

if TYPE_CHECKING:
    from stablek.paradigm.measure import Measure


@click.command("explain")
@click.argument("name")
@JSON_OPTION
def command(name: str, *, as_json: bool) -> None:
    """Explain a measure, an algorithm, a verdict, or a word of the report.

    A word is a name such as jaccard, or a column of a table, such as recovered.

    Example: stablek explain fc
    """
    from stablek.cli.show import paragraph

    parts = explain(name)
    if as_json:
        click.echo(json.dumps(parts))
        return
    click.echo(paragraph(f"{parts.pop('name')}: {parts.pop('title')}"))
    for key, value in parts.items():
        if not value:
            continue
        click.echo("")
        if key == "what":
            click.echo(value)
        elif isinstance(value, dict):
            click.echo(f"{key}:")
            for inner, cell in value.items():
                click.echo(paragraph(f"{inner:<13} {cell}", "  ", hang=14))
        elif "\n" in value:
            click.echo(f"{key}: {value}")
        else:
            click.echo(paragraph(f"{key}: {value}"))


def explain(name: str) -> dict[str, Any]:
    """Return the description of a measure or an algorithm, as plain text by heading."""
    from stablek.measures import MEASURES, settings_of
    from stablek.measures.compose import WORDS
    from stablek.measures.references import entries_for
    from stablek.paradigm.card import card_of
    from stablek.paradigm.cluster import ALGORITHMS
    from stablek.results.glossary import entries

    known = {**MEASURES, **ALGORITHMS}
    if name not in known:
        return explain_verdict(name, [*known, "verdict"])
    title, what, sections = parse_docstring(inspect.getdoc(known[name]) or "")
    parts: dict[str, Any] = {
        "name": name,
        "title": title_of(name, title),
        "what": what.replace("``", "`"),
        "when to use": sections.get("When to use", card_of(known[name]).when),
        "cost": sections.get("Cost", ""),
    }
    if name in MEASURES:
        measure = MEASURES[name]()
        settings = settings_of(name)
        parts["cost"] = parts["cost"] or cost(measure)
        parts["steps"] = measure.steps()
        parts["settings"] = {key: repr(value) for key, value in settings.items()}
        if name == "composed":
            parts["words"] = {step: ", ".join(some) for step, some in WORDS.items()}
        parts["example"] = f"stablek run DATA -m {name}"
    else:
        parts["example"] = f"stablek run DATA -a {name}"
    parts["columns"] = dict(pair for pair in entries(name) if pair[0] != "word")
    parts["in the report"] = dict(entries(name)).get("word", "")
    parts["notes"] = sections.get("Notes", "")
    parts["references"] = sections.get("References", "")
    if entries_for([name]):
        parts["bibtex"] = f"stablek cite {name}"
    return parts


def title_of(name: str, line: str) -> str:
    """Return a docstring's first line as a title that does not repeat the name.

    Examples
    --------
    >>> title_of("valley", "Return valley: the largest k with a valley.")
    'the largest k with a valley'
    """
    title = line.removeprefix("Return ").rstrip(".")
    word, _, rest = title.partition(": ")
    return rest if rest and word.replace(" ", "-") == name else title


def explain_verdict(name: str, known: list[str]) -> dict[str, Any]:
    """Return what a verdict does, stage by stage, or what one of its members reads."""
    from stablek.api.verdict import verdict
    from stablek.panel.description import stages

    title, what, sections = parse_docstring(inspect.getdoc(verdict) or "")
    parts = stages()
    if name in parts["panel"]:
        title = f"a member of the panel of a verdict; it {parts['panel'][name]}"
    elif name != "verdict":
        return explain_word(name, known)
    return {
        "name": name,
        "title": title.removeprefix("Return ").rstrip("."),
        "what": what.replace("``", "`"),
        **parts,
        "example": "stablek verdict DATA -o results",
        "references": sections.get("References", ""),
    }


def explain_word(name: str, known: list[str]) -> dict[str, Any]:
    """Return what a word of the report, or a column of a table, means."""
    from stablek.errors import unknown_name
    from stablek.results.glossary import entries, known_words

    found = dict(entries(name))
    if not found:
        where = "stablek measures, stablek algorithms, and docs/glossary.md list them"
        raise unknown_name("word", name, {*known, *known_words()}, where)
    title = found.pop("word", "a column of a table")
    return {"name": name, "title": title, "columns": found}


def cost(measure: Measure) -> str:
    """Return how many clusterings a measure asks for, from its declaration."""
    from stablek.paradigm.stop import EveryColumn, FixedRepeats, Settled, Starts

    stop = measure.stop
    if isinstance(stop, Starts | EveryColumn):
        text = "clusters all items at every k"
        if isinstance(stop, EveryColumn):
            text += ", without each column in turn"
        if stop.starts > 1:
            text += f", {stop.starts} times if the algorithm starts at random"
    else:
        times = "several repeats"
        if isinstance(stop, FixedRepeats):
            times = f"{stop.repeats:,} repeats"
        elif isinstance(stop, Settled):
            times = f"{stop.counts[0]:,} to {stop.counts[-1]:,} repeats"
        samples = len(measure.perturb)
        each = f"{samples} samples" if samples > 1 else "one sample"
        shared = "that all k share" if measure.share_samples else "for every k"
        text = f"{times}; each clusters {each} {shared}"
    if measure.null is not None and measure.null_sets:
        text += f"; the same for {measure.null_sets * measure.runs:,} null sets"
    return text + ". A hierarchical algorithm cuts one tree for all k of a sample."


def parse_docstring(doc: str) -> tuple[str, str, dict[str, str]]:
    """Return a docstring's first line, its body, and its sections by heading."""
    lines = doc.split("\n")
    starts = [
        place - 1
        for place, line in enumerate(lines)
        if place and len(line) > 2 and set(line) == {"-"}
    ]
    body = "\n".join(lines[1 : starts[0] if starts else len(lines)]).strip()
    sections = {}
    for place, start in enumerate(starts):
        end = starts[place + 1] if place + 1 < len(starts) else len(lines)
        sections[lines[start].strip()] = "\n".join(lines[start + 2 : end]).strip()
    return lines[0], body, sections
