"""Random projections: fewer columns, and distances that stay roughly the same."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Matrix, Sample
from stablek.errors import InputError, check_share, unknown_name
from stablek.paradigm.perturb.transform import changed, with_values

PROJECTIONS = ("dense", "sparse", "fast", "plus-minus-one")


#: How the number of columns follows from the number of items and epsilon.
BOUNDS = ("proven", "authors")


@dataclass(frozen=True)
class Projection:
    """Project the items at random to fewer columns, keeping distances roughly.

    ``dense``: Gaussian entries. ``sparse``: Achlioptas's entries, sqrt(3) times +1, 0,
    -1 with probabilities 1/6, 2/3, 1/6. ``fast``: the fast Johnson-Lindenstrauss
    transform, random signs, a Walsh-Hadamard transform and a sparse Gaussian matrix.
    ``plus-minus-one``: Achlioptas's other entries, +1 and -1 with equal chance, which
    Bertoni and Valentini take. Squared distances are right on average in all four. The
    number of columns is ``dimension``, or follows from ``epsilon``: by the
    Johnson-Lindenstrauss bound (``bound="proven"``), or as Bertoni and Valentini have
    it, 4 ln n / epsilon^2 (``"authors"``; the default of plus-minus-one); with
    ``at_most`` never more than this share of the columns, whatever the bound says.

    References
    ----------
    Thesis, section 1.5.3. Dasgupta, Gupta (2003), Random Structures and Algorithms 22,
    60-65. Achlioptas (2003), J. Comput. System Sci. 66, 671-687, Theorem 1.1. Ailon,
    Chazelle (2009), SIAM J. Comput. 39, 302-322, section 2. Bertoni, Valentini (2007),
    BMC Bioinformatics 8 (Suppl 2), S7.
    """

    kind: str = "dense"
    epsilon: float = 0.5
    dimension: int | None = None
    at_most: float | None = None
    bound: str | None = None
    by_column = True

    def __post_init__(self) -> None:
        if self.kind not in PROJECTIONS:
            raise unknown_name("projection", self.kind, PROJECTIONS)
        if self.bound not in (None, *BOUNDS):
            raise unknown_name("bound", str(self.bound), BOUNDS)
        if self.dimension is not None and self.dimension < 1:
            raise InputError(f"dimension = {self.dimension} must be at least 1")
        johnson_lindenstrauss(2, self.epsilon)

    def target(self, data: Dataset) -> int:
        """Return the number of columns after projection, fewer than before."""
        authors = (
            self.kind == "plus-minus-one"
            if self.bound is None
            else (self.bound == "authors")
        )
        bound = bertoni_valentini if authors else johnson_lindenstrauss
        wanted = self.dimension or bound(data.n, self.epsilon)
        if self.dimension is None and self.at_most is not None:
            wanted = max(1, min(wanted, math.floor(self.at_most * data.m)))
        if wanted >= data.m:
            raise InputError(
                f"projecting {data.m} columns to {wanted} does not reduce them (n = "
                f"{data.n}, epsilon = {self.epsilon:g}); give a larger epsilon or a "
                f"dimension below {data.m}"
            )
        return wanted

    def draw(self, data: Dataset, rng: np.random.Generator, repeat: int) -> Sample:
        """Return all items, projected."""
        values = with_values(data, "random projection").values
        size = self.target(data)
        if self.kind == "dense":
            matrix = rng.standard_normal((data.m, size)) / math.sqrt(size)
            return changed(data, values @ matrix)
        if self.kind == "sparse":
            die = rng.integers(6, size=(data.m, size))
            matrix = ((die == 0) * 1.0 - (die == 1)) * math.sqrt(3 / size)
            return changed(data, values @ matrix)
        if self.kind == "plus-minus-one":
            signs = 1.0 - 2.0 * rng.integers(2, size=(data.m, size))
            return changed(data, values @ (signs / math.sqrt(size)))
        return changed(data, fast_transform(values, size, rng))

    def size(self, n: int) -> int:
        """Return n."""
        return n


def johnson_lindenstrauss(n: int, epsilon: float) -> int:
    """Return how many columns keep all squared distances of n items within epsilon.

    m' = ceil(4 log n / (epsilon^2 / 2 - epsilon^3 / 3)). The thesis prints
    epsilon^2 / 3 for the second term; it is epsilon^3 / 3, as in Dasgupta and Gupta
    (2003), Theorem 2.1.

    Examples
    --------
    >>> johnson_lindenstrauss(1000, 0.5), johnson_lindenstrauss(1000, 0.1)
    (332, 5921)
    """
    check_share("epsilon", epsilon, "0.5")
    return math.ceil(4 * math.log(n) / (epsilon**2 / 2 - epsilon**3 / 3))


def bertoni_valentini(n: int, epsilon: float) -> int:
    """Return the number of columns that the authors of MOSRAM take: 4 ln n / epsilon^2.

    Less than half of what the bound proves; the distances are kept less well.

    Examples
    --------
    >>> bertoni_valentini(1000, 0.5)
    111
    """
    check_share("epsilon", epsilon, "0.5")
    return math.ceil(4 * math.log(n) / epsilon**2)


def fast_transform(values: Matrix, size: int, rng: np.random.Generator) -> Matrix:
    """Return the fast Johnson-Lindenstrauss transform of the rows.

    Phi = P H D / sqrt(size): D holds random signs, H is the normalised Walsh-Hadamard
    matrix of the next power of two, and an entry of P is N(0, 1/q) with probability
    q = min(1, log(n)^2 / d), else 0.
    """
    n, m = values.shape
    width = 1 << max(0, m - 1).bit_length()
    mixed = np.zeros((n, width))
    mixed[:, :m] = values * (1.0 - 2.0 * rng.integers(2, size=m))
    mixed = hadamard(mixed)
    share = min(1.0, math.log(max(n, 3)) ** 2 / width)
    kept = rng.random((width, size)) < share
    matrix = np.where(kept, rng.standard_normal((width, size)), 0.0)
    return mixed @ matrix / math.sqrt(share * size)


def hadamard(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the normalised Walsh-Hadamard transform of rows of 2^p numbers.

    Examples
    --------
    >>> hadamard(np.array([[1.0, 0.0, 0.0, 0.0]]))
    array([[0.5, 0.5, 0.5, 0.5]])
    """
    n, width = rows.shape
    half = 1
    while half < width:
        pairs = rows.reshape(n, -1, 2, half)
        left, right = pairs[:, :, 0], pairs[:, :, 1]
        rows = np.stack((left + right, left - right), axis=2).reshape(n, width)
        half *= 2
    return rows / math.sqrt(width)


@dataclass(frozen=True)
class Distortion:
    """How a perturbation changed the squared distances: after / before, over pairs.

    ``within`` is the share of pairs with a ratio in [1 - epsilon, 1 + epsilon]. Pairs
    of equal items are left out.
    """

    smallest: float
    largest: float
    mean: float
    epsilon: float
    within: float


def distortion(sample: Sample, epsilon: float = 0.5) -> Distortion:
    """Return how far a sample's distances are from those of its source."""
    from scipy.spatial.distance import pdist

    before = pdist(np.asarray(sample.source.values[sample.rows], float), "sqeuclidean")
    after = pdist(np.asarray(sample.values(), float), "sqeuclidean")
    apart = before > 0
    if not apart.any():
        return Distortion(1.0, 1.0, 1.0, epsilon, 1.0)
    ratio = after[apart] / before[apart]
    within = float((np.abs(ratio - 1) <= epsilon).mean())
    return Distortion(
        float(ratio.min()), float(ratio.max()), float(ratio.mean()), epsilon, within
    )
