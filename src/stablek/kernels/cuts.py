"""All cuts of one dendrogram, in one pass from the root downwards."""

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from stablek.kernels.jit import kernel
from stablek.kernels.tier import Tier


@kernel
def cut_down(
    merges,  # IN  (n - 1, 4)
    ks,  # IN  increasing
    labels,  # OUT (len(ks), n)
):
    """Undo the merges from the last one on, and write the labels at every k."""
    n = merges.shape[0] + 1
    # The items of a cluster are a stretch of one linked list, so that a split can walk
    # through either part.
    first = np.empty(2 * n - 1, np.int64)
    last = np.empty(2 * n - 1, np.int64)
    size = np.empty(2 * n - 1, np.int64)
    following = np.empty(n, np.int64)
    cluster = np.empty(n, np.int64)  # of an item, numbered by the time of the split
    for i in range(n):
        first[i] = last[i] = i
        size[i] = 1
        cluster[i] = 0
    for t in range(n - 1):
        a, b = int(merges[t, 0]), int(merges[t, 1])
        following[last[a]] = first[b]
        first[n + t] = first[a]
        last[n + t] = last[b]
        size[n + t] = size[a] + size[b]

    number = np.empty(n, np.int64)  # of a cluster, by its first item
    k = 1
    for row in range(ks.shape[0]):
        while k < ks[row]:
            t = n - 1 - k  # the last merge not yet undone
            a, b = int(merges[t, 0]), int(merges[t, 1])
            smaller = a if size[a] < size[b] else b  # n log n moves for all the splits
            item = first[smaller]
            for _ in range(size[smaller]):
                cluster[item] = k
                item = following[item]
            k += 1
        for c in range(k):
            number[c] = -1
        count = 0
        for i in range(n):
            c = cluster[i]
            if number[c] < 0:
                number[c] = count
                count += 1
            labels[row, i] = number[c]


_walked = Tier(cut_down, step=800)  # one item


def _plain(
    merges: NDArray[np.float64], ks: NDArray[np.int64], labels: NDArray[np.uint16]
) -> None:
    """Write the labels at every k, as the kernel does."""
    n = len(merges) + 1
    joined = merges[:, :2].astype(np.int64).tolist()
    items = [[i] for i in range(n)]
    for a, b in joined:
        items.append(items[a] + items[b])
    lowest = np.zeros(n, np.int64)  # item of the cluster of an item
    done = 1
    for row, k in enumerate(ks.tolist()):
        for t in range(n - 1 - done, n - 1 - k, -1):
            for side in joined[t]:
                lowest[items[side]] = min(items[side])
        done = k
        # A cluster is numbered by its lowest item: the first to appear.
        labels[row] = np.cumsum(lowest == np.arange(n))[lowest] - 1


def cut_all(
    merges: NDArray[np.float64], ks: ArrayLike, dtype: DTypeLike = np.uint8
) -> NDArray[np.unsignedinteger | np.signedinteger]:
    """Return the partitions of a dendrogram into k clusters, for every k asked for.

    ``merges`` are those of `stablek.kernels.linkage.linkage`, or SciPy's; ``ks``
    increase within 1..n. The partition into k undoes the last k - 1 merges. O(n log n +
    n len(ks)) in all. Clusters are numbered by first appearance: item 0 has label 0,
    the first item outside its cluster has label 1, and so on; ``dtype`` must hold the
    largest of them.

    Examples
    --------
    >>> merges = np.array([[1.0, 2.0, 0.5, 2.0], [0.0, 3.0, 2.0, 3.0]])
    >>> cut_all(merges, [1, 2, 3])
    array([[0, 0, 0],
           [0, 1, 1],
           [0, 1, 2]], dtype=uint8)
    """
    wanted = np.asarray(ks, dtype=np.int64)
    n = len(merges) + 1
    if wanted.size and not (
        wanted[0] >= 1 and wanted[-1] <= n and (np.diff(wanted) > 0).all()
    ):
        raise ValueError(f"ks = {wanted.tolist()} must increase within 1..{n}")
    if wanted.size and wanted[-1] - 1 > np.iinfo(dtype).max:
        raise ValueError(f"{np.dtype(dtype).name} cannot label {wanted[-1]} clusters")
    # Of one type, so that the kernel is compiled once.
    labels = np.empty((len(wanted), n), dtype=np.uint16)
    if _walked.pays(n):
        cut_down(merges, wanted, labels)
    else:
        _plain(merges, wanted, labels)
    return labels.astype(dtype, copy=False)
