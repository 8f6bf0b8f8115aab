"""Merging down from k_max: the approximations WCSS-R and FOM-R."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Sample
from stablek.data.seeds import Streams
from stablek.errors import InputError
from stablek.kernels.centroids import merge_down, merge_nearest_centroids
from stablek.paradigm.contracts import Clusterer, Refiner


@dataclass(frozen=True)
class MergedDown:
    """Cluster once at the largest k; go down by merging the nearest centroids.

    Where ``refresh`` R > 0 and k mod R = 0, the merged partition is refined by the
    algorithm, started from it; R = 0 never refines.

    References
    ----------
    Thesis, section 7.1, procedure WCSS-R. At equal distance the clusters that appear
    first are merged.
    """

    inner: Clusterer
    refresh: int = 0

    @property
    def name(self) -> str:
        """The name of the algorithm that is approximated."""
        return self.inner.name

    @property
    def random(self) -> bool:
        """Whether that algorithm is random."""
        return self.inner.random

    @property
    def native(self) -> bool:
        """Whether threads pay."""
        return self.inner.native

    def prepare(self, data: Dataset) -> None:
        """Prepare the algorithm."""
        self.inner.prepare(data)

    def partitions(
        self, sample: Sample, ks: Sequence[int], streams: Streams
    ) -> NDArray[Any]:
        """Return the partitions on the way down from the largest of the ks."""
        values = sample.values()
        labels = self.inner.partitions(sample, (max(ks),), streams)[0]
        if self.refresh == 0:
            way = merge_down(values, labels)
            return way[np.minimum(ks, len(way)) - 1]
        by_k = {max(ks): labels}
        refiner = cast("Refiner", self.inner)
        for k in range(max(ks) - 1, min(ks) - 1, -1):
            # An algorithm may give fewer clusters than asked: nothing to merge then.
            clusters = len(np.unique(labels))
            if clusters > k:
                labels = merge_nearest_centroids(values, labels, clusters)
            if k % self.refresh == 0:
                labels = refiner.refine(sample, labels, k)
            by_k[k] = labels
        return np.stack([np.asarray(by_k[k], dtype=np.uint16) for k in ks])


@dataclass(frozen=True)
class MergeDown:
    """Make of an algorithm its approximation by merging: step 6 of wcss-r and fom-r."""

    refresh: int = 0

    def __post_init__(self) -> None:
        if self.refresh < 0:
            raise InputError(
                f"refresh = {self.refresh} must be 0 (never) or more, e.g. 2 or 5"
            )

    def __call__(self, clusterer: Clusterer) -> Clusterer:
        """Return the approximation of an algorithm."""
        if self.refresh and not hasattr(clusterer, "refine"):
            raise InputError(
                f"refresh = {self.refresh} needs an algorithm that can start from a "
                f"partition (kmeans-r, -a, -c, -s, -w); {clusterer.name} cannot: use "
                "refresh=0"
            )
        return MergedDown(clusterer, self.refresh)
