"""The panel's statistics of one data set: fast consensus with K-means from Ward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Streams
from stablek.kernels.cuts import cut_all
from stablek.kernels.dispersion import within_ss
from stablek.kernels.distances import pairwise
from stablek.kernels.histogram import pair_cells
from stablek.kernels.jaccard import jaccard_stability
from stablek.kernels.linkage import linkage, linkage_of_rows
from stablek.kernels.lloyd import lloyd_sweep
from stablek.kernels.own_spread import by_spread
from stablek.kernels.prediction import prediction_strength
from stablek.kernels.separations import separations
from stablek.kernels.silhouettes import silhouettes

Floats = NDArray[np.float64]
Labels = NDArray[np.uint16]

NOT_DRAWN = np.iinfo(np.uint16).max
FRACTION = 0.8
ITERATIONS = 15  # of Lloyd, from the Ward cut
HALVES = 8  # splits into halves for prediction strength


@dataclass(frozen=True, eq=False)
class Observed:
    """What the panel sees in one data set, at every k.

    Parameters
    ----------
    ks
        The numbers of clusters, from 2.
    columns
        One number per k, larger is better: ``ent`` (certainty of the consensus
        matrix), ``minjac`` (the least stable cluster found again), ``ps`` (prediction
        strength), ``sil`` (silhouette), ``gap`` (minus the log of the sum of squares
        within), ``minj`` (separation of the closest two clusters); and ``val`` (the
        shallowest valley, smaller is better), ``least`` (size of the smallest cluster);
        some with ``_spread``, of the partition in which clusters have their own spread.
    alone
        Minus the log of the sum of squares of all items: ``gap`` at k = 1.
    partitions
        Shape (ks, n): the partition of the whole data.
    labels
        Shape (ks, repeats, n): the partitions of the subsamples; None for null sets.
    """

    ks: tuple[int, ...]
    columns: dict[str, Floats]
    alone: float
    partitions: Labels
    labels: Labels | None = None


def most_clusters(n: int) -> int:
    """Return the largest k that n items allow: halves of them are clustered, too."""
    return n // 2 - 1


def observe(
    scores: Floats, ks: Sequence[int], streams: Streams, repeats: int
) -> Observed:
    """Return all of the panel's statistics of a data set."""
    square = distances_of(scores)
    seen = separation(scores, square, ks, valleys=True)
    stable, labels = stability(scores, square, seen.partitions, ks, streams, repeats)
    return replace(seen, columns={**seen.columns, **stable}, labels=labels)


def observe_null(
    scores: Floats, ks: Sequence[int], streams: Streams, repeats: int = 0
) -> Observed:
    """Return the statistics of a null set; those of stability only with repeats."""
    square = distances_of(scores)
    seen = separation(scores, square, ks, valleys=False)
    if not repeats:
        return seen
    stable, _ = stability(scores, square, seen.partitions, ks, streams, repeats)
    return replace(seen, columns={**seen.columns, **stable})


def distances_of(scores: Floats) -> Floats:
    """Return all distances, not to be written to."""
    square = pairwise(scores, "euclidean")
    square.flags.writeable = False
    return square


def separation(
    scores: Floats, square: Floats, ks: Sequence[int], *, valleys: bool
) -> Observed:
    """Return what the partition of the whole data shows, at every k."""
    counts = np.asarray(ks, dtype=np.int64)
    partitions = ward_means(scores, linkage(square.copy(), "ward"), counts)
    columns = {"gap": -np.log(np.maximum(within_ss(scores, partitions), 1e-300))}
    spreads = [
        by_spread(scores, p, int(k)) for p, k in zip(partitions, ks, strict=True)
    ]
    for suffix, parts in (("", list(partitions)), ("_spread", spreads)):
        pairs = [separations(scores, p, valleys=valleys) for p in parts]
        columns["minj" + suffix] = np.array([gap.min() for gap, _ in pairs])
        columns["sil" + suffix] = np.array(
            [silhouettes(square, p).mean() for p in parts]
        )
        columns["least" + suffix] = np.array(
            [np.bincount(p).min() for p in parts], float
        )
        if valleys:
            columns["val" + suffix] = np.array([valley.max() for _, valley in pairs])
    spread = ((scores - scores.mean(axis=0)) ** 2).sum()
    alone = -float(np.log(max(spread, 1e-300)))
    return Observed(tuple(int(k) for k in ks), columns, alone, partitions)


