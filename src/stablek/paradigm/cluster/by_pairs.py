"""Lloyd's K-means by the faster of two kernels, which give the same bits.

With many columns it pays to know the distances of all pairs of items, if these serve
several clusterings.
"""

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Rows, Sample
from stablek.kernels.lloyd import Sweep, lloyd_from_rows, lloyd_sweep
from stablek.kernels.lloyd_pairs import lloyd_by_pairs, pairs_pay

Counts = NDArray[np.int64]

#: Of more items no distances are computed for this: they would take 18 MB.
MOST_ITEMS = 1500
#: Nanoseconds: a product of items and centres, all iterations together; a product of
#: two items; a pair of items at one k; handing a draw to the kernel of columns.
BY_COLUMNS, PAIR, AT_K, CALL = 0.25, 0.15, 0.5, 20_000

#: What has been spent on the data without distances, up to what these would take.
_spent: WeakKeyDictionary[Dataset, float] = WeakKeyDictionary()


def is_wide(n: int, m: int, k: int) -> bool:
    """Tell whether distances may be computed for K-means alone, up to k clusters.

    They take no more than k / 4 tables of double precision then.

    Examples
    --------
    >>> is_wide(100, 50, 10), is_wide(100, 5, 10)
    (True, False)
    """
    return n <= MOST_ITEMS and 4 * n <= m * k


def memory_by_pairs(n: int, k: int) -> tuple[int, int]:
    """Return the bytes that all samples of n items share, and those of each."""
    return (8 * n * n, 8 * n * (n + k)) if n <= MOST_ITEMS else (0, 0)


def lloyd_of_sample(
    sample: Sample, start: NDArray[Any], ks: Counts, max_iter: int
) -> NDArray[Any]:
    """Return the labels of a sample at every k, shape (ks, items).

    ``start`` holds labels, shape (ks, items), or ks[0] places of the sample, then
    ks[1], and so on.
    """
    if not _pays(sample, 1, ks):
        return _by_columns(sample, start, ks, max_iter)[0]
    data, rows = sample.source, sample.rows
    lengths = _lengths(data, rows[:1])
    if sample.dropped is None:
        square = data.distances("euclidean")
    else:
        square, rows = sample.distances("euclidean"), np.arange(len(rows))
    found, settled = lloyd_by_pairs(
        square, rows[None], lengths, data.m, start[None], ks, max_iter
    )
    return _completed(sample, start, ks, max_iter, found[0], settled[0])


def lloyd_of_draws(
    data: Dataset, draws: Sequence[Rows], cuts: NDArray[Any], ks: Counts, max_iter: int
) -> list[NDArray[Any]]:
    """Return the labels of each draw at every k; ``cuts`` are where they start."""
    samples = [Sample(data, rows) for rows in draws]
    if not _pays(samples[0], len(draws), ks):
        every = zip(samples, cuts, strict=True)
        return [_by_columns(sample, cut, ks, max_iter)[0] for sample, cut in every]
    rows = np.stack(draws)
    found, settled = lloyd_by_pairs(
        data.distances("euclidean"), rows, _lengths(data, rows[:, 0]), data.m, cuts, ks,
        max_iter,
    )  # fmt: skip
    return [
        _completed(sample, cut, ks, max_iter, labels, sure)
        for sample, cut, labels, sure in zip(samples, cuts, found, settled, strict=True)
    ]


def _lengths(data: Dataset, rows: Rows) -> NDArray[np.float64]:
    """Return how far items are from the origin."""
    with np.errstate(over="ignore"):  # then nothing is told apart
        squares = np.square(data.values[rows], dtype=np.float64)
        return np.sqrt(squares.sum(axis=1))


def _by_columns(
    sample: Sample, start: NDArray[Any], ks: Counts, max_iter: int
) -> Sweep:
    run = lloyd_sweep if start.ndim == 2 else lloyd_from_rows
    return run(sample.values(), start, ks, max_iter)


def _completed(
    sample: Sample,
    start: NDArray[Any],
    ks: Counts,
    max_iter: int,
    labels: NDArray[Any],
    settled: NDArray[np.bool_],
) -> NDArray[Any]:
    """Let the kernel of columns label what that of pairs had to give up."""
    if settled.all():
        return labels
    if start.ndim == 2:
        rest = start[~settled]
    else:
        each = np.split(start, np.cumsum(ks)[:-1])
        rest = np.concatenate([each[place] for place in np.flatnonzero(~settled)])
    labels[~settled] = _by_columns(sample, rest, ks[~settled], max_iter)[0]
    return labels


def _pays(sample: Sample, draws: int, ks: Counts) -> bool:
    """Tell whether to take distances of pairs, and count what is spent without."""
    data, s = sample.source, len(sample)
    if data.precomputed or data.n > MOST_ITEMS or sample.changed is not None:
        return False
    kind = "euclidean"
    if sample.dropped is not None:
        kind = "sqeuclidean"
        if not sample.is_whole():
            return False
    by_columns = BY_COLUMNS * s * data.m * float(ks.sum())
    if AT_K * s * s * (len(ks) + 2) > by_columns + (CALL if draws > 1 else 0):
        return False
    if not data.knows(kind):
        if not is_wide(data.n, data.m, int(ks.max())):
            return False
        spent = _spent.get(data, 0.0) + draws * by_columns
        if spent < PAIR * data.n**2 * data.m:
            _spent[data] = spent
            return False
    return pairs_pay(draws * by_columns)
