"""Prepare new data as the first were: with the numbers that the first data gave.

A step such as ``standardise-columns`` takes means from the data. New items must be
treated with the same means, not with their own, so every step is recorded with its
numbers, and played again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.matching import match_columns
from stablek.errors import InputError

if TYPE_CHECKING:
    from stablek.data import Dataset

Floats = NDArray[np.float64]

#: Values that are read at a time.
BLOCK = 500_000

#: The numbers that a step takes from the data; other steps take none.
STEP_NUMBERS = {
    "standardise-columns": ("mean", "spread"),
    "pca": ("mean", "axes"),
    "equal-totals": ("total",),
}


@dataclass(frozen=True, eq=False)
class Step:
    """A step of preparation: its name, and the numbers the data gave.

    Parameters
    ----------
    name
        As the command line names it, without a count.
    columns
        Names of the columns it was applied to.
    numbers
        What new data need, by name.
    """

    name: str
    columns: tuple[str, ...] = ()
    numbers: Mapping[str, Floats] = field(default_factory=dict)


def recorded(name: str, before: Dataset, after: Dataset) -> Step:
    """Return the record of a step from the data before and after it."""
    numbers = step_numbers(name, before.values, np.arange(before.n))
    if name == "pca":
        values = np.asarray(before.values, dtype=np.float64)
        scores = np.asarray(after.values)
        squares = np.maximum((scores**2).sum(axis=0), 1e-300)
        mean = values.mean(axis=0)
        numbers = {"mean": mean, "axes": (values - mean).T @ scores / squares}
    return Step(name, before.columns, numbers)


def step_numbers(
    name: str, values: NDArray[np.floating[Any]], rows: NDArray[np.intp]
) -> dict[str, Floats]:
    """Return what a step that scales takes from some rows, read in blocks.

    Examples
    --------
    >>> step_numbers("equal-totals", np.array([[1.0, 2.0], [4.0, 5.0]]), np.arange(2))
    {'total': array(6.)}
    """
    n, m = len(rows), values.shape[1]
    blocks = -(-n * m // BLOCK)
    if name == "standardise-columns":
        # Sums of a single column would have other last digits.
        parts = np.array_split(np.arange(m), max(1, min(blocks, m // 2)))
        some = (values[np.ix_(rows, part)].astype(np.float64) for part in parts)
        moments = [(part.mean(axis=0), part.std(axis=0, ddof=1)) for part in some]
        mean, spread = (np.concatenate(each) for each in zip(*moments, strict=True))
        return {"mean": mean, "spread": np.where(spread > 0, spread, 1.0)}
    if name == "equal-totals":
        some = (
            values[part].astype(np.float64) for part in np.array_split(rows, blocks)
        )
        totals = np.concatenate([part.sum(axis=1) for part in some])
        filled = totals[totals > 0]
        return {"total": np.array(np.median(filled) if len(filled) else 0.0)}
    return {}


def replayed(data: Dataset, steps: Iterable[Step]) -> Dataset:
    """Return new data after the same steps, with the numbers of the first data."""
    for step in steps:
        if step.name not in PLAYED:
            raise InputError(
                f"the first data were prepared by '{step.name}', which cannot be "
                "repeated on new items; prepare both together, or leave it out"
            )
        data = PLAYED[step.name](data, step)
    return data


def _matched(data: Dataset, step: Step) -> tuple[Floats, tuple[str, ...]]:
    return match_columns(data.values, data.columns, step.columns, step.numbers["mean"])


def _standardise_columns(data: Dataset, step: Step) -> Dataset:
    values, notes = _matched(data, step)
    made = (values - step.numbers["mean"]) / step.numbers["spread"]
    done = "columns standardised by the means and deviations of the first data"
    return _with(data, made, step.columns, (*notes, done))


def _pca(data: Dataset, step: Step) -> Dataset:
    values, notes = _matched(data, step)
    scores = (values - step.numbers["mean"]) @ step.numbers["axes"]
    names = tuple(f"PC{j + 1}" for j in range(scores.shape[1]))
    return _with(data, scores, names, (*notes, "components of the first data"))


def _equal_totals(data: Dataset, step: Step) -> Dataset:
    values = np.asarray(data.values, dtype=np.float64)
    total = values.sum(axis=1, keepdims=True)
    made = values * (float(step.numbers["total"]) / np.where(total == 0, 1.0, total))
    return _with(data, made, data.columns, ("rows scaled to the total of the first",))


def _as_before(name: str) -> Callable[[Any, Step], Any]:
    def play(data: Dataset, step: Step) -> Dataset:
        from stablek.data.preparation import STEPS

        return STEPS[name](data)

    return play


def _rank_rows(data: Dataset, step: Step) -> Dataset:
    from stablek.kernels.distances import average_ranks

    ranked = average_ranks(np.asarray(data.values, dtype=np.float64))
    return _with(data, ranked, data.columns, ("values ranked in every row",))


def _unit_rows(data: Dataset, step: Step) -> Dataset:
    values = np.asarray(data.values, dtype=np.float64)
    length = np.sqrt((values * values).sum(axis=1, keepdims=True))
    made = values / np.where(length > 0, length, 1.0)
    return _with(data, made, data.columns, ("rows scaled to length 1",))


def _by_name(data: Dataset, step: Step) -> Dataset:
    """Leave the choice of columns to their names, which are matched at the end."""
    return data


def _adjusted(data: Dataset, step: Step) -> Dataset:
    listed = ", ".join(f"'{name}'" for name in step.columns)
    note = (
        f"the first data were adjusted for {listed}; these were not, so a shift "
        "between batches counts here"
    )
    return _with(data, np.asarray(data.values), data.columns, (note,))


def _with(
    data: Dataset, values: Floats, columns: tuple[str, ...], notes: tuple[str, ...]
) -> Dataset:
    return replace(
        data, values=values, columns=columns, notes=(*data.notes, *notes), _distances={}
    )


PLAYED: dict[str, Callable[[Any, Step], Any]] = {
    "log2": _as_before("log2"),
    "log1p": _as_before("log1p"),
    "standardise-rows": _as_before("standardise-rows"),
    "standardise-columns": _standardise_columns,
    "equal-totals": _equal_totals,
    "pca": _pca,
    "most-variable": _by_name,
    "drop-constant-columns": _by_name,
    "adjust": _adjusted,
    "rank-rows": _rank_rows,
    "unit-rows": _unit_rows,
}

#: The steps that make Euclidean distances say what a metric says.
METRIC_STEPS: dict[str, tuple[Step, ...]] = {
    "euclidean": (),
    "correlation": (Step("standardise-rows"),),
    "spearman": (Step("rank-rows"), Step("standardise-rows")),
    "cosine": (Step("unit-rows"),),
}
