"""The update rules: point (ii) of the thesis's scheme of NMF (figure 4.1).

Each is a function (data, transposed data, coefficients, metagenes, iterations) that
changes the two factors in place; coefficients come first in every iteration, as in
Brunet's script. The plain rules are one compiled half each, which ``Alternating`` runs
in turn on the two factors; those that look back at earlier iterations are compiled
whole.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import unknown_name
from stablek.kernels.instructions import INTERPRETED
from stablek.kernels.nmf import normalise, squared_error
from stablek.kernels.nmf_als import als_half
from stablek.kernels.nmf_brunet import until_stationary, vectors_of
from stablek.kernels.nmf_hals import hals, plain_hals
from stablek.kernels.nmf_multiplicative import (
    divergence,
    divergence_half,
    flush,
    lee_seung_half,
    lin_half,
)
from stablek.kernels.nmf_squarem import accelerated

Matrix = NDArray[np.floating[Any]]
Half = Callable[[Matrix, Matrix, Matrix], None]
Steps = Callable[[Matrix, Matrix, Matrix, Matrix, int], None]


def half_squared_error(values: Matrix, coefficients: Matrix, genes: Matrix) -> float:
    """Return 1/2 ||X - C M||^2 of factors in the kernels' layout."""
    return 0.5 * float(squared_error(values, coefficients, genes))


@dataclass(frozen=True)
class Alternating:
    """Run one half of an update rule in turn on the coefficients and the metagenes.

    Parameters
    ----------
    half
        (data, fixed factor, moving factor): improve the moving one in place.
    normalised
        Whether metagenes are made to sum to 1 after every iteration.
    """

    half: Half
    normalised: bool = False

    def __call__(
        self,
        values: Matrix,
        transposed: Matrix,
        coefficients: Matrix,
        metagenes: Matrix,
        iterations: int,
    ) -> None:
        """Make so many iterations, in place."""
        for _ in range(iterations):
            self.half(transposed, metagenes, coefficients)
            self.half(values, coefficients, metagenes)
            if self.normalised:
                normalise(coefficients, metagenes)
        flush(coefficients)
        flush(metagenes)


lee_seung = Alternating(lee_seung_half)
kullback_leibler = Alternating(divergence_half)
lin = Alternating(lin_half, normalised=True)
als = Alternating(als_half)

#: Above, a row of components does not fit into registers any more.
LARGEST_LISTED = 32


def has_lists(values: Matrix, rank: int) -> bool:
    """Tell whether there is a kernel of Brunet's updates at non-zero entries alone."""
    return not INTERPRETED and values.dtype == np.float64 and rank <= LARGEST_LISTED


def brunet(
    values: Matrix,
    transposed: Matrix,
    coefficients: Matrix,
    metagenes: Matrix,
    iterations: int,
) -> None:
    """Make so many of the Kullback-Leibler iterations, in place."""
    rank = len(metagenes)
    if has_lists(values, rank):
        # One look at the end: too few for the partition to become stationary.
        limits = (iterations, 2, iterations, vectors_of(rank))
        until_stationary(values, transposed, coefficients, metagenes, *limits)
    else:
        kullback_leibler(values, transposed, coefficients, metagenes, iterations)


@dataclass(frozen=True)
class Method:
    """An update rule, and what is known of it.

    Parameters
    ----------
    name
        The word a user types.
    steps
        The rule.
    careful
        What to do instead where ``steps`` raised the objective, if it can.
    warm_up
        What to do with a random start first, if anything: ten cheap iterations for the
        squared error save twenty dear ones for the divergence.
    objective
        "euclidean" or "kullback-leibler".
    monotone
        Whether the objective cannot rise (with ``careful``, if there is one).
    multiplicative
        Whether an entry that is exactly 0 stays 0, so that starts must be positive.
    reference
        Where it comes from.
    """

    name: str
    steps: Steps
    objective: str
    monotone: bool
    multiplicative: bool
    reference: str
    careful: Steps | None = None
    warm_up: Steps | None = None

    def evaluate(self, values: Matrix, coefficients: Matrix, genes: Matrix) -> float:
        """Return the objective of factors in the kernels' layout."""
        if self.objective == "euclidean":
            return half_squared_error(values, coefficients, genes)
        return float(divergence(values, coefficients, genes))

    def of_mean(self, values: Matrix) -> float:
        """Return the objective if every item were the mean, up to the item's total.

        Squared error: half the sum of squares about the mean item. Divergence: that of
        the products of row and column sums, which is the mutual information of rows
        and columns times the total. Items that are all alike leave nothing to explain;
        a trace of the data's own size stands in, so that there is a unit.
        """
        mean = values.mean(axis=0)
        if self.objective == "euclidean":
            spread = 0.5 * float(np.square(values - mean).sum())
            return max(spread, 1e-9 * float(np.square(values).sum()))
        totals = values.sum(axis=1) / mean.sum()
        spread = float(divergence(values, totals[None], mean[None]))
        return max(spread, 1e-9 * float(values.sum()))


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
            reference="Cichocki, Zdunek and Amari (2007), ICA, 169-176; several rounds "
            "as in Gillis and Glineur (2012), Neural Computation 24, 1085-1105; "
            "extrapolation after Ang and Gillis (2019), Neural Computation 31, 417-439",
            careful=plain_hals,
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
            brunet,
            "kullback-leibler",
            monotone=True,
            multiplicative=True,
            reference="Lee and Seung (2001), NIPS 13, 556-562, eq. (5); Brunet et al. "
            "(2004), PNAS 101, 4164-4169",
        ),
        Method(
            "kl",
            accelerated,
            "kullback-leibler",
            monotone=True,
            multiplicative=True,
            reference="the updates of brunet, accelerated after Varadhan and Roland "
            "(2008), Scandinavian Journal of Statistics 35, 335-353",
            careful=kullback_leibler,
            warm_up=hals,
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
