"""Reduce the columns before a run: principal components or metagenes.

Both are deterministic for given data, so they are preparation and no perturbation
(thesis, section 1.5.3). ``stablek.paradigm.perturb.projection`` has random projections.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.data.seeds import stream
from stablek.errors import InputError

Floats = NDArray[np.float64]


def pca(data: Dataset, components: int) -> Dataset:
    """Return the scores on the first principal components, largest variance first.

    The columns are centred and not scaled. Each axis points so that its largest loading
    is positive. With all components Euclidean distances are unchanged.

    References
    ----------
    Jolliffe (2002), Principal Component Analysis, section 3.1. Thesis, section 1.5.3.
    """
    most = min(data.n - 1, data.m)
    _check(data, "pca", components, most)
    values = np.asarray(data.values, dtype=np.float64)
    centred = values - values.mean(axis=0)
    spread, axes = np.linalg.svd(centred, full_matrices=False)[1:]
    kept = axes[:components]
    largest = np.abs(kept).argmax(axis=1)
    signs = np.where(kept[np.arange(components), largest] < 0, -1.0, 1.0)
    scores = centred @ (kept * signs[:, None]).T
    total = float((spread**2).sum())
    share = float((spread[:components] ** 2).sum()) / total if total else 1.0
    note = f"{components} principal components of {data.m:,} columns"
    return _named(data, scores, f"{note} ({share:.1%} of the variance)", "PC")


def nmf(data: Dataset, rank: int, seed: int = 0) -> Dataset:
    """Return the items' coefficients in a non-negative factorisation of this rank.

    Negative values are refused. The start is random and follows from the seed.

    References
    ----------
    Lee, Seung (1999), Nature 401, 788-791. Thesis, chapter 4 and section 1.5.3.
    """
    from stablek.factorize import factorise

    _check(data, "nmf", rank, min(data.n, data.m))
    below = int((data.values < 0).sum())
    if below:
        raise InputError(
            f"{below} of {data.values.size} values are negative, down to "
            f"{data.values.min():g}, and nmf:{rank} needs values of at least 0; use "
            f"pca:{rank}, which accepts them"
        )
    factors = factorise(data.values, rank, rng=stream(seed, "reduce", "nmf", rank))
    values = np.asarray(data.values, dtype=np.float64)
    rest = np.linalg.norm(values - factors.coefficients @ factors.metagenes)
    error = float(rest / (np.linalg.norm(values) or 1.0))
    note = f"{rank} NMF coefficients of {data.m:,} columns (relative error {error:.1%})"
    return _named(data, factors.coefficients, note, "metagene")


def classical_scaling(distances: Floats) -> tuple[Floats, Floats]:
    """Return eigenvalues, largest first, and the axes of what has these distances.

    The coordinates are the axes times the roots of the eigenvalues; a negative one says
    that some distances belong to no coordinates at all. The largest entry of an axis is
    positive.

    References
    ----------
    Torgerson (1952), Psychometrika 17, 401-419.

    Examples
    --------
    >>> spread, axes = classical_scaling(np.abs(np.subtract.outer([0.0, 3], [0, 3])))
    >>> [float(x) for x in np.round(np.abs(axes[:, 0]) * np.sqrt(spread[0]), 12)]
    [1.5, 1.5]
    """
    squares = distances**2
    inner = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None]
    spread, axes = np.linalg.eigh(-0.5 * (inner + squares.mean()))
    spread, axes = spread[::-1], axes[:, ::-1]
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])]
    return spread, axes * np.where(largest < 0, -1.0, 1.0)


def _check(data: Dataset, step: str, count: int, most: int) -> None:
    if data.precomputed:
        raise InputError(
            f"{step} needs values, but the input is a distance matrix; leave it out"
        )
    if not 1 <= count <= most:
        raise InputError(
            f"{step}:{count} is out of range: these data have 1 to {most} components"
        )


def _named(data: Dataset, values: np.ndarray, note: str, word: str) -> Dataset:
    names = tuple(f"{word}{i + 1}" for i in range(values.shape[1]))
    return replace(data.with_values(values, note), columns=names, _distances={})
