"""Which measure and which algorithm `stablek run` uses by default, and why.

    python bench/speed/one_measure.py --data DIR [--items 800] [--repeats 50]

Every measure with every algorithm, k = 2..15, on the real sets of the collection with
at most ``--items`` items (columns standardised) and on simulated mixtures: how often k
is exact, how often within one, and the mean adjusted Rand index of the clusters.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.metrics import adjusted_rand_score

from stablek import choose_k
from stablek_bench.real_sets import collection, load
from stablek_bench.rules import sets

MEASURES = ("fc", "silhouette", "gap-pc", "kl")
ALGORITHMS = ("hier-a", "hier-w", "kmeans-w")
KS = range(2, 16)
MIXTURE_SEEDS = range(70, 72)  # no rule was chosen on them


def labelled(folder: Path, items: int) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield the part of the study, the values and the classes of every set."""
    for one in collection(folder).values():
        if one.mark in ("fair", "half") and one.n <= items:
            values, classes = load(folder, one.name)
            spread = values.std(axis=0)
            yield (
                one.mark,
                (values - values.mean(axis=0))[:, spread > 0] / spread[spread > 0],
                classes,
            )
    for kind, made in sets(MIXTURE_SEEDS):
        if kind == "mixture":
            yield kind, made.values, made.labels


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--items", type=int, default=800)
    parser.add_argument("--repeats", type=int, default=50)
    parser.add_argument("--measures", default=",".join(MEASURES))
    parser.add_argument("--algorithms", default=",".join(ALGORITHMS))
    given = parser.parse_args()
    settings = [
        (m, a) for m in given.measures.split(",") for a in given.algorithms.split(",")
    ]
    rows = defaultdict(list)
    for part, values, classes in labelled(given.data, given.items):
        truth = len(np.unique(classes))
        for measure, algorithm in settings:
            more = {"repeats": given.repeats} if measure == "fc" else {}
            ks = range(2, min(KS.stop, len(classes) // 2))
            found = choose_k(values, measure, algorithm, ks, **more)
            k = found.k_star or 1
            labels = found.labels if k > 1 else np.zeros(len(classes), int)
            score = adjusted_rand_score(classes, labels)
            rows[measure, algorithm, part].append(
                (k == truth, abs(k - truth) < 2, score)
            )
            print(part, measure, algorithm, truth, k, f"{score:.4f}", file=sys.stderr)
    parts = list(dict.fromkeys(part for _, _, part in rows))
    counts = {part: len(rows[*settings[0], part]) for part in parts}
    heads = " | ".join(f"{part} ({counts[part]})" for part in parts)
    print(f"| setting | {heads} |\n|{'---|' * (len(parts) + 1)}")
    for setting in settings:
        cells = (np.mean(rows[*setting, part], axis=0) for part in parts)
        told = " | ".join(
            f"{100 * e:.0f} / {100 * w:.0f} / {s:.3f}" for e, w, s in cells
        )
        print(f"| {' '.join(setting)} | {told} |")


if __name__ == "__main__":
    main()
