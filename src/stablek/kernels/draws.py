"""Many draws of one data set: the dendrogram of each, cut at all ks, in few calls.

A small draw is clustered in some microseconds, less than it takes to hand arrays from
one step to the next; here they are made once for all draws.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.cuts import cut_down
from stablek.kernels.few import agglomerate_rows
from stablek.kernels.inputs import kernel_input
from stablek.kernels.jit import kernel
from stablek.kernels.linkage import METHODS, in_scipys_form, linkage_of_rows


@kernel
def _write_cuts(
    merges,  # IN (s - 1, 4)
    ks,  # IN (K,) increasing
    rows,  # IN (s,)
    labels,  # OUT (K, n)
):
    """Write the cuts of a draw's dendrogram to the items' places."""
    found = np.empty((ks.shape[0], rows.shape[0]), labels.dtype)
    cut_down(merges, ks, found)
    for k in range(ks.shape[0]):
        # Backwards, so that an item drawn twice keeps its first label.
        for i in range(rows.shape[0] - 1, -1, -1):
            labels[k, rows[i]] = found[k, i]


@kernel
def _write_merges(
    pairs,  # IN (2, s - 1)
    heights,  # IN (s - 1,)
    chained,  # IN merges whose order means nothing
    method,  # IN
    ks,  # IN (K,) increasing
    rows,  # IN (s,)
    labels,  # OUT (K, n)
):
    """Write the cuts that follow from merges of items, in no order."""
    merges, _ = in_scipys_form(pairs, heights, chained, method)
    _write_cuts(merges, ks, rows, labels)


def label_draws(
    square: NDArray[np.float64],
    draws: Sequence[NDArray[np.int64]],
    method: str,
    ks: Sequence[int],
    labels: NDArray[Any],
) -> None:
    """Write the partitions of each draw at all ks.

    ``draws`` are arrays of items, all of the same size s, ``ks`` increase within 1..s,
    and ``method`` is a linkage. ``labels``, of shape (draws, ks, n), are overwritten
    where an item was drawn: with 0..k-1, by first appearance in the draw.
    """
    source, wanted = kernel_input(square, np.float64), np.array(ks, np.int64)
    size = len(draws[0])
    work, code = np.empty((size, size)), METHODS[method]
    pairs, heights = np.empty((2, size - 1), np.int64), np.empty(size - 1)
    for rows, place in zip(draws, labels, strict=True):
        if method == "single":
            merges = linkage_of_rows(source, rows, method)
            _write_cuts(merges, wanted, rows, place)
            continue
        chained = agglomerate_rows(source, rows, work, code, pairs, heights)
        _write_merges(pairs, heights, chained, code, wanted, rows, place)
