"""What others would answer on the same data: silhouette, Gap, elbow, BIC.

All start from K-means on the raw columns, begun at the Ward cut, so that they differ in
the rule and not in the partition.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Streams
from stablek.kernels.cuts import cut_all
from stablek.kernels.dispersion import within_ss
from stablek.kernels.distances import pairwise
from stablek.kernels.linkage import linkage
from stablek.kernels.lloyd import lloyd_sweep
from stablek.paradigm.significance.against_null import gaps, max_place
from stablek.paradigm.significance.knee import chord
from stablek.paradigm.statistic.mixture import best_bic
from stablek.paradigm.statistic.quality import mean_widths

Floats = NDArray[np.float64]

GAP_SETS = 10
ITERATIONS = 15  # of Lloyd, from the Ward cut
PEERS = ("silhouette", "gap", "elbow", "bic")


def peers(values: Floats, k_max: int, streams: Streams) -> dict[str, int]:
    """Return the k of each peer.

    silhouette: the largest mean silhouette (never 1). gap: Tibshirani's rule with 10
    boxes along the principal components. elbow: the point of the WCSS curve farthest
    below the chord of its ends, which is the knee of kneed with no smoothing (never 1).
    bic: the smallest BIC of spherical, diagonal and tied Gaussian mixtures, full ones
    too up to four columns; the tied and full ones only with twice as many items as
    columns.
    """
    n, m = values.shape
    ks = np.arange(1, k_max + 1)
    parts, logs, square = _partitions(values, ks)
    widths = mean_widths(square, parts[1:])
    centred = values - values.mean(axis=0)
    turn = np.linalg.svd(centred, full_matrices=False)[2]
    scores = centred @ turn.T
    low, width = scores.min(axis=0), np.ptp(scores, axis=0)
    null_logs = np.array(
        [
            _partitions(low + width * streams("gap", b).random(scores.shape), ks)[1]
            for b in range(GAP_SETS)
        ]
    )
    gap, s = gaps(null_logs, logs)
    knee = chord(ks.astype(float), np.exp(logs), n)[1]
    bic, _ = best_bic(
        values if m * 2 <= n else scores[:, : n // 2], list(parts), ks.tolist()
    )
    return {
        "silhouette": int(ks[1 + int(np.argmax(widths))]),
        "gap": int(ks[max_place(gap, s, "tibshirani")]),
        "elbow": int(ks[knee]) if knee is not None else 1,
        "bic": int(ks[int(np.argmin(bic))]),
    }


def _partitions(
    values: Floats, ks: NDArray[np.int64]
) -> tuple[NDArray[np.uint16], Floats, Floats]:
    square = pairwise(values, "euclidean")
    cuts = cut_all(linkage(square.copy(), "ward"), ks, np.dtype(np.uint16))
    parts = lloyd_sweep(values, cuts, ks, ITERATIONS)[0]
    logs = np.log(np.maximum(within_ss(values, parts), 1e-300))
    return parts, logs, square
