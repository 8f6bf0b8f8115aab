"""Compare every stability measure with its fast form; write docs/fast.md.

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
    cells = (
        name,
        algorithm,
        f"{slow / len(same):.2f}",
        f"{slow / quick:.1f}",
        f"{100 * np.mean(same):.0f}",
        f"{100 * np.mean(itself):.0f}",
        f"{100 * np.mean(fast_truth):.0f} / {100 * np.mean(truth):.0f}",
        f"{np.mean(apart):.3f} / {np.mean(own):.3f}",
    )
    return "| " + " | ".join(cells) + " |"


HEAD = """# Fast forms

Made by `python bench/speed/fast_forms.py --seeds {seeds} --write`.

`--fast` (in Python `fast=True`) is the Fast_Stability_Measure of the thesis (section
7.5). It works for every measure that draws samples. It swaps the loops over repeats and
over k, so that all k of a repeat share one sample. One tree then serves all k
of a hierarchical algorithm, and each sample is drawn only once. FC is
`consensus --fast`; the thesis suggests fast forms of the other measures as future work.

Clest and Roth et al. draw a split. The thesis's pseudocode keeps the split inside the
loop over k. Then there would be nothing to share, because these measures perturb the
data only by splitting. Here all k share the split, too.

Measures that draw no samples of the data (wcss, kl, gap, fom and their approximations)
need no fast form: every k uses the whole data, and a dendrogram is built only once.

"""

COLUMNS = (
    "measure",
    "algorithm",
    "seconds, ordinary",
    "times faster",
    "same k, %",
    "ordinary against itself, %",
    "exact, fast / ordinary, %",
    "largest difference of the curve, to fast / to itself",
)

TAIL = """
Processor seconds per set on one core, k = 2 to {k}, {count} sets per row (mixtures of
3, 5 and 8 clusters with a Bayes error of 2 %, 160 x 20, and Gaussian nulls, 100 x 20).
*Same k*: both forms answer the same k. *Ordinary against itself*: the ordinary form
with two seeds. If the two columns are close, sharing the samples changes no more than
another seed does. *Exact* counts answers equal to the truth (1 for the nulls).

The gain grows with the number of ks and of items. `python bench/speed/stability.py`
prints the gain of fc over consensus at 702 x 72, k = 2 to 30 and hier-a, where it can
be at most 29. K-means gains less: all k share the sample and the handling of a task,
but each k needs its own run.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    rows = [row(m, a, given.seeds) for m in MEASURES for a in ALGORITHMS]
    head = HEAD.format(seeds=given.seeds)
    tail = TAIL.format(k=KS[-1], count=7 * given.seeds)
    heading = ["| " + " | ".join(COLUMNS) + " |", "|---" * len(COLUMNS) + "|"]
    text = head + "\n".join([*heading, *rows]) + "\n" + tail
    print(text)
    if given.write:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
