"""One null set, and what all draws from the same data share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Matrix
from stablek.data.canonical import column_places, with_columns_in_order
from stablek.paradigm.contracts import NullModel, by_column
from stablek.paradigm.perturb.regions import null_values

#: What several draws from the same data share, such as principal axes.
_SHARED: WeakKeyDictionary[Dataset, dict[str, Any]] = WeakKeyDictionary()


def null_set(model: NullModel, data: Dataset, rng: np.random.Generator) -> Dataset:
    """Draw a null set, so that the order of the columns does not matter.

    A model that draws column by column says so (``by_column``). It gets the columns in
    canonical order, and what it draws is put back in the order of the data.
    """
    if data.precomputed or not by_column(model):
        return model.draw(data, rng)
    places = np.array(column_places(data))
    if (np.diff(places) == 1).all():
        return model.draw(data, rng)
    ordered = shared_by_draws(data, "ordered", lambda: with_columns_in_order(data))
    drawn = model.draw(ordered, rng).values
    return data.with_values(np.take(drawn, places, axis=1))


@dataclass(frozen=True)
class Axes:
    """Column means, scores on the principal axes, and the axes as rows of ``turn``."""

    mean: NDArray[np.float64]
    scores: NDArray[np.float64]
    turn: NDArray[np.float64]


def principal_axes(data: Dataset, name: str) -> Axes:
    """Return the principal axes of the data, found once for all draws."""
    values = null_values(data, name)

    def find() -> Axes:
        whole = np.asarray(values, dtype=np.float64)
        mean = whole.mean(axis=0)
        turn = np.linalg.svd(whole - mean, full_matrices=False)[2]
        return Axes(mean, (whole - mean) @ turn.T, turn)

    return shared_by_draws(data, "axes", find)


def shared_by_draws(data: Dataset, what: str, find: Callable[[], Any]) -> Any:
    """Return what all draws from the same data share, found once per process."""
    known = _SHARED.setdefault(data, {})
    if what not in known:
        known[what] = find()
    return known[what]


def null_like(data: Dataset, values: Matrix) -> Dataset:
    """Return a null set with these values, in the data's own precision."""
    return data.with_values(values.astype(data.values.dtype, copy=False))
