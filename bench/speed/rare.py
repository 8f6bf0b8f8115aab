"""Rare groups in large data: how many are found, and how many are made up.

python bench/speed/rare.py [--n 1000000] [--m 20] [--seeds 8] [--null-seeds 3]

Three clusters and a group of 1 %, 0.1 % and 0.02 % of the items, each centre 8 standard
deviations from the nearest other one, in random directions. The group is found if it
is a cluster of the answer, or is told as a small group, with at least 80 % of its items
and at most 20 % of others. Then data without clusters of every kind that stablek can
draw, and counts: whatever small group is told there is made up. With --search the
clusters of the items judged are given, and only the search is carried out.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import stablek
from stablek.data.seeds import Streams
from stablek.datasets.nulls import NULLS, null_set
from stablek.panel.far_groups import far_groups
from stablek.panel.prepare import LARGEST
from stablek.panel.surroundings import Surroundings

SHARES = (0.01, 0.001, 0.0002)
APART = 8.0
CLUSTERS = 3
RIGHT = 0.8


def with_group(
    n: int, m: int, share: float, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return values, and the cluster of every item; the last one is the rare group."""
    rng = np.random.default_rng([seed, n, m])
    centres = [np.zeros(m)]
    while len(centres) < CLUSTERS + 1:
        way = rng.normal(size=m)
        near = centres[rng.integers(len(centres))]
        place = near + APART * way / np.linalg.norm(way)
        if min(np.linalg.norm(place - c) for c in centres) >= 0.999 * APART:
            centres.append(place)
    which = rng.integers(0, CLUSTERS, n)
    which[rng.permutation(n)[: round(share * n)]] = CLUSTERS
    values = rng.standard_normal((n, m), dtype=np.float32)
    values += np.array(centres, dtype=np.float32)[which]
    return values, which


def counts(n: int, m: int, seed: int) -> np.ndarray:
    """Return Poisson counts, most columns with few values."""
    means = 0.05 * np.arange(1, m + 1)
    return np.random.default_rng([seed, n, m]).poisson(means, (n, m)).astype(np.float32)


def fits(items: np.ndarray, group: np.ndarray) -> bool:
    """Tell whether items are those of the group, but for a few."""
    both = (items & group).sum()
    return bool(both >= RIGHT * group.sum() and both >= RIGHT * items.sum())


def found_as(verdict: stablek.Verdict, group: np.ndarray) -> str:
    """Return how a verdict tells the group: "cluster", "rare" or "missed"."""
    rare = verdict.item_columns["rare"]
    if any(fits(rare == g, group) for g in range(1, rare.max() + 1)):
        return "rare"
    own = np.bincount(verdict.labels[group]).argmax()
    return "cluster" if fits(verdict.labels == own, group) else "missed"


def searched(values: np.ndarray, part: np.ndarray, seed: int) -> np.ndarray:
    """Return the small groups that the search finds beside given clusters."""
    streams = Streams(seed, ("rare",))
    drawn = np.sort(streams("judged").permutation(len(values))[:LARGEST])
    around = Surroundings.of(values[drawn].astype(np.float64), part[drawn])
    return far_groups(values, around, streams)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--m", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--null-seeds", type=int, default=3)
    parser.add_argument("--shares", type=float, nargs="+", default=SHARES)
    parser.add_argument("--search", action="store_true", help="the search alone")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    given = parser.parse_args()
    n, m = given.n, given.m
    print(f"{n:,} x {m}, three clusters and a group {APART:g} sd from the nearest:")
    for share in given.shares if given.seeds else ():
        told, began = [], time.perf_counter()
        for seed in range(given.first, given.first + given.seeds):
            values, which = with_group(n, m, share, seed)
            group = which == CLUSTERS
            if given.search:
                found = searched(values, np.minimum(which, CLUSTERS - 1), seed)
                right = any(fits(found == g, group) for g in range(1, found.max() + 1))
                told.append("rare" if right else "missed")
            else:
                told.append(found_as(stablek.verdict(values), group))
        each = (time.perf_counter() - began) / given.seeds
        print(
            f"  {share:.2%} ({round(share * n)} items): found "
            f"{given.seeds - told.count('missed')} of {given.seeds} "
            f"({told.count('cluster')} as a cluster), {each:.0f} s each",
            flush=True,
        )
    print(f"{n:,} x {m}, no clusters: data sets with small groups, and with k > 1:")
    for kind in (*NULLS, "counts") if given.null_seeds else ():
        made_up, split = 0, 0
        for seed in range(given.first, given.first + given.null_seeds):
            drawn = counts(n, m, seed) if kind == "counts" else (
                null_set(kind, n, m, seed).values.astype(np.float32)
            )  # fmt: skip
            if given.search:
                made_up += searched(drawn, np.zeros(n, np.int64), seed).any()
                continue
            verdict = stablek.verdict(drawn)
            made_up += bool(verdict.rare_items)
            split += verdict.k != 1
        print(
            f"  {kind}: {made_up} of {given.null_seeds}, {split} of {given.null_seeds}",
            flush=True,
        )


if __name__ == "__main__":
    main()
