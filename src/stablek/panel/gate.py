"""The gate: is there any structure at all? All null models must be beaten."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.data.seeds import Streams
from stablek.engine.execution.execute import Execution
from stablek.engine.plan import Plan, plan
from stablek.engine.run import Journal, Watch, Worker, data_curve, null_curves
from stablek.engine.together import joint_plan, parts_of
from stablek.measures import measure
from stablek.panel.against_nulls import (
    STATISTICS,
    Columns,
    Floats,
    apart,
    columns_of,
    is_tiny,
    largest,
    null_columns,
    p_values,
)
from stablek.panel.members import PARTITIONS
from stablek.panel.null_sets import null_models
from stablek.panel.prepare import Prepared
from stablek.paradigm.cluster import algorithm
from stablek.paradigm.contracts import NullCurves
from stablek.paradigm.statistic.graph import Modularity
from stablek.paradigm.statistic.separation import Separation

#: The gate looks at no more items than this, of the data and of every null set.
ROWS = 500

#: It looks at these numbers of clusters.
KS = range(2, 7)

#: p up to LEVEL is evidence of clusters, but above FIRM the answer is weak. Up to
#: SUGGESTIVE it is a hint; only up to FIRM if the clusters are not apart.
LEVEL = 0.05
FIRM = 0.02
SUGGESTIVE = 0.1

#: A gap between connected groups: no null set may have one as wide, and the step
#: across it must be so many times those inside. Below that the number of groups was
#: rarely right; from CLEAR_GAP on it nearly always was.
GAP = math.log(1.5)
CLEAR_GAP = math.log(2.0)

#: Null models that keep the distances from the centre keep rings around it as well.
KEEPS_RINGS = ("elliptical",)

#: The silhouette must exceed that of every null model by so many standard deviations
#: for an answer to be strong, and for clusters that touch or do not come back to be
#: evidence at all.
FAR = 7.0

#: After so many null sets the gate looks whether the answer is plain by now.
STAGES = (10, 20, 30)


@dataclass(frozen=True)
class Gate:
    """Whether the data stand out, and by how much.

    Parameters
    ----------
    p
        How often the clusters of data without clusters are as compact, by their mean
        silhouette: the largest over the null models.
    p_of
        The p-value against each null model.
    p_by
        The largest p-value over the null models, of each statistic.
    p_connected
        How often a null set has a gap between groups of neighbours as wide as the data.
    gap
        The widest gap of the data: log of the step across it over those inside.
    gap_bound
        What a gap must exceed to be one: the widest of all null sets.
    scores
        Per null model: by how many standard deviations the mean silhouette of the data
        exceeds that of the null sets, at each k.
    ks
        The numbers of clusters that were tried.
    sets
        How many null sets of each model were drawn.
    tiny
        Whether a cluster is too small to count at every k: a few far items may hide
        what the others are like.
    """

    p: float
    p_of: dict[str, float]
    p_by: dict[str, float]
    p_connected: float
    gap: float
    gap_bound: float
    scores: dict[str, Floats]
    ks: tuple[int, ...]
    sets: dict[str, int]
    tiny: bool = False

    def open(self, level: float) -> bool:
        """Tell whether there is evidence of compact clusters at a level."""
        return self.apart and self.p <= level + 1e-12

    @property
    def apart(self) -> bool:
        """Whether the clusters are as far apart as in the typical null set."""
        return apart(self.p_by, clear=self.clear)

    def gaps(self, level: float) -> bool:
        """Tell whether there is evidence of groups of any shape at a level."""
        return self.connected and self.p_connected <= level + 1e-12

    def at_most(self, strength: str, *, continuum: bool) -> str:
        """Return the strength of an answer, lowered where the gate is not firm.

        Above ``FIRM`` data without clusters look like this now and then; and where the
        gate is not clear, other null sets might shut it. It is weak if the clusters may
        be pieces of a ``continuum``.
        """
        if continuum or self.p > FIRM + 1e-12:
            return "weak"
        return "moderate" if strength == "strong" and not self.clear else strength

    @property
    def lead(self) -> float:
        """By how many standard deviations the silhouette exceeds every null model."""
        return min(float(z.max()) for z in self.scores.values())

    @property
    def clear(self) -> bool:
        """Whether the data stand out so far that other null sets change nothing."""
        return self.lead >= FAR

    @property
    def connected(self) -> bool:
        """Whether there are groups with a gap between them, of any shape."""
        return self.gap > self.gap_bound

    @property
    def narrow_gaps(self) -> bool:
        """Whether gaps stand out, but are too narrow to tell how many groups."""
        return not self.connected and self.p_connected <= FIRM + 1e-12

    @property
    def beaten(self) -> bool:
        """Whether the data stand out as much as this many null sets can show."""
        return self.open(self.least) or self.gaps(self.least)

    @property
    def least(self) -> float:
        """The least p that so many null sets can show."""
        return 1 / (1 + max(self.sets.values()))

    @property
    def suggestive(self) -> bool:
        """Whether there is a hint of clusters, where there is no evidence."""
        return self.p <= (SUGGESTIVE if self.apart else FIRM) + 1e-12


def sets_needed(level: float) -> int:
    """Return how many null sets it takes for p to reach a level.

    Examples
    --------
    >>> sets_needed(0.02), sets_needed(0.05)
    (49, 19)
    """
    return max(math.ceil(1 / level - 1e-9) - 1, 1)


def gate_plan(scores: Floats, seed: int) -> Plan:
    """Return the measures of the gate as one plan: they share their clusterings."""
    data = Dataset(scores)
    measures = (
        measure("silhouette"),
        measure("separation").with_(collect=Separation(valleys=False)),
        measure("modularity").with_(collect=Modularity(scaled=True)),
        measure("connected"),
    )
    clusterer = algorithm(PARTITIONS)
    return joint_plan(
        [plan(data, one, clusterer, gate_ks(data.n), seed) for one in measures]
    )


def gate_ks(n: int) -> list[int]:
    """Return the numbers of clusters that the gate looks at among n items."""
    return [k for k in KS if k <= n // 2 - 1]


def gate(
    prepared: Prepared,
    streams: Streams,
    *,
    sets: int,
    seed: int,
    execution: Execution,
    journal: Journal | None = None,
    watch: Watch | None = None,
) -> Gate:
    """Hold the data against null sets of every model; stop where the answer is plain.

    The statistics are the mean silhouette, the separation of the closest two clusters
    and the modularity in the graph of neighbours (of the most that clusters of these
    sizes can have), at every k that leaves no cluster tiny, and the widest gap between
    groups of neighbours. The clusters are those of the answer, refined by their common
    covariance, in data and null sets alike. docs/protocol.md says what was chosen how.
    """
    rows = gate_rows(len(prepared.rows), streams)
    scores = np.ascontiguousarray(prepared.judged[rows])
    planned = gate_plan(scores, seed)
    planned.clusterer.prepare(planned.data)
    worker = Worker(planned, execution, journal, watch)
    curve = data_curve(planned, worker).curve
    data = columns_of(curve)
    p_of: dict[str, float] = {}
    drawn: dict[str, int] = {}
    p_by = dict.fromkeys(STATISTICS, 0.0)
    p_gap, bound, scored = 0.0, GAP, {}
    for model in null_models(prepared.coordinates, prepared.values.take(rows), streams):
        done: list[NullCurves] = []
        for last in (*(s for s in STAGES if s < sets), sets):
            first = drawn.get(model.name, 0)
            done.append(null_curves(worker, model, last, 1, curve=curve, first=first))
            drawn[model.name] = last
            nulls = null_columns(done, planned.ks, parts_of(curve))
            if _plain(data, nulls, len(rows), sets):
                break
        alone = p_values(data, nulls, len(rows))
        p_of[model.name] = alone["silhouette"]
        p_by = {name: max(p, alone[name]) for name, p in p_by.items()}
        if model.name not in KEEPS_RINGS:
            beyond = (nulls["gap"][:, 0] >= data["gap"][0]).sum()
            p_gap = max(p_gap, float(1 + beyond) / (1 + drawn[model.name]))
            bound = max(bound, float(nulls["gap"][:, 0].max()))
        null = nulls["silhouette"]
        spread = np.maximum(null.std(axis=0), 1e-12)
        scored[model.name] = (data["silhouette"] - null.mean(axis=0)) / spread
        if drawn[model.name] < sets:
            break
    return Gate(
        max(p_of.values()),
        p_of,
        p_by,
        p_gap,
        float(data["gap"][0]),
        bound,
        scored,
        planned.ks,
        drawn,
        bool(is_tiny(data["smallest"], len(rows)).all()),
    )


def gate_rows(n: int, streams: Streams) -> NDArray[np.intp]:
    """Return which of the items judged the gate looks at."""
    if n <= ROWS:
        return np.arange(n)
    return np.sort(streams("gate").permutation(n)[:ROWS])


def _plain(data: Columns, nulls: Columns, n: int, sets: int) -> bool:
    """Tell whether so many null sets look like the data that more change nothing."""
    top = largest(data, nulls, "silhouette", n)
    alike = (top[1:] >= top[0]).sum() >= SUGGESTIVE * (sets + 1)
    gaps = (nulls["gap"][:, 0] >= data["gap"][0]).any()
    return bool(alike and gaps)
