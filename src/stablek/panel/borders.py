"""Whether there is a border between clusters at all: links across it, and inside."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.distances import pairwise
from stablek.panel.answer import Judged
from stablek.panel.gate import gate_rows
from stablek.paradigm.statistic.graph import neighbour_graph

#: An item has links with so many of its nearest neighbours.
NEIGHBOURS = 5

#: Smaller clusters are not cut into halves.
SMALLEST = 6

#: From this many links across a border, for each link across a cut through the cluster,
#: there is no border: the clusters touch. Up to ``APART`` an answer may be strong.
TOUCHING = 1.0
APART = 0.5


def border_of(judged: Judged) -> float:
    """Return the links across the borders of the partition that the panel chose."""
    panel = judged.panel
    assert panel is not None  # only trivial data have none
    rows = gate_rows(len(judged.prepared.rows), judged.streams)
    return border_links(judged.prepared.judged[rows], panel.at(panel.choice.k)[rows])


def border_links(scores: NDArray[np.float64], part: NDArray[Any]) -> float:
    """Return how many links cross the border of a cluster, for each inside it.

    For each cluster, the links with the cluster that it has most links with, divided by
    those across a cut through its middle, at right angles to its longest direction; the
    geometric mean over the clusters. In a continuum, straight or bent, a border is a
    cut like any other, and the ratio is about 1. It is far below where few items lie
    between the clusters.

    Examples
    --------
    >>> line = np.linspace(0, 1, 40)[:, None]
    >>> halves = np.repeat([0, 1], 20)
    >>> border_links(line, halves) > 0.9
    True
    >>> border_links(line + 9 * halves[:, None], halves) < 0.2
    True
    """
    first, second = neighbour_graph(pairwise(scores, "euclidean"), NEIGHBOURS)
    k = int(part.max()) + 1
    across = np.zeros((k, k))
    np.add.at(across, (part[first], part[second]), 1)
    across += across.T
    np.fill_diagonal(across, 0)
    ratios = []
    for cluster in range(k):
        own = part == cluster
        if own.sum() < SMALLEST:
            continue
        side = np.zeros(len(part), dtype=bool)
        side[own] = _upper_half(scores[own])
        inside = own[first] & own[second]
        cut = int((inside & (side[first] != side[second])).sum())
        ratios.append(np.log((across[cluster].max() + 1) / (cut + 1)))
    return float(np.exp(np.mean(ratios))) if ratios else 0.0


def _upper_half(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which items lie beyond the mean in their longest direction."""
    centred = scores - scores.mean(axis=0)
    longest = np.linalg.svd(centred, full_matrices=False)[2][0]
    return np.asarray(centred @ longest > 0)
