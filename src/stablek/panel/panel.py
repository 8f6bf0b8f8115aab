"""The panel at work: its members on the engine, over shared passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.engine.execution.execute import Execution
from stablek.engine.plan import Plan, plan
from stablek.engine.run import Journal, Outcome, Watch
from stablek.engine.together import Pass, passes, run_pass
from stablek.panel.choice import Choice, choose
from stablek.panel.members import ALGORITHM, MEMBERS, PARTITIONS
from stablek.panel.prepare import Prepared
from stablek.paradigm.cluster import algorithm
from stablek.paradigm.cluster.common_shape import CommonShape
from stablek.paradigm.contracts import Curve, Facts
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.prediction import PredictionStrength
from stablek.paradigm.synopsis import mean_value

Journals = Callable[[str], Journal]
Labels = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Panel:
    """What the panel saw and chose.

    Parameters
    ----------
    ks
        The numbers of clusters tried.
    plans, outcomes
        Of every member, by name.
    partitions
        Shape (ks, items judged): the partition at each k, from 0.
    choice
        The k, how plausible each k is, the levels, and the strength.
    """

    ks: tuple[int, ...]
    plans: dict[str, Plan]
    outcomes: dict[str, Outcome]
    partitions: Labels
    choice: Choice

    @property
    def one_k(self) -> bool:
        """Whether the user asked for one k, so that there is nothing to choose."""
        return len(self.ks) == 1

    @property
    def cube(self) -> PartitionCube:
        """The partitions of the subsamples."""
        return self.outcomes["consensus"].cube.at(self.ks)

    @property
    def comes_back(self) -> float:
        """The largest prediction strength: how well the clusters at some k return."""
        return float(self.outcomes["prediction"].curve.at(self.ks).values.max())

    def at(self, k: int) -> Labels:
        """Return the partition of the items judged at k."""
        part: Labels = self.partitions[self.ks.index(k)]
        return part

    def columns(self) -> dict[str, NDArray[np.float64]]:
        """Return the table of the panel: one column per member, and the weights."""
        table = dict(self.choice.columns)
        table["weight"] = np.array([self.choice.weights[k] for k in self.ks])
        return table


def most_clusters(n: int) -> int:
    """Return the largest k that n items allow: halves of them are clustered, too."""
    return n // 2 - 1


def panel_plans(
    prepared: Prepared, ks: tuple[int, ...], *, repeats: int, seed: int
) -> list[Plan]:
    """Return the plan of every member, in their order."""
    data = Dataset(prepared.judged)
    clusterer = algorithm(ALGORITHM)
    plans = []
    for member in MEMBERS:
        one = member.make(repeats)
        asked = (1, *ks) if one.smallest_k == 1 and ks[0] == 2 else ks
        plans.append(plan(data, one, clusterer, asked, seed))
    return plans


def panel_passes(plans: Sequence[Plan]) -> list[tuple[str, Pass]]:
    """Return the passes of the members, each with the name of its journal."""
    return [
        (f"panel-{MEMBERS[shared.places[0]].name}", shared) for shared in passes(plans)
    ]


def run_panel(
    prepared: Prepared,
    ks: tuple[int, ...],
    *,
    repeats: int,
    seed: int,
    execution: Execution,
    journals: Journals | None = None,
    watch: Watch | None = None,
) -> Panel:
    """Run all members; those that share their clusterings cluster once."""
    plans = panel_plans(prepared, ks, repeats=repeats, seed=seed)
    outcomes: dict[str, Outcome] = {}
    for name, shared in panel_passes(plans):
        names = [MEMBERS[place].name for place in shared.places]
        journal = journals(name) if journals else None
        outcomes |= dict(
            zip(names, run_pass(shared, execution, journal, watch), strict=True)
        )
    curves = {name: outcome.curve for name, outcome in outcomes.items()}
    curves |= halves(outcomes["prediction"])
    whole = outcomes["silhouette"].cube.at(ks)
    partitions = refined(Dataset(prepared.judged), ks, whole.labels[0, :, 0])
    by_name = {m.name: one for m, one in zip(MEMBERS, plans, strict=True)}
    return Panel(ks, by_name, outcomes, partitions, choose(ks, curves, partitions))


def refined(
    data: Dataset, ks: tuple[int, ...], parts: NDArray[np.integer[Any]]
) -> Labels:
    """Return the partitions of the answer, one row per k, clusters by size."""
    to = algorithm(PARTITIONS)
    assert isinstance(to, CommonShape)
    return np.array([by_size(part) for part in to.refine_each(data.whole(), parts, ks)])


def by_size(labels: NDArray[np.integer[Any]]) -> Labels:
    """Return labels numbered from 0 by the size of the cluster, the largest first.

    Examples
    --------
    >>> by_size(np.array([0, 1, 1, 1, 2, 2])).tolist()
    [2, 0, 0, 0, 1, 1]
    """
    sizes = np.bincount(labels)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    numbered: Labels = rank[labels]
    return numbered


def halves(outcome: Outcome) -> dict[str, Curve]:
    """Return prediction strength over every other split, the even and the odd ones."""
    scores = PredictionStrength().collect(outcome.cube, Dataset(np.zeros((3, 1))))
    facts = Facts(0, 0, outcome.cube.ks, outcome.cube.ks)
    return {
        f"prediction{half}": mean_value(scores[first::2], facts)
        for first, half in enumerate("ab")
    }
