"""What rules for a consensus curve say of the thesis's data sets, beside its eye.

The thesis reads Delta by eye and prints the k it saw. Here every rule of
:mod:`stablek_bench.rules` reads the FC curves (H = 250, 80 %) of the same data sets and
algorithms that a store holds, and is held against the printed k and against the number
of classes; and seeds are held against one another. No constant is chosen here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from stablek_bench.beyond import BEYOND
from stablek_bench.grid import TABLES, fast
from stablek_bench.reference import numbers_of_clusters, printed
from stablek_bench.rules import DEFAULT, RULES, Columns, Ks
from stablek_bench.run import Bench
from stablek_bench.seeds import SEEDS
from stablek_bench.store import Answer
from stablek_bench.tables import distance, mode
from stablek_bench.wilson import Share

#: The FC tables of the thesis: microarrays, Monti's sets, simulated sets.
FC_TABLES = ("FC-H250p80", "FC-Monti", "FCSim")


@dataclass(frozen=True)
class Seen:
    """The curves of one cell, what FC said, the k the thesis printed, the classes."""

    dataset: str
    algorithm: str
    ks: Ks
    columns: Columns
    k: int
    eye: tuple[int, ...]
    gold: int


def cells(bench: Bench) -> Iterator[Seen]:
    """Yield the curves of all cells of the FC tables that a store holds, by seed.

    Cells that have not all their seeds yet are passed over. Factorisation and PBM are
    left out: the first has one seed, the second is a simulated stand-in.
    """
    theirs = printed()
    for name in FC_TABLES:
        table = TABLES[name]
        for row, recipe in table.rows.items():
            for dataset in table.columns:
                loaded = bench.load(dataset)
                slow = recipe.algorithm.startswith("nmf") or dataset == "PBM"
                if slow or loaded is None:
                    continue
                eye = numbers_of_clusters(theirs.get((name, row, dataset)))
                answers = bench.answers(recipe, dataset)
                whole = len(answers) == len(bench.seeds(recipe, dataset))
                for answer in answers if whole else ():
                    facts = answer.facts or {}
                    if "columns" not in facts:
                        continue
                    columns = {
                        word: np.array(column, dtype=np.float64)
                        for word, column in facts["columns"].items()
                    }
                    yield Seen(dataset, recipe.algorithm, tuple(facts["ks"]), columns,
                               int(answer.k or 0), eye, loaded.gold)  # fmt: skip


def compare_with_eye(found: list[Seen]) -> list[dict[str, Any]]:
    """Return one row per rule: agreement with the printed k and with the classes.

    What a rule says of a cell is the mode over its seeds; the share of cells in which
    all seeds agree is told. The last row is the guess of somebody who knows the classes
    and looks at no curve.
    """
    groups: dict[tuple[str, str], list[Seen]] = {}
    for one in found:
        groups.setdefault((one.dataset, one.algorithm), []).append(one)
    firsts = [group[0] for group in groups.values()]
    rows = []
    for name, rule in RULES.items():
        said = [
            [one.k if name == DEFAULT else rule(one.ks, one.columns) for one in group]
            for group in groups.values()
        ]
        modes = [int(mode(ks)[0] or 0) for ks in said]
        alike = sum(len(set(ks)) == 1 for ks in said)
        row = _row(name, modes, firsts)
        rows.append({**row, "all seeds alike": Share(alike, len(said))})
    rows.sort(key=lambda row: -row["eye within one"].value)
    guess = _row("the number of classes", [one.gold for one in firsts], firsts)
    return [*rows, {**guess, "all seeds alike": Share(len(firsts), len(firsts))}]


def _row(name: str, said: list[int], found: list[Seen]) -> dict[str, Any]:
    eye = [distance(one.eye, k) for one, k in zip(found, said, strict=True) if one.eye]
    gold = [abs(k - one.gold) for one, k in zip(found, said, strict=True)]
    return {
        "rule": name,
        "eye exact": Share(sum(d == 0 for d in eye), len(eye)),
        "eye within one": Share(sum(d is not None and d <= 1 for d in eye), len(eye)),
        "classes exact": Share(sum(d == 0 for d in gold), len(gold)),
        "classes within one": Share(sum(d <= 1 for d in gold), len(gold)),
    }


def steadiness(bench: Bench) -> list[dict[str, Any]]:
    """Return in how many cells of FC all seeds agree: with 250 repeats, and by default.

    Only cells that have both, each with all its seeds, count.
    """
    settings = {"250": 250, "by default": None}
    both = [
        {word: bench.answers(fast(row, h), dataset) for word, h in settings.items()}
        for row, dataset in _cells()
    ]
    whole = [one for one in both if all(len(found) == SEEDS for found in one.values())]
    rows = []
    for word in settings if whole else ():
        found = [one[word] for one in whole]
        ks = [[answer.k for answer in answers] for answers in found]
        repeats = [(a.facts or {})["repeats"] for answers in found for a in answers]
        agree = [mode(one)[1] for one in ks]
        pairs = float(np.mean([np.mean(_others_alike(one)) for one in ks]))
        rows.append({
            "repeats": word,
            "mean": f"{np.mean(repeats):.0f}",
            "all seeds alike": Share(sum(n == SEEDS for n in agree), len(ks)),
            "at least nine of ten": Share(sum(n >= SEEDS - 1 for n in agree), len(ks)),
            "pairs of seeds alike": f"{100 * pairs:.0f} %",
        })  # fmt: skip
    return rows


def consensus_alike(bench: Bench) -> Share:
    """Return in how many cells all seeds of Consensus agree, with its own repeats."""
    table = BEYOND["Consensus-default"]
    found = [
        [one.k for one in bench.answers(recipe, dataset)]
        for recipe in table.rows.values()
        for dataset in table.columns
    ]
    whole = [ks for ks in found if len(ks) == SEEDS]
    return Share(sum(mode(ks)[1] == SEEDS for ks in whole), len(whole))


#: What "with other seeds" may say of a run's k, in bands.
BANDS = ((0.0, 0.5), (0.5, 0.95), (0.95, 1.01))


def forecast(bench: Bench) -> list[dict[str, Any]]:
    """Return how often real other seeds agree, beside what the runs said of them."""
    said: list[float] = []
    real: list[float] = []
    for row, dataset in _cells():
        answers = bench.answers(fast(row, None), dataset)
        if len(answers) == SEEDS:
            said += [_said(answer) for answer in answers]
            real += _others_alike([answer.k for answer in answers])
    rows = []
    for low, high in (*BANDS, (0.0, 1.01)):
        inside = [(s, r) for s, r in zip(said, real, strict=True) if low <= s < high]
        if inside:
            band = "all" if high - low > 1 else f"{low:.0%} to {min(high, 1):.0%}"
            means = np.mean(inside, axis=0)
            rows.append({
                "with other seeds": band,
                "runs": str(len(inside)),
                "said": f"{means[0]:.0%}",
                "found": f"{means[1]:.0%}",
            })  # fmt: skip
    return rows


def _cells() -> list[tuple[str, str]]:
    table = BEYOND["FC-default"]
    return [(row, dataset) for row in table.rows for dataset in table.columns]


def _others_alike(ks: list[int | None]) -> list[float]:
    """Return for every seed the share of the others that give its k."""
    return [(ks.count(k) - 1) / (len(ks) - 1) for k in ks]


def _said(answer: Answer) -> float:
    """Return the share of simulated other runs that choose the k of the answer."""
    counts = (answer.facts or {})["other_seeds"]
    return float(counts.get(str(answer.k), 0) / sum(counts.values()))
