"""Compare rules that read the histograms of Model Explorer; fill docs/me_rules.md.

    python bench/speed/me_rules.py [--data DIR] [--write]

The thesis reads ME by eye: "the lowest k such that the distribution at k is close to
one and that at k + 1 is in a wider range". Every rule here is a way to say that in
numbers. They are compared on simulated mixtures with a stated overlap and on simulated
sets without clusters. The rule and its constant are chosen on the seeds ``CHOOSING``
alone and reported on the seeds ``REPORTING``, and then on the thesis's tables.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np

from stablek.api.choose_k import choose_k
from stablek.datasets import FAMILY, load_folder, mixture, null_set
from stablek.measures.me import me
from stablek.paradigm.contracts import Facts
from stablek.paradigm.statistic.agreement import Agreement
from stablek.paradigm.synopsis import agreement_distribution
from stablek_bench.markdown import show
from stablek_bench.reference import numbers_of_clusters, printed
from stablek_bench.sources import SOURCES

ALGORITHMS = ("hier-a", "hier-w", "kmeans-r", "kmeans-w")
FLAVOURS = ("equal", "unequal", "anisotropic", "t5", "noise")
KS = range(2, 13)
INDICES = ("fm", "adj")
CHOOSING = range(1000, 1003)
REPORTING = range(2000, 2003)
PAGE = Path(__file__).parents[2] / "docs" / "me_rules.md"


def sets(seeds):
    for seed in seeds:
        for flavour in FLAVOURS:
            for k in (2, 3, 5, 8):
                for error in (0.01, 0.05):
                    m = 10 if k < 8 else 20
                    yield mixture(flavour, k, m, seed, bayes_error=error), error
        for kind in FAMILY:
            for n, m in ((60, 50), (150, 10)):
                yield null_set(kind, n, m, seed), None


def share_above(columns, level):
    bins = [columns[f"bin_{5 * b:02d}"] for b in range(round(level * 20), 20)]
    return np.sum(bins, axis=0)


def first_run(good):
    places = np.flatnonzero(good)
    if not len(places):
        return 1
    last = places[0]
    while last + 1 < len(good) and good[last + 1]:
        last += 1
    return int(KS[last])


def last_good(good):
    places = np.flatnonzero(good)
    return int(KS[places[-1]]) if len(places) else 1


def largest_drop(value, gate):
    """The k before the largest drop of a column, if the column is near one there."""
    drop = value[:-1] - value[1:]
    at = int(np.argmax(drop))
    return int(KS[at]) if value[at] >= gate else 1


def best_if(value, gate):
    at = len(value) - 1 - int(np.argmax(value[::-1]))
    return int(KS[at]) if value[at] >= gate else 1


def last_near_best(value, slack, gate):
    best = value.max()
    near = np.flatnonzero(value >= best - slack)
    return int(KS[near[-1]]) if best >= gate else 1


def drop_near_best(value, slack, gate):
    """Close to one, then spread: the largest drop from a k near the best."""
    if value.max() < gate:
        return 1
    drop = np.append(value[:-1] - value[1:], -1.0)
    drop[value < value.max() - slack] = -1.0
    return int(KS[int(np.argmax(drop))])


def rules(columns):
    found = {}
    for level in (0.8, 0.85, 0.9, 0.95):
        above = share_above(columns, level)
        for share in (0.5, 0.6, 0.7, 0.8, 0.9):
            key = f"level {level:g}, share {share:g}"
            found["first run, " + key] = first_run(above >= share)
            found["last k, " + key] = last_good(above >= share)
    for gate in (0.7, 0.8, 0.85, 0.9):
        for slack in (0.01, 0.02, 0.05):
            name = f"last k within {slack:g} of the largest mean, gate {gate:g}"
            found[name] = last_near_best(columns["mean"], slack, gate)
        above = share_above(columns, 0.9)
        found[f"most repeats above 0.9, gate {gate:g}"] = best_if(above, gate)
        name = f"largest drop near the largest mean, gate {gate:g}"
        found[name] = drop_near_best(columns["mean"], 0.05, gate)
        found[f"before the largest drop of the mean, gate {gate:g}"] = largest_drop(
            columns["mean"], gate
        )
        found[f"largest mean, gate {gate:g}"] = best_if(columns["mean"], gate)
    return found


def columns_of(result, index):
    """The columns of ME by another index, from the same partitions."""
    scores = Agreement(index).collect(result.cube, result.data)
    facts = Facts(result.n, result.m, result.ks, result.ks, len(scores))
    return agreement_distribution(scores, facts).columns


def study(seeds):
    """Whether each rule is right, by index, rule and kind of set."""
    hits = {index: defaultdict(lambda: defaultdict(list)) for index in INDICES}
    for made, error in sets(seeds):
        for algorithm in ALGORITHMS:
            result = choose_k(made.values, "me", algorithm, KS, repeats=50, fast=True)
            for index in INDICES:
                for name, k in rules(columns_of(result, index)).items():
                    found = hits[index][name]
                    if error is None:
                        found["null"].append(k == 1)
                        found[f"null {algorithm}"].append(k == 1)
                    else:
                        found[f"{error:.0%}"].append(k == made.k)
                        found[f"{error:.0%} {algorithm}"].append(k == made.k)
                        found[f"within one {error:.0%}"].append(abs(k - made.k) <= 1)
    return hits


def rate(found):
    return 100 * float(np.mean(found))


def total(hits, rule):
    """What the choice goes by: mixtures at 1 % and null sets, both indices alike."""
    parts = [(rate(hits[i][rule]["1%"]), rate(hits[i][rule]["null"])) for i in INDICES]
    return float(np.mean(parts))


def ranked(hits):
    return sorted(hits["fm"], key=lambda rule: -total(hits, rule))


def table(hits, shown):
    each = ["1 %", "5 %", "within one, 1 %", "nulls"]
    lines = [
        ["rule", *(f"{index}: {name}" for index in INDICES for name in each), "mean"]
    ]
    for name in shown:
        cells = [
            f"{rate(hits[index][name][key]):.0f}"
            for index in INDICES
            for key in ("1%", "5%", "within one 1%", "null")
        ]
        lines.append([name, *cells, f"{total(hits, name):.1f}"])
    return lines


def by_algorithm(hits, rule):
    each = ("1 %", "5 %", "nulls")
    lines = [["algorithm", *(f"{index}: {name}" for index in INDICES for name in each)]]
    for a in ALGORITHMS:
        cells = [
            f"{rate(hits[index][rule][f'{key} {a}']):.0f}"
            for index in INDICES
            for key in ("1%", "5%", "null")
        ]
        lines.append([a, *cells])
    return lines


REAL = ("CNS Rat", "Leukemia", "NCI60", "Lymphoma", "Yeast")


def eye(folder, used, literal):
    """How often a rule says what the thesis's eye saw, and how often the gold k."""
    seen = printed()
    same, gold = defaultdict(list), defaultdict(list)
    eye_gold = []
    for data in REAL:
        values = load_folder(SOURCES[data].file, folder).values
        for word in ("Hier-A", "Hier-C", "K-means-R"):
            algorithm = word.lower().replace("k-means", "kmeans")
            result = choose_k(values, "me", algorithm, KS, fast=True)
            for index in INDICES:
                row = f"ME-{index.upper() if index == 'fm' else 'Adj'}-{word}"
                saw = numbers_of_clusters(seen.get(("ME", row, data)))
                if not saw:
                    continue
                eye_gold.append(SOURCES[data].gold in saw)
                for rule, k in rules(columns_of(result, index)).items():
                    same[rule].append(k in saw)
                    gold[rule].append(k == SOURCES[data].gold)
    order = sorted(same, key=lambda rule: -rate(same[rule]))
    kept = [r for r in order if r in {*order[:6], used, literal}]
    print(f"{len(eye_gold)} cells; the eye found the gold k in {rate(eye_gold):.0f} %")
    rows = [[r, f"{rate(same[r]):.0f}", f"{rate(gold[r]):.0f}"] for r in kept]
    return [["rule", "as the eye", "gold k"], *rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="folder of real sets, to report on")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    choosing, reporting = study(CHOOSING), study(REPORTING)
    order, fresh = ranked(choosing), ranked(reporting)
    used, literal = order[0], "first run, level 0.9, share 0.8"
    shown = [r for r in order if r in {*order[:10], literal}]
    tables = {
        "choice": table(choosing, shown),
        "fresh sets": table(reporting, shown),
        "by algorithm": by_algorithm(reporting, used),
    }
    if given.data:
        tables["eye"] = eye(given.data, used, literal)
    show(tables, PAGE if given.write else None)
    print(
        f"chosen of {len(order)}: {used}; in the package: {me().significance}. On "
        f"fresh sets it is number {fresh.index(used) + 1}; the first is {fresh[0]}, "
        f"with a mean of {total(reporting, fresh[0]):.1f}."
    )


if __name__ == "__main__":
    main()
