"""The matrix to factorise, as the kernels want it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stablek.errors import unknown_name
from stablek.factorize.nonnegative import required
from stablek.kernels.nmf import wide

Matrix = NDArray[np.float64]
Work = NDArray[np.floating[Any]]

#: The words a user types. In single precision an iteration takes about half the time,
#: and the objective is good to five or six digits.
PRECISIONS = {"double": np.float64, "single": np.float32}


@dataclass(frozen=True, eq=False)
class Problem:
    """A matrix made ready: checked once, scaled, and in both orders.

    The scale is a power of two, so nothing is rounded, and constants of the update
    rules mean the same for any unit of measurement. ``rows`` and ``columns`` are the
    kernels' copies, padded with zeros that no rule moves: (n, m or more) and (m, n or
    more), so that vectorised loops have no rest.
    """

    values: Matrix
    rows: Work
    columns: Work
    exponent: int

    @classmethod
    def of(cls, values: ArrayLike, precision: str = "double") -> Problem:
        """Return the problem of factorising these values in this precision."""
        if precision not in PRECISIONS:
            raise unknown_name("precision", precision, PRECISIONS)
        plain = required(values)
        exponent = math.frexp(float(plain.max()))[1]
        scaled = np.ldexp(np.ascontiguousarray(plain), -exponent)
        kind = PRECISIONS[precision]
        return cls(scaled, padded(scaled, kind), padded(scaled.T, kind), exponent)

    def own(self, start: tuple[Any, Any]) -> tuple[Work, Work]:
        """Return a start as the kernels want it: padded, in the problem's precision."""
        kind = self.rows.dtype
        return padded(start[0], kind), padded(start[1], kind)

    def bare(self, coefficients: Work, metagenes: Work) -> tuple[Matrix, Matrix]:
        """Return factors without padding, as float64."""
        n, m = self.values.shape
        return (
            coefficients[:, :n].astype(np.float64),
            metagenes[:, :m].astype(np.float64),
        )


def padded(matrix: Any, kind: Any) -> Work:
    """Return a copy whose rows end in zeros, as many as vectorised loops need."""
    length = matrix.shape[1]
    whole = np.zeros((len(matrix), wide(length)), kind)
    whole[:, :length] = matrix
    return whole
