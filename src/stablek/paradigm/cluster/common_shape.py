"""K-means for clusters that share a stretched shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Sample
from stablek.data.seeds import Streams
from stablek.kernels.lloyd import lloyd_sweep
from stablek.paradigm.cluster.kmeans import KMeans

Floats = NDArray[np.float64]

#: Added to the covariance, as a share of the mean variance of the columns.
RIDGE = 0.01


@dataclass(frozen=True)
class CommonShape:
    """K-means in the metric of the clusters' common covariance.

    K-means takes clusters for round. Here the covariance within clusters, pooled over
    all of them, sets the metric: items are whitened by it, Lloyd's iterations go on
    from the partition, and the two steps alternate until no label changes (at most
    ``rounds`` times). This lowers the determinant of the covariance within clusters,
    as Friedman and Rubin proposed. It starts from another K-means.

    References
    ----------
    Friedman, Rubin (1967), JASA 62, 1159-1178.
    """

    name: str
    start: KMeans
    rounds: int = 5
    random = False
    native = True

    def prepare(self, data: Dataset) -> None:
        """Prepare the start."""
        self.start.prepare(data)

    def memory(self, n: int, m: int, k: int, itemsize: int) -> tuple[int, int]:
        """Return the bytes that all samples of n items share, and those of each."""
        shared, each = self.start.memory(n, m, k, itemsize)
        return shared, each + 8 * m * (3 * n + 2 * m)

    def partitions(
        self, sample: Sample, ks: Sequence[int], streams: Streams
    ) -> NDArray[Any]:
        """Return one partition per k."""
        starts = self.start.partitions(sample, ks, streams)
        items = Centred.of(sample)
        refined = [
            self._refined(items, labels, k)
            for labels, k in zip(starts, ks, strict=True)
        ]
        return np.array(refined, dtype=starts.dtype)

    def refine(self, sample: Sample, labels: NDArray[Any], k: int) -> NDArray[Any]:
        """Return where the alternation leads from a partition into k clusters."""
        return self._refined(Centred.of(sample), labels, k)

    def _refined(self, items: Centred, labels: NDArray[Any], k: int) -> NDArray[Any]:
        counts = np.asarray([k], dtype=np.int64)
        for _ in range(self.rounds):
            found = lloyd_sweep(items.whitened(labels, k), labels[None], counts, 100)
            refined: NDArray[Any] = found[0][0]
            if np.array_equal(refined, labels):
                break
            labels = refined
        return labels


@dataclass(frozen=True, eq=False)
class Centred:
    """Items around their mean, with what no partition changes.

    Parameters
    ----------
    values
        The items, less their mean.
    products
        The sums of squares and products of the columns.
    ridge
        What is added to every variance.
    """

    values: Floats
    products: Floats
    ridge: float

    @classmethod
    def of(cls, sample: Sample) -> Centred:
        """Return the items of a sample, less their mean."""
        values = np.asarray(sample.values(), dtype=np.float64)
        values = values - values.mean(axis=0)
        ridge = max(RIDGE * float((values * values).mean()), 1e-290)
        return cls(values, values.T @ values, ridge)

    def whitened(self, labels: NDArray[Any], k: int) -> Floats:
        """Return the items in units of the common covariance of k clusters.

        Examples
        --------
        >>> wide = np.array([[-4.0, 0.0], [4.0, 0.0], [-4.0, 2.0], [4.0, 2.0]])
        >>> items = Centred.of(Dataset(wide).whole())
        >>> moved = items.whitened(np.array([0, 0, 1, 1]), 2)
        >>> moved.std(axis=0).round(2).tolist()  # the wide column tells nothing apart
        [1.0, 3.43]
        """
        values = self.values
        member = np.zeros((len(values), k))
        member[np.arange(len(values)), labels] = 1.0
        size = np.maximum(member.sum(axis=0), 1.0)
        sums = member.T @ values
        within = (self.products - sums.T @ (sums / size[:, None])) / len(values)
        within[np.diag_indices(len(within))] += self.ridge
        root = np.linalg.cholesky(within)
        return np.ascontiguousarray(values @ np.linalg.inv(root).T)
