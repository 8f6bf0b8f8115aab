"""Real sets to measure what comes after the number on, and halves of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from stablek.data import Dataset
from stablek.io import read
from stablek.paradigm.indices import adjusted_rand, contingency


def halves(data: Dataset, rng: np.random.Generator) -> tuple[Dataset, Dataset]:
    """Return two random halves of the items."""
    order = rng.permutation(data.n)
    made = []
    for rows in (order[: data.n // 2], order[data.n // 2 :]):
        own = tuple((data.classes or ())[i] for i in rows)
        made.append(
            Dataset(data.values[rows], columns=data.columns, classes=own or None,
                    name=data.name)
        )  # fmt: skip
    return made[0], made[1]


def rand(data: Dataset, labels: Any) -> float:
    """Return the adjusted Rand index with the classes of the data."""
    return adjusted_rand(contingency(list(data.classes or ()), labels))


#: The methods were worked out on this many of the smallest sets.
DEVELOPED_ON = 20


def real_sets(folder: Path, count: int, *, fresh: bool = False) -> list[Dataset]:
    """Return the smallest real sets whose classes a clustering can see.

    Of ``real/gold.tsv`` those marked fair, with 60 to 600 items and at most 400,000
    values; the smallest first. ``fresh``: others than those the methods were worked
    out on, with up to 1,600 items.
    """
    lines = (folder / "real" / "gold.tsv").read_text().splitlines()
    rows = [dict(zip(lines[0].split("\t"), line.split("\t"), strict=True))
            for line in lines[1:]]  # fmt: skip
    rows = [r for r in rows if r["fair"] == "fair" and 60 <= int(r["n"]) <= 1600]
    rows.sort(key=lambda r: (int(r["n"]) * int(r["m"]), r["name"]))
    small = [
        r for r in rows
        if int(r["n"]) <= 600 and int(r["n"]) * int(r["m"]) <= 400_000
    ]  # fmt: skip
    known = {r["name"] for r in small[:DEVELOPED_ON]}
    rows = [r for r in rows if r["name"] not in known] if fresh else small
    return [
        read(folder / "real" / f"{r['name']}.tsv.gz",
             labels_file=folder / "real" / f"{r['name']}.labels.tsv")
        for r in rows[:count]
    ]  # fmt: skip
