"""The result of a run: frozen, and enough to repeat it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError
from stablek.machine.memory import affordable, budget, shown_size
from stablek.results.json_form import parts_of, read_json, refusing
from stablek.results.notebook import Shown
from stablek.results.result_form import check_result, uns_form
from stablek.results.written import Curves

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from stablek.data import Dataset
    from stablek.paradigm.contracts import Description, NullCurves
    from stablek.paradigm.cube import PartitionCube


@dataclass(frozen=True)
class Failed:
    """A measure that could not be run; reports show its error in its place."""

    measure: str
    algorithm: str
    message: str


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Result(Curves, Shown):
    """How many clusters one measure finds with one algorithm, and why.

    Attributes
    ----------
    k_star
        The number of clusters; 1 means "no evidence of clusters"; None that this
        measure gives no indication on these data.
    rule, reason
        The rule that chose it, and the numbers behind the choice, in words.
    candidates
        All ks the rule finds equally good, ``k_star`` among them.
    measure, algorithm
        What was run, by name.
    ks, columns
        The curve: every column has one entry per k of ``ks``.
    main, error
        The column the rule reads, and the one with its standard error.
    labels
        The partition of all items at ``k_star``; clusters are numbered from 1.
    settings, seed, versions
        What is needed to repeat the run.
    facts
        Other findings by name; "fewer_clusters" and "more_clusters" say in words which
        partitions had fewer or more than k clusters, "other_seeds" how many of some
        simulated runs with other seeds choose each k (:meth:`other_seeds` says it in
        words).
    notes, failures
        What was done on the way, and which repeats failed.
    n, m, data_name
        The size of the data, and their name.
    cube, data, nulls
        The labels of all repeats, the data, and the curves of the null sets; None for a
        result read from JSON.
    describe
        Computes :attr:`descriptions`, where the algorithm offers any.
    partition_at
        Computes the partition of all items at any k; None for a result read from JSON.
    """

    SCHEMA = 2
    KEYS = (
        "k_star", "rule", "reason", "candidates", "measure", "algorithm", "data", "ks",
        "main", "error", "columns", "labels", "facts", "settings", "seed", "versions",
        "notes", "failures",
    )  # fmt: skip

    k_star: int | None
    rule: str
    reason: str
    measure: str
    algorithm: str
    ks: tuple[int, ...]
    columns: Mapping[str, NDArray[np.float64]]
    main: str
    error: str | None
    n: int
    m: int
    seed: int
    data_name: str = "data"
    candidates: tuple[int, ...] = ()
    labels: NDArray[np.int64] | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    cube: PartitionCube | None = field(default=None, repr=False)
    data: Dataset | None = field(default=None, repr=False)
    nulls: NullCurves | None = field(default=None, repr=False)
    describe: Callable[[], tuple[Description, ...]] | None = field(
        default=None, repr=False
    )
    partition_at: Callable[[int], NDArray[np.int64]] | None = field(
        default=None, repr=False
    )
    _partitions: dict[int, NDArray[np.int64]] = field(default_factory=dict, repr=False)

    @property
    def k(self) -> int | None:
        """The number of clusters, by the name it has elsewhere: ``k_star``."""
        return self.k_star

    @cached_property
    def descriptions(self) -> tuple[Description, ...]:
        """What the algorithm finds at ``k_star`` besides a partition, on all items.

        For nmf-* the tables "metagenes" (W: features by components) and "patterns" (H,
        transposed: items by components); for algorithms that offer nothing, and for a
        result read from JSON, none. Computed when first asked for.
        """
        return () if self.describe is None else self.describe()

    @property
    def factors(self) -> dict[str, pd.DataFrame]:
        """The :attr:`descriptions` as DataFrames, by name."""
        import pandas as pd

        return {
            one.name: pd.DataFrame(
                one.values,
                index=pd.Index(one.rows, name=one.heading),
                columns=[f"component{j + 1}" for j in range(one.values.shape[1])],
            )
            for one in self.descriptions
        }

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        with_what = f"{self.measure} with {self.algorithm}"
        if self.k_star is None:
            return f"{with_what} gives no indication of k: {self.reason}."
        if self.k_star == 1:
            return f"No evidence of clusters (k = 1) by {with_what}: {self.reason}."
        return f"{self.k_star} clusters by {with_what}: {self.reason}."

    def other_seeds(self) -> str:
        """Return what runs with other seeds would choose; "" where it is not known."""
        others = self.facts.get("other_seeds")
        if not others:
            return ""
        (first, most), *rest = others.items()
        also = "".join(f", {k} in {count}" for k, count in rest)
        total = sum(others.values())
        return (
            f"with other seeds: k = {first} in {most} of {total} simulated runs{also}"
        )

    def consensus(self, k: int) -> NDArray[np.float64]:
        """Return the consensus matrix at k, computed from the labels of the run.

        Entry (i, j) is the share of the repeats holding both items in which they fell
        together; NaN where they were never drawn together; 1 on the diagonal.
        """
        from stablek.kernels.comembership import consensus_matrix

        self._afford_pairs(k)
        return consensus_matrix(np.ascontiguousarray(self._repeats_at(k)))

    def labels_at(self, k: int) -> NDArray[np.int64]:
        """Return the partition at any k of the run; clusters are numbered from 1.

        For `consensus` and `fc` it is cut from the consensus matrix; for other measures
        it is the partition that the algorithm makes of all items.
        """
        if k == self.k_star and self.labels is not None:
            return self.labels
        if k not in self._partitions:
            if self.partition_at is None:
                self._repeats_at(k)
            elif k not in self.ks:
                raise InputError(
                    f"k = {k} was not run; the ks are {self.ks[0]} to {self.ks[-1]}"
                )
            if "area" in self.columns:
                self._afford_pairs(k)
            assert self.partition_at is not None  # _repeats_at() refused
            self._partitions[k] = self.partition_at(k)
        return self._partitions[k]

    @property
    def clusters(self) -> pd.DataFrame:
        """One row per cluster at ``k_star``: size, and how far to trust it."""
        from stablek.results.tables import clusters_table

        return clusters_table(self, self._chosen())

    @property
    def items(self) -> pd.DataFrame:
        """One row per item at ``k_star``: its cluster, and how far to trust that."""
        from stablek.results.tables import items_table

        return items_table(self, self._chosen())

    @property
    def moves(self) -> pd.DataFrame:
        """Which clusters split and merge from each k to the next, and how stably."""
        from stablek.results.tables import moves_table

        return moves_table(self)

    def _chosen(self) -> int:
        if self.k_star is None:
            raise InputError(
                f"{self.measure} names no k; see labels_at(k) for a k of your choice"
            )
        return self.k_star

    def _afford_pairs(self, k: int) -> None:
        size = 8 * self.n**2
        if not affordable(size):
            raise InputError(
                f"the consensus matrix of {self.n:,} items takes {shown_size(size)}; "
                f"the budget is {shown_size(budget())} (half of what is free). "
                f"stablek.assess(X, {k}, algorithm=...).labels needs no such matrix"
            )

    def _repeats_at(self, k: int) -> NDArray[Any]:
        if self.cube is None:
            raise InputError(
                "this result was read from JSON and holds no labels of its repeats; "
                "run it again, or open its run folder"
            )
        if k not in self.cube.ks:
            raise InputError(
                f"k = {k} was not run; the ks are {self.ks[0]} to {self.ks[-1]}"
            )
        return self.cube.of_k(k)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the curve with its errors and the chosen k; return the Axes."""
        from stablek.report.plots import curve

        return curve(self, ax=ax)

    def shown_by(self) -> tuple[list[Result], None]:
        """Return what the page is made of."""
        return [self], None

    def to_uns(self) -> dict[str, Any]:
        """Return the result as AnnData can keep it in ``.uns`` and write it to a file.

        Nested dictionaries with text as keys, plain numbers and text, one DataFrame
        ("curve"), and the whole result as JSON text ("json").
        """
        return uns_form(self)

    @classmethod
    @refusing("result")
    def from_json(cls, source: str | Path) -> Result:
        """Return the result that :meth:`to_json` wrote, from a path or from text."""
        plain = read_json(source, "result", cls.SCHEMA, older=(1,))
        check_result(plain)
        parts = parts_of(plain, set(cls.KEYS) - set(cls.BEHIND))
        if plain["schema"] == 1 and parts["labels"] is not None:
            parts["labels"] += 1  # clusters were numbered from 0
        return cls(**parts)
