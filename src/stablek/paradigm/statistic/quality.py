"""One number for a partition: the statistics T that MECCA tests."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.errors import unknown_name
from stablek.kernels.dispersion import within_ss
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.dispersion import refuse_distances

Values = NDArray[np.float64]


def wcss(data: Dataset, labels: NDArray[Any]) -> Values:
    r"""Return WCSS of each partition; lower is more compact.

    .. math:: W = \sum_r \sum_{i \in C_r} \lVert x_i - \bar x_r \rVert^2
    """
    refuse_distances(data)
    return np.asarray(within_ss(data.values, labels), dtype=np.float64)


def calinski_harabasz(data: Dataset, labels: NDArray[Any]) -> Values:
    r"""Return the variance between clusters over that within; high is better.

    .. math:: \frac{B / (k - 1)}{W / (n - k)}, \qquad B = T - W

    with W the sum of squares within clusters and T that around the overall mean.

    References
    ----------
    Calinski, Harabasz (1974), Communications in Statistics 3, 1-27, Eq. 3.
    """
    within = wcss(data, labels)
    total = float(wcss(data, np.zeros((1, data.n), dtype=np.uint16))[0])
    ks = np.array([len(np.unique(row)) for row in labels], dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Values = ((total - within) / (ks - 1)) / (within / (data.n - ks))
    return ratio


def silhouette(
    data: Dataset, labels: NDArray[Any], metric: str = "euclidean"
) -> Values:
    r"""Return the mean silhouette width of each partition; high is better.

    .. math:: s_i = \frac{b_i - a_i}{\max(a_i, b_i)}

    a is the mean distance to the item's own cluster, b that to
    the nearest other one; 0 for an item alone in its cluster. Works on distances.

    References
    ----------
    Rousseeuw (1987), J. Comput. Appl. Math. 20, 53-65.
    """
    square = np.asarray(data.distances(metric), dtype=np.float64)
    return mean_widths(square, labels)


def mean_widths(square: Values, labels: NDArray[Any]) -> Values:
    """Return the mean silhouette width of each partition, all from one product.

    The sums of distances from every item to every cluster of every partition are the
    product of the distances with the matrix of memberships.
    """
    n = len(square)
    codes = [np.unique(row, return_inverse=True)[1].ravel() for row in labels]
    counts = [int(row.max()) + 1 for row in codes]
    ends = np.cumsum(counts)
    member = np.zeros((n, int(ends[-1])))
    each = np.arange(n)
    for row, end, k in zip(codes, ends, counts, strict=True):
        member[each, end - k + row] = 1.0
    sums, sizes = square @ member, member.sum(axis=0)
    means = np.zeros(len(codes))
    for place, (row, end, k) in enumerate(zip(codes, ends, counts, strict=True)):
        if k < 2:
            continue
        total, size = sums[:, end - k : end], sizes[end - k : end]
        inside = total[each, row] / np.maximum(size[row] - 1, 1)
        others = total / size
        others[each, row] = np.inf
        near = others.min(axis=1)
        most = np.maximum(inside, near)
        width = (near - inside) / np.where(most > 0, most, 1.0)
        means[place] = np.where(size[row] > 1, width, 0.0).mean()
    return means


#: The word a user types, what computes it, and which end is unusual.
QUALITIES: dict[str, tuple[Callable[[Dataset, NDArray[Any]], Values], str]] = {
    "wcss": (wcss, "low"),
    "calinski-harabasz": (calinski_harabasz, "high"),
    "silhouette": (silhouette, "high"),
}


@dataclass(frozen=True)
class Quality:
    """A statistic T of each partition: scores of shape (repeats, ks).

    ``statistic`` is a word of ``QUALITIES``, or a function ``(data, labels) -> number``
    of the caller's own, with labels of shape (n,). The silhouette is one of distances
    in ``metric``.
    """

    statistic: str | Callable[[Dataset, NDArray[Any]], float] = "wcss"
    metric: str = "euclidean"
    gives = "scores"
    roles = 1
    original = False

    def __post_init__(self) -> None:
        if isinstance(self.statistic, str) and self.statistic not in QUALITIES:
            raise unknown_name("statistic", self.statistic, QUALITIES)

    def of(self, data: Dataset, labels: NDArray[Any]) -> Values:
        """Return T of each row of labels."""
        if self.statistic == "silhouette":
            return silhouette(data, labels, self.metric)
        if isinstance(self.statistic, str):
            return QUALITIES[self.statistic][0](data, labels)
        return np.array([float(self.statistic(data, row)) for row in labels])

    def collect(self, cube: PartitionCube, data: Dataset) -> Values:
        """Return T for every repeat and k."""
        scores = np.full(cube.filled.shape, np.nan)
        done = cube.filled
        if done.any():
            labels = np.ascontiguousarray(cube.labels[:, :, 0][done])
            scores[done] = self.of(data, labels)
        return scores
