"""Items that fall together put side by side, in blocks, as bit planes.

As in `stablek.kernels.bitplanes`, but the items come in blocks of 64, in an order that
puts likely fellows into one block, and a word holds 32 repeats, so that few repeats
fill it.
"""

import numpy as np

from stablek.kernels.bitplanes import digits_of
from stablek.kernels.jit import inner, kernel

BLOCK = 64  # items
WORD = 32  # repeats
VOTES = 3  # repeats that decide which items stand side by side


@inner
def side_by_side(
    labels,  # IN (H, n), largest value of the type = not drawn
):
    """Return the items, those of one cluster one after the other.

    The clusters are those of the first repeat; an item it did not draw goes where most
    of its fellows in the next repeat are.
    """
    n = labels.shape[1]
    missing = np.iinfo(labels.dtype).max
    last = 0
    for h in range(min(labels.shape[0], VOTES)):
        for i in range(n):
            if labels[h, i] != missing:
                last = max(last, int(labels[h, i]) + 1)
    cluster = np.full(n, last, np.int64)
    votes = np.zeros((last + 1, last + 1), np.int64)
    for h in range(min(labels.shape[0], VOTES)):
        votes[:] = 0
        for i in range(n):
            if labels[h, i] != missing and cluster[i] < last:
                votes[labels[h, i], cluster[i]] += 1
        for i in range(n):
            if labels[h, i] != missing and cluster[i] == last:
                label = int(labels[h, i])
                cluster[i] = label if h == 0 else np.argmax(votes[label])
    begin = np.zeros(last + 2, np.int64)
    for i in range(n):
        begin[cluster[i] + 1] += 1
    for c in range(last + 1):
        begin[c + 1] += begin[c]
    order = np.empty(n, np.int64)
    for i in range(n):
        order[begin[cluster[i]]] = i
        begin[cluster[i]] += 1
    return order


@kernel
def pack_blocks(
    labels,  # IN (H, n)
    order,  # IN (n,)
    held,  # OUT (blocks, H): bit c is set if the block holds a label c mod 64
):
    """Return bit planes (words, blocks, planes, BLOCK); the last plane is "drawn"."""
    repeats, n = labels.shape
    missing = np.iinfo(labels.dtype).max
    digits = digits_of(labels)
    bits = np.zeros(
        ((repeats + WORD - 1) // WORD, held.shape[0], digits + 1, BLOCK), np.uint32
    )
    row = np.full(held.shape[0] * BLOCK, missing, labels.dtype)
    for h in range(repeats):
        shift = np.uint32(h % WORD)
        for i in range(n):
            row[i] = labels[h, order[i]]
        for b in range(held.shape[0]):
            part = row[b * BLOCK : b * BLOCK + BLOCK]
            block = bits[h // WORD, b]
            some = np.uint64(0)
            for u in range(BLOCK):
                drawn = np.uint64(part[u] != missing)
                some |= drawn << (np.uint64(part[u]) & np.uint64(63))
            held[b, h] = some
            for p in range(digits):
                for u in range(BLOCK):
                    block[p, u] |= ((np.uint32(part[u]) >> p) & np.uint32(1)) << shift
            for u in range(BLOCK):
                block[digits, u] |= np.uint32(part[u] != missing) << shift
    return bits
