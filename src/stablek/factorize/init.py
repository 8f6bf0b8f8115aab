"""Where to start: point (i) of the thesis's scheme of NMF (figure 4.1).

A start is a pair (coefficients, metagenes) in the kernels' layout, (rank, n) and
(rank, m).
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stablek.errors import InputError, unknown_name
from stablek.kernels.centroids import means

Matrix = NDArray[np.float64]
Start = tuple[Matrix, Matrix]

# How much of each item, and of each metagene, a partition's start spreads evenly.
SPREAD = 0.2

STARTS = ("random", "nndsvd")


def started(
    values: Matrix,
    rank: int,
    init: str | ArrayLike,
    rng: np.random.Generator | None,
    *,
    positive: bool,
) -> tuple[Start, str]:
    """Return the start a user asked for, and its name in the result."""
    if not isinstance(init, str):
        return from_partition(values, rank, init), "partition"
    if init not in STARTS:
        raise unknown_name("start of a factorisation", init, STARTS)
    if init == "random":
        return random(values, rank, needed(rng)), "random"
    return nndsvd(values, rank, rng, positive=positive), "nndsvd"


def needed(rng: np.random.Generator | None) -> np.random.Generator:
    """Return the generator, or say that this start draws from one."""
    if rng is None:
        raise InputError(
            "a random start needs rng=stablek.data.seeds.stream(seed, ...)"
        )
    return rng


def random(values: Matrix, rank: int, rng: np.random.Generator) -> Start:
    """Return factors with independent entries, uniform in (0, a].

    a is such that the model's mean is that of the data. The coefficients are drawn
    first.
    """
    n, m = values.shape
    most = 2.0 * np.sqrt(values.mean() / rank)
    coefficients = most * (1.0 - rng.random((rank, n)))
    return coefficients, most * (1.0 - rng.random((rank, m)))


def nndsvd(
    values: Matrix,
    rank: int,
    rng: np.random.Generator | None = None,
    *,
    positive: bool = False,
) -> Start:
    """Return non-negative parts of the leading singular triplets.

    Of each triplet the larger of the positive and the negative part is kept. With
    ``positive``, which multiplicative updates need, zeros become the mean of the data
    (the variant NNDSVDa). Components beyond the rank of the data have no triplet; they
    are drawn at random.

    References
    ----------
    Boutsidis and Gallopoulos (2008), Pattern Recognition 41, 1350-1362,
    doi:10.1016/j.patcog.2007.09.010, figure 1 and section 2.3.
    """
    left, sizes, right = np.linalg.svd(values, full_matrices=False)
    usable = min(rank, int((sizes > 1e-12 * sizes[0]).sum()))
    coefficients = np.empty((rank, values.shape[0]))
    metagenes = np.empty((rank, values.shape[1]))
    for j in range(usable):
        coefficients[j], metagenes[j] = _larger_part(left[:, j], right[j])
        coefficients[j] *= np.sqrt(sizes[j])
        metagenes[j] *= np.sqrt(sizes[j])
    if positive:
        coefficients[:usable][coefficients[:usable] <= 0.0] = values.mean()
        metagenes[:usable][metagenes[:usable] <= 0.0] = values.mean()
    if usable < rank:
        rest = random(values, rank - usable, needed(rng))
        coefficients[usable:], metagenes[usable:] = rest
    return coefficients, metagenes


def _larger_part(left: Matrix, right: Matrix) -> Start:
    """Return the non-negative part of larger norm of one singular pair.

    The sign of the pair does not matter. The leading pair of a non-negative matrix is
    of one sign, so its larger part is the whole of it.
    """
    best: Start | None = None
    most = -1.0
    for sign in (1.0, -1.0):
        u, v = np.maximum(sign * left, 0.0), np.maximum(sign * right, 0.0)
        size_u, size_v = np.sqrt(np.square(u).sum()), np.sqrt(np.square(v).sum())
        if size_u * size_v > most:
            most = float(size_u * size_v)
            scale = np.sqrt(most)
            best = (u * scale / (size_u or 1.0), v * scale / (size_v or 1.0))
    if best is None:
        raise InputError("a singular pair is NaN")
    return best


def from_partition(values: Matrix, rank: int, labels: ArrayLike) -> Start:
    """Return strictly positive factors that stand for a partition.

    An item gives four fifths of its weight to its own cluster and spreads one fifth
    evenly over all; a metagene is four fifths its cluster's mean and one fifth the mean
    of all items. A cluster without items starts from the mean of all items.

    Exact zeros would never move under multiplicative updates, and the factorisation
    would return the partition it was given.

    References
    ----------
    Ding, Li and Jordan (2010), IEEE Trans. PAMI 32, 45-55, section 3.2, who add 0.2 to
    the indicators of a K-means partition. Thesis, section 5.2.
    """
    codes = np.asarray(labels)
    n = len(values)
    if codes.shape != (n,) or codes.dtype.kind not in "iu":
        raise InputError(
            f"a start from a partition needs one whole number per item ({n} of them)"
        )
    if int(codes.min()) < 0 or int(codes.max()) >= rank:
        raise InputError(
            f"labels run from {codes.min()} to {codes.max()}; for rank {rank} they "
            f"must lie in 0..{rank - 1}"
        )
    coefficients = np.full((rank, n), SPREAD / rank)
    coefficients[codes, np.arange(n)] += 1.0 - SPREAD
    overall = values.mean(axis=0)
    centres, sizes = np.empty((rank, values.shape[1])), np.empty(rank, np.int64)
    means(values, np.zeros_like(overall), codes.astype(np.int64), rank, centres, sizes)
    centres[sizes == 0] = overall
    metagenes = (1.0 - SPREAD) * centres + SPREAD * overall
    # A column of zeros has no mean to spread; a trace of the data's own will do.
    metagenes += 1e-9 * values.mean()
    return coefficients, metagenes


def positive_start(start: Any) -> Start:
    """Return a start without zeros: a hundredth of a component's mean replaces them."""
    coefficients, metagenes = start
    for factor in (coefficients, metagenes):
        least = 0.01 * factor.mean(axis=1, keepdims=True)
        np.maximum(factor, least, out=factor)
    return coefficients, metagenes
