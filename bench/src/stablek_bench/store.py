"""Finished cells in one SQLite file: what is there is not computed again.

The key is the recipe (see :mod:`stablek_bench.grid`), not the table: tables that quote
one another share their cells. Beside it stand the data set, a digest of its values, the
seed and the version of stablek, so that nothing stale is taken for fresh.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from stablek.errors import InputError, TryAgainError
from stablek.version import __version__
from stablek_bench.grid import Recipe
from stablek_bench.kept import check

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


class Place(NamedTuple):
    """Where an answer is kept: the recipe's key, the data, their digest, the seed."""

    recipe: str
    dataset: str
    digest: str
    seed: int


class Store:
    """A file of finished cells; ``":memory:"`` keeps them for this run only."""

    def __init__(self, path: str | Path = ":memory:", seed: int = 0) -> None:
        self.seed = seed
        self.path = path
        try:
            self._base = sqlite3.connect(path)
        except sqlite3.OperationalError:
            msg = f"cannot write {path}; name a file in a folder that is there with -o"
            raise InputError(msg) from None
        try:
            self._base.execute(_SCHEMA)
        except sqlite3.DatabaseError as error:
            self._base.close()
            if "full" in str(error) or "locked" in str(error):
                msg = f"{path}: {error}; run the same command again later"
                raise TryAgainError(msg) from None
            msg = (
                f"{path} is not a file of bench results ({error}); name another with -o"
            )
            raise InputError(msg) from None

    def get(
        self, recipe: Recipe, dataset: str, digest: str, seed: int | None = None
    ) -> Answer | None:
        """Return the answer kept, or None; ``seed`` may be another than the store's."""
        with self._told():
            row = self._base.execute(
                "SELECT answer, seconds, jobs FROM cells WHERE recipe = ? AND dataset "
                "= ? AND digest = ? AND seed = ? AND version = ?",
                (recipe.key, dataset, digest, self._of(seed), __version__),
            ).fetchone()
        return None if row is None else _read(*row)

    def _of(self, seed: int | None) -> int:
        return self.seed if seed is None else seed

    def put(
        self,
        dataset: str,
        digest: str,
        answers: dict[Recipe, Answer],
        seed: int | None = None,
    ) -> None:
        """Keep answers that were computed together, all or none of them."""
        own = self._of(seed)
        kept = {Place(r.key, dataset, digest, own): one for r, one in answers.items()}
        self._write("REPLACE", kept)

    def fill(self, answers: Mapping[Place, Answer]) -> None:
        """Keep those of the answers for which there is none yet."""
        self._write("IGNORE", answers)

    def _write(self, otherwise: str, answers: Mapping[Place, Answer]) -> None:
        rows = []
        for place, one in answers.items():
            found = {"k": one.k, "value": one.value, "facts": one.facts}
            text = json.dumps({**found, "check": check(found)})
            rows.append((*place, __version__, text, one.seconds, one.jobs))
        with self._told(), self._base:
            self._base.executemany(
                f"INSERT OR {otherwise} INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

    def everything(self) -> dict[Place, Answer]:
        """Return all answers of this version, of whatever seed, in order."""
        with self._told():
            rows = self._base.execute(
                "SELECT recipe, dataset, digest, seed, answer, seconds, jobs FROM "
                "cells WHERE version = ? ORDER BY recipe, dataset, digest, seed",
                (__version__,),
            ).fetchall()
        found = {Place(*row[:4]): _read(*row[4:]) for row in rows}
        return {place: one for place, one in found.items() if one is not None}

    def count(self) -> int:
        """Return how many answers of this seed and version are kept."""
        with self._told():
            found = self._base.execute(
                "SELECT COUNT(*) FROM cells WHERE seed = ? AND version = ?",
                (self.seed, __version__),
            )
            return int(found.fetchone()[0])

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say what is wrong with the file, and what to do."""
        try:
            yield
        except sqlite3.OperationalError as error:  # locked by another, a full disk
            msg = (
                f"{self.path}: {error}; finished cells are kept, give the same command "
                "again later"
            )
            raise TryAgainError(msg) from None
        except sqlite3.DatabaseError as error:
            msg = f"{self.path} is damaged ({error}); name another file with -o"
            raise InputError(msg) from None

    def close(self) -> None:
        """Close the file."""
        self._base.close()


def _read(text: str, seconds: float, jobs: int) -> Answer | None:
    """Return an answer as it was kept; None if it is damaged: it is computed again."""
    try:
        kept = json.loads(text)
        # Files of the first studies have no check.
        if kept.pop("check", None) not in (None, check(kept)):
            return None
        return Answer(kept["k"], seconds, jobs, kept["value"], kept["facts"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
