"""From the partitions of many repeats to one partition, with a confidence per item."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.comembership import (
    consensus_distances,
    consensus_matrix,
    item_consensus,
)
from stablek.kernels.cuts import cut_all
from stablek.kernels.linkage import linkage
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.misclassification import matching

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]


def votes(labels: NDArray[Any], start: Labels, k: int) -> NDArray[np.int64]:
    """Return how often each item was put in each cluster of ``start``, shape (n, k).

    The clusters of every repeat are first matched with those of ``start`` by maximum
    overlap on the items drawn. Where a foreign clusterer made more than k, of noise
    items, there is a column for each.
    """
    missing = np.iinfo(labels.dtype).max
    largest = labels.max(initial=0, where=labels != missing)
    k = max(k, int(largest) + 1, int(start.max(initial=0)) + 1)
    counts = np.zeros((len(start), k), dtype=np.int64)
    for partition in labels:
        drawn = np.flatnonzero(partition != missing)
        match = matching(start[drawn], partition[drawn], k)
        counts[drawn, match[partition[drawn]]] += 1
    return counts


def majority(counts: NDArray[np.int64], start: Labels) -> tuple[Labels, Floats, Floats]:
    r"""Return each item's winner, its share of the votes and its lead over the next.

    With :math:`v_i(c)` votes for cluster c and :math:`c_i = \arg\max_c v_i(c)`,

    .. math::
        \mathrm{share}_i = \frac{v_i(c_i)}{\sum_c v_i(c)}, \qquad
        \mathrm{lead}_i = \frac{v_i(c_i) - \max_{c \ne c_i} v_i(c)}{\sum_c v_i(c)}

    Of equal votes the item's own cluster in ``start`` wins, else the lowest; an item
    that was never drawn keeps its cluster, and nothing is known of it.
    """
    items = np.arange(len(start))
    # Half a vote for the old cluster settles ties and nothing else.
    leaning = counts.astype(np.float64)
    leaning[items, start] += 0.5
    labels = np.argmax(leaning, axis=1)
    total = counts.sum(axis=1).astype(np.float64)
    total[total == 0] = np.nan
    won = counts[items, labels]
    rest = counts.copy()
    rest[items, labels] = -1
    return labels, won / total, (won - np.maximum(rest.max(axis=1), 0)) / total


def bagged(
    labels: NDArray[Any], k: int, joined_by: str
) -> tuple[Labels, Floats, Floats]:
    r"""Return the clusters of 1 - M, and how each item stands among them.

    M(i, j) is the share of the bootstrap samples with both items in which they fall
    together; 1 - M is clustered by ``joined_by``. The confidence of an item is its mean
    M with the other items of its cluster, its margin the distance to the next cluster.
    Pairs never drawn together count as apart.
    """
    apart = 1 - np.nan_to_num(consensus_matrix(labels))
    joined = _cut(apart, k, joined_by)
    near = item_consensus(labels, joined)
    items = np.arange(len(joined))
    own = near[items, joined]
    others = near.copy()
    others[items, joined] = -1.0
    return joined, own, own - np.nanmax(others, axis=1)


def consensus_partition(labels: NDArray[Any], k: int) -> Labels:
    """Return k clusters: the average-linkage cut of one minus the consensus matrix.

    The distances are d(i, j) = 1 - M(i, j), with M as in
    :class:`stablek.paradigm.statistic.comembership.CoMembership`.
    ``labels`` has a row per repeat; pairs never drawn together count as never together.
    Clusters are numbered from 0, by first appearance.

    References
    ----------
    Monti, Tamayo, Mesirov, Golub (2003), Machine Learning 52, 91-118, section 3.4.

    Examples
    --------
    >>> consensus_partition(np.array([[0, 0, 1], [0, 0, 255]], np.uint8), 2)
    array([0, 0, 1])
    """
    return _cut(consensus_distances(np.ascontiguousarray(labels)), k, "average")


def _cut(apart: Floats, k: int, joined_by: str) -> Labels:
    tree = linkage(apart, joined_by)
    return cut_all(tree, np.array([k]), np.dtype(np.uint16))[0].astype(np.int64)


def replicated(cube: PartitionCube, k: int) -> Floats:
    r"""Return, per item, the share of its splits in which two labellings of it agree.

    .. math:: c_i = \frac{\#\{h: i \in h, \ \pi_h(b_{hi}) = a_{hi}\}}{\#\{h: i \in h\}}

    with a the labels that the classifier predicts, b those of the clustering, and
    :math:`\pi_h` the matching of the two in split h. NaN for an item in none.
    """
    predicted, clustered = cube.of_k(k, 0), cube.of_k(k, 1)
    agreed = np.zeros(cube.n)
    asked = np.zeros(cube.n)
    for first, second in zip(predicted, clustered, strict=True):
        drawn = np.flatnonzero(second != cube.missing)
        match = matching(first[drawn], second[drawn], k)
        asked[drawn] += 1
        agreed[drawn] += match[second[drawn]] == first[drawn]
    asked[asked == 0] = np.nan
    return agreed / asked
