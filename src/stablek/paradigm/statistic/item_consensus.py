"""How often an item falls with its own cluster, and with the runner-up."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: An item whose consensus with its own cluster exceeds that with the runner-up by less
#: than this lies between the two.
BETWEEN = 1 / 3

#: An item below the first with its own cluster, and at least at the second with the
#: runner-up, is not between the two: most subsamples put it into the runner-up.
OWN_BELOW, OTHER_FROM = 0.5, 0.75


@dataclass(frozen=True, eq=False)
class Standing:
    """Where items stand between their own cluster and the runner-up.

    Parameters
    ----------
    own
        Mean consensus with the other items of the own cluster; NaN where there are
        none, or none was drawn with the item.
    rival
        The other cluster with the largest mean consensus; -1 if nothing is known.
    second
        Mean consensus with that cluster; NaN if nothing is known.
    """

    own: Floats
    rival: NDArray[np.int64]
    second: Floats

    @property
    def margin(self) -> Floats:
        """By how much the own cluster is ahead; NaN where nothing is known."""
        margin = np.nan_to_num(self.own) - np.nan_to_num(self.second)
        margin[np.isnan(self.own) & np.isnan(self.second)] = np.nan
        return margin

    @property
    def between(self) -> NDArray[np.bool_]:
        """Which items lie between two clusters."""
        return np.isfinite(self.own) & (self.margin < BETWEEN)


def is_elsewhere(own: Floats, second: Floats) -> NDArray[np.bool_]:
    """Return which items are in another cluster in most subsamples.

    Examples
    --------
    >>> is_elsewhere(np.array([0.02, 0.4, np.nan]), np.array([1.0, 0.6, 1.0])).tolist()
    [True, False, False]
    """
    return (own < OWN_BELOW) & (second >= OTHER_FROM)


def standing(mean: Floats, partition: NDArray[np.integer[Any]]) -> Standing:
    """Return where items stand, from their mean consensus with every cluster.

    Parameters
    ----------
    mean : array of shape (items, k)
        NaN where an item was never drawn with an item of the cluster.
    partition : array of shape (items,)
        The own cluster of each item, from 0.

    Examples
    --------
    >>> found = standing(np.array([[0.9, 0.2], [0.5, 0.6]]), np.array([0, 1]))
    >>> found.rival.tolist(), found.between.tolist()
    ([1, 0], [False, True])
    """
    each = np.arange(len(mean))
    own = mean[each, partition].copy()
    others = np.where(np.isfinite(mean), mean, -1.0)
    others[each, partition] = -1.0
    rival = others.argmax(axis=1)
    second = others[each, rival]
    unknown = second < 0
    return Standing(
        own,
        np.where(unknown, -1, rival).astype(np.int64),
        np.where(unknown, np.nan, second),
    )
