"""Times of the stability measures, against the limits set and the thesis's own times.

    python bench/speed/stability.py [--data FOLDER] [--times 1]

One run prints every figure. Kernels are compiled before the clock starts. The sets are
cns_rat (112 x 17), nci60 (57 x 200) and yeast (702 x 72) of the data folder
(STABLEK_DATA); without one, simulated sets of the same sizes, which the times hardly
notice. Two cores are assumed; the thesis used one core of a 2.2 GHz Athlon (2008).
"""

from __future__ import annotations

import argparse
import os
import platform

from timing import seconds_of

from stablek.api.choose_k import choose_k
from stablek.datasets import load_folder, mixture
from stablek.errors import StablekError

KS = range(2, 31)
SIZES = {"cns_rat": (112, 17, 6), "nci60": (57, 200, 8), "yeast": (702, 72, 5)}

#: What, measure, algorithm, set, settings, limit in seconds, seconds in the thesis.
FIGURES = (
    ("consensus", "consensus", "hier-a", "cns_rat", {"repeats": 500}, 4, 920),
    ("consensus", "consensus", "hier-a", "yeast", {"repeats": 500}, 60, 75600),
    ("fc", "fc", "hier-a", "yeast", {"repeats": 250}, 2, 1500),
    ("fc", "fc", "kmeans-r", "yeast", {"repeats": 250}, 60, 15840),
    ("clest", "clest", "kmeans-r", "cns_rat", {}, 15, 1200),
    ("me", "me", "hier-a", "nci60", {"repeats": 100}, 3, 780),
)


def values_of(name, folder):
    try:
        return load_folder(name, folder).values
    except StablekError:
        n, m, k = SIZES[name]
        return mixture("equal", k, m, 0, bayes_error=0.05, n=n, smallest=1).values


def ks_for(measure, n):
    part = n - -(-2 * n // 3) if measure == "clest" else -(-8 * n // 10)
    return range(KS[0], min(KS[-1], part - 1) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data")
    parser.add_argument("--times", type=int, default=1)
    given = parser.parse_args()
    print(f"python {platform.python_version()}, {len(os.sched_getaffinity(0))} cores")
    sets = {name: values_of(name, given.data) for name in SIZES}
    print("measure | algorithm | n x m | seconds | limit | thesis | faster by")
    for what, measure, algorithm, name, settings, limit, thesis in FIGURES:
        values = sets[name]
        ks = ks_for(measure, len(values))
        warm = {**settings, "repeats": 2}
        if measure == "clest":
            warm["null_sets"] = 1
        choose_k(values, measure, algorithm, ks, **warm)

        def work(v=values, m=measure, a=algorithm, ks=ks, s=settings):
            choose_k(v, m, a, ks, **s)

        seconds = seconds_of(work, given.times)
        size = f"{values.shape[0]} x {values.shape[1]}"
        print(
            f"{what} | {algorithm} | {size} | {seconds:.2f} | {limit} | {thesis} | "
            f"{thesis / seconds:.0f}"
        )
    yeast = sets["yeast"]
    each = {
        m: seconds_of(
            lambda m=m: choose_k(yeast, m, "hier-a", KS, repeats=100), given.times
        )
        for m in ("consensus", "fc")
    }
    ratio = each["consensus"] / each["fc"]
    print(
        f"consensus {each['consensus']:.2f} s, fc {each['fc']:.2f} s at H = 100, "
        f"hier-a, 702 x 72: fc is {ratio:.1f} times faster (limit 10, ceiling 29)"
    )


if __name__ == "__main__":
    main()
