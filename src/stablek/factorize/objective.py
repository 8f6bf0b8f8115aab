"""What a factorisation makes small: squared error, or Kullback-Leibler divergence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stablek.kernels.nmf import squared_error
from stablek.kernels.nmf_multiplicative import divergence

Matrix = NDArray[np.float64]


def euclidean(
    values: ArrayLike, coefficients: ArrayLike, metagenes: ArrayLike
) -> float:
    """Return 1/2 ||X - C M||^2, the thesis's f(W, H).

    Range 0 (exact) upwards; smaller is better. scikit-learn's ``reconstruction_err_``
    is the square root of twice this number.

    References
    ----------
    Lee and Seung (2001), NIPS 13, 556-562, eq. (1). Thesis, section 4.3.1.

    Examples
    --------
    >>> euclidean([[1.0, 0.0]], [[1.0]], [[0.0, 0.0]])
    0.5
    """
    return float(0.5 * squared_error(*_plain(values, coefficients, metagenes)))


def kullback_leibler(
    values: ArrayLike, coefficients: ArrayLike, metagenes: ArrayLike
) -> float:
    """Return the sum of x log(x / y) - x + y over entries x of X and y of C M.

    The term of an entry x = 0 is y. Range 0 (exact) upwards; smaller is better. It is
    half the deviance of a Poisson model of the data. Infinite in theory where y = 0 and
    x > 0; such an entry counts as y = 1e-200 here.

    References
    ----------
    Lee and Seung (2001), NIPS 13, 556-562, eq. (3). Brunet et al. (2004), PNAS 101,
    4164-4169, doi:10.1073/pnas.0308531101.

    Examples
    --------
    >>> kullback_leibler([[1.0, 0.0]], [[1.0]], [[1.0, 0.5]])
    0.5
    """
    return float(divergence(*_plain(values, coefficients, metagenes)))


def _plain(
    values: ArrayLike, coefficients: ArrayLike, metagenes: ArrayLike
) -> tuple[Matrix, Matrix, Matrix]:
    """Return writable copies in the kernels' layout, the one type they compile for."""
    first, second = _copy(values), _copy(np.asarray(coefficients).T)
    return first, second, _copy(metagenes)


def _copy(array: Any) -> Matrix:
    return np.array(array, dtype=np.float64, order="C")
