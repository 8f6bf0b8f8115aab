"""Perturbations that choose rows and leave values alone."""

import math
from dataclasses import dataclass

import numpy as np

from stablek.data import Dataset, Sample
from stablek.errors import InputError, check_share


@dataclass(frozen=True)
class Unchanged:
    """Take the data as they are: no perturbation.

    With a clusterer that starts at random, several repeats of it are Brunet's
    restarts: the whole data, a new random start each time.
    """

    random = False

    def draw(self, data: Dataset, rng: np.random.Generator, repeat: int) -> Sample:
        """Return all items."""
        return data.whole()

    def size(self, n: int) -> int:
        """Return n."""
        return n


@dataclass(frozen=True)
class Subsample:
    """Draw ceil(fraction n) items without replacement (thesis, section 1.5.1).

    The rows are in increasing order, so that ties between items fall as they do in
    the whole data.
    """

    fraction: float = 0.8

    def __post_init__(self) -> None:
        check_share("fraction", self.fraction, "0.8")

    def draw(self, data: Dataset, rng: np.random.Generator, repeat: int) -> Sample:
        """Return a random subset of the items."""
        rows = rng.permutation(data.n)[: self.size(data.n)]
        rows.sort()
        return Sample(data, rows.astype(np.intp, copy=False))

    def size(self, n: int) -> int:
        """Return ceil(fraction n).

        Examples
        --------
        >>> Subsample(0.8).size(38), Subsample(0.8).size(35), Subsample(0.66).size(38)
        (31, 28, 26)
        """
        return part_of(n, self.fraction)


@dataclass(frozen=True)
class Bootstrap:
    """Draw n items with replacement (thesis, section 1.5.1).

    About 63 % of the items are in a draw, some of them several times. Copies of an item
    always fall together, so a bootstrap looks more clustered than its data: the thesis,
    with Jain and Dubes and Monti et al., advises subsampling.

    References
    ----------
    Efron, Tibshirani (1993), An Introduction to the Bootstrap, chapter 6.
    """

    def draw(self, data: Dataset, rng: np.random.Generator, repeat: int) -> Sample:
        """Return n rows, in increasing order, some of them several times."""
        rows = np.sort(rng.integers(data.n, size=data.n))
        return Sample(data, rows.astype(np.intp, copy=False))

    def size(self, n: int) -> int:
        """Return how many distinct items all but one in a million draws hold.

        The number of distinct items has mean n (1 - (1 - 1/n)^n) and a variance near
        n (1/e) (1 - 2/e); 4.8 standard deviations below the mean is safe.

        Examples
        --------
        >>> Bootstrap().size(100), Bootstrap().size(10)
        (48, 1)
        """
        mean = n * (1 - (1 - 1 / n) ** n)
        spread = math.sqrt(n / math.e * (1 - 2 / math.e))
        return max(1, math.floor(mean - 4.8 * spread))


@dataclass(frozen=True)
class Stratified:
    """Draw the same share of every group: proportionate stratified subsampling.

    The groups are ``strata``, one per item (a first clustering of the data, or classes
    the user brings); of a group of g items, ceil(fraction g) are drawn without
    replacement, so that no group is left out.

    References
    ----------
    Thesis, section 1.5.1. Hansen, Hurwitz, Madow (1993), Sample Survey Methods and
    Theory, Wiley.
    """

    strata: tuple[int, ...]
    fraction: float = 0.8

    def __post_init__(self) -> None:
        check_share("fraction", self.fraction, "0.8")

    def draw(self, data: Dataset, rng: np.random.Generator, repeat: int) -> Sample:
        """Return a random subset of every group."""
        if len(self.strata) != data.n:
            raise InputError(
                f"{len(self.strata)} strata for {data.n} items; give one per item"
            )
        groups = np.asarray(self.strata)
        rows = [
            rng.permutation(np.flatnonzero(groups == group))[: self._share(size)]
            for group, size in zip(*np.unique(groups, return_counts=True), strict=True)
        ]
        return Sample(data, np.sort(np.concatenate(rows)).astype(np.intp, copy=False))

    def size(self, n: int) -> int:
        """Return how many items a draw holds."""
        sizes = np.unique(np.asarray(self.strata), return_counts=True)[1]
        return sum(self._share(int(size)) for size in sizes)

    def _share(self, size: int) -> int:
        return part_of(size, self.fraction)


@dataclass(frozen=True)
class StratifiedByClass:
    """Draw the same share of every class that the data bring; see :class:`Stratified`.

    References
    ----------
    Thesis, section 1.5.1.
    """

    fraction: float = 0.8

    def __post_init__(self) -> None:
        check_share("fraction", self.fraction, "0.8")

    def draw(self, data: Dataset, rng: np.random.Generator, repeat: int) -> Sample:
        """Return a random subset of every class."""
        if data.classes is None:
            raise InputError(
                "stratified subsampling needs a class for each item, and these have "
                "none; name them with --labels COLUMN or --labels-file FILE (null sets "
                "have no classes: choose a rule without null sets)"
            )
        names = np.asarray(data.classes)
        strata = np.unique(names, return_inverse=True)[1]
        return Stratified(tuple(strata.tolist()), self.fraction).draw(data, rng, repeat)

    def size(self, n: int) -> int:
        """Return how many items a draw holds at least: every class is rounded up."""
        return part_of(n, self.fraction)


def part_of(n: int, fraction: float) -> int:
    """Return ceil(fraction n), with a guard against 0.8 * 35 = 28.000000000000004."""
    return math.ceil(round(fraction * n, 9))
