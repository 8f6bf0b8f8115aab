"""``stablek explain``: what a name means, from its own docstring or the glossary."""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.options import JSON_OPTION, as_typed
from stablek.cli.show import paragraph
from stablek.errors import unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from stablek.paradigm.measure import Measure

#: Stages of a verdict whose words are explained, and what such a word is.
PARTS = {"panel": "member of the panel of a verdict", "strengths": "strength"}


@click.command("explain")
@click.argument("name")
@JSON_OPTION
def command(name: str, *, as_json: bool) -> None:
    """Explain a measure, an algorithm, a null model, or a word in the report.

    A word is a name such as jaccard, a column of a table, such as recovered, or an
    entry of verdict.json, such as rare_items.

    Example: stablek explain fc
    """
    parts = explain(name)
    if as_json:
        click.echo(json.dumps(parts))
        return
    click.echo(paragraph(heading(parts)))
    for key, value in parts.items():
        if not value or key in ("name", "kind", "title"):
            continue
        click.echo("")
        if key == "what":
            click.echo(value if "\n" in value else paragraph(value))
        elif isinstance(value, dict):
            click.echo(f"{key}:")
            wide = max(13, *map(len, value))
            for inner, cell in value.items():
                click.echo(paragraph(f"{inner:<{wide}} {cell}", "  ", hang=wide + 1))
        elif "\n" in value:
            click.echo(f"{key}: {value}")
        else:
            click.echo(paragraph(f"{key}: {value}"))


def explain(name: str) -> dict[str, Any]:
    """Return what a name means, as plain text by heading."""
    from stablek.measures import MEASURES
    from stablek.measures.fixed_k import METHODS
    from stablek.paradigm.cluster import ALGORITHMS

    known = {**MEASURES, **ALGORITHMS, **METHODS}
    if name in known:
        return explain_method(name, known[name])
    if name == "verdict":
        return explain_verdict()
    return explain_word(name, [*known, "verdict"])


def explain_method(name: str, factory: Callable[..., Any]) -> dict[str, Any]:
    """Return what a measure, an algorithm or a method for a fixed k does."""
    from stablek.measures import MEASURES, settings_of
    from stablek.measures.compose import WORDS
    from stablek.measures.fixed_k import METHODS
    from stablek.measures.references import entries_for
    from stablek.panel.description import stages
    from stablek.paradigm.card import card_of
    from stablek.results.glossary import entries

    _, what, sections = parse_docstring(inspect.getdoc(factory) or "")
    parts: dict[str, Any] = {
        "name": name,
        "title": title_of(name, factory.__doc__),
        "what": what.replace("``", "`"),
        "when to use": sections.get("When to use", card_of(factory).when),
        "cost": sections.get("Cost", ""),
    }
    if name in METHODS:
        parts["example"] = f"stablek assess DATA -k 4 --method {name}"
    elif name in MEASURES:
        parts["cost"] = parts["cost"] or cost(factory())
        parts["example"] = f"stablek run DATA -m {name}"
        parts["settings"] = {key: as_typed(v) for key, v in settings_of(name).items()}
        parts["steps"] = factory().steps()
        if name == "composed":
            parts["words"] = {step: ", ".join(some) for step, some in WORDS.items()}
        parts["in a verdict"] = stages()["panel"].get(name, "")
    else:
        parts["example"] = f"stablek run DATA -a {name}"
    parts["columns"] = dict(pair for pair in entries(name) if pair[0] != "word")
    parts["in the report"] = dict(entries(name)).get("word", "")
    parts["notes"] = sections.get("Notes", "")
    parts["references"] = sections.get("References", "")
    if entries_for([name]):
        parts["bibtex"] = f"stablek cite {name}"
    return parts


def title_of(name: str, doc: str | None) -> str:
    """Return a docstring's first line as a title that does not repeat the name.

    Examples
    --------
    >>> title_of("valley", "Return valley: the largest k with a valley.")
    'the largest k with a valley'
    >>> title_of("silhouette", "Return the silhouette: how close items are.")
    'how close items are'
    >>> title_of("me", "Return Model Explorer: are samples clustered alike?.")
    'Model Explorer: are samples clustered alike?'
    """
    line = (doc or "").strip().split("\n")[0]
    title = line.removeprefix("Return ").rstrip(".")
    long, _, rest = title.partition(": ")
    same = long.removeprefix("the ").lower().replace(" ", "-") == name
    return rest if rest and same else title


