"""From what the panel saw to the verdict: labels, tables, sentences."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Matrix
from stablek.data.seeds import Streams
from stablek.engine.execution.execute import Execution
from stablek.kernels.nearest import assign_nearest
from stablek.panel.gate import Gate
from stablek.panel.p_value import PValue
from stablek.panel.panel import Panel
from stablek.panel.prepare import Prepared
from stablek.paradigm.statistic.item_consensus import Standing
from stablek.results.from_outcome import assemble
from stablek.results.result import Result
from stablek.results.trust import cluster_trust, item_standing, moves
from stablek.results.verdict import Level

Labels = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Partitions(Mapping[int, Labels]):
    """The partition of all items at every k, computed when it is asked for."""

    ks: tuple[int, ...]
    compute: Callable[[int], Labels]
    _known: dict[int, NDArray[Any]] = field(default_factory=dict)

    def __getitem__(self, k: int) -> Labels:
        if k not in self.ks:
            raise KeyError(k)
        if k not in self._known:
            # As small as they can be: there is one for every k.
            labels = self.compute(k)
            self._known[k] = labels.astype(np.min_scalar_type(int(labels.max())))
        return self._known[k].astype(np.int64)

    def __iter__(self) -> Iterator[int]:
        return iter(self.ks)

    def __len__(self) -> int:
        return len(self.ks)


@dataclass(frozen=True, eq=False)
class Judged:
    """A data set on its way to a verdict: what was used, and what was seen.

    Parameters
    ----------
    data
        The data as they were given.
    place
        For each item, its place among the distinct rows.
    values
        The distinct rows, as they were prepared.
    prepared
        The coordinates of the distinct rows, and which of them were judged.
    streams
        Of all that is drawn at random for the verdict.
    gate, panel
        What was seen; there is no gate where no component stands out.
    k_as_given
        The answer for the columns as given, where they are judged on another scale.
    """

    data: Dataset
    place: NDArray[np.intp]
    values: Matrix
    prepared: Prepared
    streams: Streams
    gate: Gate | None = None
    panel: Panel | None = None
    k_as_given: int | None = None

    @property
    def the_panel(self) -> Panel:
        """The panel, once it has run; the verdict on trivial data needs none."""
        assert self.panel is not None
        return self.panel

    def of_all(self, part: NDArray[Any], *, connected: bool = False) -> Labels:
        """Return labels of all items, from 1, given those of the items judged.

        The others join the nearest mean; where groups are ``connected`` and may have
        any shape, the group of the nearest item.
        """
        return self.of_rows(part, connected=connected)[self.place] + 1

    def of_rows(self, part: NDArray[Any], *, connected: bool = False) -> Labels:
        """Return labels of all distinct rows, from 0, given those of rows judged."""
        prepared = self.prepared
        judged, rows = prepared.judged, prepared.rows
        k = int(part.max()) + 1
        if len(rows) == len(prepared.scores):
            labels = part.astype(np.int64)
        elif connected:
            from scipy.spatial import cKDTree

            labels = part[cKDTree(judged).query(prepared.scores)[1]].astype(np.int64)
        else:
            means = np.array([judged[part == c].mean(axis=0) for c in range(k)])
            labels = assign_nearest(prepared.scores, means).astype(np.int64)
            labels[rows] = part
        return labels

    def partitions(self, known: dict[int, Labels]) -> Mapping[int, Labels]:
        """Return the partition of all items at every k that was tried."""
        panel = self.the_panel
        ks = tuple(sorted({*panel.ks, *known}))
        # A verdict is kept for long, and must not keep the table.
        held = replace(
            self,
            values=np.empty((0, self.values.shape[1])),
            prepared=self.prepared.without_values(),
        )
        return Partitions(ks, partial(_of_all_at, held), known)

    @property
    def items(self) -> NDArray[np.intp]:
        """For each row that was judged, the first item that holds it."""
        first = np.zeros(len(self.prepared.scores), dtype=np.intp)
        first[self.place[::-1]] = np.arange(len(self.place))[::-1]
        return first[self.prepared.rows]

    def cluster_records(self, part: NDArray[Any]) -> tuple[dict[str, Any], ...]:
        """Return the trust in every cluster of a partition of the items judged."""
        labels = self.of_all(part)
        k = int(part.max()) + 1
        drawn = self.drawn(k)
        trusts = cluster_trust(part, drawn, self.prepared.judged)
        sizes = np.bincount(labels, minlength=k + 1)[1:]
        return tuple(
            {**trust.to_dict(), "size": int(size)}
            for trust, size in zip(trusts, sizes, strict=True)
        )

    def drawn(self, k: int) -> NDArray[Any]:
        """Return the partitions of the subsamples at k, or at the nearest k tried."""
        panel = self.the_panel
        near = min(panel.ks, key=lambda tried: abs(tried - k))
        return np.ascontiguousarray(panel.cube.of_k(near))

    def item_columns(
        self, part: NDArray[Any], labels: Labels, *, trust: bool
    ) -> dict[str, NDArray[Any]]:
        """Return the table of items: their cluster, its consensus, the runner-up.

        ``labels`` are those of all items, ``part`` those of the items judged. Without
        ``trust`` only the cluster is known: the subsamples are clustered into compact
        clusters, which says nothing of groups of another shape.
        """
        n = len(self.place)
        place = np.full(len(self.prepared.scores), -1, dtype=np.intp)
        place[self.prepared.rows] = np.arange(len(self.prepared.rows))
        judged = place[self.place]
        known = judged >= 0
        unknown = np.full(len(part), np.nan)
        seen = Standing(unknown, np.full(len(part), -1), unknown)
        if trust:
            seen = item_standing(part, self.drawn(int(part.max()) + 1))
        isolated = np.zeros(len(self.prepared.scores), dtype=bool)
        isolated[self.prepared.isolated] = True
        return {"cluster": labels, **_spread_out(seen, judged, known, n),
                "isolated": isolated[self.place]}  # fmt: skip

    def move_records(self) -> tuple[dict[str, Any], ...]:
        """Return which clusters split and merge from each k to the next."""
        panel = self.the_panel
        if panel.one_k:
            return ()
        drawn = [np.ascontiguousarray(panel.cube.of_k(k)) for k in panel.ks]
        return tuple(asdict(move) for move in moves(panel.ks, panel.partitions, drawn))

    def result(
        self, k: int, labels: Labels, p: PValue | None, execution: Execution
    ) -> Result:
        """Return the subsamples as a result on the coordinates of the items judged.

        It is the run of ``fc`` that the panel read, so ``choose_k`` on ``result.data``
        repeats it bit for bit; k and the partitions are those of the verdict.
        """
        panel = self.the_panel
        ids = self.data.item_ids()
        names = tuple(ids[i] for i in self.items)
        classes = self.data.classes
        own = None if classes is None else tuple(classes[i] for i in self.items)
        plan, outcome = panel.plans["consensus"], panel.outcomes["consensus"]
        made = assemble(plan, outcome, {}, "euclidean", execution, with_labels=False)
        settings = {"repeats": outcome.repeats, "metric": "euclidean"}
        return replace(
            made,
            k_star=k,
            rule="the panel's choice" if k > 1 else "no evidence of clusters",
            reason="" if p is None else str(p),
            candidates=(k,),
            labels=labels,
            partition_at=partial(_judged_at, panel),
            data=replace(
                plan.data,
                ids=names,
                classes=own,
                name=self.data.name,
                annotations=tuple(o.of(self.items) for o in self.data.annotations),
            ),
            data_name=self.data.name,
            settings=settings,
            facts={**made.facts, "partitions": "given", "judged": len(names)},
        )


def _of_all_at(judged: Judged, k: int) -> Labels:
    return judged.of_all(judged.the_panel.at(k))


def _judged_at(panel: Panel, k: int) -> Labels:
    return panel.at(k) + 1


def _spread_out(
    seen: Standing, judged: NDArray[np.intp], known: NDArray[np.bool_], n: int
) -> dict[str, NDArray[Any]]:
    """Return what is known of the rows judged as columns over all items."""
    own, second = np.full((2, n), np.nan)
    rival, between = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=bool)
    own[known], second[known] = seen.own[judged[known]], seen.second[judged[known]]
    rival[known] = seen.rival[judged[known]] + 1
    between[known] = seen.between[judged[known]]
    return {
        "consensus": own,
        "runner_up": rival,
        "runner_up_consensus": second,
        "between": between,
    }


def levels_of(panel: Panel) -> tuple[Level, ...]:
    """Return the levels of a choice, coarse to fine."""
    choice = panel.choice
    return tuple(
        Level(k, choice.weights[k], k == choice.k, choice.reasons.get(k, ""))
        for k in sorted(choice.levels)
    )
