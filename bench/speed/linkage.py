"""Hierarchical clustering of one subsample: stablek against fastcluster and SciPy.

    python bench/speed/linkage.py [--repeats 15] [--seed 0]

Every method clusters the same n items, 80 % of a mixture of 18 normal clusters in 139
dimensions. stablek starts from the distance matrix of all items and takes those of the
subsample from it; fastcluster and SciPy are given the condensed distances of the
subsample, so that making them is not on their bill, except in the column "all told",
where fastcluster starts from the same matrix. Each figure is the best of the repeats,
in CPU time of the one thread that works (other work on the machine then matters less);
the programs take turns.

A second table is of many subsamples, each clustered once, as a run does it: stablek
takes their distances, makes the trees and cuts them at k = 2 (`label_draws`);
fastcluster makes the trees of condensed distances that are ready.
"""

import argparse
import platform
import time
from collections.abc import Callable

import fastcluster
import numba
import numpy as np
import scipy
import scipy.cluster.hierarchy as sch
from scipy.spatial.distance import squareform

from stablek.kernels.distances import gather, pairwise
from stablek.kernels.draws import label_draws
from stablek.kernels.linkage import METHODS, linkage_of_rows

SIZES = ((57, 46), (702, 562), (2329, 1863))  # all items, and ceil(0.8 x) of them


def cpu_seconds(work: Callable[[], object], calls: int) -> float:
    start = time.thread_time()
    for _ in range(calls):
        work()
    return (time.thread_time() - start) / calls


def compare(everything: int, n: int, method: str, repeats: int, seed: int) -> str:
    rng = np.random.default_rng(seed)
    centres = 0.7 * rng.normal(size=(18, 139))[rng.integers(0, 18, everything)]
    square = pairwise(centres + rng.normal(size=(everything, 139)), "euclidean")
    rows = np.sort(rng.permutation(everything)[:n])
    condensed = squareform(gather(square, rows), checks=False)
    works: tuple[Callable[[], object], ...] = (
        lambda: linkage_of_rows(square, rows, method),
        lambda: fastcluster.linkage(condensed, method),
        lambda: sch.linkage(condensed, method),
        lambda: fastcluster.linkage(
            squareform(gather(square, rows), checks=False), method
        ),
    )
    best = [np.inf] * len(works)
    calls = max(1, 20000 // n**2)
    for _ in range(repeats):
        for i, work in enumerate(works):
            best[i] = min(best[i], cpu_seconds(work, calls))
    ours, fast, scipys, told = (1e3 * seconds for seconds in best)
    return (
        f"{n:5d}  {method:9s} {ours:9.3f} {fast:12.3f} {scipys:9.3f}"
        f" {ours / fast:15.2f} {ours / told:9.2f} {ours / scipys:9.2f}"
    )


def compare_many(everything: int, n: int, method: str, repeats: int, seed: int) -> str:
    rng = np.random.default_rng(seed)
    centres = 0.7 * rng.normal(size=(18, 139))[rng.integers(0, 18, everything)]
    square = pairwise(centres + rng.normal(size=(everything, 139)), "euclidean")
    count = max(8, 10000 // n)
    draws = [np.sort(rng.permutation(everything)[:n]) for _ in range(count)]
    condensed = [squareform(gather(square, rows), checks=False) for rows in draws]
    labels = np.full((count, 1, everything), 255, np.uint8)
    works: tuple[Callable[[], object], ...] = (
        lambda: label_draws(square, draws, method, [2], labels),
        lambda: [fastcluster.linkage(one, method) for one in condensed],
    )
    best = [np.inf, np.inf]
    for _ in range(repeats):
        for i, work in enumerate(works):
            best[i] = min(best[i], cpu_seconds(work, 1))
    ours, fast = (1e3 * seconds / count for seconds in best)
    return f"{n:5d}  {method:9s} {ours:9.4f} {fast:12.4f} {ours / fast:15.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(
        f"Python {platform.python_version()}, numba {numba.__version__}, "
        f"NumPy {np.__version__}, fastcluster {fastcluster.__version__}, "
        f"SciPy {scipy.__version__}"
    )
    print(
        "milliseconds of CPU time, one thread, best of "
        f"{options.repeats}; stablek includes taking the subsample's distances\n"
    )
    columns = "stablek  fastcluster     SciPy  / fastcluster  all told   / SciPy"
    print(f"    n  method      {columns}")
    for everything, n in SIZES:
        for method in METHODS:
            print(compare(everything, n, method, options.repeats, options.seed))
    print("\nmany subsamples, a tree each\n")
    print("    n  method      stablek  fastcluster   / fastcluster")
    for everything, n in SIZES:
        for method in METHODS:
            print(compare_many(everything, n, method, 5, options.seed))


if __name__ == "__main__":
    main()
