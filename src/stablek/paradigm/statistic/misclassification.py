"""How many items two labellings disagree on, after their labels are matched."""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.data.seeds import stream
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.agreement import Scores

#: Pairs of random labellings are drawn, so many at a time, until the standard error of
#: the cost expected by chance is at most this share of it.
RANDOM_PAIRS = 250
CHANCE_ERROR = 0.0025


def matching(first: NDArray[Any], second: NDArray[Any], k: int) -> NDArray[np.int64]:
    """Return, for each label of ``second``, the label of ``first`` it is matched with.

    The matching of labels 0..k-1 is the one with the largest overlap: a minimum-cost
    perfect matching of the two sets of labels. Both labellings hold no missing value;
    labels beyond k - 1, of noise items, are matched like the others.

    Examples
    --------
    >>> import numpy as np
    >>> matching(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 1]), 2)
    array([1, 0])
    """
    from scipy.optimize import linear_sum_assignment

    k = max(k, int(first.max(initial=0)) + 1, int(second.max(initial=0)) + 1)
    flat = first.astype(np.int64) * k + second
    table = np.bincount(flat, minlength=k * k).reshape(k, k)
    rows, columns = linear_sum_assignment(table, maximize=True)
    match = np.empty(k, dtype=np.int64)
    match[columns] = rows
    return match


def cost(first: NDArray[Any], second: NDArray[Any], k: int) -> float:
    r"""Return the share of items with different labels, the labels matched best.

    .. math:: \min_{\pi} \frac{1}{n} \sum_i [\pi(b_i) \ne a_i]

    over all permutations of the labels.

    Examples
    --------
    >>> import numpy as np
    >>> cost(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 1]), 2)
    0.25
    """
    return float((matching(first, second, k)[second] != first).mean())


@cache
def random_cost(n: int, k: int) -> float:
    """Return the mean matched cost of two random labellings of n items with k labels.

    Labels are independent and uniform. For two labels it is exact: of n items, x
    differ with the binomial chance, and min(x, n - x) of them after matching. For more
    it is the mean over pairs drawn until its standard error is at most a quarter of a
    per cent. The draws belong to (n, k), not to a run's seed: this is a constant of the
    measure, the same in every run.

    Examples
    --------
    >>> random_cost(4, 2)
    0.3125
    """
    if k == 2:
        differ = range(n + 1)
        moved = sum(math.comb(n, x) * min(x, n - x) for x in differ)
        return float(moved / (n * 2**n))
    rng = stream(0, "random labellings", n, k)
    costs: list[float] = []
    while True:
        pairs = rng.integers(k, size=(RANDOM_PAIRS, 2, n))
        costs += [cost(first, second, k) for first, second in pairs]
        mean = float(np.mean(costs))
        error = float(np.std(costs, ddof=1)) / math.sqrt(len(costs))
        if error <= CHANCE_ERROR * mean:
            return mean


@dataclass(frozen=True)
class Overlap:
    r"""The share of a repeat's items that stay in their original cluster.

    .. math:: S_h(k) = 1 - \mathrm{cost}(\text{whole}, h) \text{ on the items of } h

    The clusters of the repeat are matched with those of the whole data by maximum
    overlap. Scores of shape (repeats, ks).

    References
    ----------
    Thesis, section 3.2.1, BagClust1, steps 3 and 4.
    """

    gives = "scores"
    roles = 1
    original = True

    def collect(self, cube: PartitionCube, data: Dataset) -> Scores:
        """Return the share for every repeat and k."""
        assert cube.original is not None  # the engine fills it: `original` is true
        scores = np.full(cube.filled.shape, np.nan)
        for repeat, column in np.argwhere(cube.filled):
            labels = cube.labels[repeat, column, 0]
            drawn = labels != cube.missing
            whole = cube.original[column][drawn]
            scores[repeat, column] = 1 - cost(whole, labels[drawn], cube.ks[column])
        return scores


@dataclass(frozen=True)
class Misclassification:
    r"""The matched cost of roles 0 and 1, as a share of what chance would give.

    .. math::
        S_h(k) = \frac{\mathrm{cost}(\text{classified}, \text{clustered})}
        {E[\mathrm{cost}(\text{random}, \text{random})]}

    on the items that both roles hold. 0: they agree; 1: no better than chance. The raw
    cost falls with k for some data and rises for others whatever the clusters are;
    dividing by chance makes ks comparable. Scores of shape (repeats, ks); NaN where
    the roles share no two items: one item agrees with itself by any matching.

    References
    ----------
    Thesis, section 3.3.4. Roth, Lange, Braun, Buhmann (2002), COMPSTAT, 123-128.
    Lange, Roth, Braun, Buhmann (2004), Neural Computation 16, 1299-1323, section 3.
    """

    gives = "scores"
    roles = 2
    original = False

    def collect(self, cube: PartitionCube, data: Dataset) -> Scores:
        """Return the relative cost for every repeat and k; NaN at k = 1."""
        scores = np.full(cube.filled.shape, np.nan)
        for repeat, column in np.argwhere(cube.filled):
            first, second = cube.labels[repeat, column, :2]
            both = (first != cube.missing) & (second != cube.missing)
            k, n = cube.ks[column], int(both.sum())
            if k > 1 and n > 1:
                moved = cost(first[both], second[both], k)
                scores[repeat, column] = moved / random_cost(n, k)
        return scores
