"""Finished cells in one SQLite file: what is there is not computed again.

The key is the recipe (see :mod:`stablek.bench.grid`), not the table: tables that quote
one another share their cells. Beside it stand the data set, a digest of its values, the
seed and the version of stablek, so that nothing stale is taken for fresh.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stablek.bench.grid import Recipe
from stablek.errors import InputError
from stablek.version import __version__

_SCHEMA = """
CREATE TABLE IF NOT EXISTS cells (
  recipe TEXT NOT NULL, dataset TEXT NOT NULL, digest TEXT NOT NULL,
  seed INTEGER NOT NULL, version TEXT NOT NULL,
  answer TEXT NOT NULL, seconds REAL NOT NULL, jobs INTEGER NOT NULL,
  PRIMARY KEY (recipe, dataset, digest, seed, version)
)
"""


@dataclass(frozen=True)
class Answer:
    """What a recipe gave on a data set.

    ``k`` is k* (None: no indication), ``value`` an index, ``facts`` what else is worth
    keeping (the curve of an index, why it failed).
    """

    k: int | None
    seconds: float
    jobs: int
    value: float | None = None
    facts: dict[str, Any] | None = None

    @property
    def failure(self) -> str | None:
        """Why there is no answer, if there is none for a reason."""
        return (self.facts or {}).get("failure")


class Store:
    """A file of finished cells; ``":memory:"`` keeps them for this run only."""

    def __init__(self, path: str | Path = ":memory:", seed: int = 0) -> None:
        self.seed = seed
        self._base = sqlite3.connect(path)
        try:
            self._base.execute(_SCHEMA)
        except sqlite3.DatabaseError as error:
            self._base.close()
            msg = f"{path} is no file of bench results ({error}); name another with -o"
            raise InputError(msg) from None

    def get(self, recipe: Recipe, dataset: str, digest: str) -> Answer | None:
        """Return the answer kept, or None."""
        row = self._base.execute(
            "SELECT answer, seconds, jobs FROM cells WHERE recipe = ? AND dataset = ? "
            "AND digest = ? AND seed = ? AND version = ?",
            (recipe.key, dataset, digest, self.seed, __version__),
        ).fetchone()
        if row is None:
            return None
        kept = json.loads(row[0])
        return Answer(kept["k"], row[1], row[2], kept["value"], kept["facts"])

    def put(self, dataset: str, digest: str, answers: dict[Recipe, Answer]) -> None:
        """Keep answers that were computed together, all or none of them."""
        rows = [
            (
                recipe.key,
                dataset,
                digest,
                self.seed,
                __version__,
                json.dumps({"k": one.k, "value": one.value, "facts": one.facts}),
                one.seconds,
                one.jobs,
            )
            for recipe, one in answers.items()
        ]
        with self._base:
            self._base.executemany(
                "INSERT OR REPLACE INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows
            )

    def count(self) -> int:
        """Return how many answers of this seed and version are kept."""
        found = self._base.execute(
            "SELECT COUNT(*) FROM cells WHERE seed = ? AND version = ?",
            (self.seed, __version__),
        )
        return int(found.fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        self._base.close()
