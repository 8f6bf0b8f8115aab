"""What others answer on the same real sets: their k, and how well they group.

Silhouette, Calinski-Harabasz, Ward's heights, the majority of indices and HDBSCAN look
at the values as stored, as their users do; K-means starts from Ward. Gap, BIC and
prediction strength get the verdict's own components, partitions and curves.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Streams
from stablek.kernels.cuts import cut_all
from stablek.kernels.dispersion import within_ss
from stablek.kernels.distances import pairwise
from stablek.kernels.linkage import linkage
from stablek.kernels.lloyd import lloyd_sweep
from stablek.paradigm.significance.against_null import gaps, max_place
from stablek.paradigm.statistic.quality import mean_widths

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

GAP_SETS = 10
LARGEST = 1500  # items that peers look at; of more, so many drawn at random
SWEEPS = 30
STRENGTH = 0.8  # of prediction, as Tibshirani and Walther say

RAW = ("silhouette", "Calinski-Harabasz", "Ward height ratio", "majority of indices")


def partitions_of(
    values: Floats, ks: NDArray[np.int64]
) -> tuple[Labels, Floats, Floats]:
    """Return K-means from Ward at every k, the distances, and Ward's heights."""
    square = pairwise(np.ascontiguousarray(values), "euclidean")
    tree = linkage(square.copy(), "ward")
    cut = cut_all(tree, ks, np.dtype(np.uint16))
    parts = lloyd_sweep(np.ascontiguousarray(values), cut, ks, SWEEPS)[0]
    return parts.astype(np.int64), square, np.sort(tree[:, 2])[::-1]


def peers_on_values(
    values: Floats, ks: tuple[int, ...]
) -> tuple[dict[str, int], Labels]:
    """Return the k of every rule that looks at the values, and the partitions."""
    counts = np.asarray(ks, dtype=np.int64)
    parts, square, heights = partitions_of(values, counts)
    n = len(values)
    total = float(((values - values.mean(axis=0)) ** 2).sum())
    within = np.maximum(within_ss(values, parts.astype(np.uint16)), 1e-300)
    width = mean_widths(square, parts)
    ratio = (total - within) / (counts - 1) / within * (n - counts)
    tall = np.maximum(heights[: counts[-1]], 1e-300)
    step = tall[counts - 2] / tall[np.minimum(counts - 1, len(tall) - 1)]
    found = {
        "silhouette": ks[int(width.argmax())],
        "Calinski-Harabasz": ks[int(ratio.argmax())],
        "Ward height ratio": ks[int(step.argmax())],
    }
    more = within_rules(np.concatenate([[total], within]), ks, n, values.shape[1])
    spread = [davies_bouldin(values, p) for p in parts]
    votes = [*found.values(), *more.values(), ks[int(np.argmin(spread))]]
    found["majority of indices"] = majority(votes)
    return found, parts


def within_rules(w: Floats, ks: tuple[int, ...], n: int, m: int) -> dict[str, int]:
    """Return the k of rules that read the sum of squares within clusters, from k = 1.

    As in the R package NbClust: Krzanowski and Lai, Hartigan (largest difference), Ball
    and Hall, Xu, and the largest second difference of log W.
    """
    at = np.asarray(ks)
    scaled = np.arange(1, len(w) + 1) ** (2 / m) * w
    diff = np.abs(scaled[:-1] - scaled[1:])  # into k = 2, 3, ...
    lai = diff[:-1] / np.maximum(diff[1:], 1e-300)
    hartigan = (w[:-1] / w[1:] - 1) * (n - np.arange(1, len(w)) - 1)
    ball = w / np.arange(1, len(w) + 1)
    xu = m * np.log(np.sqrt(w[1:] / (m * n * n))) + np.log(at)
    logs = np.log(w)
    bend = logs[:-2] - 2 * logs[1:-1] + logs[2:]
    return {
        "Krzanowski-Lai": ks[int(lai.argmax())],
        "Hartigan": ks[int((hartigan[:-1] - hartigan[1:]).argmax())],
        "Ball-Hall": ks[int((ball[:-1] - ball[1:]).argmax())],
        "Xu": ks[int(xu.argmin())],
        "second difference": ks[int(bend.argmax())],
    }


def davies_bouldin(values: Floats, part: Labels) -> float:
    """Return the index of Davies and Bouldin (smaller is better)."""
    groups = [values[part == c] for c in np.unique(part)]
    centres = np.array([g.mean(axis=0) for g in groups])
    wide = np.array(
        [np.sqrt(((g - c) ** 2).sum(axis=1)).mean()
         for g, c in zip(groups, centres, strict=True)]
    )  # fmt: skip
    apart = np.sqrt(((centres[:, None] - centres[None]) ** 2).sum(axis=2))
    np.fill_diagonal(apart, np.inf)
    ratio = (wide[:, None] + wide[None]) / np.maximum(apart, 1e-300)
    return float(ratio.max(axis=1).mean())


def majority(votes: list[int]) -> int:
    """Return the k with most votes, the smallest of several.

    Examples
    --------
    >>> majority([3, 2, 2, 3, 9])
    2
    """
    counted = Counter(votes)
    return min(k for k, c in counted.items() if c == max(counted.values()))


def gap_rule(
    scores: Floats, parts: Labels, ks: tuple[int, ...], streams: Streams
) -> int:
    """Return the k of Tibshirani's rule with boxes along the components."""
    counts = np.asarray(ks, dtype=np.int64)

    def logs(x: Floats, p: Labels) -> Floats:
        total = ((x - x.mean(axis=0)) ** 2).sum()
        w = np.concatenate([[total], within_ss(x, p.astype(np.uint16))])
        return np.asarray(np.log(np.maximum(w, 1e-300)))

    low, width = scores.min(axis=0), np.ptp(scores, axis=0)
    nulls = []
    for b in range(GAP_SETS):
        box = low + width * streams("gap", b).random(scores.shape)
        nulls.append(logs(box, partitions_of(box, counts)[0]))
    gap, s = gaps(np.array(nulls), logs(scores, parts))
    return (1, *ks)[max_place(gap, s, "tibshirani")]


def hdbscan(values: Floats) -> Labels:
    """Return the labels of HDBSCAN as scikit-learn has it; noise is a group, -1."""
    from sklearn.cluster import HDBSCAN

    if len(values) <= 12:
        return np.zeros(len(values), dtype=np.int64)
    return np.asarray(HDBSCAN(copy=True).fit(values).labels_, dtype=np.int64)
