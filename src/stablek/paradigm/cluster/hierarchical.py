"""Hierarchical algorithms: one dendrogram serves all ks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Rows, Sample
from stablek.data.seeds import Streams
from stablek.kernels.cuts import cut_all
from stablek.kernels.draws import label_draws
from stablek.kernels.linkage import linkage, linkage_of_rows
from stablek.paradigm.cube import label_type


@dataclass(frozen=True)
class Hierarchical:
    """Agglomerative clustering, cut at k clusters.

    Average, complete, single or Ward linkage. Ward takes Euclidean distances. Ties go
    to the pair with the lowest indices.

    References
    ----------
    Thesis, section 1.2.1. Muellner (2011), arXiv:1109.2378. Ward (1963), JASA 58,
    236-244.
    """

    name: str
    method: str
    metric: str = "euclidean"
    random = False
    native = True

    def prepare(self, data: Dataset) -> None:
        """Compute the distances of the whole data once; samples take theirs from it."""
        data.distances(self.metric)

    def memory(self, n: int, m: int, k: int, itemsize: int) -> tuple[int, int]:
        """Return the bytes that all samples of n items share, and those of each."""
        return 8 * n * n, 8 * n * n

    def tree(self, sample: Sample) -> NDArray[np.float64]:
        """Return the merges of the sample, in SciPy's form, shape (len - 1, 4)."""
        whole = sample.source
        if sample.changed is None and (sample.dropped is None or whole.precomputed):
            return linkage_of_rows(
                whole.distances(self.metric), sample.rows, self.method
            )
        return linkage(sample.distances(self.metric), self.method)

    def partitions(
        self, sample: Sample, ks: Sequence[int], streams: Streams
    ) -> NDArray[Any]:
        """Return the cuts of one dendrogram at all ks."""
        return cut_all(self.tree(sample), np.asarray(ks), label_type(max(ks)))

    def label_draws(
        self,
        data: Dataset,
        draws: Sequence[Rows],
        ks: Sequence[int],
        labels: NDArray[Any],
    ) -> None:
        """Write the cuts of many draws of equal size, shape (draws, ks, items)."""
        label_draws(data.distances(self.metric), draws, self.method, ks, labels)
