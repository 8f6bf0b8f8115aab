"""The answer of ``stablek.assess``: a partition, and how sure each item is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.results.notebook import Shown
from stablek.results.written import Written

if TYPE_CHECKING:
    import pandas as pd

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Assessment(Written, Shown):
    """A partition into k clusters, and how sure each item's place in it is.

    Attributes
    ----------
    labels
        The partition, improved by bagging, or as the algorithm made it (replicating).
    confidence
        Per item, in [0, 1]: the share of the votes for its cluster (bagclust1), the
        mean co-membership with the other items of its cluster (bagclust2), or the
        share of the splits in which prediction and clustering agree on it
        (replicating). NaN where nothing is known.
    margin
        Confidence minus that of the runner-up cluster (bagclust), in [-1, 1].
    value, value_error
        The method's one number, and its standard error; ``value_means`` says what it
        is.
    failures
        Which repeats failed.
    """

    KEYS = (
        "method", "algorithm", "k", "value", "value_error", "value_means", "labels",
        "confidence", "margin", "repeats", "data", "settings", "seed", "versions",
        "failures",
    )  # fmt: skip

    method: str
    algorithm: str
    k: int
    labels: Labels
    confidence: Floats
    margin: Floats
    value: float
    value_error: float
    value_means: str
    repeats: int
    seed: int
    n: int
    m: int
    ids: tuple[str, ...]
    data_name: str = "data"
    settings: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    failures: tuple[str, ...] = ()

    @property
    def table(self) -> pd.DataFrame:
        """One row per item: cluster (numbered from 1), confidence and margin."""
        import pandas as pd

        columns = {
            "cluster": self.labels,
            "confidence": self.confidence,
            "margin": self.margin,
        }
        return pd.DataFrame(columns, index=pd.Index(self.ids, name="id"))

    @property
    def sentence(self) -> str:
        """The finding in one sentence."""
        sure = float(np.nanmean(self.confidence))
        return (
            f"{self.k} clusters by {self.algorithm}: {self.value_means} "
            f"{self.value:.3f}, mean confidence of an item {sure:.3f} "
            f"({self.method}, repeated {self.repeats} times)."
        )
