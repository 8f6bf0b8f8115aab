"""The histogram of all pairs of items: drawn together so often, joined so often.

Most pairs are never joined once there are many clusters. Their number follows from how
often pairs were drawn together, which is one table for all ks where these share their
samples, so only joined pairs need be read. Items that fall together are put side
by side (`stablek.kernels.blocks`); two blocks that share no label in any repeat are
passed over after a glance at the labels they hold, 4,096 pairs at once, and an item
with a block in which it joins no one after the exclusive or of their bit planes. The
order of the items changes nothing in the histogram.
"""

import numpy as np
import numpy.typing as npt

from stablek.kernels import pair_tables
from stablek.kernels.blocks import BLOCK, pack_blocks, side_by_side
from stablek.kernels.inputs import kernel_input
from stablek.kernels.instructions import popcount
from stablek.kernels.jit import inner, kernel
from stablek.kernels.tier import Tier

Labels = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]
Counts = npt.NDArray[np.int64]

HALF = np.uint32(16)  # a pair's counter holds "drawn" above and "together" below
LOW = np.uint32(0xFFFF)
MOST = 65_535  # repeats


@kernel
def _count_drawn(
    bits,  # IN (words, blocks, planes, BLOCK)
    n,  # IN
    counts,  # OUT (4, H + 1), zeros on entry; their sum is meant
):
    """Count the pairs by the number of repeats that drew both.

    Two neighbours often meet in one cell, and an addition would wait for the one before
    it; four tables taken in turn keep them apart.
    """
    words, blocks, planes, _ = bits.shape
    drawn = np.empty(BLOCK, np.uint32)
    for i in range(n):
        own = i // BLOCK
        for b in range(own, blocks):
            drawn[:] = 0
            for w in range(words):
                mine = bits[w, own, planes - 1, i % BLOCK]
                block = bits[w, b, planes - 1]
                for u in range(BLOCK):
                    drawn[u] += popcount(block[u] & mine)
            start = i % BLOCK + 1 if b == own else 0
            for u in range(start, min(BLOCK, n - b * BLOCK)):
                counts[u & 3, drawn[u]] += 1


@inner
def _count_joined(
    bits,  # IN (words, blocks, planes, BLOCK)
    held,  # IN (blocks, H)
    n,  # IN
    counts,  # OUT (4, (H + 1) * (H + 1)), zeros on entry; their sum is meant
    side,  # IN H + 1
):
    """Add every pair ever joined, and some of those never joined, to its cell.

    The cells of pairs never joined are thus too low.
    """
    words, blocks, planes, _ = bits.shape
    last = planes - 1
    differ = np.empty(BLOCK, np.uint32)
    count = np.empty(BLOCK, np.uint32)
    cell = np.empty(BLOCK, np.int64)
    first, second, third, fourth = counts[0], counts[1], counts[2], counts[3]
    for a in range(blocks):
        for b in range(a, blocks):
            met = np.uint64(0)
            for h in range(held.shape[1]):
                met |= held[a, h] & held[b, h]
            if met == 0:
                continue
            stop = min(BLOCK, n - b * BLOCK)
            for i in range(min(BLOCK, n - a * BLOCK)):
                joined = np.uint32(0)
                count[:] = 0
                for w in range(words):
                    mine = bits[w, a]
                    block = bits[w, b]
                    own = mine[0, i]
                    for u in range(BLOCK):
                        differ[u] = block[0, u] ^ own
                    p = 1
                    while p + 1 < last:  # two at a time: half the traffic
                        own = mine[p, i]
                        own_next = mine[p + 1, i]
                        for u in range(BLOCK):
                            differ[u] |= (block[p, u] ^ own) | (
                                block[p + 1, u] ^ own_next
                            )
                        p += 2
                    if p < last:
                        own = mine[p, i]
                        for u in range(BLOCK):
                            differ[u] |= block[p, u] ^ own
                    own = mine[last, i]
                    for u in range(BLOCK):
                        drawn = block[last, u] & own
                        same = drawn & ~differ[u]
                        joined |= same
                        count[u] += (popcount(drawn) << HALF) + popcount(same)
                start = i + 1 if a == b else 0
                if joined == 0:
                    continue
                for u in range(BLOCK):
                    drawn = count[u] >> HALF
                    cell[u] = np.int64(drawn) * side + np.int64(count[u] & LOW)
                if start == 0 and stop == BLOCK:
                    for u in range(0, BLOCK, 4):
                        first[cell[u]] += 1
                        second[cell[u + 1]] += 1
                        third[cell[u + 2]] += 1
                        fourth[cell[u + 3]] += 1
                else:
                    for u in range(start, stop):
                        first[cell[u]] += 1


