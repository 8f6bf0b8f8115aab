"""How many repeats until other seeds give the same k, and does a run know?

    python bench/speed/other_seeds.py [--seed 70] [--data DIR] [--runs 10] [--sets 20]

Sets are simulated mixtures and, with --data, real sets of a collection (gold.tsv). FC
makes a pool of 500 repeats of each set for five algorithms. A run with another seed is
then a draw from this pool, so that ten runs of up to 4,000 repeats cost no clustering.
For each limit on the number of repeats:

- in how many cells all runs choose the same k, how many repeats they take, and how
  often their k is the number of clusters or classes, exactly and within one;
- what a run says of other seeds (the share of 40 simulated runs that choose its k),
  beside the share of the other runs that do.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from stablek.api.choose_k import choose_k
from stablek.data import from_arrays
from stablek.data.preparation import standardise_columns
from stablek.datasets.folder import matrix
from stablek.measures.consensus import COUNTS, WORK, fc
from stablek.paradigm.contracts import Curve, Facts
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.comembership import shares_together
from stablek.paradigm.statistic.continuation import weighted_areas
from stablek_bench.rules import sets

ALGORITHMS = ("hier-a", "hier-c", "hier-s", "kmeans-a", "kmeans-r")
POOL = 500
#: Counts at which a run looks, and repeats times items that it takes at most.
LIMITS = {
    "250": (COUNTS[:1], WORK),
    "1,000": (COUNTS[:3], WORK // 2),
    "4,000": (COUNTS, WORK),
}
BANDS = ((0.0, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1.01), (0.0, 1.01))


@dataclass(frozen=True)
class Cell:
    """The repeats of one set and algorithm, and its number of classes."""

    pool: PartitionCube
    asked: tuple[int, ...]
    k: int


def mixtures(seed: int) -> Iterator[tuple[np.ndarray, int]]:
    """Yield every third mixture of `bench rules` with this seed."""
    for place, (kind, made) in enumerate(sets(range(seed, seed + 1))):
        if kind == "mixture" and place % 3 == 0:
            yield made.values, made.k


def real_sets(folder: Path, count: int) -> Iterator[tuple[np.ndarray, int]]:
    """Yield every second of the smallest sets of a collection, standardised."""
    with (folder / "gold.tsv").open(encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text, delimiter="\t"))
    rows.sort(key=lambda row: int(row["n"]) ** 2 * int(row["m"]))
    fair = [row for row in rows[::2] if row["fair"] != "no" and int(row["n"]) >= 25]
    for row in fair[:count]:
        values = np.asarray(matrix(folder / f"{row['name']}.tsv.gz")[2], float)
        if np.isfinite(values).all():
            scaled = standardise_columns(from_arrays(values)).values
            yield np.asarray(scaled), int(row["K"])


def cells(made: Iterator[tuple[np.ndarray, int]]) -> Iterator[Cell]:
    """Yield a pool for every set and algorithm."""
    for values, k in made:
        ks = range(2, min(30, int(np.ceil(0.8 * len(values))) - 1) + 1)
        for algorithm in ALGORITHMS:
            run = choose_k(values, "fc", algorithm, ks, repeats=POOL, jobs=1)
            assert run.cube is not None
            yield Cell(run.cube, tuple(ks), k)


def one_run(cell: Cell, counts: tuple[int, ...], work: int, seed: int) -> tuple:
    """Return k, the repeats, and the share that the run says of other seeds."""
    pool, measure = cell.pool, fc()
    stop = replace(measure.stop, counts=counts, work=work)
    bearable = [c for c in counts if c == counts[0] or c * pool.n <= work]
    drawn = np.random.default_rng(seed).integers(0, POOL, bearable[-1])
    whole = PartitionCube(bearable[-1], pool.ks, 1, pool.n)
    whole.labels[:], whole.filled[:] = pool.labels[drawn], True
    for count in bearable:
        cube = whole.first(count)
        if count == bearable[-1] or stop.enough(cube, cell.asked):
            break
    shares = shares_together(cube)
    area = weighted_areas(shares, np.ones((1, count)))[0]
    facts = Facts(pool.n, 0, pool.ks, cell.asked, count)
    curve = Curve(pool.ks, {"area": area}, "area", shares=shares)
    k = measure.significance(curve, None, facts).k_star
    others = stop.other_runs(cube, facts)
    return k, count, others.get(k, 0) / sum(others.values())


def report(name: str, found: Iterator[Cell], runs: int) -> None:
    """Print agreement, cost, precision and forecast for every limit."""
    tables: dict[str, list] = {limit: [] for limit in LIMITS}
    truth = []
    for cell in found:
        truth.append([cell.k])
        for limit, how in LIMITS.items():
            tables[limit].append([one_run(cell, *how, seed) for seed in range(runs)])
    print(f"{name}: {len(truth)} cells, {runs} runs each")
    for limit, rows in tables.items():
        ks, repeats, said = np.moveaxis(np.array(rows), 2, 0)
        off = np.abs(ks - truth)
        same = (ks[:, :, None] == ks[:, None]).sum(axis=2) - 1
        true = same / (runs - 1)
        print(
            f"  up to {limit:>5}: alike {(same == runs - 1).all(axis=1).mean():.1%}, "
            f"mean repeats {repeats.mean():.0f}, exact {(off == 0).mean():.1%}, "
            f"within one {(off <= 1).mean():.1%}"
        )
        for low, high in BANDS:
            some = (said >= low) & (said < high)
            if some.any():
                print(
                    f"      {low:4.0%} to {min(high, 1):4.0%}: {some.sum():5} runs, "
                    f"said {said[some].mean():.0%}, found {true[some].mean():.0%}",
                    flush=True,
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=70)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--sets", type=int, default=20)
    given = parser.parse_args()
    report("mixtures", cells(mixtures(given.seed)), given.runs)
    if given.data:
        report("real sets", cells(real_sets(given.data, given.sets)), given.runs)


if __name__ == "__main__":
    main()
