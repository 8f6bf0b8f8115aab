"""The data of the page "Reproduction", and how near they are to the thesis's."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median

from stablek_bench.beyond import BEYOND
from stablek_bench.cost import seconds
from stablek_bench.grid import TABLES, Recipe
from stablek_bench.markdown import markdown
from stablek_bench.run import Bench, bearable
from stablek_bench.tables import duration

FINGERPRINTS = """\
The thesis prints Adjusted Rand indices with six digits. We cut our trees at the k that
the thesis prints. If the index has the same digits, the values are the thesis's. Each
different printed index of a set and a hierarchical algorithm is one fingerprint. For
consensus matrices it is enough that one of five seeds matches. CNS Rat cannot be
tested, because its six classes are missing. An index of 1, of 0 or of a single item
split off proves little, so sets that match only such values are "near".
"""


def data_table(bench: Bench) -> str:
    """Return which files stand for the data sets, as a Markdown table."""
    lines = [["thesis", "here", "n x m", "gold k", "how close"]]
    for name, source in bench.sources.items():
        loaded = bench.load(name)
        close = f"{source.close}; {source.note}" if source.note else source.close
        if loaded is None:
            lines.append([name, "-", "-", str(source.gold), close])
        else:
            data = loaded.data
            size = f"{data.n} x {data.m}"
            lines.append([name, data.name, size, str(loaded.gold), close])
    return markdown(lines)


def wanted_cells(bench: Bench) -> Iterator[tuple[Recipe, str]]:
    """Yield the distinct cells that are run at all, those of the thesis first."""
    seen = set()
    for table in {**TABLES, **BEYOND}.values():
        for recipe in table.rows.values():
            for dataset in table.columns:
                cell = (recipe, dataset)
                if cell in seen or not bearable(*cell) or bench.load(dataset) is None:
                    continue
                seen.add(cell)
                yield cell


@dataclass
class Work:
    """The cells of one pass: how many seeds are wanted, and seconds of those run.

    ``expected`` are the seconds that :mod:`.cost` counts for one run.
    """

    expected: float
    seeds: int
    took: list[list[float]] = field(default_factory=list)

    @property
    def missing(self) -> int:
        """How many runs of the pass are missing."""
        return self.seeds - min(map(len, self.took))

    @property
    def seconds(self) -> float | None:
        """What one run takes: its longest cell, as cells share their work."""
        known = [min(one) for one in self.took if one]
        return max(known) if known else None


def run_table(bench: Bench, how: str) -> str:
    """Say how many cells and runs are there, and what the missing ones would cost."""
    groups: dict[str, dict[tuple[object, ...], Work]] = {}
    printed = {
        (recipe.key, dataset)
        for table in TABLES.values()
        for recipe in table.rows.values()
        for dataset in table.columns
    }
    own = [0, 0]
    for recipe, dataset in wanted_cells(bench):
        loaded = bench.load(dataset)
        assert loaded is not None  # wanted_cells leaves out what is absent
        passes = groups.setdefault(_kind(recipe), {})
        new = Work(0.0, len(bench.seeds(recipe, dataset)))
        one = passes.setdefault((recipe.family, dataset), new)
        one.expected = max(one.expected, seconds([recipe], loaded))
        one.took.append([a.seconds for a in bench.answers(recipe, dataset)])
        if (recipe.key, dataset) in printed:
            own[0] += bool(one.took[-1])
            own[1] += 1
    lines = [["measure", "cells run", "runs (seeds)", "the rest, about"]]
    done = possible = 0
    for name, passes in groups.items():
        cells = [(one.seeds, took) for one in passes.values() for took in one.took]
        there = sum(bool(took) for _, took in cells)
        runs, wanted = sum(len(t) for _, t in cells), sum(s for s, _ in cells)
        left = rest(list(passes.values()))
        lines.append([name, f"{there} of {len(cells)}", f"{runs} of {wanted}", left])
        done, possible = done + there, possible + len(cells)
    told = f"This page is complete: all {possible} cells have been run."
    if done < possible:
        told = (
            f"**This page is partial**: {done} of {possible} cells have been run, "
            f"{own[0]} of the {own[1]} in the thesis's own tables. The same command "
            "continues where the last one stopped, with the cheapest cells."
        )
    return (
        f"{told} {how}\n\nThe last column is the time of the missing runs on one "
        "core. It is estimated from the number of clusterings and from runs of the "
        "same measure that cost about as much. It is rough.\n\n" + markdown(lines)
    )


def _kind(recipe: Recipe) -> str:
    """Return the line of the table that a cell belongs to."""
    name = recipe.measure if recipe.what == "choose" else recipe.what
    if not recipe.algorithm.startswith("nmf"):
        return name
    return f"{name}, NMF" + (" (Brunet)" if "brunet" in recipe.algorithm else " (HALS)")


def rest(passes: list[Work]) -> str:
    """Return what the missing runs would take; "-" if there are none."""
    total = 0.0
    for one in passes:
        known = [
            (abs(math.log(other.expected / one.expected)), took / other.expected)
            for other in passes
            if (took := other.seconds) is not None
        ]
        nearest = min(known, default=(0.0, 1.0))[0]
        rates = [rate for away, rate in known if away <= nearest]
        total += one.missing * one.expected * (median(rates) if rates else 1.0)
    return duration(total) if total else "-"


def fingerprints_table(bench: Bench) -> str:
    """Return how many printed indices the values we use match, and others would."""
    table = BEYOND["fingerprints"]
    lines = [["set", "preparation in use", "matched", "which", "others, at most"]]
    for dataset in table.columns:
        own = bench.sources[dataset].preparation
        answers = {name: bench.answer(r, dataset) for name, r in table.rows.items()}
        mine = answers.get(own)
        facts = (mine.facts if mine else None) or {}
        if mine is None or mine.k is None or "of" not in facts:
            continue
        others = {n: a.k for n, a in answers.items() if a and a.k is not None}
        others.pop(own)
        best = max(others.values(), default=0)
        names = [n for n, k in others.items() if k == best]
        told = f"{best} by {len(others)} other{'s' * (len(others) > 1)}"
        if best and len(names) < 3:
            told += f" ({', '.join(names)})"
        told = told if others else "no other tried yet"
        lines.append([dataset, own, f"{mine.k} of {facts['of']}",
                      ", ".join(facts["which"]) or "-", told])  # fmt: skip
    if len(lines) == 1:
        return "Not computed yet."
    return FINGERPRINTS + "\n" + markdown(lines)
