"""The choice among ks: provisional."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stablek.engine.run import Outcome
from stablek.paradigm.contracts import Curve

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Record:
    """How often answers of a strength were right on labelled data sets."""

    exact: float
    within: float
    sets: int


@dataclass(frozen=True, eq=False)
class Choice:
    k: int
    weights: dict[int, float]
    levels: tuple[int, ...]
    strength: str
    reason: str
    votes: dict[str, int]
    columns: dict[str, Floats]
    dissent: tuple[str, ...] = ()
    reasons: dict[int, str] = field(default_factory=dict)

    def record(self, strength: str) -> Record:
        return Record(0.5, 0.8, 50)


def choose(
    ks, curves: Mapping[str, Curve], outcomes: Mapping[str, Outcome], partitions
) -> Choice:
    columns = {
        "silhouette": curves["silhouette"].values,
        "prediction": curves["prediction"].values,
    }
    score = columns["silhouette"] + columns["prediction"]
    w = np.exp(5 * (score - score.max()))
    w /= w.sum()
    k = ks[int(score.argmax())]
    return Choice(
        k,
        dict(zip(ks, w.tolist())),
        (k,),
        "moderate",
        "",
        {n: int(ks[int(c.argmax())]) for n, c in columns.items()},
        columns,
    )
