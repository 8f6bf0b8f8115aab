"""A measure: one ingredient per step of the paradigm, and no loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from stablek.errors import InputError, check_count
from stablek.paradigm.assign import cluster_each
from stablek.paradigm.contracts import (
    Assign,
    Classifier,
    Clusterer,
    NullModel,
    Perturbation,
    Rule,
    Split,
    Statistic,
    StopRule,
    Synopsis,
    form_read,
)
from stablek.paradigm.perturb.resample import Unchanged
from stablek.paradigm.split import whole


def as_given(clusterer: Clusterer) -> Clusterer:
    """Return the algorithm as the user gave it: every k is clustered afresh."""
    return clusterer


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A measure, step by step. The engine runs it.

    Parameters
    ----------
    name
        The word a user types.
    perturb
        Step 1, one entry per data set that a repeat draws.
    split, assign, train
        Steps 2 to 5. ``train`` is the classifier, where one is trained.
    cluster
        Step 6: what is done with the algorithm before it runs (merging down from
        k_max, for example).
    collect
        Steps 7 and 8: the statistic.
    stop
        The test H: how many repeats.
    synopsis
        From the statistic to the curve.
    significance
        From the curve to k*.
    null, null_sets, runs
        The null model the rule compares with, how many null sets, and how many Monte
        Carlo runs of that many.
    share_samples
        Whether all ks of a repeat share the sample: Fast_Stability_Measure.
    smallest_k
        The smallest k the measure is defined for.
    below, above
        How many ks beyond those asked for the curve needs on either side.
    depends_on_kmax
        Whether a larger k_max may change the curve at smaller k.
    partition
        "original": the labels reported are those of the algorithm on the whole data;
        "consensus": those of the consensus matrix; "first": those of the first repeat,
        for measures that cluster the whole data, so that the partition reported is the
        one measured.
    better
        What null calibration compares: column name and "high" or "low".
    """

    name: str
    collect: Statistic
    synopsis: Synopsis
    significance: Rule
    stop: StopRule
    perturb: tuple[Perturbation, ...] = (Unchanged(),)
    split: Split = whole
    assign: Assign = cluster_each
    train: Classifier | None = None
    cluster: Callable[[Clusterer], Clusterer] = as_given
    null: NullModel | None = None
    null_sets: int = 0
    runs: int = 1
    share_samples: bool = False
    smallest_k: int = 2
    below: int = 0
    above: int = 0
    depends_on_kmax: bool = False
    partition: str = "original"
    better: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        wanted = form_read(self.synopsis)
        if wanted not in (None, self.collect.gives):
            raise InputError(
                f"{self.name}: the synopsis {word(self.synopsis)} reads {wanted}, but "
                f"the statistic {word(self.collect)} gives {self.collect.gives}"
            )
        check_count("runs", self.runs)
        if self.null_sets < 0:
            raise InputError(
                f"{self.name}: null_sets = {self.null_sets} must be 0 or more"
            )
        if self.null is None and self.null_sets:
            raise InputError(
                f"{self.name}: {self.null_sets} null sets, but no null model is named"
            )

    def smallest_part(self, n: int) -> int:
        """Return the size of the smallest part that is clustered, out of n items."""
        return min(self.split.size(perturb.size(n)) for perturb in self.perturb)

    def with_(self, **changes: Any) -> Measure:
        """Return the measure with some ingredients exchanged."""
        return replace(self, **changes)

    def steps(self) -> dict[str, str]:
        """Return the measure as a row of the paradigm table, one word per step."""
        return {
            "perturb": ", ".join(word(p) for p in self.perturb),
            "split": word(self.split),
            "assign": word(self.assign),
            "train": word(self.train) if self.train else "-",
            "cluster": word(self.cluster),
            "collect": word(self.collect),
            "stop": word(self.stop),
            "synopsis": word(self.synopsis),
            "significance": word(self.significance),
            "null": f"{word(self.null)} x {self.null_sets}" if self.null else "-",
            "samples": "shared by all k" if self.share_samples else "one per k",
        }


def word(ingredient: Any) -> str:
    """Return the word for an ingredient: its function's or its class's name."""
    return getattr(ingredient, "__name__", None) or type(ingredient).__name__
