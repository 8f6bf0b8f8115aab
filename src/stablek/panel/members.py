"""The panel: which measures a verdict reads, declared once.

Adding a member is one line of ``MEMBERS``: a measure of the registry, how its curve is
read, what it looks at in words, and its coefficient in the score of the choice.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.measures import measure
from stablek.paradigm.measure import Measure

Floats = NDArray[np.float64]

#: How the items are clustered for every member, and in the gate.
ALGORITHM = "kmeans-w"

#: What the clusters of the answer are then refined by.
PARTITIONS = "kmeans-m"

#: Halves that prediction strength is read from.
HALVES = 16


def as_it_is(column: Floats, ks: Floats, n: int) -> Floats:
    """Return a column as it is."""
    return column


def squared(column: Floats, ks: Floats, n: int) -> Floats:
    """Return a column squared: what nearly always comes back counts most."""
    return column**2


def evenness(smallest: Floats, ks: Floats, n: int) -> Floats:
    """Return ln(k x share of the smallest cluster): 0 for clusters of one size."""
    return np.log(np.maximum(smallest, 1.0) / n * ks)


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
        "vote": it names the k* of its measure, and neighbouring k gain with it.
        "curve": its curve counts. "trust": it is not read for the choice, but
        tells how far to trust clusters and items.
    looks_at
        What it looks at, for sentences.
    coefficient
        What its term counts in the score; chosen by ``stablek bench real``.
    column
        The column of the curve that is read; its main column if None.
    term
        What a curve becomes before it counts.
    abstains
        Whether an answer of 1 is no vote. Otherwise it is one for the smallest k.
    """

    name: str
    make: Callable[[int], Measure]
    read: str
    looks_at: str
    coefficient: float = 0.0
    column: str | None = None
    term: Callable[[Floats, Floats, int], Floats] = as_it_is
    abstains: bool = False


MEMBERS: tuple[Member, ...] = (
    Member("valley", lambda _: measure("valley"), "vote",
           "a valley between every two clusters, on held-out items", 1.52),
    Member("graph", lambda _: measure("modularity"), "vote",
           "how often nearest neighbours share a cluster", 1.68),
    Member("mixture", lambda _: measure("bic"), "vote",
           "Gaussian mixtures, by BIC", 1.14, abstains=True),
    Member("silhouette", lambda _: measure("silhouette"), "vote",
           "how much closer items are to their own cluster than to the next", 0.50),
    Member("prediction", lambda _: measure("prediction", repeats=HALVES), "curve",
           "how well one half of the items predicts the clusters of the other", 1.84,
           term=squared),
    Member("size", lambda _: measure("separation"), "curve",
           "whether a cluster is tiny", 0.53, "smallest", evenness),
    Member("consensus", lambda repeats: measure("fc", repeats=repeats), "trust",
           "how often items share a cluster in subsamples"),
)  # fmt: skip
