"""Remove what annotations explain from the values before they are judged."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.data.annotations import Annotation, named
from stablek.data.preparation import refuse_distances
from stablek.data.replay import Step
from stablek.errors import InputError

Floats = NDArray[np.float64]


def adjust(data: Dataset, names: Sequence[str]) -> Dataset:
    """Return the data with the means of annotations removed, all of them jointly.

    The values are regressed on the annotations (levels of a categorical column coded to
    sum to zero, numeric columns centred), and the fitted part without the intercept is
    subtracted, as limma's removeBatchEffect does. Afterwards all levels of a column
    have the same mean, and no column of the data is correlated with a covariate.

    References
    ----------
    Ritchie et al. (2015), Nucleic Acids Research 43, e47 (limma).
    """
    if not names:
        return data
    refuse_distances(data, "adjust")
    columns = [named(data.annotations, name) for name in dict.fromkeys(names)]
    design = effects(columns, data)
    listed = ", ".join(f"'{one.name}'" for one in columns)
    if design.shape[1] == 0:
        note = f"nothing adjusted: {listed} is the same for all items"
        return data.with_values(data.values, note)
    values = np.asarray(data.values, dtype=np.float64)
    note = f"means by {listed} removed from every column"
    done = Step("adjust", tuple(one.name for one in columns))
    made = data.with_values(without_effects(values, design), note)
    return replace(made, steps=(*data.steps, done), _distances={})


def without_effects(values: Floats, design: Floats) -> Floats:
    """Return the values less what the columns of a design explain, means kept."""
    full = np.column_stack([np.ones(len(values)), design])
    fitted = np.linalg.lstsq(full, values, rcond=None)[0]
    return values - design @ fitted[1:]


def effects(columns: Sequence[Annotation], data: Dataset) -> Floats:
    """Return the design: codes that sum to zero over levels, centred covariates."""
    parts = [np.empty((data.n, 0))]
    for one in columns:
        _refuse(one, data)
        if one.distinct == 1:
            continue
        if one.numeric:
            centred = one.values - one.values.mean()
            parts.append((centred / np.abs(centred).max())[:, None])
            continue
        present, codes = np.unique(one.codes, return_inverse=True)
        coded = np.eye(len(present))[codes]
        parts.append(coded[:, :-1] - coded[:, -1:])
    design: Floats = np.column_stack(parts)
    if design.shape[1] >= data.n - 2:
        raise InputError(
            f"adjusting for {design.shape[1]} effects leaves no variation in {data.n} "
            "items; adjust for fewer columns"
        )
    return design


def _refuse(one: Annotation, data: Dataset) -> None:
    """Refuse a column that some items lack, or that has a level for nearly each."""
    lacking = np.flatnonzero(~one.known)
    if len(lacking):
        ids = data.item_ids()
        some = ", ".join(repr(ids[i]) for i in lacking[:3])
        more = ", ..." if len(lacking) > 3 else ""
        raise InputError(
            f"cannot adjust for '{one.name}': {len(lacking)} of {data.n} items lack "
            f"it ({some}{more}); fill it in, or leave these items out"
        )
    if not one.numeric and one.distinct > data.n / 2:
        raise InputError(
            f"cannot adjust for '{one.name}': {one.distinct:,} levels for {data.n:,} "
            "items would leave nothing; is it an id?"
        )
