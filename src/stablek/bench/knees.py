"""Which rule reads a knee best: a comparison that chooses and one that only reports.

Rules and their constants are chosen on simulated curves and simulated data alone. The
thesis's tables, which say what the eye saw on real data, are reported and never used.
Run with ``python -m stablek.bench.knees [--data DIR --tables CSV]``; it prints the
tables of docs/knees.md.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.contracts import Column
from stablek.seeds import stream
from stablek.significance.knee import KNEES, Found, drop_ratio

Rule = Callable[[Column, Column, int], Found]

K_MAX = 30

#: Numbers of clusters and of columns of the simulated data.
SHAPES = ((2, 10), (3, 4), (4, 10), (6, 10), (8, 20), (3, 100), (6, 100))

#: Windows and floors of ``drop-ratio`` that were tried, on the choosing half only.
WINDOWS = (1, 2, 3, 5)
FLOORS = (0.005, 0.01, 0.02, 0.03, 0.05)

#: What the rule of each measure is chosen on, all kinds weighing alike. The curves
#: follow the theory of WCSS; an adjusted FOM curve may rise again, and no theory of it
#: is at hand, so its rule is chosen on simulated data only.
CHOSEN_ON = {"wcss": ("curves", "wcss"), "fom": ("fom",)}
KINDS = ("curves", "wcss", "fom")

#: Thesis data set, and the file that comes nearest to it (see the data's README).
FILES = {
    "CNS Rat": "cns_rat_std",
    "Leukemia": "leukemia",
    "NCI60": "nci60",
    "Lymphoma": "lymphoma_80x50",
    "Yeast": "yeast",
}

#: Rows of the thesis's tables, with the algorithm and the refresh step they stand for.
ROWS = {
    **{f"Hier-{x.upper()}": (f"hier-{x}", None) for x in "acs"},
    **{f"K-means-{x.upper()}": (f"kmeans-{x}", None) for x in "racs"},
    **{f"R-R{r}": ("kmeans-r", r) for r in (0, 2, 5)},
}


@dataclass(frozen=True)
class Known:
    """A curve whose knee is known: abscissae, values, number of items, the knee."""

    kind: str
    ks: tuple[int, ...]
    values: Column
    n: int
    knee: int


def simulated_curves(seeds: Iterable[int]) -> Iterator[Known]:
    """Return curves that follow the theory of K-means with a knee put in.

    log W(k) = -(2/d) log k - sum of g_j up to min(k, knee) + noise: items spread evenly
    over d dimensions, plus gains g_j of finding the j-th cluster, largest first. d is
    2, 5 or 20, the gains add up to 1, 2 or 3, the noise is 0.005 or 0.02 per step.
    """
    ks = tuple(range(1, K_MAX + 1))
    x = np.asarray(ks, float)
    for seed in seeds:
        for knee in range(2, 11):
            for d in (2, 5, 20):
                for total in (1.0, 2.0, 3.0):
                    rng = stream(seed, "knee curve", knee, d, int(total))
                    gains = np.sort(rng.dirichlet(np.full(knee - 1, 4.0)))[::-1]
                    fall = np.zeros(K_MAX)
                    fall[1:knee] = total * gains
                    noise = rng.normal(0, rng.choice([0.005, 0.02]), K_MAX)
                    logs = -2 / d * np.log(x) - np.cumsum(fall) + noise
                    yield Known("curves", ks, np.exp(logs), 200, knee)


def simulated_data(
    seeds: Iterable[int], algorithms: Sequence[str] = ("hier-a", "kmeans-r", "kmeans-c")
) -> Iterator[Known]:
    """Return WCSS and FOM curves of mixtures with a known number of clusters."""
    from stablek.choose import choose_k
    from stablek.datasets.mixtures import MIXTURES, mixture

    for seed in seeds:
        for flavour in sorted(MIXTURES):
            for k, m in SHAPES:
                if flavour == "two-level" and (k % 2 or k < 4):
                    continue
                # Every seed sees both overlaps and two sizes, in turn; expression data
                # have few items and many columns.
                turn = seed + k
                n, smallest = ((None, 20), (75 * k, 60))[turn // 2 % 2]
                if m >= 100:
                    n, smallest = 10 * k + 10, 6
                made = mixture(
                    flavour,
                    k,
                    m,
                    seed,
                    bayes_error=(0.01, 0.05)[turn % 2],
                    smallest=smallest,
                    n=n,
                )
                for algorithm in algorithms:
                    for name in ("wcss", "fom"):
                        first = 1 if name == "wcss" else 2
                        found = choose_k(
                            made.values,
                            name,
                            algorithm,
                            range(first, min(K_MAX, len(made.values) - 1) + 1),
                            seed=seed,
                            starts=2 if name == "fom" else 5,
                        )
                        yield Known(
                            name, found.ks, found.columns[name], len(made.values), k
                        )


def read(rule: Rule, ks: Sequence[int], values: Column, n: int) -> int | None:
    """Return the k at which a rule sees the knee."""
    place = rule(np.asarray(ks, float), np.asarray(values, float), n)[1]
    return None if place is None else ks[place]


def scores(curves: Sequence[Known], rules: Mapping[str, Rule]) -> dict[str, Any]:
    """Return, per rule: share exact, share within one, mean distance (at most 10)."""
    table = {}
    for name, rule in rules.items():
        found = [read(rule, c.ks, c.values, c.n) for c in curves]
        off = np.array(
            [
                10 if k is None else min(10, abs(k - c.knee))
                for k, c in zip(found, curves, strict=True)
            ]
        )
        table[name] = summary(off)
    return table


def summary(off: NDArray[Any]) -> tuple[float, float, float]:
    """Return the share exact, the share within one, and the mean distance."""
    return float((off == 0).mean()), float((off <= 1).mean()), float(off.mean())


def overall(
    curves: Sequence[Known], rules: Mapping[str, Rule], measure: str
) -> dict[str, float]:
    """Return the share exact of each rule, the kinds that count weighing alike."""
    parts = [
        scores([c for c in curves if c.kind == kind], rules)
        for kind in CHOSEN_ON[measure]
    ]
    return {name: float(np.mean([part[name][0] for part in parts])) for name in rules}


def choose_constants(curves: Sequence[Known]) -> tuple[int, float]:
    """Return the window and floor of ``drop-ratio`` that are exact most often."""
    pairs = [(window, least) for window in WINDOWS for least in FLOORS]
    rules: dict[str, Rule] = {
        str(pair): partial(drop_ratio, window=pair[0], least=pair[1]) for pair in pairs
    }
    found = overall(curves, rules, "wcss")
    return max(pairs, key=lambda pair: found[str(pair)])


def cell(text: str) -> set[int]:
    """Return the ks of a cell of the thesis: "3 or 4" is {3, 4}, "-" is empty."""
    return {int(number) for number in re.findall(r"\d+", text)}


def thesis_cells(tables: Path, label: str) -> dict[tuple[str, str], set[int]]:
    """Return what the eye saw, by row and data set, of one table."""
    with tables.open(newline="") as lines:
        return {
            (row["row"], row["dataset"]): cell(row["value"])
            for row in csv.DictReader(lines)
            if row["table"] == label
        }


def real_curves(
    data: Path, tables: Path
) -> Iterator[tuple[str, str, str, Known, set[int], int]]:
    """Return curves on real data with what the eye saw there, and the gold number."""
    from stablek.choose import choose_k
    from stablek.datasets.folder import load_folder

    for measure, label in (("wcss", "WCSSapp"), ("fom", "FOMapp")):
        seen = thesis_cells(tables, label)
        for (row, dataset), eye in seen.items():
            if row not in ROWS or dataset not in FILES or not eye:
                continue
            algorithm, refresh = ROWS[row]
            name = measure if refresh is None else f"{measure}-r"
            settings: dict[str, Any] = {} if refresh is None else {"refresh": refresh}
            made = load_folder(FILES[dataset], data)
            top = min(K_MAX, len(made.values) - 1)
            settings["starts"] = 1 if measure == "fom" else 5
            ks = range(2, top + 1)
            found = choose_k(made.values, name, algorithm, ks, **settings)
            gold = min(seen["Gold solution", dataset])
            n = len(made.values)
            curve = Known(measure, found.ks, found.columns[measure], n, gold)
            yield row, dataset, measure, curve, eye, gold


def report(title: str, table: Mapping[str, Any]) -> None:
    """Print scores as a table, best first."""
    print(f"\n{title}\n\n| rule | exact | within 1 | mean distance |")
    print("|---|---|---|---|")
    for name, (exact, near, off) in sorted(table.items(), key=lambda row: -row[1][0]):
        print(f"| {name} | {exact:.0%} | {near:.0%} | {off:.2f} |")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--data", type=Path, help="folder of real data")
    parser.add_argument("--tables", type=Path, help="thesis_tables.csv")
    parser.add_argument("--seeds", type=int, default=4, help="seeds per half")
    given = parser.parse_args(arguments)
    halves = [range(given.seeds), range(given.seeds, 2 * given.seeds)]
    choosing, testing = (
        [*simulated_curves(half), *simulated_data(half)] for half in halves
    )
    window, least = choose_constants(choosing)
    print(f"drop-ratio: window {window}, floor {least:g}, on {len(choosing)} curves")
    rules: dict[str, Rule] = {
        **KNEES, "drop-ratio": partial(drop_ratio, window=window, least=least)
    }  # fmt: skip
    for half, curves in (("choosing", choosing), ("testing", testing)):
        for measure in CHOSEN_ON:
            share = overall(curves, rules, measure)
            best = sorted(share, key=lambda name: -share[name])
            shown = ", ".join(f"{name} {share[name]:.0%}" for name in best)
            print(f"\n{half} half, for {measure}: {shown}")
        for kind in KINDS:
            some = [curve for curve in curves if curve.kind == kind]
            report(f"{kind}, {half} half ({len(some)})", scores(some, rules))
    if not given.data or not given.tables:
        return
    eye: dict[tuple[str, str], list[float]] = defaultdict(list)
    gold: dict[tuple[str, str], list[float]] = defaultdict(list)
    for _, _, measure, curve, saw, k in real_curves(given.data, given.tables):
        for name, rule in rules.items():
            found = read(rule, curve.ks, curve.values, curve.n)
            eye[measure, name].append(
                10 if found is None else min(10, min(abs(found - s) for s in saw))
            )
            gold[measure, name].append(10 if found is None else min(10, abs(found - k)))
    for what, table in (("the eye", eye), ("the gold number", gold)):
        for measure in ("wcss", "fom"):
            found_by = {
                name: summary(np.asarray(off))
                for (m, name), off in table.items()
                if m == measure
            }
            count = len(table[measure, "chord"])
            report(f"{measure} on real data against {what} ({count} cells)", found_by)


if __name__ == "__main__":
    main()
