"""Compare two labellings of the same items by counting their common items."""

from typing import Any

import numpy as np
import numpy.typing as npt

from stablek.kernels.inputs import kernel_input, signed_labels
from stablek.kernels.jit import kernel

Labels = npt.NDArray[np.integer[Any]]


@kernel
def _sums(
    first,  # IN (R, n)
    second,  # IN (R, n)
    missing,  # IN the label that means "not drawn"
    sums,  # OUT (R, 4)
):
    """Sum squares over the cells and margins of one table per row.

    The items are put in the order of their first label; then one row of the table is
    enough at a time, and the memory does not grow with the product of the ks.
    """
    rows, n = first.shape
    ka = 0
    kb = 0
    for r in range(rows):
        for i in range(n):
            if first[r, i] != missing and second[r, i] != missing:
                ka = max(ka, first[r, i] + 1)
                kb = max(kb, second[r, i] + 1)
    end = np.empty(ka + 1, np.int64)
    column = np.empty(kb, np.int64)
    cells = np.zeros(kb, np.int64)
    order = np.empty(n, np.int64)  # second labels, sorted by the first
    for r in range(rows):
        a = first[r]
        b = second[r]
        for c in range(ka + 1):
            end[c] = 0
        for c in range(kb):
            column[c] = 0
        for i in range(n):
            if a[i] != missing and b[i] != missing:
                end[a[i] + 1] += 1
                column[b[i]] += 1
        square_a = 0
        for c in range(ka):
            square_a += end[c + 1] * end[c + 1]
            end[c + 1] += end[c]
        common = end[ka]
        for i in range(n):
            if a[i] != missing and b[i] != missing:
                order[end[a[i]]] = b[i]
                end[a[i]] += 1
        square_b = 0
        for c in range(kb):
            square_b += column[c] * column[c]
        square = 0
        start = 0
        for c in range(ka):  # end[c] is now where the items of cluster c end
            for at in range(start, end[c]):
                # (x + 1)^2 - x^2 = 2 x + 1: the sum of squares as the cells fill.
                square += 2 * cells[order[at]] + 1
                cells[order[at]] += 1
            for at in range(start, end[c]):
                cells[order[at]] = 0
            start = end[c]
        sums[r, 0] = square
        sums[r, 1] = square_a
        sums[r, 2] = square_b
        sums[r, 3] = common


def contingency(labels_true: Labels, labels_pred: Labels) -> npt.NDArray[np.int64]:
    """Return how many items lie in each pair of clusters, labels 0 .. max either way.

    The largest value of an unsigned type, or a negative label, means "not drawn"; an
    item is counted if both labellings drew it. A label that no item has, or none that
    both drew, gives a row or column of zeros.

    Examples
    --------
    >>> import numpy as np
    >>> contingency(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 255], np.uint8))
    array([[1, 1],
           [0, 1]])
    """
    a = signed_labels(labels_true)
    b = signed_labels(labels_pred)
    ka, kb = (int(x.max(initial=-1)) + 1 for x in (a, b))
    both = (a >= 0) & (b >= 0)
    cells = a[both].astype(np.int64) * kb + b[both]
    return np.bincount(cells, minlength=ka * kb).reshape(ka, kb)


def agreement_sums(labels_true: Labels, labels_pred: Labels) -> npt.NDArray[np.int64]:
    """Return four sums per pair of labellings; all pair-counting indices follow.

    With n_ij the table of :func:`contingency`, a_i and b_j its margins and N its total,
    over the items that both labellings of a row drew, these are sum n_ij^2, sum a_i^2,
    sum b_j^2 and N. The pairs of items joined by both are (sum n_ij^2 - N) / 2, by the
    first (sum a_i^2 - N) / 2, by the second (sum b_j^2 - N) / 2.

    References
    ----------
    Hubert, Arabie (1985), Journal of Classification 2, 193-218, table 2.

    Examples
    --------
    >>> import numpy as np
    >>> agreement_sums(np.array([[0, 0, 1, 1]]), np.array([[0, 0, 0, 1]]))
    array([[ 6,  8, 10,  4]])
    """
    a = np.asarray(labels_true)
    b = np.asarray(labels_pred)
    if a.dtype.kind == "u" and a.dtype == b.dtype:  # as the cube holds them: no copy
        missing = int(np.iinfo(a.dtype).max)
        a, b = kernel_input(a), kernel_input(b)
    else:
        missing = -1
        a, b = signed_labels(a), signed_labels(b)
    sums = np.empty((a.shape[0], 4), np.int64)
    _sums(a, b, missing, sums)
    return sums
