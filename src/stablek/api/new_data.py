"""Clusters applied to new data: ``stablek assign``, ``Verdict.predict``.

A :class:`Model` holds what a verdict learnt and new items need: the names of the
columns, the coordinates, and the items in them with their clusters. It is written into
the folder of a verdict as ``model.npz``, with a version.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, from_arrays
from stablek.data.canonical import sorted_rows
from stablek.data.content import AT_ONCE
from stablek.data.frames import is_frame, without_unknown_text
from stablek.data.matching import match_columns
from stablek.data.preparation import column_spreads
from stablek.data.replay import METRIC_STEPS, Step, replayed, step_numbers
from stablek.errors import InputError, advice
from stablek.results.assign import Assignment, Coordinates, Reference

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

#: The steps behind what a verdict says of the scale of the columns.
SCALE_STEPS: dict[str, tuple[str, ...]] = {
    "": (),
    "as given": (),
    "columns standardised": ("standardise-columns",),
    "log counts": ("log1p",),
    "log counts of equal totals": ("equal-totals", "log1p"),
}


@dataclass(frozen=True, eq=False)
class Model:
    """What a verdict learnt, as new data need it.

    Parameters
    ----------
    k
        The number of clusters of the verdict, or of its best guess.
    coordinates
        What leads from values to the coordinates that clusters were judged in.
    columns, means, spreads
        Names of the columns of the data, their means and standard deviations.
    scores
        The items in these coordinates, without those set aside as isolated.
    partitions
        Their clusters at every k, from 0.
    steps
        How the values were prepared before the verdict; the same is done to new ones.
    inner
        What the verdict itself did to them: scales of columns, or a metric.
    evident
        Whether there was evidence of clusters. If not, new items get one cluster
        unless another number is asked for.
    """

    k: int
    coordinates: Coordinates
    columns: tuple[str, ...]
    means: Floats
    spreads: Floats
    scores: Floats
    partitions: Mapping[int, Labels]
    steps: tuple[Step, ...] = ()
    inner: tuple[Step, ...] = ()
    evident: bool = True
    _references: dict[int, Reference] = field(default_factory=dict, repr=False)

    def reference(self, k: int | None = None) -> Reference:
        """Return what new items are compared with at some k."""
        k = self.answer if k is None else int(k)
        if k not in self.partitions:
            known = ", ".join(map(str, sorted(self.partitions)))
            raise InputError(
                f"there is no partition at k = {k}; there is one at {known}"
            )
        if k not in self._references:
            self._references[k] = Reference.of(self.scores, self.partitions[k])
        return self._references[k]

    @property
    def known(self) -> frozenset[str]:
        """The names of the columns that the first data had, before and after steps."""
        # A step that adjusts keeps the names of annotations, which are no columns.
        steps = (step.columns for step in self.steps if step.name != "adjust")
        return frozenset(self.columns).union(*steps)

    @property
    def answer(self) -> int:
        """The number of clusters that is used unless another is asked for."""
        return self.k if self.evident else 1

    def doubt(self, k: int | None) -> tuple[str, ...]:
        """Return a note if the verdict found no evidence of clusters."""
        if self.evident:
            return ()
        text = "the verdict found no evidence of clusters"
        if k is not None and k > 1:
            return (f"{text}: these are {k} groups of a split, not clusters",)
        use = advice(f"-k {self.k}", f"k={self.k}")
        return (f"{text}, so there is one; its best guess is {self.k} groups: {use}",)

    def matched(
        self, data: Dataset, *, prepare: bool = True
    ) -> tuple[Floats, tuple[str, ...]]:
        """Return new values, prepared, with the columns of the first data; and notes.

        ``prepare``: whether the steps of the first data are still to be done.
        """
        if data.precomputed:
            raise InputError("new items must be given as values, not as distances")
        before = len(data.notes)
        data = replayed(data, self.steps) if prepare else data
        made, notes = match_columns(data.values, data.columns, self.columns, self.means)
        return made, (*data.notes[before:], *notes)

    def assign(
        self, X: Any, k: int | None = None, *, prepare: bool = True
    ) -> Assignment:
        """Return where new items belong.

        Columns are matched by name, and values are prepared as the first were, unless
        ``prepare`` is False: then they are taken as prepared. Without evidence of
        clusters all items get cluster 1, unless k is given.
        """
        data = new_items(X, self.known)
        values, notes = self.matched(data, prepare=prepare)
        scores = self.scores_of(values)
        notes = (*notes, *self.doubt(k))
        more = () if isinstance(X, Dataset) else data.notes
        return self.reference(k).assign(scores, data.item_ids(), (*more, *notes))

    def distances(self, X: Any, k: int | None = None) -> Floats:
        """Return the distance of new items to every cluster, shape (n, k)."""
        values, _ = self.matched(new_items(X, self.known))
        return self.reference(k).distances(self.scores_of(values))

    def scores_of(self, values: Floats) -> Floats:
        """Return the coordinates of values with the columns of the first data."""
        data = replayed(Dataset(values, columns=self.columns), self.inner)
        return np.ascontiguousarray(self.coordinates.scores(data.values))

    def save(self, path: str | Path) -> Path:
        """Write the model; equal models give equal bytes."""
        from stablek.api.model_file import write_model

        return write_model(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Model:
        """Return the model of a verdict's folder, or of the file in it."""
        from stablek.api.model_file import read_model

        return cls(**read_model(Path(path)))


