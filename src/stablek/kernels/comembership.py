"""Count, for pairs of items, the repeats that drew both and that joined both."""

from typing import Any

import numpy as np
import numpy.typing as npt

from stablek.kernels import pair_tables
from stablek.kernels.bitplanes import HALF, LOW, TILE, count_row, pack
from stablek.kernels.inputs import kernel_input
from stablek.kernels.jit import kernel
from stablek.kernels.tier import Tier

Labels = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]
Counts = npt.NDArray[np.int64]


@kernel
def _matrix(
    bits,  # IN (words, planes, n)
    apart,  # IN write 1 - M, and 1 for a pair never drawn together
    consensus,  # OUT (n, n)
):
    """Write together / drawn for every pair, both triangles."""
    n = bits.shape[2]
    differ = np.empty(TILE, np.uint64)
    count = np.empty(TILE, np.uint64)
    for left in range(0, n, TILE):
        stop = min(left + TILE, n)
        for i in range(stop):
            start = max(left, i)
            count_row(bits, i, start, stop, differ, count)
            row = consensus[i, start:stop]
            for j in range(stop - start):
                drawn = count[j] >> HALF
                together = count[j] & LOW
                # A pair never drawn together has no consensus: 0 / 0 is left open.
                row[j] = together / drawn if drawn else np.nan
            if apart:
                for j in range(stop - start):
                    row[j] = 1.0 if np.isnan(row[j]) else 1.0 - row[j]
    for top in range(0, n, 64):  # tiles, so that the mirrored writes stay in cache
        for left in range(top, n, 64):
            for i in range(top, min(top + 64, n)):
                for j in range(max(left, i), min(left + 64, n)):
                    consensus[j, i] = consensus[i, j]
    for i in range(n):
        consensus[i, i] = 0.0 if apart else 1.0


@kernel
def _shares(
    labels,  # IN (P, n)
    shares,  # OUT (P,)
):
    """Write the share of the drawn pairs that are together, for each partition.

    Neighbours often have one label, and an addition would wait for the one before it:
    four tables taken in turn keep them apart.
    """
    n = labels.shape[1]
    missing = int(np.iinfo(labels.dtype).max)
    size = np.zeros((4, missing + 1), np.int64)
    for row in range(labels.shape[0]):
        part = labels[row]
        for i in range(0, n - 3, 4):
            size[0, part[i]] += 1
            size[1, part[i + 1]] += 1
            size[2, part[i + 2]] += 1
            size[3, part[i + 3]] += 1
        for i in range(n - n % 4, n):
            size[0, part[i]] += 1
        drawn = n - size[:, missing].sum()
        size[:, missing] = 0
        seen = 0
        joined = 0
        c = 0
        while seen < drawn:
            many = size[0, c] + size[1, c] + size[2, c] + size[3, c]
            size[:, c] = 0
            joined += many * (many - 1)
            seen += many
            c += 1
        shares[row] = joined / (drawn * (drawn - 1)) if drawn > 1 else np.nan


@kernel
def _pairs(
    labels,  # IN (H, n)
    pairs,  # IN (P, 2)
    together,  # OUT (P,), zeros on entry
    drawn,  # OUT (P,), zeros on entry
):
    """Count for listed pairs, one repeat after the other: one row is in the cache."""
    missing = np.iinfo(labels.dtype).max
    for h in range(labels.shape[0]):
        for p in range(pairs.shape[0]):
            a = labels[h, pairs[p, 0]]
            b = labels[h, pairs[p, 1]]
            both = (a != missing) & (b != missing)
            drawn[p] += both
            together[p] += both & (a == b)


@kernel
def _every_pair(
    bits,  # IN (words, planes, n)
    together,  # OUT (n (n - 1) / 2,)
    drawn,  # OUT (n (n - 1) / 2,)
):
    """Count for all pairs, in the order of a triangle's rows."""
    n = bits.shape[2]
    differ = np.empty(n, np.uint64)
    count = np.empty(n, np.uint64)
    begin = 0
    for i in range(n - 1):
        count_row(bits, i, i + 1, n, differ, count)
        for j in range(n - 1 - i):
            drawn[begin + j] = count[j] >> HALF
            together[begin + j] = count[j] & LOW
        begin += n - 1 - i


@kernel
def _items(
    bits,  # IN (words, planes, n)
    partition,  # IN (n,), 0 .. k - 1
    items,  # IN (I,)
    mean,  # OUT (I, k), zeros on entry
):
    """Average the consensus of each listed item with the items of each cluster."""
    n = bits.shape[2]
    k = mean.shape[1]
    differ = np.empty(TILE, np.uint64)
    count = np.empty(TILE, np.uint64)
    met = np.empty(k, np.int64)
    for row in range(items.size):
        i = items[row]
        met[:] = 0
        for left in range(0, n, TILE):
            stop = min(left + TILE, n)
            count_row(bits, i, left, stop, differ, count)
            for j in range(stop - left):
                drawn = count[j] >> HALF
                if drawn and left + j != i:
                    cluster = partition[left + j]
                    mean[row, cluster] += (count[j] & LOW) / drawn
                    met[cluster] += 1
        for cluster in range(k):
            if met[cluster]:
                mean[row, cluster] /= met[cluster]
            else:
                mean[row, cluster] = np.nan


_squares = Tier(_matrix)
_triangle = Tier(_every_pair)
_rows = Tier(_items)
_sizes = Tier(_shares, step=10_000)  # one partition


