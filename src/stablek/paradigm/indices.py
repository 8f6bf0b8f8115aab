"""External indices: how far two partitions agree, all from one contingency table.

``table[i, j]`` is the number of items in class i of the first partition and cluster j
of the second. Every index is 1 for equal partitions (whatever the labels are called).

References
----------
Utro's thesis, section 2.1. Rand (1971), JASA 66, 846-850. Hubert, Arabie (1985),
J. Classification 2, 193-218, Eq. 5. Fowlkes, Mallows (1983), JASA 78, 553-569.
van Rijsbergen (1979), Information Retrieval, chapter 7.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stablek.errors import unknown_name
from stablek.paradigm.card import card

Table = NDArray[np.int64]


def contingency(first: ArrayLike, second: ArrayLike) -> Table:
    """Return the contingency table of two labellings of the same items.

    Examples
    --------
    >>> contingency(["a", "a", "b"], [1, 1, 0])
    array([[0, 2],
           [1, 0]])
    """
    rows, i = np.unique(np.asarray(first), return_inverse=True)
    columns, j = np.unique(np.asarray(second), return_inverse=True)
    flat = np.bincount(i * len(columns) + j, minlength=len(rows) * len(columns))
    return flat.reshape(len(rows), len(columns)).astype(np.int64)


def pair_sums(table: Table) -> tuple[float, float, float, float]:
    """Return the pairs together in both, in the first, in the second, and all pairs."""
    together = float((table * (table - 1)).sum()) / 2
    a, b = table.sum(axis=1), table.sum(axis=0)
    n = float(table.sum())
    first, second = float((a * (a - 1)).sum()) / 2, float((b * (b - 1)).sum()) / 2
    return together, first, second, n * (n - 1) / 2


@card("For comparison with older work; not corrected for chance.", "rand1971")
def rand(table: Table) -> float:
    """Return the share of pairs on which the two partitions agree, in [0, 1].

    R = (a + d) / (a + b + c + d). Its value for random partitions is not constant.

    Examples
    --------
    >>> rand(contingency([0, 0, 1, 1], [0, 0, 1, 1]))
    1.0
    """
    return float(rand_of(*pair_sums(table)))


def rand_of(together: Any, first: Any, second: Any, pairs: Any) -> Any:
    """Return Rand from pair sums (scalars or arrays)."""
    pairs = np.asarray(pairs, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = (pairs + 2 * together - first - second) / pairs
    return np.where(pairs > 0, value, 1.0)


@card("The usual one: 0 is expected by chance, 1 means equal.", "hubert1985")
def adjusted_rand(table: Table) -> float:
    """Return the Rand index adjusted for chance: 0 expected at random, at most 1.

    R_A = (T - U V / N) / ((U + V)/2 - U V / N), with T the pairs together in both, U
    and V in each, N all pairs. Two trivial partitions of the same kind (all items
    together, or all apart, in both) agree perfectly and get 1.

    Examples
    --------
    >>> adjusted_rand(contingency([0, 0, 1, 1], ["x", "x", "y", "y"]))
    1.0
    """
    return float(adjusted_rand_of(*pair_sums(table)))


def adjusted_rand_of(together: Any, first: Any, second: Any, pairs: Any) -> Any:
    """Return Adjusted Rand from pair sums (scalars or arrays)."""
    first, second = np.asarray(first, float), np.asarray(second, float)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = first * second / pairs
        below = (first + second) / 2 - expected
        value = (together - expected) / below
    return np.where((np.asarray(pairs) > 0) & (below != 0), value, 1.0)


@card("As in the thesis; one large cluster brings it near 1.", "fowlkes1983")
def fowlkes_mallows(table: Table) -> float:
    """Return the geometric mean of pair precision and pair recall, in [0, 1].

    FM = T / sqrt(U V). Where neither partition puts any pair together they are the
    same partition, so 1; where only one does, 0.

    Examples
    --------
    >>> fowlkes_mallows(contingency([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    """
    return float(fowlkes_mallows_of(*pair_sums(table)))


def fowlkes_mallows_of(together: Any, first: Any, second: Any, pairs: Any) -> Any:
    """Return Fowlkes-Mallows from pair sums (scalars or arrays)."""
    both = np.sqrt(np.asarray(first, float) * np.asarray(second, float))
    with np.errstate(invalid="ignore", divide="ignore"):
        value = together / both
    none = (np.asarray(first) == 0) & (np.asarray(second) == 0)
    return np.where(both > 0, value, np.where(none, 1.0, 0.0))


@card("As in the thesis; one large cluster brings it near 1.", "rijsbergen1979")
def f_index(table: Table, b: float = 1.0) -> float:
    """Return the F-index of the second partition against the first, in [0, 1].

    F = sum_i (n_i. / n) max_j F(i, j), where F(i, j) is the weighted harmonic mean
    (b^2 + 1) P R / (b^2 P + R) of precision P = n_ij / n_.j and recall R = n_ij / n_i.
    Not symmetric: the first partition is the reference.

    Examples
    --------
    >>> f_index(contingency([0, 0, 1, 1], [0, 0, 0, 1]))
    0.7333333333333334
    """
    counts = table.astype(np.float64)
    if not counts.any():  # no items: nothing on which to differ
        return 1.0
    a = counts.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = counts / counts.sum(axis=0, keepdims=True)
        recall = counts / a
        f = (b * b + 1) * precision * recall / (b * b * precision + recall)
    best = np.nan_to_num(f).max(axis=1)
    return float((a[:, 0] * best).sum() / counts.sum())


#: The word a user types, and the index.
INDICES: dict[str, Callable[[Table], float]] = {
    "adj": adjusted_rand,
    "f": f_index,
    "fm": fowlkes_mallows,
    "rand": rand,
}

#: Indices that follow from pair sums alone, for many pairs of partitions at once.
OF_SUMS: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "adj": adjusted_rand_of,
    "fm": fowlkes_mallows_of,
    "rand": rand_of,
}


def index(name: str) -> Callable[[Table], float]:
    """Return the index a user named."""
    if name not in INDICES:
        raise unknown_name("index", name, INDICES)
    return INDICES[name]
