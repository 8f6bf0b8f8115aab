"""The rule of fc above 10,000 items: ambiguous pairs first, against the area alone.

    python bench/speed/clear_k.py [--sets 42] [--seed 78]

Simulated sets of 12,000 items in 5, 20 or 50 columns, fc with kmeans-mb, k = 2..15, 25
repeats: normal clusters, round or long, clusters with heavy tails (t with 5 degrees of
freedom), 2 to 10 of them, the largest as large as the smallest or 2 or 5 times, centres
drawn so that two are about 4 to 13 standard deviations apart; and normal and uniform
data without clusters, for which the rule's k is only told. The constants of
``clear_k`` were chosen with --seed 1; another rule was tried and seen with --seed 77.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import numpy as np

from stablek.api.choose_k import choose_k
from stablek.paradigm.contracts import Curve, Facts
from stablek.paradigm.significance.area import AreaSettles

N = 12_000
KINDS = ("normal", "normal", "heavy", "long", "no clusters", "uniform", "normal")


def drawn(kind: str, rng: np.random.Generator) -> tuple[np.ndarray, int, float]:
    """Return a set, its number of clusters and the scale of its centres."""
    k = int(rng.integers(2, 11))
    m = int(rng.choice([5, 20, 50]))
    scale, ratio = float(rng.choice([3, 4.5, 6, 9])), float(rng.choice([1, 2, 5]))
    if kind in ("no clusters", "uniform"):
        values = rng.normal(size=(N, m)) if kind != "uniform" else rng.random((N, m))
        return values * np.linspace(1, rng.choice([1, 4]), m), 1, 0.0
    centres = rng.normal(size=(k, m)) * scale / np.sqrt(m)
    share = np.linspace(1, ratio, k)
    labels = rng.choice(k, size=N, p=share / share.sum())
    if kind == "heavy":
        values = rng.standard_t(5, size=(N, m)) / np.sqrt(5 / 3)
    else:
        values = rng.normal(size=(N, m))
    if kind == "long":
        values *= np.linspace(0.5, 1.6, m)
    return centres[labels] + values, k, scale


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=42)
    parser.add_argument("--seed", type=int, default=78)
    given = parser.parse_args()
    seeds = np.random.default_rng(given.seed)
    right = defaultdict(lambda: np.zeros(5, int))
    for i in range(given.sets):
        kind = KINDS[i % len(KINDS)]
        values, k, scale = drawn(kind, np.random.default_rng(seeds.integers(2**40)))
        found = choose_k(values, "fc", "kmeans-mb", range(2, 16), repeats=25)
        facts = Facts(N, values.shape[1], found.ks, found.ks)
        curve = Curve(found.ks, found.columns, found.main)
        area = AreaSettles(many=N)(curve, None, facts).k_star
        print(
            f"{kind:12} {values.shape[1]:3} columns, scale {scale:3.1f}: true {k:2}, "
            f"the rule {found.k_star:2}, the area alone {area:2}",
            flush=True,
        )
        if k > 1:
            off, alone = abs(found.k_star - k), abs(area - k)
            each = (1, off == 0, off <= 1, alone == 0, alone <= 1)
            right[kind] += each
            right["all"] += each
    print("\nkind          sets  the rule: exact, within one   the area: exact, within")
    for kind, (sets, *hits) in right.items():
        print(f"{kind:12} {sets:5} {hits[0]:17} {hits[1]:11} {hits[2]:17} {hits[3]:6}")


if __name__ == "__main__":
    main()