def new_items(X: Any, known: Collection[str], fewest: int = 1) -> Dataset:
    """Return new data; one item is enough, unlike where groups are looked for.

    Columns of text are left out with a note, if the first data did not have them.
    """
    if isinstance(X, Dataset):
        return X
    notes: tuple[str, ...] = ()
    if is_frame(X):
        X, notes = without_unknown_text(X, known)
    return from_arrays(X, fewest=fewest, first=0, notes=notes)


def model_of(verdict: Any) -> Model:
    """Return what a verdict learnt, for new data."""
    data, coordinates = verdict.data, verdict.coordinates
    if data is not None and data.precomputed:
        raise InputError(
            "clusters of distances have no columns, so new items cannot be placed"
        )
    if data is None or coordinates is None:
        raise InputError(
            "this verdict was read from JSON or has no coordinates; run it again, "
            "or use its folder, which holds model.npz: stablek assign FOLDER NEW"
        )
    metric = str(verdict.settings.get("metric", "euclidean"))
    values = data.values
    inner = METRIC_STEPS[metric]
    if SCALE_STEPS[verdict.scale]:
        # A verdict scales by the distinct rows. Only first steps take numbers, and they
        # take them from the values as they are.
        order, starts = sorted_rows(values, np.arange(data.m))
        inner += tuple(
            Step(name, data.columns, step_numbers(name, values, order[starts]))
            for name in SCALE_STEPS[verdict.scale]
        )
    apart = set(verdict.isolated)
    kept = np.array([name not in apart for name in data.item_ids()])
    ks = sorted({1, *verdict.partitions, verdict.best_guess or 1})
    return Model(
        verdict.best_guess or 1,
        coordinates,
        data.columns,
        values.mean(axis=0, dtype=np.float64),
        column_spreads(values),
        _scores(verdict, inner)[kept],
        {k: _compact(verdict.labels_at(k)[kept]) for k in ks},
        data.steps,
        inner,
        evident=verdict.k is None or verdict.k > 1,
    )


def _scores(verdict: Any, steps: tuple[Step, ...]) -> Floats:
    """Return the coordinates of the items, prepared in blocks of rows."""
    data, coordinates = verdict.data, verdict.coordinates
    if not steps:
        return np.asarray(coordinates.scores(data.values))
    rows = max(1, AT_ONCE // data.m)
    parts = []
    for first in range(0, data.n, rows):
        some = np.asarray(data.values[first : first + rows], dtype=np.float64)
        block = Dataset(some, columns=data.columns)
        parts.append(coordinates.scores(replayed(block, steps).values))
    return np.concatenate(parts)


def _compact(labels: Labels) -> Labels:
    """Return labels from 0 without gaps: all items of a cluster may be isolated."""
    _, compact = np.unique(labels, return_inverse=True)
    return compact.astype(np.min_scalar_type(int(compact.max())))
