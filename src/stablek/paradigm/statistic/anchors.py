"""Trust in the place of items where there are too many to look at each: anchors."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import stream
from stablek.kernels.comembership import item_consensus
from stablek.paradigm.statistic.item_consensus import BETWEEN, standing

ANCHORS = 500
PARTNERS = 4000

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Anchors:
    r"""Some items drawn at random, and their consensus with the clusters.

    The consensus of item i with cluster c is the mean over its partners j drawn there,

    .. math:: m_i(c) = \frac{1}{|c \setminus i|} \sum_{j \in c,\, j \ne i} M(i, j)

    Parameters
    ----------
    items
        Which they are, shape (A,).
    cluster, runner_up
        The own cluster, and the other with the largest consensus; -1 if there is none.
    consensus, rival
        The mean consensus with either, over partners drawn at random; NaN where no
        partner of the own cluster was met.
    error
        Monte Carlo standard error of ``consensus``, at most: values in [0, 1] with mean
        c have a variance of at most c (1 - c).
    """

    items: NDArray[np.int64]
    cluster: NDArray[np.int64]
    consensus: Floats
    runner_up: NDArray[np.int64]
    rival: Floats
    error: Floats

    def summary(self) -> dict[str, float]:
        """Return the mean consensus and the share of items between two, with errors."""
        known = np.isfinite(self.consensus)
        count = max(int(known.sum()), 1)
        own = self.consensus[known]
        between = float((own - self.rival[known] < BETWEEN).mean()) if own.size else 0.0
        return {
            "items": len(self.items),
            "consensus": float(own.mean()) if own.size else float("nan"),
            "consensus_error": float(own.std() / np.sqrt(count)) if own.size else 0.0,
            "between": between,
            "between_error": float(np.sqrt(between * (1 - between) / count)),
        }


def anchors(partition: NDArray[np.integer[Any]], labels: NDArray[Any]) -> Anchors:
    """Return the trust in the place of ANCHORS items.

    Parameters
    ----------
    partition : array of shape (n,)
        Clusters 0 .. k - 1.
    labels : array of uint8 or uint16, shape (repeats, n)
        Partitions of subsamples; the largest value means "not drawn". Read row by row.

    Notes
    -----
    Which items are anchors and partners depends on n alone, so that two runs are
    compared on the same. Every anchor meets the same partners.
    """
    n = len(partition)
    drawn = stream(0, "anchors", n).permutation(n)[: ANCHORS + PARTNERS]
    count = min(ANCHORS, n)
    looked = np.stack([row[drawn] for row in labels])
    own = np.asarray(partition, dtype=np.int64)[drawn]
    mean = item_consensus(looked, own, np.arange(count))
    place = standing(mean, own[:count])
    consensus, alone = place.own, mean.shape[1] < 2
    partners = np.maximum(np.bincount(own)[own[:count]] - 1, 1)
    return Anchors(
        items=drawn[:count].astype(np.int64),
        cluster=own[:count],
        consensus=consensus,
        runner_up=np.full(count, -1) if alone else np.maximum(place.rival, 0),
        rival=np.nan_to_num(place.second),
        error=np.sqrt(np.clip(consensus * (1 - consensus), 0, None) / partners),
    )