def stability(
    scores: Floats,
    square: Floats,
    partitions: Labels,
    ks: Sequence[int],
    streams: Streams,
    repeats: int,
) -> tuple[dict[str, Floats], Labels]:
    """Return what subsamples show, at every k, and their labels (ks, repeats, n).

    All ks share the subsample of a repeat and its Ward tree; the cut at k is improved
    by Lloyd's iterations.
    """
    n = len(scores)
    counts = np.asarray(ks, dtype=np.int64)
    labels = np.full((repeats, len(ks), n), NOT_DRAWN, np.uint16)
    size = int(np.ceil(FRACTION * n))
    for h in range(repeats):
        rows = np.sort(streams("sample", h).permutation(n)[:size])
        tree = linkage_of_rows(square, rows, "ward")
        labels[h][:, rows] = ward_means(scores[rows], tree, counts)
    by_k = np.ascontiguousarray(labels.transpose(1, 0, 2))
    pairs = zip(partitions, by_k, strict=True)
    # The type that the report's cube has, too, so that the kernel is compiled once; the
    # mark of what was not drawn is the largest value in both.
    narrow = by_k.astype(np.uint8) if counts[-1] < 255 else by_k
    columns = {
        "ent": np.array([certainty(at) for at in narrow]),
        "minjac": np.array([least_stable(p, at) for p, at in pairs]),
        "ps": predictions(scores, square, counts, streams),
    }
    return columns, by_k


def ward_means(values: Floats, tree: Floats, counts: NDArray[np.int64]) -> Labels:
    """Return K-means partitions started from the cuts of a Ward tree."""
    cuts = cut_all(tree, counts, np.dtype(np.uint16))
    return lloyd_sweep(values, cuts, counts, ITERATIONS)[0]


def certainty(labels: NDArray[np.unsignedinteger[Any]]) -> float:
    """Return -log(0.005 + mean entropy of the consensus values of all pairs)."""
    drawn, together, pairs = pair_cells(labels).T
    seen = drawn > 0
    share = together[seen] / drawn[seen]
    inside = (share > 0) & (share < 1)
    p, weight = share[inside], pairs[seen][inside]
    entropy = -(weight * (p * np.log(p) + (1 - p) * np.log(1 - p))).sum()
    return float(-np.log(0.005 + entropy / max(pairs[seen].sum(), 1)))


def least_stable(partition: Labels, labels: Labels) -> float:
    """Return -log(1.01 - J), J the mean Jaccard of the least stable cluster."""
    found = jaccard_stability(partition, labels)
    known = np.isfinite(found)
    mean = np.where(known, found, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return float(-np.log(1.01 - mean.min()))


def predictions(
    scores: Floats, square: Floats, counts: NDArray[np.int64], streams: Streams
) -> Floats:
    """Return the mean prediction strength over random halves, at every k."""
    n = len(scores)
    total = np.zeros(len(counts))
    for h in range(HALVES):
        order = streams("halves", h).permutation(n)
        halves = np.sort(order[: n // 2]), np.sort(order[n // 2 :])
        parts: list[Any] = []
        for rows in halves:
            tree = linkage_of_rows(square, rows, "ward")
            parts.append((scores[rows], ward_means(scores[rows], tree, counts)))
        (training, learned), (learning, found) = parts
        for place, k in enumerate(counts):
            total[place] += prediction_strength(
                training, learned[place], learning, found[place], int(k)
            )
    return total / HALVES
