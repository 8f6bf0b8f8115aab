"""The sets behind the verdict's constants: real ones, and sets made from real ones.

A folder holds ``stats.tsv`` (name, n, m, K, kind, fair, group) and, per set,
``NAME.tsv.gz`` and ``NAME.labels.tsv``. From the real sets others are made:

- *plasmodes*: residuals of real classes as noise around centres at a stated distance;
- *single classes*: one class alone, without the clusters that were labelled;
- *residuals*: of all classes, resampled so that no group remains. ``flip`` gives every
  row a random sign, ``permute`` permutes every component on its own, ``mix`` adds three
  random rows with random signs.

*Unequal* sets are simulated: a large Gaussian cluster and a small one. So are
*continua*: items along a bent or forked line, without a gap.

Every set has a group (sets of one group share samples or were made from one another):
folds never part a group.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Streams
from stablek.datasets.mixtures import mixture
from stablek.datasets.nulls import NULLS, null_set
from stablek.errors import InputError
from stablek_bench.real_made import plasmode, residuals
from stablek_bench.simulated_sets import CONTINUA, UNEQUAL, continuum, unequal

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

#: Parts of the study, in the order they are run.
PARTS = (
    "fair", "half", "plasmode", "mixture", "unequal", "null", "residual", "class",
    "continuum", "order", "seed", "no", "fresh",
)  # fmt: skip
RESIDUALS = ("flip", "permute", "mix")

#: Sizes of simulated null sets, in turn.
NULL_SIZES = (
    (50, 2), (60, 100), (100, 5), (100, 100), (200, 2), (150, 10), (80, 40), (300, 50),
    (150, 4), (60, 20), (500, 20), (120, 15),
)  # fmt: skip
FLAVOURS = (
    "equal", "sizes", "spreads", "unequal", "anisotropic", "skewed", "uniform", "t5",
    "noise", "two-level",
)  # fmt: skip
MIXTURE_COLUMNS = (2, 10, 100, 5, 50)
MIXTURE_SEED, NULL_SEED, PLASMODE_SEED = 100, 60_000, 7
FRESH_SEED = 500_000  # mixtures that nothing was fitted to
MIXTURES, NULLS_PER_KIND, CONTINUA_PER_KIND = 75, 60, 12
ORDERS, ORDER_SETS = 5, 20

#: Parts whose sets are judged with other seeds, too, and with how many.
OTHER_SEEDS = {"fair": 4, "half": 1, "mixture": 2}

#: Limits of what is made from real sets.
CLASS_ITEMS = 40, 300
CLASSES_PER_GROUP = 2
PLASMODE_ITEMS = 40, 1100


@dataclass(frozen=True)
class RealSet:
    """One set of the collection, as ``stats.tsv`` has it."""

    name: str
    n: int
    m: int
    k: int
    kind: str
    mark: str
    group: str
    kmeans: float  # adjusted Rand index of plain K-means at K, as listed

    @property
    def cost(self) -> float:
        """Roughly how long it takes, to begin with the quick ones."""
        return min(self.n, 2500) ** 2 * (50.0 + self.m)


@dataclass(frozen=True)
class RealCase:
    """One set to be judged.

    ``variant`` is an order of rows, a class, or the seed of a simulated set; ``seed``
    is that of the verdict. In the part "seed", ``of`` is the part of the set.
    """

    part: str
    name: str
    kind: str
    group: str
    k: int
    variant: str = ""
    seed: int = 0
    of: str = ""


def collection(folder: Path) -> dict[str, RealSet]:
    """Return the sets of a folder by name, the quick ones first."""
    listed = folder / "stats.tsv"
    if not listed.exists():
        msg = f"{listed} is not there; --data names the folder of the real collection"
        raise InputError(msg)
    with listed.open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    found = [
        RealSet(
            r["name"], int(r["n"]), int(r["m"]), int(r["K"]),
            "prol" if r["name"].startswith("prol_") else r["kind"], r["fair"],
            r["group"], float(r["km"]),
        )
        for r in rows
    ]  # fmt: skip
    return {one.name: one for one in sorted(found, key=lambda one: one.cost)}


def load(folder: Path, name: str) -> tuple[Floats, Labels]:
    """Return values and classes (numbers from 0) of a real set."""
    with gzip.open(folder / f"{name}.tsv.gz", "rt", newline="") as file:
        _, *rows = csv.reader(file, delimiter="\t")
    with (folder / f"{name}.labels.tsv").open(newline="") as file:
        named = {r["id"]: r["class"] for r in csv.DictReader(file, delimiter="\t")}
    values = np.array([row[1:] for row in rows], dtype=np.float64)
    classes = np.array([named[row[0]] for row in rows])
    return values, np.unique(classes, return_inverse=True)[1]


def cases(folder: Path, parts: tuple[str, ...] = ()) -> Iterator[RealCase]:
    """Yield what is to be judged, part by part."""
    sets = collection(folder)
    for part in parts or PARTS:
        yield from _CASES.get(part, _marked)(folder, sets, part)


def _marked(folder: Path, sets: dict[str, RealSet], part: str) -> Iterator[RealCase]:
    for one in sets.values():
        if one.mark == part:
            yield RealCase(part, one.name, one.kind, one.group, one.k)


def _plasmodes(folder: Path, sets: dict[str, RealSet], part: str) -> Iterator[RealCase]:
    low, high = PLASMODE_ITEMS
    for one in sets.values():
        if one.mark != "no" and low <= one.n <= high:
            # How many clusters it has is drawn with it.
            yield RealCase(part, one.name, one.kind, one.group, 0)


def _mixtures(folder: Path, sets: dict[str, RealSet], part: str) -> Iterator[RealCase]:
    for i in range(MIXTURES):
        flavour = FLAVOURS[i % len(FLAVOURS)]
        k = (4, 6, 8)[i // 10 % 3] if flavour == "two-level" else 2 + (i + i // 10) % 9
        name = f"{flavour}-{i}"
        seed = i + (FRESH_SEED if part == "fresh" else MIXTURE_SEED)
        yield RealCase(part, name, flavour, f"{part}-{i}", k, str(seed))


def _unequal(folder: Path, sets: dict[str, RealSet], part: str) -> Iterator[RealCase]:
    for i, (n, m, share, _) in enumerate(UNEQUAL):
        name = f"unequal-{n}-{m}-{share:g}-{i}"
        yield RealCase(part, name, f"{share:.0%}", name, 2, str(i))


def _nulls(folder: Path, sets: dict[str, RealSet], part: str) -> Iterator[RealCase]:
    for i in range(NULLS_PER_KIND):
        for kind in NULLS:
            name = f"{kind}-{i}"
            yield RealCase(part, name, kind, name, 1, str(NULL_SEED + i))


def _continua(folder: Path, sets: dict[str, RealSet], part: str) -> Iterator[RealCase]:
    for shape in CONTINUA:
        for i in range(CONTINUA_PER_KIND):
            yield RealCase(part, f"{shape}-{i}", shape, f"{shape}-{i}", 1, str(i))


def _residuals(folder: Path, sets: dict[str, RealSet], part: str) -> Iterator[RealCase]:
    """Yield the smallest set of every group, three ways."""
    first: dict[str, RealSet] = {}
    for one in sorted(sets.values(), key=lambda one: one.n):
        first.setdefault(one.group, one)
    for one in sorted(first.values(), key=lambda one: one.cost):
        for how in RESIDUALS:
            yield RealCase(part, one.name, how, one.group, 1)


def _classes(folder: Path, sets: dict[str, RealSet], part: str) -> Iterator[RealCase]:
    """Yield the two largest classes within the limits of one set per group."""
    low, high = CLASS_ITEMS
    finest: dict[str, RealSet] = {}
    for one in sorted(sets.values(), key=lambda one: (-one.k, one.name)):
        finest.setdefault(one.group, one)
    for one in sorted(finest.values(), key=lambda one: one.cost):
        sizes = np.bincount(load(folder, one.name)[1])
        fits = [c for c in np.argsort(-sizes, kind="stable") if low <= sizes[c] <= high]
        for c in fits[:CLASSES_PER_GROUP]:
            yield RealCase(part, one.name, one.kind, one.group, 1, str(c))


def _orders(folder: Path, sets: dict[str, RealSet], part: str) -> Iterator[RealCase]:
    quick = [one for one in sets.values() if one.mark in ("fair", "half")]
    for one in quick[:ORDER_SETS]:
        for i in range(ORDERS):
            yield RealCase(part, one.name, one.kind, one.group, one.k, str(i + 1))


def _seeds(folder: Path, sets: dict[str, RealSet], part: str) -> Iterator[RealCase]:
    for of, seeds in OTHER_SEEDS.items():
        for case in _CASES.get(of, _marked)(folder, sets, of):
            for seed in range(1, seeds + 1):
                yield replace(case, part=part, of=of, seed=seed)


_CASES = {
    "plasmode": _plasmodes,
    "mixture": _mixtures,
    "fresh": _mixtures,
    "unequal": _unequal,
    "null": _nulls,
    "continuum": _continua,
    "residual": _residuals,
    "class": _classes,
    "order": _orders,
    "seed": _seeds,
}


def make(folder: Path, case: RealCase) -> tuple[Floats, Labels] | None:
    """Return values and true labels of a case; None where it cannot be made."""
    part = case.of or case.part
    if part in ("mixture", "fresh"):
        i = int(case.variant) - (FRESH_SEED if part == "fresh" else MIXTURE_SEED)
        m = MIXTURE_COLUMNS[(i + i // 10) % len(MIXTURE_COLUMNS)]
        made = mixture(case.kind, case.k, m, int(case.variant), bayes_error=0.01)
        return made.values, np.asarray(made.labels, dtype=np.int64)
    if part == "unequal":
        return unequal(int(case.variant))
    if part == "continuum":
        values = continuum(case.kind, int(case.variant))
        return values, np.zeros(len(values), dtype=np.int64)
    if part == "null":
        i = int(case.variant) - NULL_SEED
        n, m = NULL_SIZES[i % len(NULL_SIZES)]
        m = 8 if case.kind == "curves" and m < 3 else m
        values = null_set(case.kind, n, m, int(case.variant)).values
        return values, np.zeros(n, dtype=np.int64)
    values, classes = load(folder, case.name)
    if part == "class":
        own = values[classes == int(case.variant)]
        return own, np.zeros(len(own), dtype=np.int64)
    if part == "residual":
        left = residuals(values, classes, case.kind, Streams(0, (case.name, case.kind)))
        return left, np.zeros(len(left), dtype=np.int64)
    if part == "plasmode":
        return plasmode(
            values, classes, Streams(PLASMODE_SEED, ("plasmode", case.name))
        )
    if part == "order":
        order = Streams(int(case.variant), ("order", case.name))("rows")
        rows = order.permutation(len(values))
        return values[rows], classes[rows]
    return values, classes
