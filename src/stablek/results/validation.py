"""Does a partition come back in other data? Three statistics per cluster.

The items of the other cohort are given to the clusters of the first. *In-group
proportion*: how often the nearest neighbour of an item has the same cluster.
*Replication*: the other cohort is clustered on its own, and each cluster of the first
is compared with the one it resembles most. *Gap*: how far the cluster lies from the
next one; in few dimensions a cloud that is cut in two does well in the other two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from stablek.kernels.separations import separations
from stablek.paradigm.indices import contingency
from stablek.results.notebook import Shown
from stablek.results.written import Written

if TYPE_CHECKING:
    import pandas as pd

    from stablek.results.assign import Assignment

Floats = NDArray[np.float64]
Labels = NDArray[np.integer[Any]]

#: p-value up to which a cluster is said to have come back.
LEVEL = 0.05
#: A gap beyond this, as between single items, counts as this.
LARGEST = 10.0


@dataclass(frozen=True)
class ClusterReturn:
    """Whether one cluster comes back in another cohort.

    Parameters
    ----------
    cluster, size
        Its number, from 1, and how many items of the other cohort it gets.
    igp, igp_p
        In-group proportion, and how often cohorts without clusters have as much.
    jaccard, jaccard_p
        The largest Jaccard coefficient with a cluster that the other cohort has on its
        own, and how often cohorts without clusters have as much.
    gap, gap_p
        The distance to the nearest other cluster in the other cohort, on the axis that
        tells the two apart, in sums of the two standard deviations (a cloud cut in two
        has about 1.3), and how often cohorts without clusters have as much.
    p
        The same of the product of the three, which decides.
    word
        "comes back" (p is at most 0.05), "in part" (one of the other three is), "does
        not come back" or "absent".
    """

    cluster: int
    size: int
    igp: float
    igp_p: float
    jaccard: float
    jaccard_p: float
    gap: float
    gap_p: float
    p: float
    word: str


@dataclass(frozen=True, eq=False, repr=False)
class Validation(Written, Shown):
    """Whether the structure of a verdict comes back in another cohort.

    Attributes
    ----------
    k
        The number of clusters that was looked for.
    rand, rand_p
        Adjusted Rand index of the other cohort's own clusters with the clusters of the
        first, and how often cohorts without clusters have as much.
    explained, explained_p
        The share of the other cohort's variance that lies between the clusters of the
        first, and how often cohorts without clusters have as much.
    score, p
        The sum of both in standard deviations of cohorts without clusters, and how
        often these have as much.
    clusters
        One :class:`ClusterReturn` per cluster.
    assignment
        Where the items of the other cohort belong.
    own
        The other cohort's own clusters, from 1.
    sentence
        The answer.
    notes
        How columns were matched, and what differs between the cohorts.
    settings
        What it takes to repeat it.
    """

    KEYS = (
        "k", "sentence", "rand", "rand_p", "explained", "explained_p", "score", "p",
        "clusters", "notes", "settings",
    )  # fmt: skip

    k: int
    rand: float
    rand_p: float
    explained: float
    explained_p: float
    score: float
    p: float
    clusters: tuple[ClusterReturn, ...]
    assignment: Assignment
    own: Labels
    notes: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def table(self) -> pd.DataFrame:
        """One row per cluster."""
        import pandas as pd

        return pd.DataFrame([asdict(one) for one in self.clusters])

    @property
    def sentence(self) -> str:
        """Whether the clusters come back, in one sentence."""
        back = [one.cluster for one in self.clusters if one.word == "comes back"]
        half = [one.cluster for one in self.clusters if one.word == "in part"]
        of = f"{len(back)} of {self.k} clusters come back"
        if len(back) == self.k:
            of = f"All {self.k} clusters come back"
        elif not back:
            of = f"None of the {self.k} clusters comes back"
        text = f"{of} in the other cohort"
        if back and len(back) < self.k:
            text += f" ({_listed(back)})"
        if half:
            text += f"; {_listed(half)} in part"
        return f"{text} (adjusted Rand {self.rand:.2f}, p = {self.p:.2g})."


def in_group_proportion(scores: Floats, labels: Labels, k: int) -> Floats:
    """Return for each cluster how often the nearest other item is of the same one.

    IGP(u) = #{j: label(j) = label(nearest of j) = u} / #{j: label(j) = u}; NaN for a
    cluster without items.

    References
    ----------
    Kapp, Tibshirani (2007), Biostatistics 8, 9-31, section 2.

    Examples
    --------
    >>> in_group_proportion(np.array([[0.0], [1], [3], [9]]), np.array([0, 0, 0, 1]), 2)
    array([1., 0.])
    """
    near = np.asarray(cKDTree(scores).query(scores, k=2)[1])
    itself = near[:, 0] == np.arange(len(scores))
    neighbour = np.where(itself, near[:, 1], near[:, 0])
    same = labels == labels[neighbour]
    sizes = np.bincount(labels, minlength=k)
    with np.errstate(invalid="ignore", divide="ignore"):
        share: Floats = np.bincount(labels, weights=same, minlength=k) / sizes
    return share


def replicated(labels: Labels, others: Labels, k: int) -> Floats:
    """Return for each cluster its largest Jaccard coefficient with clusters of ``own``.

    Examples
    --------
    >>> replicated(np.array([0, 0, 1, 1]), np.array([5, 5, 5, 7]), 2)
    array([0.66666667, 0.5       ])
    """
    table = np.zeros((k, len(np.unique(others))))
    present = np.unique(labels)
    table[present] = contingency(labels, others)
    joint = table.sum(axis=1, keepdims=True) + table.sum(axis=0) - table
    best: Floats = (table / np.maximum(joint, 1)).max(axis=1)
    best[table.sum(axis=1) == 0] = np.nan
    return best


def explained_share(scores: Floats, labels: Labels) -> float:
    """Return the share of the sum of squares that lies between clusters.

    Examples
    --------
    >>> explained_share(np.array([[0.0], [0], [4], [4]]), np.array([0, 0, 1, 1]))
    1.0
    """
    centred = scores - scores.mean(axis=0)
    total = float((centred**2).sum())
    sums = np.zeros((int(labels.max()) + 1, scores.shape[1]))
    np.add.at(sums, labels, centred)
    sizes = np.maximum(np.bincount(labels, minlength=len(sums)), 1)
    return float((sums**2 / sizes[:, None]).sum()) / total if total else 0.0


def p_value(observed: float, null: Floats) -> float:
    """Return (1 + number of null values at least as large) / (1 + their number).

    A null cohort in which a cluster is absent counts as 0; so does an absent cluster.
    """
    values = np.nan_to_num(null)
    return float(
        (1 + (values >= np.nan_to_num(observed) - 1e-12).sum()) / (1 + len(values))
    )


def gaps(scores: Floats, labels: Labels, k: int) -> Floats:
    """Return the gap of each cluster to the nearest other; NaN for an absent one."""
    present, compact = np.unique(labels, return_inverse=True)
    nearest = np.full(k, np.nan)
    if len(present) < 2:
        return nearest
    gap = separations(np.ascontiguousarray(scores), compact, valleys=False)[0]
    np.fill_diagonal(gap, np.inf)
    nearest[present] = np.minimum(
        np.nan_to_num(gap.min(axis=1), posinf=LARGEST), LARGEST
    )
    return nearest


def word(size: int, p: float, others: Iterable[float]) -> str:
    """Return what the p-values of a cluster mean: of the product, and of each."""
    if size == 0:
        return "absent"
    if p <= LEVEL:
        return "comes back"
    return "in part" if min(others) <= LEVEL else "does not come back"


def _listed(numbers: list[int]) -> str:
    noun = "cluster" if len(numbers) == 1 else "clusters"
    return f"{noun} {', '.join(map(str, numbers))}"
