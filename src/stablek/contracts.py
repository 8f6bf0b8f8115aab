"""What an ingredient must offer: the seams between the steps of the paradigm.

Users bring any object that fits; ``stablek.testing.check_*`` tells whether it does.
Ingredients are frozen dataclasses or top-level functions, so that they pickle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from stablek.cube import PartitionCube
    from stablek.data import Dataset, Matrix, Sample
    from stablek.seeds import Streams

Column = NDArray[np.float64]


class Perturbation(Protocol):
    """Step 1: a data generation/perturbation procedure (DGP).

    One that draws nothing (the data unchanged, a given column left out) may say so by
    an attribute ``random = False``: all ks then share its sample.
    """

    def draw(self, data: Dataset, rng: np.random.Generator, repeat: int) -> Sample:
        """Return one perturbed data set."""
        ...

    def size(self, n: int) -> int:
        """Return how many distinct items a draw from n items is sure to hold."""
        ...


class NullModel(Protocol):
    """A DGP that keeps some features of the data and no clusters."""

    @property
    def name(self) -> str:
        """The word a user types."""
        ...

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return one data set without structure, of the size of ``data``."""
        ...


@dataclass(frozen=True)
class Parts:
    """What Split makes of one sample: the learning part and the training part."""

    learning: Sample
    training: Sample | None = None


class Split(Protocol):
    """Step 2: divide a sample into a training and a learning part."""

    @property
    def random(self) -> bool:
        """Whether the division is drawn; if not, ks may share it."""
        ...

    def parts(self, sample: Sample, rng: np.random.Generator) -> Parts:
        """Return the two parts; without a training part nothing is trained."""
        ...

    def size(self, n: int) -> int:
        """Return the number of items in the smaller part of n."""
        ...


class Clusterer(Protocol):
    """Step 6: a clustering algorithm, for all the ks of a task at once.

    ``random`` says whether it draws from its streams; ``native`` whether it runs in
    compiled code that releases the GIL, so that threads pay.
    """

    @property
    def name(self) -> str:
        """The word a user types."""
        ...

    @property
    def random(self) -> bool:
        """Whether the outcome depends on its streams."""
        ...

    @property
    def native(self) -> bool:
        """Whether threads pay."""
        ...

    def prepare(self, data: Dataset) -> None:
        """Compute once what every sample of ``data`` shares, such as distances."""
        ...

    def partitions(
        self, sample: Sample, ks: Sequence[int], streams: Streams
    ) -> NDArray[Any]:
        """Return labels 0..k-1 of shape (len(ks), len(sample))."""
        ...


@runtime_checkable
class DrawLabeller(Protocol):
    """A clusterer without randomness that labels many draws in one go."""

    def label_draws(
        self,
        data: Dataset,
        draws: Sequence[NDArray[np.intp]],
        ks: Sequence[int],
        labels: NDArray[Any],
    ) -> None:
        """Write labels of shape (draws, ks, items); draws are rows, of equal number.

        They must be those that ``partitions`` returns for each draw.
        """
        ...


@dataclass(frozen=True, eq=False)
class Description:
    """A table that an algorithm gives besides its partition: one row per name.

    Parameters
    ----------
    name
        What it is called, in Python and as a file.
    heading
        What the rows are: "id" for items, or another word.
    rows
        Their names.
    values
        Shape (rows, components).
    """

    name: str
    heading: str
    rows: tuple[str, ...]
    values: NDArray[np.float64]


@runtime_checkable
class Describer(Protocol):
    """A clusterer that finds more than a partition, such as the factors of NMF."""

    def describe(
        self, data: Dataset, k: int, streams: Streams
    ) -> tuple[Description, ...]:
        """Return the tables for the whole data at k."""
        ...


class Refiner(Clusterer, Protocol):
    """A clusterer that can also start from a partition it is given."""

    def refine(self, sample: Sample, labels: NDArray[Any], k: int) -> NDArray[Any]:
        """Return the partition reached from ``labels``, which has k clusters."""
        ...


class Classifier(Protocol):
    """Step 4: trained on a clustered part, it labels another."""

    @property
    def name(self) -> str:
        """The word a user types."""
        ...

    def predict(
        self, training: Matrix, labels: NDArray[Any], learning: Matrix, k: int
    ) -> NDArray[Any]:
        """Return labels of ``learning`` by a rule trained on (training, labels)."""
        ...


class Edge(Protocol):
    """One edge of the graph that Assign returns: a part, and who labels it."""

    @property
    def sample(self) -> Sample:
        """The part that is labelled."""
        ...

    def partitions(self, ks: Sequence[int], streams: Streams) -> NDArray[Any]:
        """Return labels of shape (len(ks), len(sample))."""
        ...


class Assign(Protocol):
    """Steps 3 and 5: who labels which part."""

    def __call__(
        self,
        parts: Sequence[Parts],
        clusterer: Clusterer,
        classifier: Classifier | None,
        /,
    ) -> list[Edge]:
        """Return the edges; their order is the order of roles in the cube."""
        ...


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
    sample_size: int = 0


@dataclass(frozen=True)
class Curve:
    """One number per k, and whatever stands beside it.

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
    """

    ks: tuple[int, ...]
    columns: Mapping[str, Column]
    main: str
    error: str | None = None
    better: str = "high"

    @property
    def values(self) -> Column:
        """The main column."""
        return self.columns[self.main]

    def at(self, ks: Sequence[int]) -> Curve:
        """Return the curve restricted to some of its ks."""
        where = [self.ks.index(k) for k in ks]
        columns = {name: column[where] for name, column in self.columns.items()}
        return Curve(tuple(ks), columns, self.main, self.error, self.better)

    def adding(self, **columns: Column) -> Curve:
        """Return the curve with more columns."""
        more = {**self.columns, **columns}
        return Curve(self.ks, more, self.main, self.error, self.better)


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


class Statistic(Protocol):
    """Steps 7 and 8: collect a statistic from the partitions of all repeats.

    ``gives`` names the form of what is collected ("scores": one number per repeat and
    k; "pairs": counts over pairs of items), and a synopsis says in ``takes`` what it
    reads. ``original`` asks for the partition of the whole data in ``cube.original``.
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

    Evaluated at fixed repeat counts, so that nothing depends on the workers. One that
    looks at less than the curve may have a method ``stands(curve, facts)``: whether the
    reason to stop holds for the curve, too.
    """

    def checkpoints(self, data: Dataset, clusterer: Clusterer) -> tuple[int, ...]:
        """Return the repeat counts at which to look; the last one is the limit."""
        ...

    def enough(self, cube: PartitionCube, asked: Sequence[int]) -> str | None:
        """Return the reason to stop with the repeats in the cube, or None to go on."""
        ...


class Synopsis(Protocol):
    """A concise description of the statistic: the curve R^k."""

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
        Columns that the rule computed, to stand in the table (Gap, p-values).
    facts
        Other findings: histograms of outcomes, p-values over all k, and so on; plain
        numbers, strings, lists and dictionaries only.
    """

    k_star: int | None
    rule: str
    reason: str = ""
    candidates: tuple[int, ...] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)


class Rule(Protocol):
    """Significance_Analysis: a pure function of curves."""

    def __call__(
        self, curve: Curve, nulls: NullCurves | None, facts: Facts
    ) -> Decision:
        """Return the decision."""
        ...
