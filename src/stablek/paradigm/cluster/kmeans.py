"""K-means, started at random or from a hierarchical partition of the same sample."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Rows, Sample
from stablek.data.seeds import Streams
from stablek.kernels.cuts import cut_all
from stablek.kernels.lloyd import lloyd_sweep
from stablek.paradigm.cluster.by_pairs import (
    is_wide,
    lloyd_of_draws,
    lloyd_of_sample,
    memory_by_pairs,
)
from stablek.paradigm.cluster.hierarchical import Hierarchical


@dataclass(frozen=True)
class KMeans:
    """Lloyd's K-means (thesis, section 1.2.2).

    With ``start`` None the centres are k distinct items drawn at random (kmeans-r);
    otherwise the start is the partition of that hierarchical algorithm on the same
    sample (kmeans-a, -c, -s, -w), whose dendrogram serves all ks. A cluster that runs
    empty takes the item farthest from its centre.

    References
    ----------
    Lloyd (1982), IEEE Trans. Information Theory 28, 129-137.
    """

    name: str
    start: Hierarchical | None = None
    max_iter: int = 100
    native = True

    @property
    def random(self) -> bool:
        """Whether the start is drawn at random."""
        return self.start is None

    def prepare(self, data: Dataset) -> None:
        """Prepare the hierarchical start, if there is one."""
        if self.start is not None:
            self.start.prepare(data)

    def memory(self, n: int, m: int, k: int, itemsize: int) -> tuple[int, int]:
        """Return the bytes that all samples of n items share, and those of each."""
        wide = is_wide(n, m, k)
        pairs, own = memory_by_pairs(n, k) if self.start or wide else (0, 0)
        own += n * m * (itemsize + 16) + 4 * n * (m + k)
        if self.start is None:
            return pairs, own
        shared, each = self.start.memory(n, m, k, itemsize)
        if self.start.metric == "euclidean" or not wide:
            pairs = 0
        return shared + pairs, each + own

    def partitions(
        self, sample: Sample, ks: Sequence[int], streams: Streams
    ) -> NDArray[Any]:
        """Return one run of Lloyd's iterations per k."""
        counts = np.asarray(ks, dtype=np.int64)
        if self.start is None:
            starts = np.concatenate(
                [streams(k).permutation(len(sample))[:k] for k in ks]
            )
            return lloyd_of_sample(sample, starts, counts, self.max_iter)
        cuts = self.start.partitions(sample, ks, streams)
        return lloyd_of_sample(sample, cuts, counts, self.max_iter)

    def label_draws(
        self,
        data: Dataset,
        draws: Sequence[Rows],
        ks: Sequence[int],
        labels: NDArray[Any],
    ) -> None:
        """Write the partitions of many draws of equal size, shape (draws, ks, items).

        Only for a hierarchical start: a random one has a stream for each draw.
        """
        assert self.start is not None
        self.start.label_draws(data, draws, ks, labels)
        counts = np.asarray(ks, dtype=np.int64)
        cuts = np.empty((len(draws), len(ks), len(draws[0])), labels.dtype)
        for rows, own, cut in zip(draws, labels, cuts, strict=True):
            cut[:] = own[:, rows]
            if (rows[1:] <= rows[:-1]).any():
                # An item drawn twice has one place there, but may be in two clusters.
                cut[:] = cut_all(self.start.tree(Sample(data, rows)), counts, cut.dtype)
        every = lloyd_of_draws(data, draws, cuts, counts, self.max_iter)
        for rows, own, refined in zip(draws, labels, every, strict=True):
            own[:, rows[::-1]] = refined[:, ::-1]

    def refine(self, sample: Sample, labels: NDArray[Any], k: int) -> NDArray[Any]:
        """Return where Lloyd's iterations lead from a partition into k clusters."""
        counts = np.asarray([k], dtype=np.int64)
        return lloyd_sweep(sample.values(), labels[None], counts, self.max_iter)[0][0]
