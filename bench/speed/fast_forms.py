"""Compare every stability measure with its fast form; fill docs/fast.md.

    python bench/speed/fast_forms.py [--seeds 3] [--write]

Speed is processor time on one core, so that other work on the machine matters little.
Agreement is the share of simulated sets on which both forms answer the same k, beside
the share on which the ordinary form agrees with itself under another seed: that is the
most one can ask for.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from stablek.api.choose_k import choose_k
from stablek.datasets import mixture, null_set
from stablek_bench.markdown import show

PAGE = Path(__file__).parents[2] / "docs" / "fast.md"
ALGORITHMS = ("hier-a", "kmeans-r")
MEASURES = {
    "consensus": {"repeats": 100},
    "me": {"repeats": 50},
    "mosram": {"repeats": 50},
    "levine-domany": {"repeats": 50},
    "clest": {"repeats": 10, "null_sets": 10, "proportion": True},
    "roth": {"repeats": 20},
}
KS = range(2, 16)


def sets(seeds):
    for seed in range(seeds):
        for k in (3, 5, 8):
            for flavour in ("equal", "unequal"):
                yield mixture(
                    flavour, k, 20, 500 + seed, bayes_error=0.02, n=160, smallest=10
                )
        yield null_set("gaussian", 100, 20, 500 + seed)


def once(values, measure, algorithm, seed, *, fast):
    began = time.process_time()
    result = choose_k(
        values, measure, algorithm, KS, seed=seed, jobs=1, backend="serial",
        fast=fast, **MEASURES[measure],
    )  # fmt: skip
    return result, time.process_time() - began


def row(measure, algorithm, seeds):
    slow = quick = 0.0
    same, itself, truth, fast_truth, apart, own = [], [], [], [], [], []
    once(next(sets(1)).values, measure, algorithm, 0, fast=True)  # compile
    for made in sets(seeds):
        plain, seconds = once(made.values, measure, algorithm, 0, fast=False)
        slow += seconds
        fast, seconds = once(made.values, measure, algorithm, 0, fast=True)
        quick += seconds
        again, _ = once(made.values, measure, algorithm, 1, fast=False)
        main = plain.main
        same.append(plain.k_star == fast.k_star)
        itself.append(plain.k_star == again.k_star)
        truth.append(plain.k_star == made.k)
        fast_truth.append(fast.k_star == made.k)
        apart.append(np.nanmax(np.abs(plain.columns[main] - fast.columns[main])))
        own.append(np.nanmax(np.abs(plain.columns[main] - again.columns[main])))
    name = "fc = consensus --fast" if measure == "consensus" else f"{measure} --fast"
    return [
        name,
        algorithm,
        f"{slow / len(same):.2f}",
        f"{slow / quick:.1f}",
        f"{100 * np.mean(same):.0f}",
        f"{100 * np.mean(itself):.0f}",
        f"{100 * np.mean(fast_truth):.0f} / {100 * np.mean(truth):.0f}",
        f"{np.mean(apart):.3f} / {np.mean(own):.3f}",
    ]


COLUMNS = [
    "measure",
    "algorithm",
    "seconds, ordinary",
    "times faster",
    "same k, %",
    "ordinary against itself, %",
    "exact, fast / ordinary, %",
    "largest difference of the curve, to fast / to itself",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    rows = [row(m, a, given.seeds) for m in MEASURES for a in ALGORITHMS]
    show({"forms": [COLUMNS, *rows]}, PAGE if given.write else None)


if __name__ == "__main__":
    main()
