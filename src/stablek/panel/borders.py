"""Whether there are borders between the clusters: links across, and valleys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import stream
from stablek.kernels.distances import pairwise
from stablek.panel.answer import Judged
from stablek.panel.gate import gate_rows
from stablek.paradigm.statistic.graph import neighbour_graph
from stablek.paradigm.statistic.valley import held_out_valley

#: An item has links with so many of its nearest neighbours.
NEIGHBOURS = 5

#: Smaller clusters are not cut into halves.
SMALLEST = 6

#: From this many links across a border, for each link across a cut through the cluster,
#: there is no border: the clusters touch. Up to ``APART`` an answer may be strong.
TOUCHING = 1.0
APART = 0.5

#: Somewhere the density between two clusters must fall to this share of the lower peak:
#: otherwise the clusters may be pieces of a continuum, and the answer is weak.
VALLEY = 0.3
#: The half of a cluster that faces another needs this many items. The valley is the
#: mean over this many random divisions.
IN_HALF, FOLDS = 8, 6


@dataclass(frozen=True)
class Borders:
    """What lies between the clusters of an answer.

    Parameters
    ----------
    links
        Links of neighbours across the borders, for each across a cut inside.
    valley
        The lowest density at the clearest border, as a share of the lower peak.
    """

    links: float = 0.0
    valley: float = 0.0

    @property
    def touching(self) -> bool:
        """Whether a border is no more than any cut through a cluster."""
        return self.links >= TOUCHING

    @property
    def apart(self) -> bool:
        """Whether few items lie between the clusters."""
        return self.links <= APART

    @property
    def continuum(self) -> bool:
        """Whether the items run on across every border."""
        return self.valley > VALLEY


def borders_of(judged: Judged) -> Borders:
    """Return what lies between the clusters of the partition that the panel chose."""
    panel = judged.panel
    assert panel is not None  # only trivial data have none
    rows = gate_rows(len(judged.prepared.rows), judged.streams)
    scores, part = judged.prepared.judged[rows], panel.at(panel.choice.k)[rows]
    return Borders(border_links(scores, part), clearest_valley(scores, part))


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
    across = links_between(first, second, part)
    ratios = []
    for cluster in range(len(across)):
        own = part == cluster
        if own.sum() < SMALLEST:
            continue
        side = np.zeros(len(part), dtype=bool)
        side[own] = _upper_half(scores[own])
        inside = own[first] & own[second]
        cut = int((inside & (side[first] != side[second])).sum())
        ratios.append(np.log((across[cluster].max() + 1) / (cut + 1)))
    return float(np.exp(np.mean(ratios))) if ratios else 0.0


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
    >>> clearest_valley(bent + 0.1 * rng.standard_normal((200, 2)), thirds) > VALLEY
    True
    >>> round_ones = rng.standard_normal((200, 2)) + 5 * thirds[:, None]
    >>> clearest_valley(round_ones, thirds) < VALLEY
    True
    """
    first, second = neighbour_graph(pairwise(scores, "euclidean"), 2 * NEIGHBOURS)
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


def _upper_half(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which items lie beyond the mean in their longest direction."""
    centred = scores - scores.mean(axis=0)
    longest = np.linalg.svd(centred, full_matrices=False)[2][0]
    return np.asarray(centred @ longest > 0)
