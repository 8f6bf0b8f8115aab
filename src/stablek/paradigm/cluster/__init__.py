"""Step 6: clustering algorithms, by the names users type."""

from collections.abc import Callable
from typing import Any, cast

from stablek.data import METRICS
from stablek.errors import InputError, unknown_name
from stablek.paradigm.card import card
from stablek.paradigm.cluster.adapter import Adapter
from stablek.paradigm.cluster.common_shape import CommonShape
from stablek.paradigm.cluster.hierarchical import Hierarchical
from stablek.paradigm.cluster.kmeans import KMeans
from stablek.paradigm.cluster.nmf import NMF
from stablek.paradigm.cluster.sample_kmeans import SampledKMeans
from stablek.paradigm.contracts import Clusterer

#: Whom to cite for non-negative factorisation.
FACTORISATION = ("lee1999", "brunet2004", "kim2007")


@card(
    "Keeps clusters of unequal size; the default for distances other than Euclidean.",
    "mullner2011",
)
def hier_a(metric: str = "euclidean") -> Hierarchical:
    """Return average linkage: the mean distance between items of two clusters."""
    return Hierarchical("hier-a", "average", metric)


@card("Compact clusters of similar diameter.", "mullner2011")
def hier_c(metric: str = "euclidean") -> Hierarchical:
    """Return complete linkage: the largest distance between items of two clusters."""
    return Hierarchical("hier-c", "complete", metric)


@card("Long, chained clusters only; single items often split off.", "mullner2011")
def hier_s(metric: str = "euclidean") -> Hierarchical:
    """Return single linkage: the smallest distance between items of two clusters."""
    return Hierarchical("hier-s", "single", metric)


@card(
    "Round clusters of similar size; also splits noise into even parts.",
    "ward1963",
    "mullner2011",
)
def hier_w(metric: str = "euclidean") -> Hierarchical:
    """Return Ward's linkage: the smallest growth of the within sum of squares."""
    return Hierarchical("hier-w", "ward", metric)


@card("Round clusters, large data; random starts.", "lloyd1982")
def kmeans_r(metric: str = "euclidean") -> KMeans:
    """Return K-means started from k items drawn at random."""
    _only_euclidean("kmeans-r", metric)
    return KMeans("kmeans-r")


@card("Like kmeans-r, without random starts.", "lloyd1982", "mullner2011")
def kmeans_a(metric: str = "euclidean") -> KMeans:
    """Return K-means started from the average-linkage partition."""
    return KMeans("kmeans-a", hier_a(metric))


@card("Like kmeans-r, without random starts.", "lloyd1982", "mullner2011")
def kmeans_c(metric: str = "euclidean") -> KMeans:
    """Return K-means started from the complete-linkage partition."""
    return KMeans("kmeans-c", hier_c(metric))


@card("Like kmeans-r, without random starts.", "lloyd1982", "mullner2011")
def kmeans_s(metric: str = "euclidean") -> KMeans:
    """Return K-means started from the single-linkage partition."""
    return KMeans("kmeans-s", hier_s(metric))


@card("The default; like kmeans-r, without random starts.", "lloyd1982", "ward1963")
def kmeans_w(metric: str = "euclidean") -> KMeans:
    """Return K-means started from the Ward partition."""
    return KMeans("kmeans-w", hier_w(metric))


@card(
    "Clusters that are stretched in the same direction; what a verdict reports.",
    "friedman1967",
    "lloyd1982",
)
def kmeans_m(metric: str = "euclidean") -> CommonShape:
    """Return K-means in the metric of the clusters' common covariance, after Ward."""
    _only_euclidean("kmeans-m", metric)
    return CommonShape("kmeans-m", kmeans_w())


@card("Non-negative data whose groups are sums of parts; slow.", *FACTORISATION)
def nmf_r(metric: str = "euclidean") -> NMF:
    """Return non-negative factorisation started at random."""
    _only_euclidean("nmf-r", metric)
    return NMF("nmf-r")


