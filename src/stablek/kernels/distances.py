"""Distances of all pairs of rows, the same bits whatever the order of the rows.

No BLAS is used: its sums depend on its version, its threads and the place of a row in
the matrix. Here the terms of d(i, j) are added in the order of the columns for every
pair, and each term is symmetric in i and j, so a permutation of the rows permutes the
matrix exactly. Sums are float64 for every type of input.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stablek.kernels.inputs import kernel_input
from stablek.kernels.jit import kernel
from stablek.kernels.tier import Tier

METRICS = ("euclidean", "sqeuclidean", "manhattan", "correlation", "spearman", "cosine")

TALL, WIDE = 8, 512  # pairs summed together: their sums stay in the first-level cache
CANCELS = 2.0**-10  # downdate() sums again where less than this share is left


@kernel
def _sum_pairs(
    columns,  # IN   (p, n), one row per column of the data
    absolute,  # IN  sum |x - y| instead of (x - y)^2
    out,  # OUT (n, n)
):
    p, n = columns.shape
    sums = np.empty((TALL, WIDE), np.float64)
    for top in range(0, n, TALL):
        tall = min(TALL, n - top)
        for left in range(top, n, WIDE):
            wide = min(WIDE, n - left)
            for i in range(TALL):
                for j in range(WIDE):
                    sums[i, j] = 0.0
            for c in range(p):
                y = columns[c, left : left + wide]
                for i in range(tall):
                    x = columns[c, top + i]
                    total = sums[i]
                    if absolute:
                        for j in range(wide):
                            total[j] += abs(x - y[j])
                    else:
                        for j in range(wide):
                            total[j] += (x - y[j]) * (x - y[j])
            for i in range(tall):
                for j in range(wide):
                    out[top + i, left + j] = sums[i, j]


@kernel
def _finish(
    out,  # OUT  upper triangle in, whole matrix out
    root,  # IN  take square roots
    factor,  # IN
    flat,  # IN  rows without a direction: 0 among themselves, 1 to all others
):
    n = out.shape[0]
    for top in range(0, n, 64):  # tiles, so that the mirrored writes stay in cache
        for left in range(top, n, 64):
            for i in range(top, min(top + 64, n)):
                for j in range(max(left, i), min(left + 64, n)):
                    d = out[i, j] * factor
                    if root:
                        d = np.sqrt(d)
                    if flat[i] or flat[j]:
                        d = 0.0 if flat[i] and flat[j] else 1.0
                    out[i, j] = d
                    out[j, i] = d


@kernel
def _gather(
    square,  # IN
    rows,  # IN
    out,  # OUT
):
    n = rows.shape[0]
    for i in range(n):
        source = square[rows[i]]
        target = out[i]
        for j in range(n):
            target[j] = source[rows[j]]


@kernel
def _downdate(
    squares,  # IN   (n, n) squared Euclidean distances
    columns,  # IN   (p, n)
    gone,  # IN  the column that leaves
    out,  # OUT (n, n)
):
    p, n = columns.shape
    x = columns[gone]
    for i in range(n):
        total = squares[i]
        left = out[i]
        cancelled = 0
        for j in range(n):
            rest = total[j] - (x[i] - x[j]) * (x[i] - x[j])
            cancelled += rest < CANCELS * total[j]
            left[j] = rest
        if cancelled > 0:
            for j in range(n):
                if left[j] < CANCELS * total[j]:
                    rest = 0.0
                    for c in range(p):
                        if c != gone:
                            d = columns[c, i] - columns[c, j]
                            rest += d * d
                    left[j] = rest
        for j in range(n):
            left[j] = np.sqrt(left[j])


def average_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rank each row from 1; equal values share the mean of their ranks."""
    ranks = np.empty_like(values)
    for row, out in zip(values, ranks, strict=True):
        ordered = np.sort(row)
        out[:] = np.searchsorted(ordered, row, "left")
        out += np.searchsorted(ordered, row, "right")
    return (ranks + 1.0) / 2.0


