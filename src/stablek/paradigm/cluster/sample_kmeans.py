"""K-means for very many items: learn the centres from a sample, label everybody."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Matrix, Sample
from stablek.data.seeds import Streams
from stablek.kernels.lloyd import lloyd_sweep
from stablek.kernels.nearest import assign_each
from stablek.paradigm.cluster.hierarchical import Hierarchical


@dataclass(frozen=True)
class SampledKMeans:
    """K-means whose cost per item is one look at k centres (kmeans-mb).

    ``core`` items drawn at random are clustered by Ward and Lloyd; their centres start
    Lloyd's iterations on ``sample`` items; then every item goes to its nearest centre.
    The dendrogram of the core serves all ks. Nothing of size n^2, and nothing of size
    n but the labels, is made.

    References
    ----------
    The idea of learning centres from samples: Bradley, Fayyad (1998), ICML, 91-99.
    """

    name: str = "kmeans-mb"
    core: int = 1000
    sample: int = 20_000
    max_iter: int = 20
    random = True
    native = True

    def prepare(self, data: Dataset) -> None:
        """Do nothing: a sample shares nothing with the whole."""

    def memory(self, n: int, m: int, k: int, itemsize: int) -> tuple[int, int]:
        """Return the bytes that all samples of n items share, and those of each."""
        some = min(n, self.sample)
        return 0, n * (m * itemsize + 16 + 4 * k) + some * m * (itemsize + 24)

    def partitions(
        self, sample: Sample, ks: Sequence[int], streams: Streams
    ) -> NDArray[Any]:
        """Return the labels at every k."""
        values = sample.values()
        rows = streams("rows").permutation(len(values))[: self.sample]
        some = np.ascontiguousarray(values[rows])
        counts = np.asarray(ks, dtype=np.int64)
        # k beyond the core cannot be started from it; Ward needs more items than k.
        core = Dataset(some[: max(self.core, 2 * max(ks))])
        ward = Hierarchical("ward", "ward")
        cuts = ward.partitions(core.whole(), ks, streams)
        first = lloyd_sweep(core.values, cuts, counts, self.max_iter)[0]
        starts = assign_each(some, all_centres(core.values, first, ks))
        taught = lloyd_sweep(some, starts, counts, self.max_iter)[0]
        assigned = assign_each(values, all_centres(some, taught, ks))
        for labels, k in zip(assigned, ks, strict=True):
            labels[:] = by_appearance(labels, k)
        return assigned


def all_centres(
    values: Matrix, partitions: NDArray[Any], ks: Sequence[int]
) -> list[NDArray[np.float64]]:
    """Return the means of the clusters of each partition."""
    columns = np.ascontiguousarray(values.T, dtype=np.float64)
    return [
        centres(columns, labels, k) for labels, k in zip(partitions, ks, strict=True)
    ]


def centres(
    columns: NDArray[np.float64], labels: NDArray[Any], k: int
) -> NDArray[np.float64]:
    """Return the means of the clusters, shape (k, m), of items in columns."""
    sizes = np.bincount(labels, minlength=k)
    sums = np.stack([np.bincount(labels, row, minlength=k) for row in columns], axis=1)
    return sums / np.maximum(sizes, 1)[:, None]


def by_appearance(labels: NDArray[Any], k: int) -> NDArray[Any]:
    """Return labels numbered by first appearance."""
    firsts = []
    for label in range(k):
        here = labels == label
        place = int(np.argmax(here))
        firsts.append(place if here[place] else len(labels) + label)
    rank = np.empty(k, dtype=labels.dtype)
    rank[np.argsort(firsts)] = np.arange(k)
    return rank[labels]
