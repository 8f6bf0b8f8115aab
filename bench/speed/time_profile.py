"""Where the time goes, beside a lower bound for each part.

    python bench/speed/time_profile.py [--write]        (--write fills docs/profile.md)

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

from stablek import choose_k
from stablek.data import from_arrays
from stablek.kernels.lloyd import lloyd_from_rows
from stablek_bench.markdown import show

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
PAGE = Path(__file__).parents[2] / "docs" / "profile.md"


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


def table() -> list[list[str]]:
    """Return what every part of every run takes, beside its bound."""
    operations, speed = rates()
    print(
        f"One thread here makes {operations / 1e9:.0f} billion operations a second in "
        f"a matrix product and copies {speed / 1e9:.1f} GB a second (read and write "
        f"counted); the load was {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores."
    )
    lines = [["run", "size", "part", "measured", "share", "at least", "times"]]
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
                taken = [f"{1e3 * seconds:.3g}", f"{seconds / total:.0%}"]
                lines.append([name, size, part, *taken, bound, ratio])
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="fill docs/profile.md")
    given = parser.parse_args()
    with threadpool_limits(1):
        show({"parts": table()}, PAGE if given.write else None)


if __name__ == "__main__":
    main()