def _directions(
    columns: NDArray[np.float64], *, centre: bool
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Scale every item to unit length; also tell which items have no direction.

    Sums run over the columns in order (axis 0 of `columns`), so that an item's numbers
    do not depend on its place.
    """
    # A power of two scales without rounding, and squares neither overflow nor vanish.
    _, exponent = np.frexp(np.abs(columns).max(axis=0))
    columns = np.ldexp(columns, -exponent)
    flat = (columns == 0.0).all(axis=0)
    if centre:
        flat = (columns == columns[0]).all(axis=0)
        columns = columns - columns.sum(axis=0) / columns.shape[0]
    length = np.sqrt((columns * columns).sum(axis=0))
    flat |= length == 0.0
    return columns / np.where(flat, 1.0, length), flat


_tiled = Tier(_sum_pairs, step=1.4)


def _plain(
    columns: NDArray[np.float64], metric: str, factor: float, flat: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return the distances as the kernels do, by the same sums."""
    n = columns.shape[1]
    out = np.zeros((n, n))
    for x in columns:
        step = x[:, None] - x
        out += np.abs(step) if metric == "manhattan" else step * step
    out *= factor
    if metric == "euclidean":
        np.sqrt(out, out=out)
    out[flat] = out[:, flat] = 1.0
    out[np.ix_(flat, flat)] = 0.0
    return out


def pairwise(values: ArrayLike, metric: str) -> NDArray[np.float64]:
    """Return the distances of all pairs of rows as a square matrix.

    The definitions are those of ``scipy.spatial.distance``: for rows x and y

    - ``euclidean`` sqrt(sum (x - y)^2), ``sqeuclidean`` its square,
    - ``manhattan`` sum |x - y|,
    - ``correlation`` 1 - r(x, y), ``spearman`` the same of the average ranks within
      each row, ``cosine`` 1 - x.y / (|x| |y|). With u and v the (centred) rows scaled
      to unit length these three are computed as |u - v|^2 / 2: never negative, and
      exactly 0 between equal rows.

    Where SciPy answers NaN there is a definite answer here: a row without a direction
    (constant, for ``correlation`` and ``spearman``; zero, for ``cosine``) is at
    distance 0 from other such rows and at distance 1 from all the rest.

    The matrix is exactly symmetric, with a zero diagonal, and permuting the rows of
    ``values`` (finite; float32 is summed in float64) permutes it exactly. The relative
    error is at most about p times 1.1e-16 for the first three, with p columns.

    Examples
    --------
    >>> pairwise([[0.0, 0.0], [3.0, 4.0]], "euclidean")
    array([[0., 5.],
           [5., 0.]])
    """
    if metric not in METRICS:
        raise ValueError(f"unknown metric {metric!r}; use one of {', '.join(METRICS)}")
    table = np.asarray(values, dtype=np.float64)
    if metric == "spearman":
        table = average_ranks(table)
    columns = np.ascontiguousarray(table.T)
    n = columns.shape[1]
    flat = np.zeros(n, dtype=np.bool_)
    factor = 1.0
    if metric in ("correlation", "spearman", "cosine"):
        columns, flat = _directions(columns, centre=metric != "cosine")
        factor = 0.5
    if not _tiled.pays(columns.size * n):
        return _plain(columns, metric, factor, flat)
    out = np.empty((n, n))
    _sum_pairs(columns, metric == "manhattan", out)
    _finish(out, metric == "euclidean", factor, flat)
    return out


def gather(square: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the distances among some items: ``square[np.ix_(rows, rows)]``.

    ``square`` may be read-only; the matrix returned is new. Rows may be repeated.
    """
    out = np.empty((len(rows), len(rows)))
    _gather(kernel_input(square, np.float64), np.asarray(rows, dtype=np.int64), out)
    return out


def downdate(
    squares: NDArray[np.float64], values: ArrayLike, column: int
) -> NDArray[np.float64]:
    """Return the Euclidean distances that are left when one column is left out.

    d'(i, j) = sqrt(d(i, j)^2 - (x_ic - x_jc)^2), in O(n^2) instead of O(n^2 p): what
    FOM needs for each of the p columns. ``squares`` is ``pairwise(values,
    "sqeuclidean")``, and may be read-only; the matrix returned is new.

    The subtraction cancels where the column that leaves made up nearly all of the
    distance. A pair that keeps less than 1/1024 of its squared distance is therefore
    summed again from the data; for all others the relative error of d' is at most about
    512 p times 1.1e-16, so 1e-11 for 139 columns.
    """
    columns = np.ascontiguousarray(np.asarray(values, dtype=np.float64).T)
    out = np.empty(squares.shape)
    _downdate(kernel_input(squares, np.float64), columns, column, out)
    return out