@card("Like nmf-r, without random starts.", *FACTORISATION)
def nmf_a(metric: str = "euclidean") -> NMF:
    """Return non-negative factorisation started from the average-linkage partition."""
    return NMF("nmf-a", hier_a(metric))


@card("Like nmf-r, without random starts.", *FACTORISATION)
def nmf_c(metric: str = "euclidean") -> NMF:
    """Return non-negative factorisation started from the complete-linkage partition."""
    return NMF("nmf-c", hier_c(metric))


@card("Like nmf-r, without random starts.", *FACTORISATION)
def nmf_s(metric: str = "euclidean") -> NMF:
    """Return non-negative factorisation started from the single-linkage partition."""
    return NMF("nmf-s", hier_s(metric))


@card("Like nmf-r, without random starts.", *FACTORISATION)
def nmf_w(metric: str = "euclidean") -> NMF:
    """Return non-negative factorisation started from the Ward partition."""
    return NMF("nmf-w", hier_w(metric))


@card("Like nmf-r for a whole range of k: each k starts from the last.", *FACTORISATION)
def nmf_i(metric: str = "euclidean") -> NMF:
    """Return incremental factorisation: one path, one more component at each k."""
    _only_euclidean("nmf-i", metric)
    return NMF("nmf-i", incremental=True)


@card("Very many items: tens of thousands and more.", "sculley2010")
def kmeans_mb(metric: str = "euclidean") -> SampledKMeans:
    """Return K-means for very many items: centres from a sample, labels for all."""
    _only_euclidean("kmeans-mb", metric)
    return SampledKMeans()


#: The word a user types, and what makes the algorithm.
ALGORITHMS: dict[str, Callable[..., Clusterer]] = {
    "hier-a": hier_a,
    "hier-c": hier_c,
    "hier-s": hier_s,
    "hier-w": hier_w,
    "kmeans-r": kmeans_r,
    "kmeans-a": kmeans_a,
    "kmeans-c": kmeans_c,
    "kmeans-s": kmeans_s,
    "kmeans-w": kmeans_w,
    "kmeans-m": kmeans_m,
    "kmeans-mb": kmeans_mb,
    "nmf-r": nmf_r,
    "nmf-a": nmf_a,
    "nmf-c": nmf_c,
    "nmf-s": nmf_s,
    "nmf-w": nmf_w,
    "nmf-i": nmf_i,
}


def algorithm(wanted: Any, metric: str = "euclidean") -> Clusterer:
    """Return the clusterer a user asked for, by name or as an object.

    An object that has ``partitions`` is a clusterer already; one that has
    ``fit_predict`` and ``n_clusters`` or ``n_components`` is adapted. A name of
    factorisation may go on with the remedy for negative values and the update rule:
    "nmf-a+fold", "nmf-r+shift+brunet"; the result is named so, too.
    """
    if isinstance(wanted, str):
        wanted, *words = wanted.split("+")
        if wanted not in ALGORITHMS:
            raise unknown_name("algorithm", wanted, ALGORITHMS)
        if metric not in METRICS and metric != "precomputed":
            raise unknown_name("metric", metric, (*METRICS, "precomputed"))
        return _modified(ALGORITHMS[wanted](metric=metric), words)
    if hasattr(wanted, "partitions"):
        return cast("Clusterer", wanted)
    if hasattr(wanted, "fit_predict"):
        return Adapter(wanted, type(wanted).__name__)
    raise InputError(
        f"{wanted!r} is not an algorithm: give a name "
        f"({', '.join(sorted(ALGORITHMS))}) or an object with "
        "fit_predict and n_clusters"
    )


def _modified(clusterer: Clusterer, words: list[str]) -> Clusterer:
    """Return a factorisation with its update rule and remedy changed as named."""
    for word in words:
        if not isinstance(clusterer, NMF):
            raise InputError(f"{clusterer.name} has no variants; leave out +{word}")
        clusterer = clusterer.varied(word)
    return clusterer


def _only_euclidean(name: str, metric: str) -> None:
    if metric != "euclidean":
        raise InputError(
            f"{name} works with Euclidean distances only, not {metric}; use hier-a"
        )
