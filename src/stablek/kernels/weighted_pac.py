"""The share of ambiguous pairs, for many weightings of blocks of repeats at once.

Pairs are counted block by block from bit planes (`stablek.kernels.bitplanes`). A pair
that falls together never, or always, does so however the blocks are weighted, so only
the others are added up, for some hundred pairs at a time.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from stablek.kernels.bitplanes import pack
from stablek.kernels.comembership import pair_counts
from stablek.kernels.inputs import kernel_input
from stablek.kernels.instructions import popcount
from stablek.kernels.jit import inner, kernel
from stablek.kernels.tier import Tier

#: A pair is ambiguous where M is above the one and below the other.
LOW, HIGH = 0.1, 0.9
TILE = 128  # pairs added up at a time: their counts stay in the second cache


@inner
def _count(
    labels,  # IN (H, n), largest value of the type = not drawn
    ends,  # IN (B,), where the blocks of repeats end
    pairs,  # IN (P, 2)
    together,  # OUT (B, P)
    drawn,  # OUT (B, P)
):
    """Count for listed pairs, in each block of repeats."""
    begin = 0
    for b in range(ends.size):
        bits = pack(labels[begin : ends[b]])
        begin = ends[b]
        words, planes, _ = bits.shape
        for q in range(pairs.shape[0]):
            i = pairs[q, 0]
            j = pairs[q, 1]
            met = np.uint64(0)
            joined = np.uint64(0)
            for w in range(words):
                both = bits[w, planes - 1, i] & bits[w, planes - 1, j]
                differ = np.uint64(0)
                for p in range(planes - 1):
                    differ |= bits[w, p, i] ^ bits[w, p, j]
                met += popcount(both)
                joined += popcount(both & ~differ)
            together[b, q] = joined
            drawn[b, q] = met


@kernel
def _pacs(
    labels,  # IN (H, n), largest value of the type = not drawn
    ends,  # IN (B,)
    pairs,  # IN (P, 2)
    weights,  # IN (C, B), whole numbers
    pacs,  # OUT (C,)
):
    """Write the share of the pairs drawn that are ambiguous, for each weighting."""
    blocks, most = ends.size, pairs.shape[0]
    together = np.empty((blocks, most), np.float64)
    drawn = np.empty((blocks, most), np.float64)
    _count(labels, ends, pairs, together, drawn)
    ambiguous = np.zeros(weights.shape[0], np.int64)
    known = np.zeros(weights.shape[0], np.int64)
    some = np.empty((2, blocks, TILE), np.float64)
    total = np.empty((2, TILE), np.float64)
    clear = 0  # pairs that no weighting makes ambiguous, and that all blocks drew
    count = 0
    for q in range(most):
        met = 0.0
        joined = 0.0
        least = np.inf
        for b in range(blocks):
            met += drawn[b, q]
            joined += together[b, q]
            least = min(least, drawn[b, q])
        if least > 0 and (joined == 0 or joined == met):
            clear += 1
        else:
            for b in range(blocks):
                some[0, b, count] = together[b, q]
                some[1, b, count] = drawn[b, q]
            count += 1
        if count == TILE or (q == most - 1 and count):
            for c in range(weights.shape[0]):
                for side in range(2):
                    sums = total[side, :count]
                    for p in range(count):
                        sums[p] = 0
                    for b in range(blocks):
                        weight = weights[c, b]
                        block = some[side, b, :count]
                        for p in range(count):
                            sums[p] += weight * block[p]
                for p in range(count):
                    # 0, so not ambiguous, if never drawn.
                    m = total[0, p] / max(total[1, p], 1.0)
                    ambiguous[c] += (m > LOW) & (m < HIGH)
                    known[c] += total[1, p] > 0
            count = 0
    for c in range(weights.shape[0]):
        if weights[c].max() > 0:
            known[c] += clear
        pacs[c] = ambiguous[c] / max(known[c], 1)


def _plain(
    labels: npt.NDArray[Any],
    ends: npt.NDArray[np.int64],
    pairs: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """Return the shares as the kernel does."""
    counts = [pair_counts(some, pairs) for some in np.split(labels, ends[:-1], axis=0)]
    # Products of whole numbers are exact, however BLAS orders its sums.
    together, drawn = (
        weights @ np.array(each, dtype=np.float64) for each in zip(*counts, strict=True)
    )
    m = together / np.maximum(drawn, 1)
    ambiguous = ((m > LOW) & (m < HIGH)).sum(axis=1)
    return ambiguous / np.maximum((drawn > 0).sum(axis=1), 1)


_weighted = Tier(_pacs)


def ambiguous_shares(
    labels: npt.NDArray[Any],
    ends: npt.NDArray[np.int64],
    pairs: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """Return PAC, shape (C,), of blocks of repeats that are weighted.

    PAC is the share of the pairs drawn with 0.1 < M < 0.9, where M = together / drawn
    is made of counts of which each block adds its own times its weight.

    Parameters
    ----------
    labels : ndarray, shape (H, n)
        As for :func:`stablek.kernels.comembership.pair_counts`.
    ends : ndarray of int, shape (B,)
        Where the blocks of repeats end; the last one is H.
    pairs : ndarray of int, shape (P, 2)
    weights : ndarray, shape (C, B)
        Whole numbers of at least 0, so that sums are exact.

    Examples
    --------
    >>> import numpy as np
    >>> labels = np.array([[0, 0, 1], [0, 1, 255]], np.uint8)
    >>> weights = np.array([[1.0, 1.0], [20.0, 1.0]])
    >>> pairs = np.array([[0, 1], [0, 2]])
    >>> ambiguous_shares(labels, np.array([1, 2]), pairs, weights)
    array([0.5, 0. ])
    """
    if not _weighted.pays(len(labels) * len(pairs) + weights.size * len(pairs)):
        return _plain(labels, ends, pairs, weights)
    pacs = np.empty(len(weights))
    _pacs(
        kernel_input(labels), kernel_input(ends, np.int64),
        kernel_input(pairs, np.int64), kernel_input(weights, np.float64), pacs,
    )  # fmt: skip
    return pacs
