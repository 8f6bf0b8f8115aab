"""K-means for clusters that share a stretched shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Sample
from stablek.data.seeds import Streams
from stablek.kernels.common_shape import refine_sweep
from stablek.kernels.lloyd import lloyd_sweep
from stablek.paradigm.cluster.kmeans import KMeans

Floats = NDArray[np.float64]

#: Added to the covariance, as a share of the mean variance of the columns.
RIDGE = 0.01

#: The most iterations of K-means in one metric.
ITERATIONS = 100

#: Up to this many columns one kernel does it all. Beyond, LAPACK is faster.
COMPILED = 64


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
        return self.refine_each(sample, starts, ks).astype(starts.dtype)

    def refine(self, sample: Sample, labels: NDArray[Any], k: int) -> NDArray[Any]:
        """Return where the alternation leads from a partition into k clusters."""
        refined: NDArray[Any] = self.refine_each(sample, labels[None], [k])[0]
        return refined

    def refine_each(
        self, sample: Sample, starts: NDArray[Any], ks: Sequence[int]
    ) -> NDArray[Any]:
        """Return where the alternation leads from one partition per k."""
        values = np.asarray(sample.values(), dtype=np.float64)
        values = values - values.mean(axis=0)
        ridge = max(RIDGE * float((values * values).mean()), 1e-290)
        if values.shape[1] <= COMPILED:
            return refine_sweep(
                values, starts, ks, ridge, rounds=self.rounds, max_iter=ITERATIONS
            )
        products = values.T @ values
        refined = []
        for labels, k in zip(starts, ks, strict=True):
            for _ in range(self.rounds):
                white = whitened(values, products, ridge, labels, k)
                before, labels = (
                    labels,
                    lloyd_sweep(white, labels[None], [k], ITERATIONS)[0][0],
                )
                if np.array_equal(before, labels):
                    break
            refined.append(labels)
        return np.array(refined)


def whitened(
    values: Floats, products: Floats, ridge: float, labels: NDArray[Any], k: int
) -> Floats:
    """Return centred items in units of the common covariance of k clusters.

    ``products`` are the sums of squares and products of the columns; ``ridge`` is added
    to every variance.

    Examples
    --------
    >>> wide = np.array([[-4.0, -1.0], [4.0, -1.0], [-4.0, 1.0], [4.0, 1.0]])
    >>> moved = whitened(wide, wide.T @ wide, 0.085, np.array([0, 0, 1, 1]), 2)
    >>> moved.std(axis=0).round(2).tolist()  # the wide column tells nothing apart
    [1.0, 3.43]
    """
    member = np.zeros((len(values), k))
    member[np.arange(len(values)), labels] = 1.0
    size = np.maximum(member.sum(axis=0), 1.0)
    sums = member.T @ values
    within = (products - sums.T @ (sums / size[:, None])) / len(values)
    within[np.diag_indices(len(within))] += ridge
    root = np.linalg.cholesky(within)
    return np.ascontiguousarray(values @ np.linalg.inv(root).T)
