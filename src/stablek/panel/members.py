"""The panel: which measures a verdict reads, declared once.

Adding a member is one line here: a measure of the registry, the column that is read
from its curve, and what it looks at, in words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stablek.measures import measure
from stablek.paradigm.measure import Measure

#: How the items are clustered for every member.
ALGORITHM = "kmeans-w"


@dataclass(frozen=True)
class Member:
    """A member of the panel.

    Parameters
    ----------
    name
        What it is called in tables and sentences.
    make
        Makes its measure, given the number of subsamples.
    column
        The column of the curve that is read; its main column if None.
    reads
        What it looks at, for sentences.
    columns
        Whether it looks at the columns of the data instead of the coordinates.
    """

    name: str
    make: Callable[[int], Measure]
    reads: str
    column: str | None = None
    columns: bool = False
    fewest_columns: int = 1

    def speaks(self, columns: int) -> bool:
        """Tell whether data of so many columns tell it something."""
        return columns >= self.fewest_columns


MEMBERS: tuple[Member, ...] = (
    Member("silhouette", lambda _: measure("silhouette"),
           "how much closer items are to their own cluster than to the next"),
    Member("separation", lambda _: measure("separation"),
           "how far apart the closest two clusters lie"),
    Member("consensus", lambda repeats: measure("fc", repeats=repeats),
           "how often items fall together again in subsamples", "entropy"),
    Member("prediction", lambda _: measure("prediction", repeats=8),
           "how well one half of the items predicts the clusters of the other"),
    Member("mixture", lambda _: measure("bic"), "Gaussian mixtures with BIC"),
)  # fmt: skip
