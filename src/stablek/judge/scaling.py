"""How the columns are scaled: what the advice on preparing them depends on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stablek.data import Dataset

#: A column with more than this share of the variance of all decides by itself which
#: items are close; with fewer columns than FEWEST that is nothing unusual.
NEARLY_ALL = 0.9
FEWEST = 3


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
    """

    alike: bool = False
    logged: bool = False
    widest: tuple[str, float] | None = None

    @classmethod
    def of(cls, data: Dataset) -> Scaling:
        """Return it for the columns of a data set, and for what was done to them."""
        variance = np.asarray(data.values.var(axis=0, dtype=np.float64))
        there = variance[variance > 0]
        alike = there.size == 0 or float(np.ptp(there)) <= 1e-6 * float(there.max())
        alike |= any(note.startswith("columns standardised") for note in data.notes)
        logged = any(note.startswith("log") for note in data.notes)
        logged |= bool(data.values.min() < 0)
        at = int(variance.argmax())
        share = float(variance[at] / max(variance.sum(), 1e-300))
        widest = None
        if data.m >= FEWEST and share > NEARLY_ALL and not alike:
            widest = (data.columns[at] if data.columns else str(data.first + at), share)
        return cls(alike, logged, widest)
