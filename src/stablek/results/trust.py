"""How far to trust each cluster, each item, and each step from k to k + 1.

Everything here is a function of a partition and of the partitions of subsamples, so it
serves our own partition and labels that a user brings alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.comembership import item_consensus
from stablek.kernels.contingency import contingency
from stablek.kernels.jaccard import jaccard_stability
from stablek.kernels.separations import separations
from stablek.paradigm.statistic.item_consensus import Standing, standing
from stablek.results.json_form import plain_form

Labels = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]

#: Mean Jaccard at least this, and the word for it: the thresholds of fpc's clusterboot.
#: Below 0.5 the cluster is dissolved more often than it is found.
JACCARD_WORDS = (
    (0.85, "highly stable"),
    (0.75, "stable"),
    (0.6, "unclear boundaries"),
    (0.5, "not to be trusted"),
    (0.0, "dissolved"),
)


@dataclass(frozen=True)
class ClusterTrust:
    """One cluster: how stable, how coherent, how far from the next.

    The fields are the columns of clusters.tsv; :data:`stablek.results.glossary.COLUMNS`
    says what each means. ``jaccard`` is NaN where the cluster was never drawn.
    """

    cluster: int
    size: int
    consensus: float
    jaccard: float
    recovered: float
    dissolved: float
    nearest: int
    gap: float
    valley: float
    word: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain numbers and strings; NaN and infinity become None."""
        return {name: plain_form(value) for name, value in vars(self).items()}


def jaccard_word(jaccard: float) -> str:
    """Return what a mean Jaccard means.

    The thresholds are those of fpc::clusterboot: from 0.85 on highly stable, from 0.75
    a valid stable cluster, from 0.6 a pattern in the data without certainty which items
    belong to it, below that not to be trusted; at 0.5 it is dissolved.

    References
    ----------
    Hennig (2007), Computational Statistics & Data Analysis 52, 258-271; (2008),
    J. Multivariate Analysis 99, 1154-1176; help page of fpc::clusterboot.

    Examples
    --------
    >>> jaccard_word(0.8)
    'stable'
    """
    if not np.isfinite(jaccard):
        return "never drawn"
    return next(word for least, word in JACCARD_WORDS if jaccard >= least)


def cluster_trust(
    partition: Labels, labels: NDArray[Any], values: Floats | None
) -> tuple[ClusterTrust, ...]:
    """Return the trust in every cluster of a partition into clusters 0 .. k - 1.

    ``labels`` are partitions of subsamples, shape (repeats, n); their largest value
    means "not drawn". ``values`` are the items, for the separation; None where only
    distances are known.
    """
    k = int(partition.max()) + 1
    recovery = jaccard_stability(partition, labels)
    inside = item_standing(partition, labels).own
    gap, valley = np.full((2, k, k), np.nan)
    if values is not None:
        gap, valley = separations(values, partition)
    trusts = []
    for c in range(k):
        mine = partition == c
        seen = recovery[np.isfinite(recovery[:, c]), c]
        jaccard = float(seen.mean()) if seen.size else float("nan")
        others = np.where(np.arange(k) == c, np.inf, np.nan_to_num(gap[c], nan=np.inf))
        near = int(others.argmin()) if np.isfinite(others).any() else -1
        known = inside[mine][np.isfinite(inside[mine])]
        trusts.append(
            ClusterTrust(
                cluster=c + 1,
                size=int(mine.sum()),
                consensus=float(known.mean()) if known.size else float("nan"),
                jaccard=jaccard,
                recovered=float((seen > 0.75).mean()) if seen.size else float("nan"),
                dissolved=float((seen <= 0.5).mean()) if seen.size else float("nan"),
                nearest=near + 1,
                gap=float(gap[c, near]) if near >= 0 else float("inf"),
                valley=float(valley[c, near]) if near >= 0 else 0.0,
                word=jaccard_word(jaccard),
            )
        )
    return tuple(trusts)


def item_standing(partition: Labels, labels: NDArray[Any]) -> Standing:
    """Return where every item stands between its own cluster and the runner-up."""
    return standing(item_consensus(labels, partition), partition)


@dataclass(frozen=True)
class Move:
    """Items that go from a cluster at k to a cluster at the next k.

    ``of_source`` and ``of_target`` are their share of either cluster;
    ``source_jaccard`` and ``target_jaccard`` say how stable the two clusters are.
    """

    k: int
    source: int
    next_k: int
    target: int
    items: int
    of_source: float
    of_target: float
    source_jaccard: float
    target_jaccard: float


def moves(
    ks: Sequence[int],
    partitions: NDArray[Any],
    labels: Sequence[NDArray[Any]],
    *,
    least: float = 0.05,
) -> tuple[Move, ...]:
    """Return which clusters split and merge from each k to the next, and how stably.

    The table behind a clustree: one row per pair of clusters at neighbouring ks that
    share items, unless they are less than ``least`` of both. Entry 0 of ``ks``, which
    increase, is reached from the whole data, which is cluster 1 at k = 1. ``labels``
    are partitions of subsamples at each k, shape (ks, repeats, n).

    References
    ----------
    Zappia, Oshlack (2018), Clustering trees, GigaScience 7, giy083.
    """
    n = partitions.shape[1]
    source_k, source = 1, np.zeros(n, dtype=np.int64)
    stable = np.ones(1)
    moved = []
    for k, target, at in zip(ks, partitions, labels, strict=True):
        target = target.astype(np.int64)
        with_nan = jaccard_stability(target, at)
        known = np.isfinite(with_nan)
        after = np.where(known, with_nan, 0).sum(0) / np.maximum(known.sum(0), 1)
        table = contingency(source, target)
        rows, columns = table.sum(axis=1), table.sum(axis=0)
        for a, b in np.argwhere(table):
            of_a, of_b = table[a, b] / rows[a], table[a, b] / columns[b]
            if max(of_a, of_b) >= least:
                moved.append(
                    Move(
                        source_k,
                        int(a) + 1,
                        int(k),
                        int(b) + 1,
                        int(table[a, b]),
                        float(of_a),
                        float(of_b),
                        float(stable[a]),
                        float(after[b]),
                    )
                )
        source_k, source, stable = int(k), target, after
    return tuple(moved)


def nested(coarse: Labels, fine: Labels) -> float:
    """Return the share of the items that a coarser partition keeps with their cluster.

    Every fine cluster is given to the coarse cluster that holds most of it; 1 if the
    fine partition only splits the coarse one.

    Examples
    --------
    >>> nested(np.array([0, 0, 1, 1]), np.array([0, 1, 2, 2]))
    1.0
    """
    table = contingency(coarse, fine)
    return float(table.max(axis=0).sum() / max(table.sum(), 1))
