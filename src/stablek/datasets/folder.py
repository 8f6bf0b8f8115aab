"""Read a folder of real data: pairs of ``<name>.tsv.gz`` and ``<name>.labels.tsv``.

The matrix has a header row of features, a first column ``id``, one row per item, and
``NA`` for a missing value; the labels have the columns ``id`` and ``class`` and the
same order. A file ``gold.tsv`` (columns ``name``, ``gold_k``, ...) may give the number
of clusters where it differs from the number of classes. The folder is the argument, or
the environment variable ``STABLEK_DATA``.
"""

import csv
import gzip
import os
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from stablek.datasets.simulated import Floats, Labels
from stablek.errors import InputError, unknown_name

MATRIX = ".tsv.gz"
LABELS = ".labels.tsv"


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A real set with the classes its source gives: items are rows.

    Missing values are NaN. ``k`` is the gold number of clusters, which need not be the
    number of classes; ``facts`` says where it comes from.
    """

    values: Floats
    ids: tuple[str, ...]
    columns: tuple[str, ...]
    classes: tuple[str, ...]
    k: int
    name: str
    facts: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check that the parts fit, and lock the matrix."""
        n, m = self.values.shape
        sizes = (len(self.ids), len(self.classes), len(self.columns))
        if sizes != (n, n, m):
            raise InputError(
                f"{self.name}: {n} x {m} values, {sizes[0]} ids, {sizes[1]} classes "
                f"and {sizes[2]} column names"
            )
        self.values.setflags(write=False)

    @property
    def labels(self) -> Labels:
        """The classes as numbers from 0, in the order of their first item."""
        number = {c: i for i, c in enumerate(dict.fromkeys(self.classes))}
        return np.array([number[c] for c in self.classes], dtype=np.int64)


def data_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """Return the folder of real data: the argument, or STABLEK_DATA."""
    given = folder if folder is not None else os.environ.get("STABLEK_DATA")
    if not given:
        raise InputError(
            "no folder of real data: give --data DIR or set STABLEK_DATA to a folder "
            f"of <name>{MATRIX} and <name>{LABELS} pairs"
        )
    path = Path(given)
    if not path.is_dir():
        origin = "--data" if folder is not None else "STABLEK_DATA"
        raise InputError(f"{origin}: '{path}' is not a folder")
    return path


def available(folder: str | os.PathLike[str] | None = None) -> list[str]:
    """Return the names of the complete pairs in the folder, sorted."""
    path = data_folder(folder)
    names = (file.name.removesuffix(MATRIX) for file in path.glob(f"*{MATRIX}"))
    return sorted(name for name in names if (path / f"{name}{LABELS}").is_file())


def gold(folder: str | os.PathLike[str] | None = None) -> dict[str, dict[str, str]]:
    """Return the rows of ``gold.tsv`` by name; empty when there is no such file."""
    file = data_folder(folder) / "gold.tsv"
    if not file.is_file():
        return {}
    rows = _table(file, ("name", "gold_k"))
    return {row["name"]: row for row in rows}


def load_folder(name: str, folder: str | os.PathLike[str] | None = None) -> Labelled:
    """Return the set ``name`` of the folder."""
    path = data_folder(folder)
    names = available(path)
    if name not in names:
        raise unknown_name(f"data set in {path}", name, names)
    columns, ids, values = matrix(path / f"{name}{MATRIX}")
    rows = _table(path / f"{name}{LABELS}", ("id", "class"))
    labelled = tuple(row["id"] for row in rows)
    if labelled != ids:
        where = next(
            (
                i
                for i, pair in enumerate(zip(ids, labelled, strict=False))
                if len({*pair}) > 1
            ),
            min(len(ids), len(labelled)),
        )
        raise InputError(
            f"{name}{LABELS}: item {where + 1} does not match {name}{MATRIX} "
            f"({len(labelled)} and {len(ids)} items); both must have the same order"
        )
    classes = tuple(row["class"] for row in rows)
    facts: dict[str, Any] = {"classes": len(set(classes)), "k_from": "labels"}
    k = facts["classes"]
    known = gold(path).get(name)
    if known is not None:
        k = int(known["gold_k"])
        facts["k_from"] = "gold.tsv"
        facts["thesis_dataset"] = known.get("thesis_dataset", "")
        facts["labels_are_gold"] = known.get("labels_are_gold", "yes") == "yes"
    return Labelled(values, ids, columns, classes, k, name, facts)


def matrix(file: Path) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    """Return the columns, the ids and the values of one matrix."""
    try:
        with gzip.open(file, "rt", encoding="utf-8", newline="") as text:
            lines = [line.rstrip("\r\n").split("\t") for line in text]
    except (gzip.BadGzipFile, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"{file.name} is not gzipped UTF-8 text: {error}") from None
    if len(lines) < 2:
        raise InputError(
            f"{file.name} is empty: at least a header and one row are needed"
        )
    header, *rows = lines
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise InputError(
                f"{file.name}, line {number}: {len(row)} fields where the header has "
                f"{len(header)}"
            )
    ids = tuple(row[0] for row in rows)
    cells = [["nan" if cell == "NA" else cell for cell in row[1:]] for row in rows]
    try:
        values = np.array(cells, dtype=np.float64)
    except ValueError as error:
        raise InputError(f"{file.name}: {error}; missing values are NA") from None
    return tuple(header[1:]), ids, values.reshape(len(rows), len(header) - 1)


def _table(file: Path, needed: tuple[str, ...]) -> list[dict[str, str]]:
    """Return the rows of a small tab-separated table that has these columns."""
    with file.open(encoding="utf-8", newline="") as text:
        reader = csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE)
        rows = list(reader)
        missing = [name for name in needed if name not in (reader.fieldnames or ())]
    if missing:
        raise InputError(f"{file.name}: no column '{missing[0]}' in its header")
    return rows
