"""The panel: which measures a verdict reads, declared once.

Adding a member is one line here and one coefficient in choice.py: a measure of the
registry, how its curve is read, and what it looks at, in words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stablek.measures import measure
from stablek.paradigm.measure import Measure

#: How the items are clustered for every member.
ALGORITHM = "kmeans-w"

#: Halves that prediction strength is read from.
HALVES = 16


@dataclass(frozen=True)
class Member:
    """A member of the panel.

    Parameters
    ----------
    name
        What it is called in tables and sentences.
    make
        Makes its measure, given the number of subsamples.
    read
        "vote": it names one k, by the rule of its measure, and neighbouring k gain with
        it. "curve": its curve counts as it is. "trust": it is not read for the choice,
        but tells how far to trust clusters and items.
    looks_at
        What it looks at, for sentences.
    column
        The column of the curve that is read; its main column if None.
    """

    name: str
    make: Callable[[int], Measure]
    read: str
    looks_at: str
    column: str | None = None


MEMBERS: tuple[Member, ...] = (
    Member("valley", lambda _: measure("valley"), "vote",
           "a valley between every two clusters, on held-out items"),
    Member("graph", lambda _: measure("modularity"), "vote",
           "how often nearest neighbours share a cluster"),
    Member("mixture", lambda _: measure("bic"), "vote",
           "Gaussian mixtures, by BIC"),
    Member("silhouette", lambda _: measure("silhouette"), "vote",
           "how much closer items are to their own cluster than to the next"),
    Member("prediction", lambda _: measure("prediction", repeats=HALVES), "curve",
           "how well one half of the items predicts the clusters of the other"),
    Member("size", lambda _: measure("separation"), "curve",
           "whether a cluster is tiny", "smallest"),
    Member("consensus", lambda repeats: measure("fc", repeats=repeats), "trust",
           "how often items fall together again in subsamples"),
)  # fmt: skip
