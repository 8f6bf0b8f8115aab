"""Where the time goes, beside a lower bound for each part.

    python bench/speed/time_profile.py [--write]        (--write makes docs/profile.md)

One process, one thread. A profiler adds up the time spent in each kernel; what is left
is Python and NumPy. The lower bound of a part is the larger of two times: its
floating-point (or word) operations at the speed of a matrix product, and the bytes that
it must at least read or write at the speed of a copy, both measured here first.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
from sizes import SIZES, values_of
from threadpoolctl import threadpool_limits
from verdict_profile import BEGIN, END
from verdict_profile import table as verdict_table

from stablek import choose_k
from stablek.data import from_arrays
from stablek.kernels.lloyd import lloyd_from_rows

PARTS = {
    "distances": "distances",
    "chains": "linkage",
    "few": "linkage",
    "linkage": "linkage",
    "draws": "cuts",
    "cuts": "cuts",
    "lloyd": "K-means",
    "nearest": "K-means",
    "centroids": "K-means",
    "comembership": "pairs",
    "bitplanes": "pairs",
    "histogram": "pairs",
    "cells": "pairs",
    "dispersion": "dispersion",
    "contingency": "agreement",
}
#: Measure, algorithm, settings (few repeats: every part but the distances of the data
#: grows in proportion), and how many clusterings of which share of the items they make.
RUNS = {
    "fc, hier-a": ("fc", "hier-a", {"repeats": 25}),
    "fc, kmeans-r": ("fc", "kmeans-r", {"repeats": 5}),
    "gap-ps, hier-a": ("gap-ps", "hier-a", {"null_sets": 3}),
    "fom, hier-a": ("fom", "hier-a", {}),
    "clest, hier-a": ("clest", "hier-a", {"repeats": 2, "null_sets": 1}),
}
KS = range(2, 31)


def rates() -> tuple[float, float]:
    """Return operations and bytes per second of one thread."""
    a = np.random.default_rng(0).normal(size=(1000, 1000))
    source, target = np.ones(2**25), np.zeros(2**25)
    product, copy = np.inf, np.inf
    for _ in range(5):
        began = time.perf_counter()
        a @ a
        product = min(product, time.perf_counter() - began)
        began = time.perf_counter()
        np.copyto(target, source)
        copy = min(copy, time.perf_counter() - began)
    return 2e9 / product, 2 * source.nbytes / copy


def measured(name: str, values: np.ndarray) -> dict[str, float]:
    """Return the seconds of each part."""
    measure, algorithm, settings = RUNS[name]
    low = 1 if measure.startswith("gap") else 2
    # Clest clusters a third of the items, and k must be smaller than that.
    high = min(30, len(values) // 3 - 1) if measure == "clest" else 30

    def work() -> None:
        data = from_arrays(values)
        choose_k(
            data, measure, algorithm, range(low, high + 1), backend="serial", **settings
        )  # fmt: skip

    choose_k(
        values[:57, :20], measure, algorithm, range(low, 6), backend="serial",
        **settings,
    )  # fmt: skip
    profile = cProfile.Profile()
    profile.runcall(work)
    parts: dict[str, float] = defaultdict(float)
    for (file, _, _), (_, _, own, _, _) in pstats.Stats(profile).stats.items():
        kernel = Path(file).parent.name == "kernels"
        parts[PARTS.get(Path(file).stem, "rest") if kernel else "rest"] += own
    return parts


def bounds(name: str, values: np.ndarray) -> dict[str, tuple[float, float]]:
    """Return the operations and the bytes of each part, at the least."""
    n, m = values.shape
    drawn = int(np.ceil(0.8 * n))
    ks = len(KS) + 1

    def distances(items: int) -> tuple[float, float]:
        return 3 * m * items * (items - 1) / 2, 8.0 * items * items

    def linkage(items: int) -> tuple[float, float]:  # every distance is read once
        return items * (items - 1) / 2, 8 * items * (items - 1) / 2

    def times(count: int, cost: tuple[float, float]) -> tuple[float, float]:
        return count * cost[0], count * cost[1]

    pairs = n * (n - 1) / 2 * ks
    if name == "fc, hier-a":
        return {
            "distances": distances(n),
            "linkage": times(25, linkage(drawn)),
            "pairs": (8 * pairs, 0.0),  # one word of five planes, two counts
        }
    if name == "fc, kmeans-r":
        rng = np.random.default_rng(0)
        rows = np.concatenate([rng.permutation(drawn)[:k] for k in range(2, 32)])
        counts = np.arange(2, 32)
        rounds = lloyd_from_rows(values[:drawn], rows, counts)[2]
        products = 2.0 * drawn * m * float((rounds * counts).sum())
        return {"K-means": (5 * products, 0.0), "pairs": (8 * pairs, 0.0)}
    if name == "gap-ps, hier-a":
        return {
            "distances": times(4, distances(n)),
            "linkage": times(4, linkage(n)),
            "dispersion": (4.0 * 2 * n * m, 4.0 * 8 * n * m),
        }
    if name == "fom, hier-a":
        return {
            "distances": (3.0 * m * n * n, 16.0 * m * n * n),
            "linkage": times(m, linkage(n)),
            "dispersion": (3.0 * n * m * ks, 0.0),
        }
    learn, rest = n * 2 // 3, n - n * 2 // 3
    each = (linkage(learn)[0] + linkage(rest)[0], linkage(learn)[1] + linkage(rest)[1])
    return {
        "distances": times(2, distances(n)),
        "linkage": times(4 * (min(30, n // 3 - 1) - 1), each),
    }


def table() -> str:
    """Return the page's figures as text."""
    operations, speed = rates()
    lines = [
        f"One thread here makes {operations / 1e9:.0f} billion operations a second in "
        f"a matrix product and copies {speed / 1e9:.1f} GB a second (read and write "
        f"counted); the load was {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores. "
        "Milliseconds:",
        "",
        "| run | size | part | measured | share | at least | times |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in RUNS:
        for size in SIZES:
            values = values_of(size)
            found = measured(name, values)
            least = bounds(name, values)
            total = sum(found.values())
            for part, seconds in sorted(found.items(), key=lambda row: -row[1]):
                if seconds < 0.01 * total:
                    continue
                bound = ""
                ratio = ""
                if part in least:
                    low = max(least[part][0] / operations, least[part][1] / speed)
                    bound, ratio = f"{1e3 * low:.3g}", f"{seconds / low:.1f}"
                lines.append(
                    f"| {name} | {size} | {part} | {1e3 * seconds:.3g} | "
                    f"{seconds / total:.0%} | {bound} | {ratio} |"
                )
            print("\n".join(lines[-6:]), flush=True)
    return "\n".join(lines)


PAGE = """# Where the time goes

Made by `python bench/speed/time_profile.py --write`; one thread, k = 2..30, the
stand-ins of `bench/speed/sizes.py`. Few repeats are taken (fc 25 with hier-a and 5 with
kmeans-r, gap 3 null sets, clest 2 repeats and one null set, fom all its columns), since
every part but the distances of the data grows in proportion to them.

"At least" is a lower bound, not a goal: the larger of the operations at the speed of a
matrix product and the bytes that must be moved at the speed of a copy. Distances count
three operations per column and pair; linkage has to read every distance once; the pairs
of one k need eight operations on words of 32 repeats. For K-means it is what Lloyd's
iterations multiply, as many as were made: no bound, since the kernel skips distances
that cannot matter; pairs that are never joined are passed over, too. "rest" is Python,
NumPy and drawing the samples; profiling itself adds to it where calls are many and
small, as at 57 x 200.

{table}

## A verdict

Made by `python bench/speed/verdict_profile.py --write`: five clear clusters, one core,
kernels compiled. Shares of the processor time by stage:

{verdict}

Up to 100,000 items the null sets take most, at a million the search for rare groups. At
200 items a quarter goes into valleys and mixtures, which call many small functions.

## What it says

- With average linkage FC is linkage and pairs, with K-means Lloyd's iterations and
  pairs. The share of Python falls from most at 57 items to little at 2329.
- Linkage is farthest from its bound, some twenty times at 702 items and above: a chain
  of nearest neighbours reads most rows more than once, rewrites a row in every merge,
  and the minimum of a row is searched, not just read.
- The bound on distances assumes the speed of a matrix product, which is not used: its
  sums depend on the place of a row in the matrix, and the same data in another order
  must give the same bits.
- At 57 items nothing is near its bound: a call costs more than the work it does.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/profile.md")
    given = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}")
    with threadpool_limits(1):
        found = table()
    if given.write:
        page = Path(__file__).parents[2] / "docs" / "profile.md"
        verdict = f"{BEGIN}\n{verdict_table()}\n{END}"
        page.write_text(PAGE.format(table=found, verdict=verdict), encoding="utf-8")


if __name__ == "__main__":
    main()