@kernel
def _fill(
    labels,  # IN (H, n)
    drawn,  # IN (H + 1,) how many pairs were drawn together so often
    counts,  # OUT (H + 1, H + 1)
):
    """Write the histogram: pairs ever joined by counting, the others by subtraction."""
    repeats, n = labels.shape
    side = repeats + 1
    held = np.empty(((n + BLOCK - 1) // BLOCK, repeats), np.uint64)
    bits = pack_blocks(labels, side_by_side(labels), held)
    tables = np.zeros((4, side * side), np.int64)
    _count_joined(bits, held, n, tables, side)
    for d in range(side):
        counts[d, 0] = drawn[d]
        for t in range(1, side):
            cell = d * side + t
            total = tables[0, cell] + tables[1, cell] + tables[2, cell]
            counts[d, t] = total + tables[3, cell]
            counts[d, 0] -= counts[d, t]


_counted = Tier(_fill)


def drawn_together(labels: Labels) -> Counts:
    """Return how many pairs were drawn together in d of the repeats, for d in 0..H.

    ``labels`` are as for :func:`pair_histogram`. The sum is n (n - 1) / 2.

    Examples
    --------
    >>> import numpy as np
    >>> drawn_together(np.array([[0, 0, 1], [0, 1, 255]], np.uint8))
    array([0, 2, 1])
    """
    repeats, n = labels.shape
    if not _counted.pays(labels.size):
        return pair_tables.histogram(labels).sum(axis=1)
    counts: Counts = np.zeros((4, repeats + 1), np.int64)
    held = np.empty((-(-n // BLOCK), repeats), np.uint64)
    bits = pack_blocks(kernel_input(labels), np.arange(n), held)
    _count_drawn(bits, n, counts)
    return counts.sum(axis=0)


def pair_histogram(labels: Labels, drawn: Counts | None = None) -> Counts:
    """Return how many pairs were drawn together d times and joined t of them.

    With t(i, j) the repeats that drew items i and j and gave them one label, and
    d(i, j) the repeats that drew both, M(i, j) = t / d is the consensus of the pair.
    The exact distribution of M, its area, PAC, entropy and dispersion, and the number
    of pairs never drawn together follow from this table; no n x n array is made.

    ``labels`` are the partitions of one k, shape (H, n), a row per repeat; the largest
    value of their type (255 or 65535) means "not drawn". ``drawn`` is what
    :func:`drawn_together` returns, if it is known from another k with the same samples.
    The table ``counts[d, t]`` takes 2 MB at H = 500: reduce it, or keep
    :func:`cells_of` it, k by k.

    References
    ----------
    Monti, Tamayo, Mesirov, Golub (2003), Machine Learning 52, 91-118, eq. (1).

    Examples
    --------
    Two repeats of three items; the second leaves the third item out.

    >>> import numpy as np
    >>> pair_histogram(np.array([[0, 0, 1], [0, 1, 255]], np.uint8))
    array([[0, 0, 0],
           [2, 0, 0],
           [0, 1, 0]])
    """
    repeats = len(labels)
    if repeats > MOST:
        raise ValueError(f"{repeats} repeats; at most {MOST} can be counted")
    if not _counted.pays(labels.size * labels.shape[1]):
        return pair_tables.histogram(labels)
    if drawn is None:
        drawn = drawn_together(labels)
    counts: Counts = np.empty((repeats + 1, repeats + 1), np.int64)
    _fill(kernel_input(labels), drawn, counts)
    return counts


def cells_of(counts: Counts) -> Counts:
    """Return the cells of a histogram that hold a pair: drawn, together, pairs.

    The numbers of common draws lie close together, so few of the (H + 1)**2 cells are
    used: of the 63,001 cells at H = 250 and n = 2329 at most 6,633 were, in three
    trials. That is small enough to keep for all ks.

    Examples
    --------
    >>> import numpy as np
    >>> cells_of(np.array([[0, 0, 0], [2, 0, 0], [0, 1, 0]]))
    array([[1, 2],
           [0, 1],
           [2, 1]])
    """
    drawn, together = counts.nonzero()
    return np.array([drawn, together, counts[drawn, together]])
