"""One path through the ranks against independent runs: objective, partitions, time.

    pip install '.[bench,plot]' && python bench/speed/nmf_incremental.py --write

Fills docs/nmf_incremental.md and draws its figure. STABLEK_DATA names the folder with
the real data (default: ../shared/data). Every set that is non-negative as shipped is
used as it is; the others are used both shifted and folded.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits
from timing import timed

from stablek.data.seeds import stream
from stablek.factorize import factorise, fold, path, shift
from stablek.paradigm.indices import adjusted_rand, contingency
from stablek_bench.markdown import show

DATA = Path(
    os.environ.get("STABLEK_DATA", Path(__file__).parents[3] / "shared" / "data")
)
DOCS = Path(__file__).parents[2] / "docs"
RUNS = 5
K_MAX = 20
WAYS = ("random", "nndsvd", "up", "down")


def sums_of_parts(n=120, m=80, k=6, noise=0.1, seed=0):
    """Return items that are mixtures of k sparse parts, and each one's main part."""
    rng = np.random.default_rng(seed)
    parts = rng.gamma(1.0, size=(k, m)) * (rng.random((k, m)) < 0.3)
    weights = rng.dirichlet(np.full(k, 0.15), n)
    values = weights @ parts
    values *= rng.gamma(1 / noise**2, noise**2, size=values.shape)
    return values, weights.argmax(axis=1)


def real():
    """Yield name, values, classes, gold k of every real set with no value missing."""
    gold = pd.read_csv(DATA / "gold.tsv", sep="\t", index_col=0)
    for name, row in gold.iterrows():
        values = pd.read_csv(DATA / f"{name}.tsv.gz", sep="\t", index_col=0)
        if values.isna().to_numpy().any():
            continue
        classes = None
        if row["labels_are_gold"] == "yes" and row["gold_k"] > 1:
            labels = pd.read_csv(DATA / f"{name}.labels.tsv", sep="\t").iloc[:, 1]
            classes = pd.factorize(labels)[0]
        yield name, values.to_numpy(float), classes, int(row["gold_k"])


def sets():
    """Yield name, non-negative values, classes and gold k."""
    for k, noise in ((3, 0.1), (6, 0.1), (6, 0.5), (10, 0.3)):
        values, classes = sums_of_parts(k=k, noise=noise, seed=k)
        yield f"parts, k = {k}, noise {noise:g}", values, classes, k
    yield "uniform 100 x 50", np.random.default_rng(0).random((100, 50)), None, 1
    if not (DATA / "gold.tsv").exists():
        return
    for name, values, classes, gold in real():
        if values.min() >= 0:
            yield name, values, classes, gold
        else:
            yield f"{name}, shifted", shift(values), classes, gold
            yield f"{name}, folded", fold(values), classes, gold


def rand(one, other):
    return adjusted_rand(contingency(one, other))


def study(values, ks):
    """Return seconds and factorisations of every way; "random" has several runs."""
    path(values, ks[:2])  # compile
    found = {
        "up": timed(lambda: path(values, ks)),
        "down": timed(
            lambda: path(values, ks, direction="down", rng=stream(0, "down"))
        ),
        "nndsvd": timed(
            lambda: [
                factorise(values, k, init="nndsvd", rng=stream(0, "nndsvd", k))
                for k in ks
            ]
        ),
    }
    runs = [
        timed(lambda r=r: [factorise(values, k, rng=stream(r, k)) for k in ks])
        for r in range(RUNS)
    ]
    found["random"] = (np.mean([t for t, _ in runs]), [run for _, run in runs])
    return found


def summary(found, ks, classes, gold):
    """Return the row of the table, and the excess objectives by way and k."""
    runs = found["random"][1]
    objectives = np.array([[one.objective for one in run] for run in runs])
    best = objectives.min(axis=0)
    base = 1e-3 * objectives[:, 0].mean()  # beyond this the fit is as good as exact
    keep = best > base
    excess = {"random": (objectives / best - 1).mean(axis=0)}
    for way in ("nndsvd", "up", "down"):
        excess[way] = np.array([one.objective for one in found[way][1]]) / best - 1
    row = {}
    for way in WAYS:
        row[f"{way} objective"] = excess[way][keep].mean()
        row[f"{way} seconds"] = found[way][0]
    if classes is not None and gold in ks:
        at = ks.index(gold)
        row["random rand"] = np.mean([rand(run[at].labels, classes) for run in runs])
        for way in ("nndsvd", "up", "down"):
            row[f"{way} rand"] = rand(found[way][1][at].labels, classes)
    best_run = [runs[i][j] for j, i in enumerate(objectives.argmin(axis=0))]
    same = {
        "random": np.mean(
            [
                [rand(a.labels, b.labels) for a, b in zip(run, best_run, strict=True)]
                for run in runs
            ]
        )
    }
    for way in ("nndsvd", "up", "down"):
        pairs = zip(found[way][1], best_run, strict=True)
        same[way] = np.mean([rand(a.labels, b.labels) for a, b in pairs])
    for way in WAYS:
        row[f"{way} same"] = same[way]
    return row, {way: np.where(keep, excess[way], np.nan) for way in WAYS}