def heading(parts: dict[str, Any]) -> str:
    """Return a name and its title, with its kind or a longer name in brackets.

    Examples
    --------
    >>> heading({"name": "me", "title": "Model Explorer: are samples alike?"})
    'me (Model Explorer): are samples alike?'
    >>> heading({"name": "p", "kind": "column of curve.tsv", "title": "The p-value."})
    'p (column of curve.tsv): The p-value.'
    >>> heading({"name": "k", "kind": "", "title": "The number of clusters."})
    'k: The number of clusters.'
    """
    kind, title = parts.get("kind"), parts["title"]
    if kind is None and ": " in title:
        kind, _, title = title.removeprefix("the ").partition(": ")
    return f"{parts['name']}{f' ({kind})' if kind else ''}: {title}"


def explain_verdict() -> dict[str, Any]:
    """Return what a verdict does, stage by stage."""
    from stablek.api.verdict import verdict
    from stablek.panel.description import stages

    _, what, sections = parse_docstring(inspect.getdoc(verdict) or "")
    return {
        "name": "verdict",
        "title": title_of("verdict", verdict.__doc__),
        "what": what.replace("``", "`"),
        **stages(),
        "example": "stablek verdict DATA -o results",
        "references": sections.get("References", ""),
    }


def explain_word(name: str, known: list[str]) -> dict[str, Any]:
    """Return what a word of the report, a null model or a column of a table means."""
    from stablek.engine.calibrate import ALIASES
    from stablek.paradigm.perturb.null import NULL_MODELS
    from stablek.results.glossary import known_words

    meanings = meanings_of(name)
    if not meanings:
        words = {*known, *known_words(), *NULL_MODELS}
        where = "stablek measures, stablek algorithms, and docs/glossary.md list them"
        raise unknown_name("word", name, words, where)
    kind = next(iter(meanings))
    title = meanings.pop(kind)
    parts = {"name": name, "kind": kind, "title": title[0].upper() + title[1:]}
    meanings |= stage_of(name)
    name = ALIASES.get(name, name)
    if name in NULL_MODELS:
        doc = inspect.getdoc(NULL_MODELS[name]) or ""
        references = parse_docstring(doc)[2].get("References", "")
        how = "--labels COLUMN" if name == "labels" else f"-k 4 --null {name}"
        meanings |= {"example": f"stablek significance DATA {how}"}
        meanings |= {"references": references}
    return {**parts, **meanings}


def meanings_of(name: str) -> dict[str, Any]:
    """Return the meanings of a word, by what it is: "" for a word of the report."""
    from stablek.engine.calibrate import ALIASES
    from stablek.panel.description import stages
    from stablek.paradigm.perturb.null import NULL_MODELS
    from stablek.results.glossary import entries

    by_file = dict(entries(name))
    meanings = {"": by_file.pop("word")} if "word" in by_file else {}
    verdict = stages()
    for stage, what in PARTS.items():
        if name in verdict[stage]:
            meanings[what] = verdict[stage][name]
    name = ALIASES.get(name, name)
    if name in NULL_MODELS:
        line, body, _ = parse_docstring(inspect.getdoc(NULL_MODELS[name]) or "")
        text = f"{title_of(name, line)}. {body}".replace("``", "`")
        meanings["null model"] = " ".join(text.split())
    if not meanings and stage_of(name):
        meanings[""] = "Part of a verdict."
    by_text: dict[str, list[str]] = {}
    for file, text in by_file.items():
        by_text.setdefault(text, []).append(file)
    for text, files in by_text.items():
        what = "entry" if files[0].endswith(".json") else "column"
        meanings[f"{what} of {' and '.join(files)}"] = text
    return meanings


def stage_of(name: str) -> dict[str, Any]:
    """Return the lines of a stage of a verdict, by its name or that of one of its kind.

    Examples
    --------
    >>> sorted(stage_of("strength")["strengths"])
    ['moderate', 'none', 'strong', 'suggestive', 'weak']
    >>> stage_of("jaccard")
    {}
    """
    from stablek.panel.description import stages

    return {
        stage: lines for stage, lines in stages().items() if name in (stage, stage[:-1])
    }


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
