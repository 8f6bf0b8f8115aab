"""What the rules of a consensus curve, and all measures, say of labelled real data.

Columns are standardised. No constant is chosen here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from stablek.api.choose_k import choose_k
from stablek.data import Dataset, from_arrays
from stablek.data.preparation import standardise_columns
from stablek.engine.execution.execute import Execution
from stablek.errors import StablekError
from stablek.measures import MEASURES
from stablek.paradigm.significance.votes import WORDS
from stablek_bench.journal import Memory
from stablek_bench.real_sets import RealSet, collection, load
from stablek_bench.spread import spread_in_order
from stablek_bench.wilson import Share

ALGORITHMS = ("hier-a", "kmeans-w")
REPEATS, K_MAX = 250, 15
#: Guesses that look at no curve.
GUESSES = (2, 3)


@dataclass(frozen=True)
class Said:
    """What somebody said of a set: a rule or a measure, with an algorithm."""

    name: str
    algorithm: str
    k: int | None
    ks: tuple[int, ...]
    classes: int


def fair_sets(folder: Path, items: int) -> list[RealSet]:
    """Return the sets whose classes can be seen, of at most so many items."""
    sets = collection(folder).values()
    return [one for one in sets if one.mark == "fair" and one.n <= items]


def small_sets(folder: Path, count: int) -> list[RealSet]:
    """Return the quickest sets whose classes can at least be seen in part.

    Of the sets of a group, which share samples, there is one. Quick are few items and
    few columns: some measures cluster a set once for every column.
    """
    found: dict[str, RealSet] = {}
    for one in sorted(collection(folder).values(), key=lambda one: one.n * one.m):
        if one.mark != "no" and one.m > 2:
            found.setdefault(one.group, one)
    return list(found.values())[:count]


def by_rules(folder: Path, one: RealSet) -> list[Said]:
    """Return the k of every rule of fc; one run per algorithm serves all of them."""
    data = _data(folder, one)
    ks = range(2, min(K_MAX, data.n // 2) + 1)
    said = []
    for algorithm in ALGORITHMS:
        journal = Memory()
        for word in WORDS:
            found = choose_k(data, "fc", algorithm, ks, repeats=REPEATS, rule=word,
                             journal=journal, jobs=1)  # fmt: skip
            said.append(Said(word, algorithm, found.k_star, found.ks, one.k))
        said += [Said(f"always {k}", algorithm, k, found.ks, one.k) for k in GUESSES]
    return said


def by_measures(folder: Path, one: RealSet) -> list[Said]:
    """Return the k of every measure, with its defaults; without those it cannot do."""
    data = _data(folder, one)
    said = []
    for name in MEASURES:
        for algorithm in ALGORITHMS if name != "composed" else ():
            try:
                found = choose_k(data, name, algorithm, jobs=1)
            except StablekError:
                continue  # it does not go with this algorithm, or the set is too small
            said.append(Said(name, algorithm, found.k_star, found.ks, one.k))
    return said


def _data(folder: Path, one: RealSet) -> Dataset:
    return standardise_columns(from_arrays(load(folder, one.name)[0], name=one.name))


def rules_table(folder: Path, items: int, how: Execution) -> list[dict[str, Any]]:
    """Return one row per rule word: exact and within one, by algorithm."""
    found = _asked(partial(by_rules, folder), fair_sets(folder, items), how)
    rows = []
    for name in dict.fromkeys(one.name for one in found):
        row: dict[str, Any] = {"rule": name}
        for algorithm in ALGORITHMS:
            own = [x for x in found if (x.name, x.algorithm) == (name, algorithm)]
            away = [abs((x.k or 1) - x.classes) for x in own]
            for title, most in (("exact", 0), ("within one", 1)):
                hits = sum(d <= most for d in away)
                row[f"{title}, {algorithm}"] = Share(hits, len(own))
        rows.append(row)
    return rows


def ends_table(folder: Path, count: int, how: Execution) -> list[dict[str, Any]]:
    """Return how often each measure answers an end of its range, most often first."""
    found = _asked(partial(by_measures, folder), small_sets(folder, count), how)
    rows = []
    for name in dict.fromkeys(one.name for one in found):
        own = [x for x in found if x.name == name]
        ends = {
            "smallest k": sum(x.k == x.ks[0] for x in own),
            "largest k": sum(x.k == x.ks[-1] for x in own),
            "no answer": sum(x.k is None or x.k < x.ks[0] for x in own),
        }
        shares = {title: Share(hits, len(own)) for title, hits in ends.items()}
        near = sum(x.k is not None and abs(x.k - x.classes) <= 1 for x in own)
        runs = str(len(own))
        rows.append({"measure": name, "runs": runs, **shares,
                     "within one of the classes": Share(near, len(own))})  # fmt: skip
    return sorted(
        rows, key=lambda row: -row["smallest k"].value - row["largest k"].value
    )


def _asked(ask: Any, sets: Sequence[RealSet], how: Execution) -> list[Said]:
    answers: Iterable[list[Said]] = spread_in_order(ask, sets, how)
    return [said for one in answers for said in one]
