"""How deep the valley is at the clearest border between the clusters of a partition."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import stream
from stablek.kernels.distances import pairwise
from stablek.paradigm.statistic.graph import neighbour_graph
from stablek.paradigm.statistic.valley import held_out_valley

#: The cluster that a cluster is compared with is the one that it has most links with,
#: in the graph of so many nearest neighbours.
NEIGHBOURS = 10

#: The half of a cluster that faces another needs this many items. The valley is the
#: mean over this many random divisions.
IN_HALF, FOLDS = 8, 6


def clearest_valley(scores: NDArray[np.float64], part: NDArray[Any]) -> float:
    """Return the lowest density at the clearest border, as a share of the lower peak.

    Each cluster is compared with the one that it has most links with, and only the
    halves of both that face each other count, so that a bend does not look like a
    valley. The valley is that of :func:`held_out_valley`. 0: some cluster stands alone,
    or none has enough items to tell; 1: there is no valley at any border.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> arc = np.pi * np.linspace(0, 1, 200)[:, None]
    >>> bent = np.hstack([np.cos(arc), np.sin(arc)])
    >>> thirds = np.arange(200) // 67
    >>> clearest_valley(bent + 0.1 * rng.standard_normal((200, 2)), thirds) > 0.3
    True
    >>> round_ones = rng.standard_normal((200, 2)) + 5 * thirds[:, None]
    >>> clearest_valley(round_ones, thirds) < 0.3
    True
    """
    first, second = neighbour_graph(pairwise(scores, "euclidean"), NEIGHBOURS)
    across = links_between(first, second, part)
    sizes = np.bincount(part, minlength=len(across))
    valleys = []
    for a, row in enumerate(across):
        b = int(row.argmax())
        if sizes[a] < 2 * IN_HALF or (row[b] and sizes[b] < 2 * IN_HALF):
            continue
        if not row[b]:
            return 0.0
        facing = _facing(scores[part == a], scores[part == b])
        folds = (stream(0, "facing", len(across), a, b, h) for h in range(FOLDS))
        valleys.append(np.mean([held_out_valley(*facing, rng) for rng in folds]))
    return float(min(valleys, default=0.0))


def links_between(
    first: NDArray[Any], second: NDArray[Any], part: NDArray[Any]
) -> NDArray[np.float64]:
    """Return how many links every two clusters have; 0 with itself."""
    k = int(part.max()) + 1
    across = np.zeros((k, k))
    np.add.at(across, (part[first], part[second]), 1)
    across += across.T
    np.fill_diagonal(across, 0)
    return across


def _facing(
    a: NDArray[np.float64], b: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the halves of two clusters that face each other."""
    way = b.mean(axis=0) - a.mean(axis=0)
    on_a, on_b = a @ way, b @ way
    return a[on_a >= np.median(on_a)], b[on_b <= np.median(on_b)]
