"""After the number: how right markers, batch warnings, new labels, validation are.

Five questions, each answered on data whose truth is known:

- markers: are the columns that were shifted the first ones, and is any column called
  stable where there is one cluster?
- genes: are the 50 genes of Golub et al. (1999) in the table of ALL and AML?
- batch: is a plate shift added to real data named as a batch effect?
- assign: do training items go back, and are new items as right as with K-means?
- validate: are real cohorts told from cohorts without clusters?
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek import verdict
from stablek.api.new_data import model_of
from stablek.api.validate import validate
from stablek.data import Dataset, from_arrays
from stablek.data.annotations import as_annotations
from stablek.data.seeds import stream
from stablek.io import read
from stablek.results.describe import class_codes, explained_of, markers_of
from stablek_bench.after_sets import halves, rand, real_sets
from stablek_bench.golub import GOLUB
from stablek_bench.wilson import Share

#: A verdict that is quick: its k is not what is measured here.
QUICK: dict[str, Any] = {"null_sets": 19, "repeats": 40, "level": 0.05}


@dataclass(frozen=True)
class Figure:
    """One number of the page: what was measured, what was found, what was asked."""

    question: str
    measured: str
    found: str
    wanted: str


def markers(sets: int, seed: int = 0) -> Iterator[Figure]:
    """Measure markers on simulated clusters and on one cluster."""
    right = total = called = 0
    for i in range(sets):
        data, shifted = shifted_set(stream(seed, "after", "markers", i))
        found = markers_of(verdict(data, seed=i, **QUICK), 3, top=20)
        right += hits(found, shifted)
        total += len(found)
        null = stream(seed, "after", "null", i).normal(size=(80, 60))
        seen = markers_of(verdict(null, seed=i, **QUICK))
        called += any(one.stable for one in seen)
    yield Figure(
        "markers",
        f"{sets} sets, 90 x 400, 3 clusters with 20 columns each shifted by 1.5: share "
        "of the first 20 columns of a cluster that are its own",
        str(Share(right, total)),
        "0.9",
    )
    yield Figure(
        "markers",
        f"{sets} sets of one cluster, 80 x 60: sets in which a column is called stable",
        str(Share(called, sets)),
        "at most 0.05",
    )


def shifted_set(rng: np.random.Generator) -> tuple[Dataset, NDArray[np.int64]]:
    """Return three clusters, and for every column the cluster it sets apart, or -1."""
    labels, owner = np.arange(90) % 3, np.full(400, -1)
    values = rng.normal(size=(90, 400))
    for c in range(3):
        owner[c * 20 : (c + 1) * 20] = c
        values[np.ix_(labels == c, owner == c)] += 1.5
    names = tuple(f"{c}-{j}" for j, c in enumerate(owner))
    return from_arrays(values, columns=names, classes=tuple(map(str, labels))), owner


def hits(found: Any, owner: NDArray[np.int64]) -> int:
    """Return how many markers are columns of one true cluster, the same per cluster."""
    count = 0
    for cluster in {one.cluster for one in found}:
        mine = [int(o) for one in found if one.cluster == cluster
                for o in [owner[int(one.column.split("-")[-1])]]]  # fmt: skip
        count += max(mine.count(c) for c in range(3))
    return count


def genes(folder: Path) -> Iterator[Figure]:
    """Look for the 50 genes of Golub et al. among the markers of ALL and AML."""
    data = read(folder / "leukemia_full.tsv.gz",
                labels_file=folder / "leukemia_full.labels.tsv")  # fmt: skip
    assert data.classes is not None
    side = tuple("AML" if "AML" in name else "ALL" for name in data.classes)
    names, codes = class_codes(side)
    v = verdict(replace(data, classes=None, _distances={}), **QUICK)
    textbook = {_probe(name) for side in GOLUB.values() for name in side}
    there = textbook & {_probe(name) for name in data.columns}
    listed = {_probe(one.column) for one in markers_of(v, labels=codes, top=100)}
    yield Figure(
        "genes",
        f"leukemia_full ({data.n} x {data.m:,}), your labels {' and '.join(names)}: of "
        f"the {len(there)} textbook probes in the data, those among the first 100",
        str(len(there & listed)),
        "in the table",
    )
    k = v.best_guess or 1
    own = {_probe(one.column) for one in markers_of(v, top=100)}
    yield Figure(
        "genes",
        f"the same among the first 100 columns of the verdict's own {k} clusters",
        str(len(there & own)),
        "in the table",
    )


def _probe(name: str) -> str:
    """Return a probe's name as it reads whatever the table did to its dots."""
    return name.replace("-", ".").replace("/", ".")


