"""Perturbations that change values or columns and keep all items."""

import math
from dataclasses import dataclass

import numpy as np

from stablek.data import Dataset, Matrix, Sample
from stablek.data.canonical import column_places
from stablek.errors import InputError, check_share
from stablek.paradigm.perturb.resample import part_of


@dataclass(frozen=True)
class Noise:
    """Add Gaussian noise whose variance is the median of the rows' variances.

    The variance of each row over its columns is taken, and the median of these times
    ``scale`` is the variance of the noise. ``scale`` = 0 changes nothing.

    References
    ----------
    Thesis, section 1.5.2. McShane, Radmacher, Freidlin, Yu, Li, Simon (2002),
    Bioinformatics 18, 1462-1469. Bittner et al. (2000), Nature 406, 536-540.
    """

    scale: float = 1.0
    by_column = True

    def __post_init__(self) -> None:
        if not 0 <= self.scale < math.inf:
            raise InputError(f"scale = {self.scale:g} must be zero or more, e.g. 1")

    def variance(self, data: Dataset) -> float:
        """Return the variance of the noise for these data."""
        values = with_values(data, "noise injection").values
        if data.m < 2:
            raise InputError(
                "noise injection needs at least 2 columns to estimate a row's variance"
            )
        return self.scale * float(np.median(values.var(axis=1, ddof=1)))

    def draw(self, data: Dataset, rng: np.random.Generator, repeat: int) -> Sample:
        """Return all items, with noise on every value."""
        spread = math.sqrt(self.variance(data))
        noisy = data.values + spread * rng.standard_normal(data.values.shape)
        return changed(data, noisy)

    def size(self, n: int) -> int:
        """Return n."""
        return n


@dataclass(frozen=True)
class RandomColumns:
    """Keep ceil(fraction m) of the columns, drawn at random, in their order.

    Bertoni and Valentini report that this distorts distances more than a random
    projection to the same number of columns.

    References
    ----------
    Thesis, section 1.5.3. Smolkin, Ghosh (2003), BMC Bioinformatics 4, 36. Bertoni,
    Valentini (2006), Artificial Intelligence in Medicine 37, 85-109.
    """

    fraction: float = 0.8
    by_column = True

    def __post_init__(self) -> None:
        check_share("fraction", self.fraction, "0.8")

    def draw(self, data: Dataset, rng: np.random.Generator, repeat: int) -> Sample:
        """Return all items with some of their columns."""
        values = with_values(data, "choosing columns").values
        kept = np.sort(rng.permutation(data.m)[: part_of(data.m, self.fraction)])
        return changed(data, values[:, kept])

    def size(self, n: int) -> int:
        """Return n."""
        return n


@dataclass(frozen=True)
class DropColumn:
    """Leave out one column: the repeat's number tells which, modulo their number.

    This is the jackknife of FOM. Distances of the sample are those of the data less the
    column's share, instead of being computed afresh.

    References
    ----------
    Thesis, section 2.2.3. Yeung, Haynor, Ruzzo (2001), Bioinformatics 17, 309-318.
    """

    random = False

    def draw(self, data: Dataset, rng: np.random.Generator, repeat: int) -> Sample:
        """Return all items without column ``repeat`` mod m."""
        with_values(data, "leaving out a column")
        if data.m < 2:
            raise InputError(
                "leaving out a column needs at least 2 columns; these data have 1"
            )
        rows = np.arange(data.n, dtype=np.intp)
        return Sample(data, rows, dropped=repeat % data.m)

    def number(self, data: Dataset, repeat: int) -> int:
        """Return the repeat's number if the columns were in canonical order."""
        start, column = divmod(repeat, data.m)
        return start * data.m + column_places(data)[column]

    def size(self, n: int) -> int:
        """Return n."""
        return n


def with_values(data: Dataset, what: str) -> Dataset:
    """Return the data, or refuse a distance matrix where values are needed."""
    if data.precomputed:
        raise InputError(
            f"{what} needs the items' values, but the input is a distance matrix; give "
            "the table it was computed from, or subsample instead"
        )
    return data


def changed(data: Dataset, values: Matrix) -> Sample:
    """Return the sample of all items with new values, in the data's own precision."""
    rows = np.arange(data.n, dtype=np.intp)
    return Sample(data, rows, changed=values.astype(data.values.dtype, copy=False))
