"""The components that stand out from noise: parallel analysis by sign flips."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Streams
from stablek.panel.some_rows import SomeRows

Floats = NDArray[np.float64]

FLIPS = 15
QUANTILE = 0.95
ALL_UP_TO = 10  # columns: so many components are kept if any stands out
LOOKED_AT_FROM = 5  # columns: with fewer, clusters may leave no component wider
MOST_COMPONENTS = 14
BLOCK = 500_000  # values that are held at a time


def principal(
    values: Floats | SomeRows, streams: Streams
) -> tuple[Floats, Floats, float, int | None]:
    """Return mean, axes kept, their share of the variance, and how many stand out.

    Below five columns all components are kept, and up to ten if any stands out.
    Component j stands out if its variance exceeds the 95 % quantile of the largest one
    after the components before it were taken out and every entry got a random sign:
    parallel analysis by sign flips, with deflation. What is taken out took its share of
    the noise with it, one row's worth for the mean and for every component; the rest is
    made so much longer. (Without that, noise in many columns would go on standing out:
    14 components instead of 2 with 60 items in 2000 columns. The columns' share is left
    alone: giving it back too hides true components where there are more rows than
    columns.) At most 14 are kept, and at least two.

    Signs leave every column as wide as it was, so a component that is one column never
    stands out, and nothing does in scores of a PCA, which are not correlated. Where
    that is so, and rows outnumber columns, the columns are turned at random first: then
    what stands out is wider than if all directions were alike.

    Horn's permutations within columns would forget which rows are wide (a wide cluster
    then seems to hold many components) and let a strong first component hide the
    others; on simulated mixtures in ten columns they left 2 of 9 components.

    References
    ----------
    Hong, Sheng, Dobriban (2020), Selecting the number of components in PCA via random
    signflips, arXiv:2012.02985. Dobriban, Owen (2019), JRSS B 81, 163-183 (deflation).
    Horn (1965), Psychometrika 30, 179-185.
    """
    mean = column_means(values)
    centred = Centred(values, mean)
    variance, axes = centred.spectrum()
    total = float(variance.sum())
    real = max(int((variance > 1e-12 * max(total, 1e-300)).sum()), 1)
    standing = None
    keep = real
    if values.shape[1] >= LOOKED_AT_FROM:
        standing = min(standing_out(centred, variance, axes, streams), real)
    if standing == 0 and values.shape[1] < len(values):
        turn, turned = rotation(values.shape[1], streams), streams.under("turned")
        around = Centred((values[:] - mean) @ turn, np.zeros(values.shape[1]))
        standing = min(standing_out(around, variance, turn.T @ axes, turned), real)
    if standing is not None and values.shape[1] > ALL_UP_TO:
        keep = min(max(standing, 2), real)
    share = float(variance[:keep].sum() / total) if total > 0 else 1.0
    return mean, np.ascontiguousarray(axes[:, :keep]), share, standing


@dataclass(frozen=True, eq=False)
class Centred:
    """A table less the means of its columns; a wide one is never held whole."""

    values: Floats | SomeRows
    mean: Floats

    def blocks(self, taken: Floats | None = None) -> Iterator[tuple[slice, Floats]]:
        """Yield columns, less what these axes hold; all at once unless it is wide."""
        n, m = self.values.shape
        size = max(1, BLOCK // n) if m > n else m
        parts = [slice(first, min(first + size, m)) for first in range(0, m, size)]
        along: Any = 0.0
        if taken is not None:
            along = sum(block @ taken[part] for part, block in self.blocks())
        for part in parts:
            block = self.values[:, part] - self.mean[part]
            if taken is not None:
                block -= along @ taken[part].T
            yield part, block

    def spectrum(self) -> tuple[Floats, Floats]:
        """Return squared singular values, largest first, and the leading axes."""
        n, m = self.values.shape
        if m <= n:
            return spectrum(self.values[:] - self.mean)
        gram: Any = sum(block @ block.T for _, block in self.blocks())
        variance, left = falling(gram)
        left = left[:, : MOST_COMPONENTS + 1]
        left /= np.sqrt(np.maximum(variance[: left.shape[1]], 1e-300))
        axes = np.concatenate([block.T @ left for _, block in self.blocks()])
        return variance, with_signs(axes)

    def largest(self, taken: Floats, flips: np.random.Generator) -> float:
        """Return the largest squared singular value after random signs, of the rest."""
        n, m = self.values.shape
        signs = flips.integers(0, 2, (n, m), np.int8)
        gram: Any = 0.0
        for part, block in self.blocks(taken):
            block *= 2 * signs[:, part] - 1
            gram = gram + (block @ block.T if m > n else block.T @ block)
        return float(max(np.linalg.eigvalsh(gram)[-1], 0.0))


def column_means(values: Floats | SomeRows) -> Floats:
    """Return the mean of every column; of a wide table row after row, as NumPy adds."""
    n, m = values.shape
    means: Floats
    if m <= n:
        means = values[:].mean(axis=0)
        return means
    means = np.zeros(m)
    for row in range(n):
        means += values[row : row + 1][0]
    means /= n
    return means


def standing_out(
    centred: Centred, variance: Floats, axes: Floats, streams: Streams
) -> int:
    """Return how many components exceed what random signs leave of the rest."""
    n = len(centred.values)
    most = min(MOST_COMPONENTS, len(variance) - 1)
    count = 0
    while count < most:
        taken = axes[:, :count]
        flips = [streams("signs", count, b) for b in range(FLIPS)]
        top = np.array([centred.largest(taken, one) for one in flips])
        top *= n / max(n - 1 - count, 1)
        above = variance[:most] > np.quantile(top, QUANTILE)
        now = most if above.all() else int(np.argmin(above))
        if now <= count:
            break
        count = now
    return count


def rotation(size: int, streams: Streams) -> Floats:
    """Return a random rotation, or a rotation and a mirror."""
    free = streams("rotation").normal(size=(size, size))
    turned, upper = np.linalg.qr(free)
    return turned * np.sign(np.diag(upper))


def spectrum(centred: Floats) -> tuple[Floats, Floats]:
    """Return squared singular values, largest first, and the axes as columns."""
    variance, axes = falling(centred.T @ centred)
    return variance, with_signs(axes)


def falling(gram: Floats) -> tuple[Floats, Floats]:
    """Return eigenvalues, largest first and none negative, and eigenvectors."""
    values, vectors = np.linalg.eigh(gram)
    return np.maximum(values[::-1], 0.0), np.ascontiguousarray(vectors[:, ::-1])


def with_signs(axes: Floats) -> Floats:
    """Return axes whose largest entry is positive: their sign is free."""
    for axis in axes.T:
        if axis[np.abs(axis).argmax()] < 0:
            axis *= -1.0
    return axes