def cell(value, form):
    return "-" if value is None or np.isnan(value) else format(value, form)


def table(rows, what, form):
    independent = ("independent, random", "independent, NNDSVD")
    lines = [["data", "items x columns", *independent, "path up", "path down"]]
    known = [one for one in rows if f"up {what}" in one[2]]
    for name, (n, m), row in known:
        cells = (cell(row[f"{way} {what}"], form) for way in WAYS)
        lines.append([name, f"{n} x {m}", *cells])
    means = (np.mean([row[f"{way} {what}"] for *_, row in known]) for way in WAYS)
    return [*lines, ["mean", "", *(cell(value, form) for value in means)]]


def sentence(rows, way):
    """Return how fast a path was, and where it came out worst."""
    gains = [row["random seconds"] / row[f"{way} seconds"] for _, _, row in rows]
    name, _, row = max(rows, key=lambda each: each[2][f"{way} objective"])
    better = sum(
        row[f"{way} objective"] < row["random objective"] for _, _, row in rows
    )
    return (
        f"The path {way} was {np.median(gains):.1f} times as fast as an independent "
        f"sweep (median; {min(gains):.1f} to {max(gains):.1f}), and its objective "
        f"lower than that of one random start on {better} of {len(rows)} sets, on "
        f"average over k. Farthest above "
        f"the best of {RUNS} random starts it was on *{name}*: "
        f"{row[f'{way} objective']:+.2%}, where one random start was "
        f"{row['random objective']:+.2%}."
    )


def draw(curves):
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    columns = 4
    rows = -(-len(curves) // columns)
    figure, axes = plt.subplots(
        rows, columns, figsize=(13, 2.4 * rows), sharex=True, squeeze=False
    )
    styles = {
        "random": ("0.6", "independent, mean of random starts"),
        "nndsvd": ("tab:orange", "independent, NNDSVD"),
        "up": ("tab:blue", "path up"),
        "down": ("tab:green", "path down"),
    }
    for ax in axes.flat[len(curves) :]:
        ax.axis("off")
    for ax, (name, ks, excess) in zip(axes.flat, curves, strict=False):
        for way, (colour, label) in styles.items():
            ax.plot(ks, 100 * excess[way], color=colour, label=label, lw=1.3)
        ax.axhline(0, color="0.3", lw=0.6)
        ax.set_title(name, fontsize=9)
        ax.tick_params(labelsize=8)
    for ax in axes[:, 0]:
        ax.set_ylabel("% above best", fontsize=8)
    for ax in axes[-1]:
        ax.set_xlabel("k", fontsize=8)
    handles, names = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="upper center", ncols=4, fontsize=9)
    figure.tight_layout(rect=(0, 0, 1, 0.97))
    figure.savefig(DOCS / "nmf_incremental.png", dpi=80, metadata={"Software": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", help="sets whose names begin so")
    given = parser.parse_args()
    rows, curves = [], []
    for name, values, classes, gold in sets():
        if given.only and not name.startswith(given.only):
            continue
        ks = list(range(2, min(K_MAX, len(values) - 1) + 1))
        with threadpool_limits(1):
            found = study(values, ks)
        row, excess = summary(found, ks, classes, gold)
        rows.append((name, values.shape, row))
        curves.append((name, ks, excess))
        print(name, values.shape, {k: round(float(v), 4) for k, v in row.items()})
    forms = {"objective": "+.2%", "rand": ".2f", "same": ".2f", "seconds": ".3f"}
    tables = {what: table(rows, what, form) for what, form in forms.items()}
    show(tables, DOCS / "nmf_incremental.md" if given.write else None)
    print(sentence(rows, "up"), sentence(rows, "down"), sep="\n")
    if given.write:
        draw(curves)


if __name__ == "__main__":
    main()
