"""What rules for a consensus curve say of the thesis's data sets, beside its eye.

The thesis reads Delta by eye and prints the k it saw. Here every rule of
:mod:`stablek_bench.rules` reads the FC curves (H = 250, 80 %) of the same data sets and
algorithms, as far as the data are at hand, and is held against the printed k and
against the number of classes. No constant is chosen here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from stablek.api.choose_k import choose_k
from stablek.data.seeds import stream
from stablek.paradigm.contracts import Facts
from stablek.paradigm.significance.curve import AreaSettles
from stablek.paradigm.statistic.continuation import weighted_areas
from stablek_bench.grid import TABLES
from stablek_bench.passes import range_of
from stablek_bench.reference import numbers_of_clusters, printed
from stablek_bench.rules import RULES, Columns, Ks, with_shares
from stablek_bench.sources import SOURCES, Loaded, load_source
from stablek_bench.tables import distance, mode
from stablek_bench.wilson import Share

#: The FC tables of the thesis: microarrays, Monti's sets, simulated sets.
FC_TABLES = ("FC-H250p80", "FC-Monti", "FCSim")


@dataclass(frozen=True)
class Seen:
    """The curves of one cell, the k the thesis printed for it, and the classes."""

    dataset: str
    algorithm: str
    ks: Ks
    columns: Columns
    eye: tuple[int, ...]
    gold: int
    seed: int = 0


def cells(
    folder: str | None,
    algorithms: tuple[str, ...] = (),
    jobs: int = 0,
    seeds: range = range(1),
) -> Iterator[Seen]:
    """Yield the curves of all cells of the FC tables whose data are at hand, by seed.

    Factorisation and PBM are left out: the first for its time, the second because only
    a simulated stand-in exists.
    """
    theirs = printed()
    loaded: dict[str, Loaded | None] = {}
    for name in FC_TABLES:
        table = TABLES[name]
        for row, recipe in table.rows.items():
            for dataset in table.columns:
                word = recipe.algorithm
                if word.startswith("nmf") or dataset == "PBM":
                    continue
                if algorithms and word not in algorithms:
                    continue
                if dataset not in loaded:
                    loaded[dataset] = load_source(SOURCES[dataset], folder)
                one = loaded[dataset]
                if one is None:
                    continue
                eye = numbers_of_clusters(theirs.get((name, row, dataset)))
                for seed in seeds:
                    found = choose_k(
                        one.data, "fc", word, range_of(recipe, one),
                        seed=seed, jobs=jobs, repeats=250,
                    )  # fmt: skip
                    columns = with_shares(found)
                    yield Seen(dataset, word, found.ks, columns, eye, one.gold, seed)


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
        said = [[rule(one.ks, one.columns) for one in g] for g in groups.values()]
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


#: Numbers of repeats at which steadiness is told.
REPEATS = (250, 1000, 4000, 16_000)


def steadiness(found: list[Seen], runs: int = 10) -> list[dict[str, Any]]:
    """Return how often runs of so many repeats agree, by one reading of the area.

    The repeats of a cell's seeds are pooled; a run draws as many as it has from them.
    """
    groups: dict[tuple[str, str], list[Seen]] = {}
    for one in found:
        groups.setdefault((one.dataset, one.algorithm), []).append(one)
    rule = AreaSettles()
    rows = []
    for repeats in REPEATS:
        alike, pairs = 0, 0.0
        for place, group in enumerate(groups.values()):
            ks = group[0].ks
            shares = np.vstack([one.columns["shares"] for one in group])
            rng = stream(0, "steadiness", repeats, place)
            even = np.full(len(shares), 1 / len(shares))
            weights = rng.multinomial(repeats, even, size=runs).astype(np.float64)
            facts = Facts(rule.crowd * ks[-1], 0, ks, ks)
            chosen = rule.choices(weighted_areas(shares, weights), ks, facts)
            counts = np.unique(chosen, return_counts=True)[1]
            alike += len(counts) == 1
            pairs += float((counts * (counts - 1)).sum()) / (runs * (runs - 1))
        rows.append({"repeats": repeats, "all runs alike": Share(alike, len(groups)),
                     "pairs alike": f"{100 * pairs / len(groups):.0f} %"})  # fmt: skip
    return rows
