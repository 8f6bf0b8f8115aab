"""One self-contained page: the answer first, then what it rests on."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from stablek.report.charts import figures
from stablek.report.charts.embed import embedding_of
from stablek.report.charts.explorer import explorer_data
from stablek.report.charts.scale import DASH
from stablek.report.page.blocks import Block, Explorer, Figure, Notice, Page, Section
from stablek.report.page.budget import Part, page_shares, part
from stablek.report.page.description import description_sections
from stablek.report.page.explain import EXPLANATIONS, Explanation
from stablek.report.page.hero import hero
from stablek.report.page.markup import text_of
from stablek.report.page.repeat import cite, repeat
from stablek.report.page.sections import (
    flow_section,
    look_section,
    result_section,
    trust_section,
)
from stablek.report.page.tables import Table, table, table_of
from stablek.report.page.verdicts import hiding, least_certain
from stablek.results.result import Failed, Result
from stablek.results.verdict import Verdict

#: Labels of more items than this are left to the files next to the report.
ISLAND_LABELS = 5000


def page(
    results: Sequence[Result | Failed],
    verdict: Verdict | None,
    *,
    anonymous: bool,
    embedding: Any,
    command: Sequence[str],
) -> Page:
    """Return the parts of the page, in order; see :func:`stablek.report.render`."""
    done = [result for result in results if isinstance(result, Result)]
    known = done[0].data if done else None
    if embedding is not None and known is not None:
        embedding = embedding_of(embedding, known.n, known.ids)
    parts = [
        part(result, place, share, anonymous=anonymous, embedding=embedding)
        for place, (result, share) in enumerate(
            zip(done, page_shares(done), strict=True)
        )
    ]
    judged = verdict
    if judged is not None and anonymous:
        judged = hiding(judged, _known_ids(judged, done))
    sections = [
        *_answer(results, judged),
        *_bodies(
            results, parts, judged, description_sections(verdict, anonymous=anonymous)
        ),
        repeat(done, parts, judged, anonymous=anonymous, command=command),
        cite(results, judged),
    ]
    named = done[0] if done else verdict
    name = "data" if anonymous else str(getattr(named, "data_name", "data"))
    island: dict[str, Any] = {
        "results": [_numbers(one, anonymous=anonymous) for one in parts],
        "looks": {one.name: explorer_data(one) for one in parts},
    }
    present = tuple(section for section in sections if section is not None)
    look, shown = _slider(present)
    return Page(
        f"{name}: how many clusters?",
        replace(hero(results, judged, name), look=look, shown=shown),
        present,
        island,
        _holds(anonymous=anonymous),
    )


def _slider(sections: Sequence[Section]) -> tuple[str, tuple[int, ...]]:
    """Return the first section with a slider over k, and its ks."""
    for section in sections:
        for block in section.blocks:
            if isinstance(block, Explorer):
                return section.name, block.ks
    return "", ()


def _answer(
    results: Sequence[Result | Failed], judged: Verdict | None
) -> list[Section]:
    blocks: list[Block] = []
    # A single k has nothing to be weighed against. Groups that are not compact are
    # counted by their gaps: weights and votes had no part in the answer.
    compact = judged is not None and judged.facts.get("shape") != "connected"
    weighed = judged is not None and compact and len(judged.plausible) > 1
    if judged is not None and weighed:
        blocks.append(_weights(judged))
    if judged is not None and compact and len(judged.votes) > 1:
        blocks.append(_panel(judged))
    if len(results) > 1:
        done = [result for result in results if isinstance(result, Result)]
        if done:
            rows = [
                (f"{r.measure} · {r.algorithm}", r.k_star, r.candidates) for r in done
            ]
            drawing = figures.votes(rows)
            blocks.append(
                Figure(
                    "Who says what", drawing, EXPLANATIONS["votes"], wide=not weighed
                )
            )
        blocks.append(_overview(results))
    return [Section("overview", "Overview", tuple(blocks))] if blocks else []


def _weights(judged: Verdict) -> Figure:
    drawing = figures.weights(judged.plausible, judged.best_guess)
    title = "If you must split them" if judged.k == 1 else "How plausible is each k?"
    return Figure(title, drawing, EXPLANATIONS["weights"], note=lighter_note(judged))


def lighter_note(judged: Verdict) -> str:
    """Return why the answer or best guess is a bar that is not the tallest."""
    k = judged.best_guess
    guess = f"k = {k} is the best guess" if judged.k == 1 else ""
    if k is None or judged.plausible.get(k, 1.0) >= max(judged.plausible.values()):
        return f"{guess}." if guess else ""
    why = "its clusters agree best with those at the other plausible k."
    if guess:
        return f"{guess}, though not the heaviest bar: {why}"
    return f"k = {k} is not the heaviest bar; {why}"


def _panel(judged: Verdict) -> Figure:
    rows = [(who, k, ()) for who, k in judged.votes.items()]
    named = list(judged.votes.values())
    most = max(map(named.count, named))
    note = ""
    if judged.best_guess is not None and named.count(judged.best_guess) < most:
        what = "best guess" if judged.k == 1 else "answer"
        note = f"The {what} is k = {judged.best_guess}; votes are part of the evidence."
    explanation = Explanation(
        f"Which k each of the {len(rows)} measures of the panel would choose alone. "
        "The shaded column is the k that most of them name.",
        EXPLANATIONS["votes"].read,
    )
    title = "What the panel favours"
    return Figure(title, figures.votes(rows), explanation, note=note)


def _overview(results: Sequence[Result | Failed]) -> Table:
    rows: list[tuple[Any, ...]] = []
    for one in results:
        if isinstance(one, Failed):
            rows.append((one.measure, one.algorithm, "failed", "", one.message))
        else:
            also = ", ".join(str(k) for k in one.candidates if k != one.k_star)
            k = DASH if one.k_star is None else str(one.k_star)
            rows.append((one.measure, one.algorithm, k, also, one.reason))
    return table(
        "overview", "Every run", ("measure", "algorithm", "k*", "also", "reason"), rows
    )


def _judged_tables(judged: Verdict | None) -> list[Section]:
    if judged is None or not judged.cluster_records:
        return []
    items = least_certain(judged)
    made = [
        table_of(
            "clusters",
            "Trust per cluster",
            judged.cluster_records,
            "gap and valley are measured on the items that made the clusters, so "
            "they flatter them. What is said of borders above rests on held-out items.",
        ),
        table_of("items", "Trust per item, the least certain first", items),
        table_of("merges", "Merging and splitting, in numbers", judged.move_records),
    ]
    blocks = tuple(one for one in made if one is not None)
    return [Section("trust", "Trust", blocks)]


def _bodies(
    results: Sequence[Result | Failed],
    parts: list[Part],
    judged: Verdict | None,
    description: Sequence[Section],
) -> list[Section | None]:
    """Return the sections of every result: the map of the items stands first.

    ``description`` says what the clusters of a verdict are.
    """
    sections: list[Section | None] = []
    alone = len(results) == 1
    left = iter(parts)
    for place, one in enumerate(results):
        title = f"{one.measure} with {one.algorithm}"
        if isinstance(one, Failed):
            notice = Notice(
                "failed",
                f"{text_of(title)} failed; the rest of this report does not depend "
                "on it.",
                (text_of(one.message, 2000),),
            )
            sections.append(Section(f"failed-{place + 1}", title, (notice,)))
            continue
        current = next(left)
        heading = "The curve" if len(one.ks) > 1 else "The numbers"
        heading = heading if alone else title
        curves = result_section(current, heading, alone=alone)
        looks = look_section(current, alone=alone)
        flows = flow_section(current, alone=alone)
        if judged is not None and alone:
            # A verdict rests on its partition; the curves stand behind it.
            sections += [looks, *description, flows, *_judged_tables(judged), curves]
            continue
        sections += [looks, flows, curves] if alone else [curves, looks, flows]
        if judged is None or not judged.cluster_records:
            sections.append(trust_section(current, alone=alone))
    if judged is not None and not (alone and parts):
        sections = [*description, *_judged_tables(judged), *sections]
    return sections


def _known_ids(verdict: Verdict, done: list[Result]) -> tuple[str, ...]:
    ids = verdict.ids
    if not ids and done and done[0].data is not None:
        ids = done[0].data.item_ids()
    return ids


def _numbers(one: Part, *, anonymous: bool) -> dict[str, Any]:
    """Return all numbers of a result, for programs that read the page."""
    plain = one.result.to_dict()
    if one.result.n > ISLAND_LABELS:
        plain.pop("labels")
    if anonymous:
        plain["data"]["name"] = "data"
        plain["notes"], plain["failures"] = [], []
    return plain


def _holds(*, anonymous: bool) -> str:
    ids = "numbers in place of ids" if anonymous else "the ids of items"
    return (
        f"This file holds {ids}, their clusters, two coordinates of the items drawn, "
        "and statistics. It does not hold the data matrix. It loads nothing from the "
        "network."
    )
