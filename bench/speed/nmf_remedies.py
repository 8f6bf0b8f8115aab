"""Shift or fold: which makes negative data fit for NMF with the better partitions.

    python bench/speed/nmf_remedies.py [--seeds 10] [--write]
    python bench/speed/nmf_remedies.py --tolerances [--seeds 3]

Simulated data with a known partition only: the mixtures of ``stablek.datasets`` (Bayes
error 1 %), as they are and with every item standardised (as genes are), and the
simulated sets of the thesis with columns standardised. Adjusted Rand with the truth at
the true k, mean over seeds. ``--write`` replaces the table in docs/nmf_remedies.md.
``--tolerances`` tells instead how early nmf-* may stop: the same agreement on the same
sets, folded, for several stopping rules.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from stablek.data import from_arrays
from stablek.data.seeds import Streams
from stablek.datasets import SIMULATED, mixture
from stablek.factorize import StationaryObjective
from stablek.paradigm.cluster import algorithm
from stablek.paradigm.indices import adjusted_rand, contingency
from stablek_bench.markdown import show

PAGE = Path(__file__).parents[2] / "docs" / "nmf_remedies.md"
WAYS = (
    "nmf-r+shift", "nmf-r+fold", "nmf-a+shift", "nmf-a+fold", "kmeans-r", "hier-a",
)  # fmt: skip
FLAVOURS = ("equal", "unequal", "skewed", "noise")
SHAPES = ((3, 10), (3, 50), (6, 10), (6, 50), (10, 20), (10, 100))
THESIS = ("gaussian3", "gaussian3-200", "simulated6")


def standardised(values, axis):
    spread = values.std(axis=axis, keepdims=True)
    centred = values - values.mean(axis=axis, keepdims=True)
    return centred / np.where(spread > 0, spread, 1.0)


def sets(seed):
    """Give (kind, values, truth, k) for one seed."""
    for flavour in FLAVOURS:
        for k, m in SHAPES:
            made = mixture(flavour, k, m, seed, bayes_error=0.01)
            yield f"{flavour}, as it is", made.values, made.labels, k
            items = standardised(made.values, 1)
            yield f"{flavour}, items standardised", items, made.labels, k
    for name in THESIS:
        made = SIMULATED[name](seed)
        values = standardised(made.values, 0)
        yield f"{name}, columns standardised", values, made.labels, made.k


def agreement(way, values, truth, k, seed):
    data, clusterer = from_arrays(values), algorithm(way)
    clusterer.prepare(data)
    found = clusterer.partitions(data.whole(), (k,), Streams(seed))[0]
    return adjusted_rand(contingency(truth, found))


def measured(seeds):
    """Return {kind: {way: [Adjusted Rand, ...]}}."""
    found = {}
    for seed in range(seeds):
        for kind, values, truth, k in sets(seed):
            row = found.setdefault(kind, {way: [] for way in WAYS})
            for way in WAYS:
                row[way].append(agreement(way, values, truth, k, seed))
    return found


def tolerances(seeds):
    """Print agreement and iterations of several stopping rules."""
    rules = [
        StationaryObjective(tolerance, every)
        for tolerance, every in
        ((1e-2, 5), (5e-3, 5), (2e-3, 5), (1e-3, 5), (1e-4, 10))
    ]  # fmt: skip
    for start in ("nmf-r+fold", "nmf-a+fold"):
        for rule in rules:
            way, agreed, counted = replace(algorithm(start), stop=rule), [], []
            for seed in range(seeds):
                for _, values, truth, k in sets(seed):
                    data = from_arrays(values)
                    way.prepare(data)
                    found = way.factorisations(data.whole(), (k,), Streams(seed))[0]
                    agreed.append(adjusted_rand(contingency(truth, found.labels)))
                    counted.append(found.iterations)
            print(
                f"{start}, {rule.name}: Adjusted Rand {np.mean(agreed):.3f} over "
                f"{len(agreed)} sets, {np.mean(counted):.1f} iterations",
                flush=True,
            )


def table(found):
    lines = [["data", "sets", *WAYS]]
    means = {kind: [np.mean(row[way]) for way in WAYS] for kind, row in found.items()}
    for kind, row in found.items():
        cells = (f"{mean:.2f}" for mean in means[kind])
        lines.append([kind, str(len(row[WAYS[0]])), *cells])
    # Every kind of data counts the same, however many sets it has.
    every = np.mean(list(means.values()), axis=0)
    return [*lines, ["mean of the rows", "", *(f"{mean:.2f}" for mean in every)]]


def gains_of_fold(found):
    for start in ("nmf-r", "nmf-a"):
        gains = np.concatenate(
            [
                np.subtract(row[f"{start}+fold"], row[f"{start}+shift"])
                for row in found.values()
            ]
        )
        error = gains.std() / len(gains) ** 0.5
        print(
            f"{start}: fold minus shift {gains.mean():+.3f} on average over "
            f"{len(gains)} sets (standard error {error:.3f}); "
            f"fold better on {(gains > 0).sum()}, shift on {(gains < 0).sum()}."
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--tolerances", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.tolerances:
        tolerances(given.seeds or 3)
        return
    found = measured(given.seeds or 10)
    show({"remedies": table(found)}, PAGE if given.write else None)
    gains_of_fold(found)


if __name__ == "__main__":
    main()
