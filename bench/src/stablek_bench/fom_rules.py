"""Which rule reads FOM: on simulations and on the real collection, in folds by group.

Sets of one group share samples; a group is in one fold. In every fold the rule is
chosen on the others and on the simulations, and what it is worth is said on the fold.
"""

from __future__ import annotations

import csv
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stablek.datasets.folder import matrix
from stablek.paradigm.contracts import Column
from stablek.paradigm.significance.knee import KNEES
from stablek_bench.wilson import Share

FOLDS = 5
#: Larger sets take too long: FOM clusters them once for every column.
MOST_PAIRS = 6e7  # n * n * m
MOST_CELLS = 1e7  # n * m * m
K_MAX = 20
ALGORITHMS = ("hier-a", "kmeans-c")
#: Distances from the true k count as no more.
FAR = 10


@dataclass(frozen=True)
class Known:
    """The FOM curve of a set whose number of classes is known; ``group`` "": made."""

    name: str
    group: str
    algorithm: str
    ks: tuple[int, ...]
    values: Column
    n: int
    k: int

    def answer(self, rule: str) -> int:
        """Return the k of a rule or of a constant; the smallest where it has none."""
        if rule.startswith("always "):
            return int(rule.removeprefix("always "))
        x = np.asarray(self.ks, dtype=np.float64)
        place = KNEES[rule](x, self.values, self.n)[1]
        return self.ks[0 if place is None else place]


def real_curves(folder: Path) -> Iterator[Known]:
    """Yield the curves of a collection: ``gold.tsv`` and ``stats.tsv`` beside it."""
    groups = {row["name"]: row["group"] for row in _table(folder / "stats.tsv")}
    for row in _table(folder / "gold.tsv"):
        n, m = int(row["n"]), int(row["m"])
        if m < 3 or n * n * m > MOST_PAIRS or n * m * m > MOST_CELLS:
            continue
        values = matrix(folder / f"{row['name']}.tsv.gz")[2]
        for algorithm in ALGORITHMS:
            curve = _curve(values, algorithm)
            yield Known(row["name"], groups[row["name"]], algorithm, *curve, n,
                        int(row["K"]))  # fmt: skip


def simulated_curves(seeds: range) -> Iterator[Known]:
    """Yield the curves of the mixtures that `bench rules` has, of three columns up."""
    from stablek_bench.rules import sets

    for number, (kind, made) in enumerate(sets(seeds)):
        if kind == "mixture" and made.values.shape[1] > 2:
            for algorithm in ALGORITHMS:
                curve = _curve(made.values, algorithm)
                yield Known(str(number), "", algorithm, *curve, len(made.values),
                            made.k)  # fmt: skip


def _table(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text, delimiter="\t"))


def _curve(values: Any, algorithm: str) -> tuple[tuple[int, ...], Column]:
    from stablek.api.choose_k import choose_k

    last = min(K_MAX, len(values) - 2)
    found = choose_k(values, "fom", algorithm, range(2, last + 1), jobs=1)
    return found.ks, found.columns["fom"]


def fold_of(group: str) -> int:
    """Return the fold of a group: by its name alone.

    Examples
    --------
    >>> fold_of("iris") == fold_of("iris"), 0 <= fold_of("wine") < FOLDS
    (True, True)
    """
    return zlib.crc32(group.encode()) % FOLDS


def chosen(known: Sequence[Known]) -> str:
    """Return the rule with the least mean distance from the true k.

    Simulated and real sets weigh alike, whatever their numbers.
    """
    parts = [
        part
        for part in ([x for x in known if x.group], [x for x in known if not x.group])
        if part
    ]
    return min(KNEES, key=lambda rule: sum(_distance(rule, part) for part in parts))


def _distance(rule: str, known: Sequence[Known]) -> float:
    return float(np.mean([min(FAR, abs(one.answer(rule) - one.k)) for one in known]))


def table(known: Sequence[Known]) -> list[dict[str, Any]]:
    """Return a row per rule on the real sets, and one for the choice in folds."""
    real = [one for one in known if one.group]
    rows = [_row(rule, real, dict.fromkeys(range(FOLDS), rule)) for rule in KNEES]
    rows.sort(key=lambda row: float(row["mean distance"]))
    picks = {
        fold: chosen([x for x in known if not x.group or fold_of(x.group) != fold])
        for fold in range(FOLDS)
    }
    said = ", ".join(dict.fromkeys(picks.values()))
    inside = _row(f"chosen in folds: {said}", real, picks)
    guesses = [
        _row(f"always {k}", real, dict.fromkeys(range(FOLDS), f"always {k}"))
        for k in (2, 3)
    ]
    return [inside, *rows, *guesses]


def page(known: Sequence[Known]) -> str:
    """Return docs/fom_rules.md."""
    from stablek_bench.markdown import markdown, template

    rows = table(known)
    real = [one for one in known if one.group]
    lines = [list(rows[0]), *([str(v) for v in row.values()] for row in rows)]
    return template("fom_rules.md").render(
        curves=len(real),
        sets=len({one.name for one in real}),
        groups=len({one.group for one in real}),
        algorithms=" and ".join(ALGORITHMS),
        k_max=K_MAX,
        made=len(known) - len(real),
        far=FAR,
        folds=FOLDS,
        table=markdown(lines),
    )


def _row(name: str, known: Sequence[Known], picks: Mapping[int, str]) -> dict[str, Any]:
    """Return how a rule does; ``picks`` name it for every fold."""
    away = [(one.answer(picks[fold_of(one.group)]), one) for one in known]
    count = len(away)
    return {
        "rule": name,
        "exact": Share(sum(k == one.k for k, one in away), count),
        "within one": Share(sum(abs(k - one.k) <= 1 for k, one in away), count),
        "mean distance":
            f"{np.mean([min(FAR, abs(k - one.k)) for k, one in away]):.2f}",
        "smallest k": Share(sum(k == one.ks[0] for k, one in away), count),
        "largest k": Share(sum(k == one.ks[-1] for k, one in away), count),
    }  # fmt: skip