def batch(sets: list[Dataset], seed: int = 0) -> Iterator[Figure]:
    """Add a plate shift to real data, and see whether it is named."""
    named = quiet = 0
    for i, data in enumerate(sets):
        rng = stream(seed, "after", "batch", i)
        plate = rng.permutation(np.arange(data.n) % 2)
        values = np.asarray(data.values, dtype=np.float64)
        shift = rng.normal(size=data.m) * 1.5 * values.std(axis=0)
        known = as_annotations({"plate": [f"P{p}" for p in plate]}, data.n)
        moved = replace(data, values=values + plate[:, None] * shift,
                        annotations=known, classes=None, _distances={})  # fmt: skip
        named += explained_of(verdict(moved, seed=i, **QUICK)).batch is not None
        plain = replace(data, annotations=known, classes=None, _distances={})
        quiet += explained_of(verdict(plain, seed=i, **QUICK)).batch is None
    yield Figure(
        "batch",
        f"{len(sets)} real sets, half of the items shifted by 1.5 sd in every column: "
        "named as a batch effect",
        str(Share(named, len(sets))),
        "0.95",
    )
    yield Figure(
        "batch",
        "the same sets with a random plate and no shift: nothing named",
        str(Share(quiet, len(sets))),
        "",
    )


def assign(sets: list[Dataset], seed: int = 0) -> Iterator[Figure]:
    """Give training items and held-out halves to the clusters."""
    from sklearn.cluster import KMeans

    same = total = 0
    ours, theirs = [], []
    for i, data in enumerate(sets):
        v = verdict(data, seed=i, **QUICK)
        guess = v.best_guess or 1
        if guess < 2:
            continue
        again = model_of(v).assign(data, guess, prepare=False)
        same += int((again.cluster == v.labels_at(guess)).sum())
        total += data.n
        a, b = halves(data, stream(seed, "after", "assign", i))
        k = len(set(data.classes or ()))
        half = verdict(a, seed=i, **QUICK)
        model = model_of(half)
        if k not in model.partitions or a.n <= 2 * k:
            continue
        ours.append(rand(b, model.assign(b, k, prepare=False).cluster))
        fitted = KMeans(k, n_init=10, random_state=0).fit(a.values)
        theirs.append(rand(b, fitted.predict(np.asarray(b.values))))
    yield Figure(
        "assign",
        f"{len(sets)} real sets: training items that go back to their cluster",
        str(Share(same, total)),
        "0.99",
    )
    yield Figure(
        "assign",
        f"held-out halves of {len(ours)} sets at the number of classes: mean adjusted "
        "Rand index with the classes (K-means of scikit-learn on the same half)",
        f"{np.mean(ours):.3f} ({np.mean(theirs):.3f})",
        "as well as K-means",
    )


def cohorts(sets: list[Dataset], seed: int = 0) -> Iterator[Figure]:
    """Validate on the other half, and on a cohort without clusters made of it."""
    real: list[float] = []
    null: list[float] = []
    back = wrong = 0
    for i, data in enumerate(sets):
        a, b = halves(data, stream(seed, "after", "validate", i))
        v = verdict(a, seed=i, **QUICK)
        k = v.best_guess if (v.best_guess or 1) > 1 else 2
        model = model_of(v)
        values = np.asarray(b.values, dtype=np.float64)
        centred = values - values.mean(axis=0)
        noise = stream(seed, "after", "cohort", i).normal(size=(b.n, b.n))
        flat = values.mean(axis=0) + noise @ centred / np.sqrt(b.n - 1)
        for held, cohort in ((real, values), (null, flat)):
            other = replace(b, values=cohort, classes=None, _distances={})
            seen = validate(model, other, k=k, prepare=False, align="none")
            held.append(seen.score)
            back += (held is real) * (seen.p <= 0.05)
            wrong += (held is null) * (seen.p <= 0.05)
    wins = np.subtract.outer(real, null)
    auc = float((wins > 0).mean() + 0.5 * (wins == 0).mean())
    yield Figure(
        "validate",
        f"split halves of {len(sets)} real sets: AUC of the real other half against a "
        "normal cohort of the same covariance, by the score",
        f"{auc:.3f}",
        "0.9",
    )
    yield Figure(
        "validate",
        "the same: called back (p at most 0.05) in real cohorts, and in null cohorts",
        f"{Share(back, len(real))}, {Share(wrong, len(null))}",
        "",
    )


def run_parts(
    folder: Path | None,
    sets: int,
    parts: tuple[str, ...],
    seed: int,
    watch: Callable[[str], None],
    *,
    fresh: bool,
) -> list[Figure]:
    """Return the figures of the parts asked for; without data the simulated ones."""
    figures: list[Figure] = []
    wanted = parts or ("markers", "genes", "batch", "assign", "validate")
    some = real_sets(folder, sets, fresh=fresh) if folder is not None else []
    for part in wanted:
        watch(part)
        if part == "markers":
            figures += markers(sets, seed)
        elif folder is None:
            continue
        elif part == "genes":
            figures += genes(folder)
        else:
            ask = {"batch": batch, "assign": assign, "validate": cohorts}[part]
            figures += ask(some, seed)
    return figures
