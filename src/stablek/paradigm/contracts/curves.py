"""Steps 7 and 8 and what follows: from the cube of partitions to a decision.

All of it is a pure function of the cube (and, for the dispersion family, of the data).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from stablek.data import Dataset
    from stablek.paradigm.contracts.partitions import Clusterer
    from stablek.paradigm.cube import PartitionCube

Column = NDArray[np.float64]


@dataclass(frozen=True)
class Facts:
    """What synopsis and significance may know besides the statistic.

    ``ks`` are the ks the curve covers; ``asked`` those the user asked for, among which
    k* is sought (Delta and KL need neighbours outside them).
    """

    n: int
    m: int
    ks: tuple[int, ...]
    asked: tuple[int, ...]
    repeats: int = 1


@dataclass(frozen=True)
class Curve:
    """One number per k, and other columns.

    Parameters
    ----------
    ks
        The abscissae.
    columns
        Every column has one entry per k; NaN where it is not defined.
    main
        The column the rule reads.
    error
        The column with the standard error of ``main``, if there is one.
    better
        "high", "low" or "knee": what a good k looks like in ``main``.
    shares
        Where the curve rests on co-membership: the share of drawn pairs that fall
        together, shape (repeats, ks). Drawing from its rows tells how certain the
        curve is.
    """

    ks: tuple[int, ...]
    columns: Mapping[str, Column]
    main: str
    error: str | None = None
    better: str = "high"
    shares: Column | None = None

    @property
    def values(self) -> Column:
        """The main column."""
        return self.columns[self.main]

    def at(self, ks: Sequence[int]) -> Curve:
        """Return the curve restricted to some of its ks."""
        where = [self.ks.index(k) for k in ks]
        columns = {name: column[where] for name, column in self.columns.items()}
        shares = None if self.shares is None else self.shares[:, where]
        return Curve(tuple(ks), columns, self.main, self.error, self.better, shares)

    def within(self, asked: Sequence[int]) -> Curve:
        """Return the curve at those of its ks that were asked for."""
        return self.at([k for k in self.ks if k in asked])

    def adding(self, **columns: Column) -> Curve:
        """Return the curve with more columns."""
        more = {**self.columns, **columns}
        return replace(self, columns=more)


@dataclass(frozen=True)
class NullCurves:
    """The same columns on null sets: arrays of shape (runs, null sets, ks).

    A null set that failed has the curve of the data in its place, so that every rule
    counts it as one that looks as clustered as they do; ``failures`` says how many, and
    why.
    """

    model: str
    columns: Mapping[str, NDArray[np.float64]]
    missing: int = 0
    failures: tuple[str, ...] = ()


#: What a rule is given of null sets: None where none were drawn.
Nulls: TypeAlias = NullCurves | None


class Statistic(Protocol):
    """Steps 7 and 8: collect a statistic from the partitions of all repeats.

    ``gives`` names the form of what is collected ("scores": one number per repeat and
    k; "pairs": counts over pairs of items), and a synopsis says in ``takes`` what it
    reads. ``original`` asks for the partition of the whole data in ``cube.original``.
    It may be :class:`SaysIfValuesNeeded` and :class:`TellsMemory`, too.
    """

    @property
    def gives(self) -> str:
        """The form of the statistic."""
        ...

    @property
    def roles(self) -> int:
        """How many partitions of a repeat it reads."""
        ...

    @property
    def original(self) -> bool:
        """Whether it needs the partition of the whole data."""
        ...

    def collect(self, cube: PartitionCube, data: Dataset) -> Any:
        """Return the statistic S^k for all k of the cube."""
        ...


class StopRule(Protocol):
    """The test H on the adequacy of the statistic.

    Evaluated at fixed repeat counts, so that nothing depends on the workers. It may be
    :class:`ConfirmsCurve` and :class:`TellsOtherRuns`, too.
    """

    def checkpoints(self, data: Dataset, clusterer: Clusterer) -> tuple[int, ...]:
        """Return the repeat counts at which to look; the last one is the limit."""
        ...

    def enough(self, cube: PartitionCube, asked: Sequence[int]) -> str | None:
        """Return the reason to stop with the repeats in the cube, or None to go on."""
        ...


class Synopsis(Protocol):
    """A concise description of the statistic: the curve R^k.

    It may be :class:`SaysForm` and :class:`SaysIfKnee`, too.
    """

    def __call__(self, collected: Any, facts: Facts, /) -> Curve:
        """Return the curve."""
        ...


@dataclass(frozen=True)
class Decision:
    """What significance analysis returns.

    Parameters
    ----------
    k_star
        The k chosen; 1 means "no evidence of clusters"; None that the measure gives
        no indication on this curve.
    rule
        The rule that chose it, in words.
    candidates
        All ks the rule finds equally good (ties, or several levels), k_star among them.
    reason
        One sentence with the numbers behind the choice.
    columns
        Columns that the rule computed, for the table (Gap, p-values).
    facts
        Other findings: histograms of outcomes, p-values over all k, and so on; plain
        numbers, strings, lists and dictionaries only.
    decided_by
        The column that decided, if it is not the main one of the curve: plots show it.
    """

    k_star: int | None
    rule: str
    reason: str = ""
    candidates: tuple[int, ...] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    decided_by: str | None = None


class Rule(Protocol):
    """Significance_Analysis: a pure function of curves.

    It may be :class:`ReadsColumns` and :class:`ChoosesFromAreas`, too.
    """

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        ...
