"""One self-contained page: the answer first, then what it rests on."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Sequence
from typing import Any

from stablek.cite import entries_for
from stablek.report import figures
from stablek.report.blocks import (
    Block,
    Code,
    Facts,
    Figure,
    Hero,
    Listing,
    Notice,
    Page,
    Section,
)
from stablek.report.explain import EXPLANATIONS
from stablek.report.look import is_consensus
from stablek.report.markup import text_of
from stablek.report.scale import number
from stablek.report.sections import (
    Failed,
    Part,
    explorer_data,
    look_section,
    part,
    result_section,
    trust_section,
)
from stablek.report.tables import table, table_of
from stablek.report.verdicts import Parts, parts_of
from stablek.result import Result

#: Labels of more items than this are left to the files beside the report.
ISLAND_LABELS = 5000


def page(
    results: Sequence[Result | Failed],
    *,
    verdict: object | None = None,
    title: str | None = None,
    anonymous: bool = False,
) -> Page:
    """Return the parts of the page, in order."""
    done = [result for result in results if isinstance(result, Result)]
    heat_maps = sum(is_consensus(result) and result.cube is not None for result in done)
    parts = [
        part(result, place, heat_maps, anonymous=anonymous)
        for place, result in enumerate(done)
    ]
    judged = parts_of(verdict)
    sections = [
        *_answer(results, judged),
        *_judged_tables(judged, anonymous=anonymous),
        *_bodies(results, parts, judged),
        _repeat(done, parts, anonymous=anonymous),
        _cite(results, judged),
    ]
    name = "data" if anonymous or not done else done[0].data_name
    island: dict[str, Any] = {
        "results": [_numbers(one, anonymous=anonymous) for one in parts],
        "looks": {one.name: explorer_data(one) for one in parts},
    }
    return Page(
        text_of(title or f"{name}: how many clusters?"),
        _hero(results, judged, name),
        tuple(section for section in sections if section is not None),
        island,
        _holds(anonymous=anonymous),
    )


def _hero(results: Sequence[Result | Failed], judged: Parts | None, name: str) -> Hero:
    done = [result for result in results if isinstance(result, Result)]
    chips: list[str] = []
    if done:
        first = done[0]
        chips = [text_of(name, 60), f"{first.n:,} items × {first.m:,} columns"]
        chips.append(f"k = {first.ks[0]} to {first.ks[-1]}")
        if len(done) == 1:
            chips += [first.measure, first.algorithm]
        else:
            chips.append(f"{len(done)} runs")
        chips.append(f"seed {first.seed}")
    if judged is not None:
        k = judged.k
        return Hero(
            "?" if k is None else str(k),
            _unit(k),
            judged.sentence,
            judged.strength,
            "none" if k == 1 else "open" if k is None else "found",
            judged.dissent,
            judged.next_steps,
            tuple(chips),
        )
    if not done:
        return Hero("–", "no result", "Every measure failed; the reasons stand below.")
    if len(done) == 1 and len(results) == 1:
        only = done[0]
        remarks = ()
        if len(only.candidates) > 1:
            ks = ", ".join(str(k) for k in only.candidates)
            remarks = (f"Equally good by the same rule: k = {ks}.",)
        k = only.k_star
        tone = "none" if k == 1 else "open" if k is None else "found"
        return Hero(
            "?" if k is None else str(k), _unit(k), only.sentence(), "", tone, remarks,
            chips=tuple(chips),
        )  # fmt: skip
    return _compared(results, done, tuple(chips))


def _compared(
    results: Sequence[Result | Failed], done: list[Result], chips: tuple[str, ...]
) -> Hero:
    """Return the answer of several results without a verdict: the most frequent."""
    chosen = [result.k_star for result in done if result.k_star is not None]
    counts = {k: chosen.count(k) for k in sorted(set(chosen))}
    failed = len(results) - len(done)
    remarks = [f"{failed} of {len(results)} failed; see below."] if failed else []
    if not counts:
        return Hero("?", "no answer", "No measure gives an indication of k.", "", "open",
                    tuple(remarks), chips=chips)  # fmt: skip
    most = max(counts.values())
    best = [k for k, count in counts.items() if count == most]
    others = {k: count for k, count in counts.items() if k not in best}
    if others:
        listed = ", ".join(f"k = {k} ({count})" for k, count in others.items())
        remarks.append(f"Others say {listed}.")
    if len(best) > 1:
        listed = " and ".join(str(k) for k in best)
        return Hero(
            "?", "divided", f"The measures are divided: k = {listed} were each chosen "
            f"by {most} of {len(done)} runs.", "", "open", tuple(remarks), chips=chips,
        )  # fmt: skip
    k = best[0]
    what = "No evidence of clusters (k = 1)" if k == 1 else f"k = {k}"
    return Hero(
        str(k), _unit(k), f"{what}: the answer of {most} of {len(done)} runs. Runs are "
        "counted, not weighed: read the curves before you rely on it.", "",
        "none" if k == 1 else "found", tuple(remarks), chips=chips,
    )  # fmt: skip


def _unit(k: int | None) -> str:
    if k is None:
        return "no indication"
    return "no evidence of clusters" if k == 1 else "clusters"


def _answer(results: Sequence[Result | Failed], judged: Parts | None) -> list[Section]:
    blocks: list[Block] = []
    if judged is not None and judged.plausible:
        drawing = figures.weights(judged.plausible)
        blocks.append(Figure("Plausible ks", drawing, EXPLANATIONS["weights"]))
    if len(results) > 1:
        done = [result for result in results if isinstance(result, Result)]
        if done:
            rows = [
                (f"{r.measure} · {r.algorithm}", r.k_star, r.candidates) for r in done
            ]
            drawing = figures.votes(rows)
            wide = not (judged is not None and judged.plausible)
            blocks.append(
                Figure("Who says what", drawing, EXPLANATIONS["votes"], wide=wide)
            )
        blocks.append(Listing(_overview(results)))
    return [Section("overview", "Overview", tuple(blocks))] if blocks else []


def _overview(results: Sequence[Result | Failed]) -> Any:
    rows: list[tuple[Any, ...]] = []
    for one in results:
        if isinstance(one, Failed):
            rows.append((one.measure, one.algorithm, "failed", "", one.message))
        else:
            also = ", ".join(str(k) for k in one.candidates if k != one.k_star)
            k = "–" if one.k_star is None else str(one.k_star)
            rows.append((one.measure, one.algorithm, k, also, one.reason))
    return table(
        "overview", "Every run", ("measure", "algorithm", "k*", "also", "reason"), rows
    )


def _judged_tables(judged: Parts | None, *, anonymous: bool) -> list[Section]:
    if judged is None:
        return []
    made = [
        table_of("clusters", "Trust per cluster", judged.clusters),
        None if anonymous else table_of("items", "Trust per item", judged.items),
        table_of("merges", "Merging and splitting", judged.merges),
    ]
    blocks = tuple(Listing(one) for one in made if one is not None)
    if not blocks:
        return []
    return [Section("trust", "How far to trust each cluster and item", blocks)]


def _bodies(
    results: Sequence[Result | Failed], parts: list[Part], judged: Parts | None
) -> list[Section | None]:
    found: list[Section | None] = []
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
            found.append(Section(f"failed-{place + 1}", title, (notice,)))
            continue
        current = next(left)
        found.append(
            result_section(current, "The curve" if alone else title, alone=alone)
        )
        found.append(look_section(current))
        if judged is None or judged.clusters is None:
            found.append(trust_section(current))
    return found


def _repeat(
    done: list[Result], parts: list[Part], *, anonymous: bool
) -> Section | None:
    if not done:
        return None
    blocks: list[Block] = [
        Code(
            "On the command line",
            "\n".join(command_of(r, anonymous=anonymous) for r in done),
        ),
        Code("In Python", "\n".join(["import stablek", *(python_of(r) for r in done)])),
    ]
    first = done[0]
    rows = [
        ("items × columns", f"{first.n:,} × {first.m:,}"),
        ("seed", str(first.seed)),
    ]
    if not anonymous:
        rows.insert(0, ("data", text_of(first.data_name)))
        if first.data is not None:
            sum_ = hashlib.sha256(memoryview(first.data.values).cast("B")).hexdigest()
            rows.append(("SHA-256 of the matrix", sum_))
    blocks.append(Facts("Data", tuple(rows)))
    for one in parts:
        result = one.result
        chosen = [
            ("rule", result.rule),
            ("ks", f"{result.ks[0]} to {result.ks[-1]}"),
            *((name, _plain(value)) for name, value in result.settings.items()),
            *(
                (name.replace("_", " "), _plain(value))
                for name, value in result.facts.items()
            ),
        ]
        if not anonymous:
            chosen += [("note", text_of(note)) for note in result.notes]
        title = f"{result.measure} with {result.algorithm}"
        blocks.append(Facts(title, tuple((a, text_of(b, 400)) for a, b in chosen)))
    blocks.append(Facts("Versions", tuple(first.versions.items())))
    return Section(
        "repeat", "Repeat it", tuple(blocks),
        "The same data, settings and seed give the same bytes, whatever the number of "
        "workers.",
    )  # fmt: skip


def command_of(result: Result, *, anonymous: bool = False) -> str:
    """Return the command that repeats a run."""
    name = "DATA" if anonymous else result.data_name
    words = ["stablek", "run", name, "-m", result.measure, "-a", result.algorithm]
    words += ["-k", f"{result.ks[0]}:{result.ks[-1]}", "--seed", str(result.seed)]
    for key, value in result.settings.items():
        if key == "metric":
            words += ["--metric", str(value)] if value != "euclidean" else []
        elif key in ("repeats", "fraction"):
            words += [f"--{key}", str(value)]
        else:
            words += ["--set", f"{key}={value}"]
    return text_of(shlex.join(words), 1000)


def python_of(result: Result) -> str:
    """Return the line of Python that repeats a run."""
    settings = "".join(
        f", {key}={value!r}"
        for key, value in result.settings.items()
        if not (key == "metric" and value == "euclidean")
    )
    return text_of(
        f"stablek.choose_k(X, {result.measure!r}, {result.algorithm!r}, "
        f"ks=range({result.ks[0]}, {result.ks[-1] + 1}), seed={result.seed}{settings})",
        1000,
    )


def _cite(results: Sequence[Result | Failed], judged: Parts | None) -> Section:
    done = [result for result in results if isinstance(result, Result)]
    names = ["stablek", *(["verdict"] if judged else [])]
    for result in done:
        names += [result.measure, result.algorithm]
    found = entries_for(names)
    lines = tuple((entry.key, entry.text()) for entry in found)
    return Section(
        "cite",
        "Cite",
        (
            Facts("Methods used here", lines),
            Code("BibTeX", "\n\n".join(entry.bibtex() for entry in found)),
        ),
    )


def _numbers(one: Part, *, anonymous: bool) -> dict[str, Any]:
    """Return all numbers of a result, for programs that read the page."""
    found = one.result.to_dict()
    if one.result.n > ISLAND_LABELS:
        found.pop("labels")
    if anonymous:
        found["data"]["name"] = "data"
        found["notes"], found["failures"] = [], []
    return found


def _plain(value: Any) -> str:
    if isinstance(value, float):
        return number(value, 4)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_plain(v)}" for key, v in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(_plain(v) for v in value)
    return text_of(value, 400)


def _holds(*, anonymous: bool) -> str:
    ids = "numbers in place of ids" if anonymous else "the ids of items"
    return (
        f"This file holds {ids}, their clusters, two coordinates of the items drawn, "
        "and statistics. It does not hold the data matrix. It loads nothing from the "
        "network."
    )
