"""Sums over the cells of a histogram of pairs: what the values of M add up to."""

import numpy as np
from numpy.typing import NDArray


def distribution_sums(
    m: NDArray[np.float64], weight: NDArray[np.int64]
) -> tuple[float, float, float, float, float]:
    """Return what the weighted distribution of values within [0, 1] adds up to.

    ``weight`` says how many pairs have each of the values ``m``; at least one has. With
    w the weights as shares, the five sums are: sum w m; the sum over successive values
    of their difference times the share at or below the larger; the share with 0.1 < m <
    0.9; sum 4 w (m - 1/2)^2; sum w (m log m + (1 - m) log(1 - m)).

    Examples
    --------
    >>> distribution_sums(np.array([0.0, 0.5, 1.0]), np.array([1, 1, 2]))[:4]
    (0.625, 0.75, 0.25, 0.75)
    """
    share = weight / weight.sum()
    inner = (m > 0) & (m < 1)
    p = m[inner]
    logs = p * np.log(p) + (1 - p) * np.log1p(-p)
    order = m.argsort(kind="stable")
    values = m[order]
    # Below or at each value: known at the last of the cells that share it.
    below = share[order].cumsum()
    below = below[values.searchsorted(values, "right") - 1]
    return (
        float((share * m).sum()),
        float(((values[1:] - values[:-1]) * below[1:]).sum()),
        float(share[(m > 0.1) & (m < 0.9)].sum()),
        float((4 * ((m - 0.5) * (m - 0.5)) * share).sum()),
        float((share[inner] * logs).sum()),
    )
