"""How the columns are scaled: what the advice on preparing them depends on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stablek.data import Dataset, Matrix
from stablek.panel.metric import COORDINATES

#: A column with more than this share of the variance of all decides by itself which
#: items are close; with fewer columns than FEWEST that is nothing unusual.
NEARLY_ALL = 0.9
FEWEST = 3

#: Whole numbers from 0 up are taken for counts from so many columns, and from such a
#: largest one: answers on a scale from 1 to 7 are none.
COUNTED_COLUMNS = 20
LARGEST_COUNT = 20
#: Totals that differ by less, from the lowest to the highest tenth, are left unsaid.
FOLD = 1.5


@dataclass(frozen=True)
class Scaling:
    """What is known of the scale of the columns.

    Parameters
    ----------
    alike
        Whether they have one variance, or were standardised at some step.
    logged
        Whether the values are logarithms already, or have no logarithm.
    widest
        Name and share of the column with nearly all of the variance; None where there
        is no such column.
    zeros
        Whether some values are 0, which has no logarithm.
    depth
        How many times the totals of counts differ from row to row; None where they do
        not, or the values are no counts.
    columns
        How many there are.
    """

    alike: bool = False
    logged: bool = False
    widest: tuple[str, float] | None = None
    zeros: bool = False
    depth: float | None = None
    columns: int = 0

    @classmethod
    def of(cls, data: Dataset) -> Scaling:
        """Return it for the columns of a data set, and for what was done to them."""
        variance = np.asarray(data.values.var(axis=0, dtype=np.float64))
        there = variance[variance > 0]
        alike = there.size == 0 or float(np.ptp(there)) <= 1e-6 * float(there.max())
        even = ("columns standardised", COORDINATES)
        alike |= any(note.startswith(even) for note in data.notes)
        logged = any(note.startswith("log") for note in data.notes)
        least = data.values.min()
        logged |= bool(least < 0)
        at = int(variance.argmax())
        share = float(variance[at] / max(variance.sum(), 1e-300))
        widest = None
        if data.m >= FEWEST and share > NEARLY_ALL and not alike:
            widest = (data.columns[at] if data.columns else str(data.first + at), share)
        depth = depth_of(data.values)
        return cls(alike, logged, widest, bool(least == 0), depth, data.m)


def depth_of(values: Matrix) -> float | None:
    """Return how many times the totals of counts differ from row to row.

    Examples
    --------
    >>> counts = np.arange(80).reshape(4, 20)
    >>> round(depth_of(counts), 1)
    4.1
    >>> depth_of(counts + 0.5), depth_of(counts % 7)
    (None, None)
    """
    if values.shape[1] < COUNTED_COLUMNS or not LARGEST_COUNT <= values.max() < 2**53:
        return None
    for some in (values[:50], values):  # most that are none are known by the first
        if (some < 0).any() or (some != np.rint(some)).any():
            return None
    low, high = np.quantile(values.sum(axis=1, dtype=np.float64), [0.1, 0.9])
    return float(high / max(low, 1.0)) if high >= FOLD * max(low, 1.0) else None