def consensus_matrix(labels: Labels) -> npt.NDArray[np.float64]:
    """Return M(i, j) = together / drawn for all pairs, of one k.

    ``labels`` are as for :func:`stablek.kernels.histogram.pair_histogram`. Symmetric,
    with ones on the diagonal; NaN where a pair was never drawn together.

    Examples
    --------
    >>> import numpy as np
    >>> consensus_matrix(np.array([[0, 0, 1], [0, 1, 255]], np.uint8))
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0. ],
           [0. , 0. , 1. ]])
    """
    return _square(labels, apart=False)


def consensus_distances(labels: Labels) -> npt.NDArray[np.float64]:
    """Return 1 - M(i, j) for all pairs, of one k; 1 for a pair never drawn together.

    Of labels as for :func:`consensus_matrix`. Symmetric, zero on the diagonal; a new
    array, which the caller may spoil.

    Examples
    --------
    >>> import numpy as np
    >>> consensus_distances(np.array([[0, 0, 1], [0, 1, 255]], np.uint8))
    array([[0. , 0.5, 1. ],
           [0.5, 0. , 1. ],
           [1. , 1. , 0. ]])
    """
    return _square(labels, apart=True)


def _square(labels: Labels, *, apart: bool) -> npt.NDArray[np.float64]:
    n = labels.shape[1]
    if not _squares.pays(labels.size * n):
        small = pair_tables.consensus(labels)
        return 1.0 - np.nan_to_num(small, nan=0.0) if apart else small
    square = np.empty((n, n), np.float64)
    _matrix(pack(kernel_input(labels)), apart, square)
    return square


def shares_of_pairs(labels: Labels) -> npt.NDArray[np.float64]:
    """Return, for each partition, the share of the drawn pairs that fall together.

    It needs the sizes of the clusters only: sum n_c (n_c - 1) / (n' (n' - 1)). The
    largest value of the labels' type means "not drawn"; NaN where fewer than two items
    were drawn.

    Examples
    --------
    >>> import numpy as np
    >>> shares_of_pairs(np.array([[0, 0, 1, 1], [0, 1, 255, 255]], np.uint8))
    array([0.33333333, 0.        ])
    """
    shares = np.empty(labels.shape[:-1], np.float64)
    every = kernel_input(labels).reshape(shares.size, labels.shape[-1])
    if not _sizes.pays(shares.size):
        return pair_tables.shares(every).reshape(shares.shape)
    _shares(every, shares.reshape(-1))
    return shares


def pair_counts(labels: Labels, pairs: npt.NDArray[np.int64]) -> tuple[Counts, Counts]:
    """Return together and drawn for listed pairs: for n too large for all pairs.

    ``labels`` are as for :func:`stablek.kernels.histogram.pair_histogram`; a memory map
    will do. ``pairs`` has two items in each row.

    Examples
    --------
    >>> import numpy as np
    >>> pair_counts(np.array([[0, 0, 1], [0, 1, 255]], np.uint8), np.array([[0, 1]]))
    (array([1]), array([2]))
    """
    together = np.zeros(len(pairs), np.int64)
    drawn = np.zeros(len(pairs), np.int64)
    _pairs(kernel_input(labels), kernel_input(pairs, np.int64), together, drawn)
    return together, drawn


def all_pair_counts(labels: Labels) -> tuple[Counts, Counts]:
    """Return the same for all pairs, in the order of ``np.triu_indices``.

    Examples
    --------
    >>> import numpy as np
    >>> all_pair_counts(np.array([[0, 0, 1], [0, 1, 255]], np.uint8))
    (array([1, 0, 0]), array([2, 1, 1]))
    """
    n = labels.shape[1]
    pairs = n * (n - 1) // 2
    if not _triangle.pays(len(labels) * pairs):
        return pair_counts(labels, np.stack(np.triu_indices(n, 1), axis=1))
    together, drawn = np.empty(pairs, np.int64), np.empty(pairs, np.int64)
    _every_pair(pack(kernel_input(labels)), together, drawn)
    return together, drawn


def item_consensus(
    labels: Labels,
    partition: npt.NDArray[np.integer[Any]],
    items: npt.NDArray[np.integer[Any]] | None = None,
) -> npt.NDArray[np.float64]:
    """Return the mean consensus of each item with the items of each cluster.

    For item i and cluster c this is the mean of M(i, j) over the j of c other than i
    that were ever drawn together with i; NaN where there is none. Only one row of M is
    held at a time.

    ``labels`` are as for :func:`stablek.kernels.histogram.pair_histogram`,
    ``partition`` the clusters 0 .. k - 1 to average over, ``items`` those wanted, all
    if not given.

    References
    ----------
    Monti, Tamayo, Mesirov, Golub (2003), Machine Learning 52, 91-118, eq. (4).

    Examples
    --------
    >>> import numpy as np
    >>> labels = np.array([[0, 0, 1], [0, 1, 255]], np.uint8)
    >>> item_consensus(labels, np.array([0, 0, 1]))
    array([[0.5, 0. ],
           [0.5, 0. ],
           [0. , nan]])
    """
    clusters = kernel_input(partition, np.int64)
    wanted = np.arange(clusters.size) if items is None else items
    if not _rows.pays(labels.size * labels.shape[1]):
        return pair_tables.item_means(labels, clusters, wanted)
    mean = np.zeros((len(wanted), int(clusters.max()) + 1), np.float64)
    _items(pack(kernel_input(labels)), clusters, kernel_input(wanted, np.int64), mean)
    return mean
