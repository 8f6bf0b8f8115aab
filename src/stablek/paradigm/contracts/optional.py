"""What an ingredient may offer besides what it must.

The engine asks with ``isinstance``; an ingredient without a hook does without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from stablek.paradigm.contracts.curves import Curve, Facts
    from stablek.paradigm.cube import PartitionCube


def draws(ingredient: object) -> bool:
    """Tell whether an ingredient draws from its stream; one with ``random`` says so.

    All ks share the sample of one that draws nothing (the data unchanged, a given
    column left out).
    """
    # Asked in every task: isinstance would take twenty microseconds each time.
    return bool(getattr(ingredient, "random", True))


def by_column(ingredient: object) -> bool:
    """Tell whether what an ingredient draws depends on the numbers of the columns."""
    return bool(getattr(ingredient, "by_column", False))


def stream_number(ingredient: object, data: Any, repeat: int) -> int:
    """Return the number that names the streams of a repeat: mostly its own.

    A perturbation may have a method ``number``. One that leaves out the columns in turn
    counts them in canonical order: the order in which they are given does not matter.
    """
    number = getattr(ingredient, "number", None)
    return repeat if number is None else int(number(data, repeat))


def is_slow(clusterer: object) -> bool:
    """Tell whether a clusterer takes long: foreign code, or one that says ``slow``."""
    return bool(getattr(clusterer, "slow", not getattr(clusterer, "native", False)))


@runtime_checkable
class HasMetric(Protocol):
    """A clusterer that works with distances of one kind."""

    @property
    def metric(self) -> str:
        """The name of the distance."""
        ...


@runtime_checkable
class SaysIfValuesNeeded(Protocol):
    """A statistic that may not do with distances; they are then refused at once."""

    @property
    def needs_values(self) -> bool:
        """Whether it reads the values of the data."""
        ...


@runtime_checkable
class TellsMemory(Protocol):
    """A statistic that knows what it will allocate."""

    def memory(self, n: int, repeats: int, ks: int, threads: int) -> int:
        """Return the bytes for so many items, repeats, ks and threads."""
        ...


@runtime_checkable
class SaysForm(Protocol):
    """A synopsis that says which form of statistic it reads."""

    @property
    def takes(self) -> str:
        """The form, as a statistic names it in ``gives``."""
        ...


def form_read(synopsis: object) -> str | None:
    """Return the form that a synopsis reads; None if it does not say."""
    return synopsis.takes if isinstance(synopsis, SaysForm) else None


@runtime_checkable
class SaysIfKnee(Protocol):
    """A synopsis that says whether its curve is read at a knee: no end is better."""

    @property
    def knee(self) -> bool:
        """Whether it is."""
        ...


@runtime_checkable
class ReadsColumns(Protocol):
    """A rule that says which columns of a curve it reads."""

    @property
    def reads(self) -> tuple[str, ...]:
        """Their names."""
        ...


@runtime_checkable
class ChoosesFromAreas(Protocol):
    """A rule that reads many curves of areas at once."""

    def choices(
        self, areas: NDArray[np.float64], ks: Sequence[int], facts: Facts
    ) -> NDArray[np.int64]:
        """Return the k of each row of ``areas``, shape (curves, ks)."""
        ...


@runtime_checkable
class ChoosesFromRuns(Protocol):
    """A rule that draws from the repeats, and so needs to know how they vary."""

    def chosen_by(
        self,
        areas: NDArray[np.float64],
        shares: NDArray[np.float64],
        ks: Sequence[int],
        facts: Facts,
    ) -> NDArray[np.int64]:
        """Return the k of each of some runs: ``areas`` their curves, shape (runs, ks).

        ``shares`` are those of the repeats of one run, shape (repeats, ks).
        """
        ...


@runtime_checkable
class ChoosesFromPac(Protocol):
    """A rule for which ambiguous pairs (PAC) come before the areas."""

    def clear_choices(
        self, pacs: NDArray[np.float64], ks: Sequence[int], facts: Facts
    ) -> NDArray[np.int64]:
        """Return the k of each row of ``pacs``, shape (curves, ks); 0: areas decide."""
        ...


@runtime_checkable
class ConfirmsCurve(Protocol):
    """A stop rule that looks at less than the curve, and at the curve in the end."""

    def confirms(self, curve: Curve, facts: Facts) -> bool:
        """Tell whether the reason to stop holds for the curve, too."""
        ...


@runtime_checkable
class TellsOtherRuns(Protocol):
    """A stop rule that knows what runs with other seeds would choose."""

    def other_runs(self, cube: PartitionCube, facts: Facts) -> dict[int, int]:
        """Return how many of some simulated runs choose each k."""
        ...


@runtime_checkable
class WatchesBest(Protocol):
    """A watch that wants to know which k the work so far would give."""

    def best(self, answer: Callable[[], int | None]) -> Any:
        """Take a function that returns that k; whether to call it is for the watch."""
        ...
