"""The components that stand out of noise: parallel analysis by sign flips."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Streams

Floats = NDArray[np.float64]

FLIPS = 15
QUANTILE = 0.95
ALL_UP_TO = 10  # columns: so many components are kept if any stands out
LOOKED_AT_FROM = 5  # columns: with fewer, clusters may leave no component wider
MOST_COMPONENTS = 14


def principal(
    values: Floats, streams: Streams
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
    mean = values.mean(axis=0)
    centred = values - mean
    variance, axes = spectrum(centred, vectors=True)
    total = float(variance.sum())
    real = max(int((variance > 1e-12 * max(total, 1e-300)).sum()), 1)
    found = None
    keep = real
    if values.shape[1] >= LOOKED_AT_FROM:
        found = min(standing_out(centred, variance, axes, streams), real)
    if found == 0 and values.shape[1] < len(values):
        turn, turned = rotation(values.shape[1], streams), streams.under("turned")
        found = standing_out(centred @ turn, variance, turn.T @ axes, turned)
        found = min(found, real)
    if found is not None and values.shape[1] > ALL_UP_TO:
        keep = min(max(found, 2), real)
    share = float(variance[:keep].sum() / total) if total > 0 else 1.0
    return mean, axes[:, :keep], share, found


def standing_out(
    centred: Floats, variance: Floats, axes: Floats, streams: Streams
) -> int:
    """Return how many components exceed what random signs leave of the rest."""
    n = len(centred)
    most = min(MOST_COMPONENTS, len(variance) - 1)
    found = 0
    while found < most:
        taken = axes[:, :found]
        rest = centred - (centred @ taken) @ taken.T
        top = np.empty(FLIPS)
        for b in range(FLIPS):
            signs = streams("signs", found, b).integers(0, 2, rest.shape, np.int8)
            top[b] = spectrum(np.where(signs, rest, -rest), vectors=False)[0][0]
        top *= n / max(n - 1 - found, 1)
        above = variance[:most] > np.quantile(top, QUANTILE)
        now = most if above.all() else int(np.argmin(above))
        if now <= found:
            break
        found = now
    return found


def rotation(size: int, streams: Streams) -> Floats:
    """Return a random rotation, or a rotation and a mirror."""
    free = streams("rotation").normal(size=(size, size))
    turned, upper = np.linalg.qr(free)
    around: Floats = turned * np.sign(np.diag(upper))
    return around


def spectrum(centred: Floats, *, vectors: bool) -> tuple[Floats, Floats]:
    """Return squared singular values, largest first, and the axes as columns."""
    n, m = centred.shape
    wide = m > n
    gram = centred @ centred.T if wide else centred.T @ centred
    if not vectors:
        return np.maximum(np.linalg.eigvalsh(gram)[::-1], 0.0), gram[:0]
    values, axes = np.linalg.eigh(gram)
    values, axes = np.maximum(values[::-1], 0.0), axes[:, ::-1]
    if wide:
        length = np.sqrt(np.maximum(values, 1e-300))
        axes = centred.T @ axes / length
    # The sign of an axis is free; its largest entry is made positive.
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    return values, axes * np.where(signs == 0, 1.0, signs)
