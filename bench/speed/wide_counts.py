"""Verdicts on data unlike the mixtures of `stablek bench trust`.

More columns than items, scores of a PCA, clusters in one column, counts of sequencing,
and distances without values. Every kind
has sets with 2 to 5 clusters and sets with none. Printed are, of the first, how many
got the right k and how many a k within one; of the others, in how many clusters were
claimed. Run it with

    python bench/speed/wide_counts.py --sets 24 --from 30000
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import joblib
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist, squareform

import stablek
from stablek.data import from_arrays
from stablek.data.preparation import prepare

Floats = NDArray[np.float64]
Made = tuple[Floats, str]  # what is given to a verdict, and the metric


def wide(rng: np.random.Generator, n: int, k: int, i: int) -> Made:
    """A twentieth of 500 or 2000 columns tells the clusters apart."""
    m = (500, 2000)[i % 2]
    centres = np.zeros((k, m))
    centres[:, : m // 20] = rng.normal(0, 1.5, (k, m // 20))
    if k == 1:
        centres[:] = 0
    return centres[rng.integers(0, k, n)] + rng.normal(size=(n, m)), "euclidean"


def scores(rng: np.random.Generator, n: int, k: int, i: int) -> Made:
    """The first 10 or 20 scores of a PCA; clusters, if any, in 40 columns."""
    centres = rng.normal(0, 1.2, (k, 40))[rng.integers(0, k, n)]
    values = centres + rng.normal(size=(n, 40))
    values -= values.mean(axis=0)
    axes = np.linalg.svd(values, full_matrices=False)[2][: (10, 20)[i % 2]]
    return values @ axes.T, "euclidean"


def one_column(rng: np.random.Generator, n: int, k: int, i: int) -> Made:
    """Clusters in one of 8 or 25 columns; without clusters columns of all widths."""
    m = (8, 25)[i % 2]
    values = rng.normal(size=(n, m))
    if k == 1:
        return values * rng.lognormal(0, 1, m), "euclidean"
    values[:, 0] += 7 * rng.integers(0, k, n)
    return values, "euclidean"


def counts(rng: np.random.Generator, n: int, k: int, i: int, mean: float) -> Floats:
    """Negative binomial counts; a cluster has 40 genes four times up or down."""
    m = (500, 1500)[i % 2]
    rate = np.tile(rng.lognormal(mean, 1.2, m), (k, 1))
    for row in rate if k > 1 else ():
        row[rng.choice(m, 40, replace=False)] *= rng.choice([4, 0.25], 40)
    expected = rate[rng.integers(0, k, n)] * rng.lognormal(0, 0.5, (n, 1))
    return rng.negative_binomial(5, 5 / (5 + expected)).astype(np.float64)


def prepared(values: Floats, *steps: str) -> Made:
    """What the advice of a verdict on counts leads to."""
    return np.asarray(prepare(from_arrays(values), steps).values), "euclidean"


def tissue(rng: np.random.Generator, n: int, k: int, i: int) -> Made:
    """Many counts per gene."""
    return prepared(counts(rng, n, k, i, 4.0), "equal-totals", "log1p")


def cells(rng: np.random.Generator, n: int, k: int, i: int) -> Made:
    """Few counts per gene, all genes."""
    return prepared(counts(rng, n, k, i, 1.0), "equal-totals", "log1p")


def best_cells(rng: np.random.Generator, n: int, k: int, i: int) -> Made:
    """Few counts per gene, the most variable tenth of the genes."""
    found = counts(rng, n, k, i, 1.0)
    tenth = f"most-variable:{found.shape[1] // 10}"
    return prepared(found, "equal-totals", "log1p", tenth)


def bray_curtis(rng: np.random.Generator, n: int, k: int, i: int) -> Made:
    """Distances between communities of 60 species."""
    del i
    types = rng.dirichlet(np.full(60, 0.5), k)
    rows = [rng.dirichlet(50 * types[c] + 1e-3) for c in rng.integers(0, k, n)]
    found = np.array([rng.multinomial(2000, row) for row in rows])
    return squareform(pdist(found, "braycurtis")), "precomputed"


def manhattan(rng: np.random.Generator, n: int, k: int, i: int) -> Made:
    """Manhattan distances in 10 or 40 columns."""
    m = (10, 40)[i % 2]
    centres = rng.normal(0, 2.0, (k, m))[rng.integers(0, k, n)]
    found = centres + rng.normal(size=(n, m))
    return squareform(pdist(found, "cityblock")), "precomputed"


KINDS: dict[str, Callable[[np.random.Generator, int, int, int], Made]] = {
    "wide": wide,
    "scores of a PCA": scores,
    "in one column": one_column,
    "counts, many per gene": tissue,
    "counts, few per gene": cells,
    "the same, a tenth of the genes": best_cells,
    "Bray-Curtis": bray_curtis,
    "Manhattan": manhattan,
}


def cases(sets: int, first: int) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield kind, items, clusters, number and seed."""
    for kind in KINDS:
        for i in range(sets):
            n = (60, 100, 200)[i % 3]
            yield kind, n, (2, 3, 4, 5)[i // 2 % 4], i, first + i
            if i % 2:
                yield kind, n, 1, i // 2, first + 500 + i


def answer(case: tuple[str, int, int, int, int]) -> tuple[str, int, int | None]:
    """Return kind, truth and the verdict's k."""
    kind, n, k, i, seed = case
    given, metric = KINDS[kind](np.random.default_rng(seed), n, k, i)
    return kind, k, stablek.verdict(given, metric=metric, seed=seed, jobs=1).k


def main() -> None:
    """Print a row per kind."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sets", type=int, default=12)
    options.add_argument("--from", dest="first", type=int, default=20_000)
    options.add_argument("--jobs", type=int, default=-1)
    asked = options.parse_args()
    found = joblib.Parallel(asked.jobs)(
        joblib.delayed(answer)(case) for case in cases(asked.sets, asked.first)
    )
    print("| kind | sets | exact | within one | without clusters | claimed |")
    print("|---|---|---|---|---|---|")
    for kind in KINDS:
        real = [(k, said) for name, k, said in found if name == kind and k > 1]
        null = [said for name, k, said in found if name == kind and k == 1]
        exact = sum(k == said for k, said in real)
        near = sum(said is not None and abs(k - said) <= 1 for k, said in real)
        claimed = sum(said != 1 for said in null)
        print(f"| {kind} | {len(real)} | {exact} | {near} | {len(null)} | {claimed} |")


if __name__ == "__main__":
    main()
