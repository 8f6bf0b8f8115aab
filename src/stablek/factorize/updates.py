"""The update rules: point (ii) of the thesis's scheme of NMF (figure 4.1).

Each is one compiled function (data, transposed data, coefficients, metagenes,
iterations) that changes the two factors in place; coefficients come first in every
iteration, as in Brunet's script.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.errors import unknown_name
from stablek.kernels.nmf import hals, squared_error
from stablek.kernels.nmf_als import als
from stablek.kernels.nmf_multiplicative import (
    divergence,
    kullback_leibler,
    lee_seung,
    lin,
)

Matrix = NDArray[np.float64]


def half_squared_error(values: Matrix, coefficients: Matrix, genes: Matrix) -> float:
    """Return 1/2 ||X - C M||^2 of factors in the kernels' layout."""
    return 0.5 * float(squared_error(values, coefficients, genes))


@dataclass(frozen=True)
class Method:
    """An update rule, and what is known of it.

    Parameters
    ----------
    name
        The word a user types.
    steps
        The compiled rule.
    objective
        "euclidean" or "kullback-leibler".
    monotone
        Whether no iteration can raise the objective.
    multiplicative
        Whether an entry that is exactly 0 stays 0, so that starts must be positive.
    reference
        Where it comes from.
    """

    name: str
    steps: Callable[[Matrix, Matrix, Matrix, Matrix, int], None]
    objective: str
    monotone: bool
    multiplicative: bool
    reference: str

    def evaluate(self, values: Matrix, coefficients: Matrix, genes: Matrix) -> float:
        """Return the objective of factors in the kernels' layout."""
        if self.objective == "euclidean":
            return half_squared_error(values, coefficients, genes)
        return float(divergence(values, coefficients, genes))

    def of_nothing(self, values: Matrix) -> float:
        """Return what the objective is measured against: that of an empty model.

        For the divergence, which an empty model makes infinite, it is the sum of the
        values, the size of its linear terms.
        """
        if self.objective == "euclidean":
            return 0.5 * float(np.square(values).sum())
        return float(values.sum())


#: The word a user types, and the rule.
METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method(
            "hals",
            hals,
            "euclidean",
            monotone=True,
            multiplicative=False,
            reference="Cichocki, Zdunek and Amari (2007), ICA, 169-176; rounds as in "
            "Gillis and Glineur (2012), Neural Computation 24, 1085-1105",
        ),
        Method(
            "lee-seung",
            lee_seung,
            "euclidean",
            monotone=True,
            multiplicative=True,
            reference="Lee and Seung (2001), NIPS 13, 556-562, eq. (4); thesis, "
            "section 4.3.1",
        ),
        Method(
            "brunet",
            kullback_leibler,
            "kullback-leibler",
            monotone=True,
            multiplicative=True,
            reference="Lee and Seung (2001), NIPS 13, 556-562, eq. (5); Brunet et al. "
            "(2004), PNAS 101, 4164-4169",
        ),
        Method(
            "lin",
            lin,
            "euclidean",
            monotone=True,
            multiplicative=False,
            reference="Lin (2007), IEEE Trans. Neural Networks 18, 1589-1596; thesis, "
            "section 4.3.1",
        ),
        Method(
            "als",
            als,
            "euclidean",
            monotone=False,
            multiplicative=False,
            reference="Paatero and Tapper (1994), Environmetrics 5, 111-126; Berry et "
            "al. (2007), CSDA 52, 155-173, section 3.3; thesis, section 4.3.2",
        ),
    )
}


def method_named(name: str) -> Method:
    """Return the update rule of this name."""
    if name not in METHODS:
        raise unknown_name("factorisation method", name, METHODS)
    return METHODS[name]
