"""The answer of ``stablek.compare``: what several measures said."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stablek.results.notebook import Shown, card
from stablek.results.result import Failed, Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """What each measure said with each algorithm; one that failed keeps its place."""

    parts: tuple[Result | Failed, ...]

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        failed = (f"{one.measure} failed: {one.message}" for one in self.failures)
        return card([self.sentence, *failed], self.table)

    @property
    def results(self) -> tuple[Result, ...]:
        """Those that finished."""
        return tuple(part for part in self.parts if isinstance(part, Result))

    @property
    def failures(self) -> tuple[Failed, ...]:
        """Those that did not."""
        return tuple(part for part in self.parts if isinstance(part, Failed))

    @property
    def table(self) -> pd.DataFrame:
        """k* by measure (rows) and algorithm (columns); empty where it failed."""
        import pandas as pd

        k_stars = {(r.measure, r.algorithm): r.k_star for r in self.results}
        rows = dict.fromkeys(part.measure for part in self.parts)
        columns = dict.fromkeys(part.algorithm for part in self.parts)
        cells = [[k_stars.get((m, a)) for a in columns] for m in rows]
        index = pd.Index(list(rows), name="measure")
        return pd.DataFrame(cells, index, list(columns), dtype=pd.Int64Dtype())

    def counts(self) -> dict[int, int]:
        """Return how many of the runs gave each k, the most frequent first."""
        votes = Counter(r.k_star for r in self.results if r.k_star is not None)
        order = sorted(votes, key=lambda k: (-votes[k], k))
        return {k: votes[k] for k in order}

    @property
    def sentence(self) -> str:
        """What they say together, without weighing them."""
        counts = self.counts()
        if not counts:
            return "No measure gave an answer."
        total = len(self.results)
        each = ", ".join(f"k = {k}: {c} of {total}" for k, c in counts.items())
        return f"{each}. A verdict also compares with data without clusters."
