"""Steps 1 to 6: from the data to partitions.

What draws, splits and labels a sample, once per repeat and k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from stablek.data import Dataset, Matrix, Sample
    from stablek.data.seeds import Streams


class Perturbation(Protocol):
    """Step 1: a data generation/perturbation procedure (DGP).

    One that draws nothing may say so: see :func:`draws`.
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
