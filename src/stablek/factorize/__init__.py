"""Non-negative matrix factorisation, for its own sake and as a way to cluster.

Items are the rows of ``values`` (n, m), which is approximated by coefficients (n, k)
times metagenes (k, m), all non-negative. The thesis writes the transpose: V = W H,
with W = metagenes' (features, k) and H = coefficients' (k, items).
"""

from stablek.factorize.factorisation import (
    Factorisation,
    factorisations,
    factorise,
    labels,
)
from stablek.factorize.nonnegative import fold, made_nonnegative, shift
from stablek.factorize.path import path
from stablek.factorize.stop import (
    FixedIterations,
    StationaryConnectivity,
    StationaryObjective,
)
from stablek.factorize.updates import METHODS

__all__ = [
    "METHODS",
    "Factorisation",
    "FixedIterations",
    "StationaryConnectivity",
    "StationaryObjective",
    "factorisations",
    "factorise",
    "fold",
    "labels",
    "made_nonnegative",
    "path",
    "shift",
]
