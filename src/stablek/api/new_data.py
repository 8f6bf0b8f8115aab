"""Clusters applied to new data: ``stablek assign``, ``Verdict.predict``.

A :class:`Model` holds what a verdict learnt and new items need: the names of the
columns, the coordinates, and the items in them with their clusters. It is written into
the folder of a verdict as ``model.npz``, with a version.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, as_dataset
from stablek.data.matching import match_columns
from stablek.data.replay import Step, replayed
from stablek.errors import InputError
from stablek.results.assign import Assignment, Coordinates, Reference

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

#: Raised whenever the file changes in a way that old readers cannot follow.
SCHEMA = 1
FILE = "model.npz"


@dataclass(frozen=True, eq=False)
class Model:
    """What a verdict learnt, as new data need it.

    Parameters
    ----------
    k
        The number of clusters that is used unless another is asked for.
    coordinates
        What leads from values to the coordinates that clusters were judged in.
    columns, means, spreads
        Names of the columns of the data, their means and standard deviations.
    scores
        The items in these coordinates, without those set aside as isolated.
    partitions
        Their clusters at every k, from 0.
    steps
        How the values were prepared; the same is done to new ones.
    """

    k: int
    coordinates: Coordinates
    columns: tuple[str, ...]
    means: Floats
    spreads: Floats
    scores: Floats
    partitions: Mapping[int, Labels]
    steps: tuple[Step, ...] = ()
    _references: dict[int, Reference] = field(default_factory=dict, repr=False)

    def reference(self, k: int | None = None) -> Reference:
        """Return what new items are compared with at some k."""
        k = self.k if k is None else int(k)
        if k not in self.partitions:
            known = ", ".join(map(str, sorted(self.partitions)))
            msg = f"there is no partition at k = {k}; there is one at {known}"
            raise InputError(msg)
        if k not in self._references:
            self._references[k] = Reference.of(self.scores, self.partitions[k])
        return self._references[k]

    def matched(
        self, data: Dataset, *, prepare: bool = True
    ) -> tuple[Floats, tuple[str, ...]]:
        """Return new values, prepared, with the columns of the first data; and notes.

        ``prepare``: whether the steps of the first data are still to be done.
        """
        if data.precomputed:
            msg = "new items need values, but these are distances between themselves"
            raise InputError(msg)
        before = len(data.notes)
        data = replayed(data, self.steps) if prepare else data
        made, notes = match_columns(data.values, data.columns, self.columns, self.means)
        return made, (*data.notes[before:], *notes)

    def assign(
        self, X: Any, k: int | None = None, *, prepare: bool = True
    ) -> Assignment:
        """Return where new items belong.

        Columns are matched by name, and values are prepared as the first were, unless
        ``prepare`` is False: then they are taken as prepared.
        """
        data = few_rows(X)
        values, notes = self.matched(data, prepare=prepare)
        scores = self.coordinates.scores(values)
        return self.reference(k).assign(scores, data.item_ids(), notes)

    def save(self, path: str | Path) -> Path:
        """Write the model; equal models give equal bytes."""
        from stablek.io.store.atomic import write_bytes

        target = Path(path)
        arrays = {
            "schema": np.array(SCHEMA),
            "k": np.array(self.k),
            "columns": np.array(self.columns, dtype=np.str_),
            **_plain_steps(self.steps),
            "means": self.means,
            "spreads": self.spreads,
            "scores": self.scores,
            "ks": np.array(sorted(self.partitions), dtype=np.int64),
            "partitions": np.array(
                [self.partitions[k] for k in sorted(self.partitions)], dtype=np.int64
            ),
            **_plain(self.coordinates),
        }
        text = io.BytesIO()
        np.savez_compressed(text, allow_pickle=False, **arrays)
        write_bytes(target, text.getvalue())
        return target

    @classmethod
    def load(cls, path: str | Path) -> Model:
        """Return the model of a verdict's folder, or of the file in it."""
        source = Path(path)
        source = source / FILE if source.is_dir() else source
        if not source.is_file():
            msg = (
                f"{source} is not there; name the folder that `stablek verdict DATA -o "
                "FOLDER` wrote"
            )
            raise InputError(msg)
        try:
            with np.load(source, allow_pickle=False) as found:
                held = {name: found[name] for name in found.files}
        except (OSError, ValueError, EOFError, KeyError) as error:
            msg = f"{source} is damaged ({error}); run the verdict again"
            raise InputError(msg) from None
        if int(held.get("schema", 0)) != SCHEMA:
            msg = (
                f"{source} has form {int(held.get('schema', 0))}, this stablek reads "
                f"form {SCHEMA}; run the verdict again"
            )
            raise InputError(msg)
        return cls(
            int(held["k"]),
            _coordinates(held),
            tuple(held["columns"].tolist()),
            held["means"],
            held["spreads"],
            held["scores"],
            dict(zip(held["ks"].tolist(), held["partitions"], strict=True)),
            _steps(held),
        )


def few_rows(X: Any) -> Dataset:
    """Return new data; one item is enough, unlike where groups are looked for."""
    if isinstance(X, Dataset):
        return X
    values = np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X)
    if values.ndim != 2 or len(values) >= 3:
        return as_dataset(X)
    names = tuple(map(str, getattr(X, "columns", ())))
    ids = tuple(map(str, getattr(X, "index", ()))) if names else ()
    return Dataset(values.astype(np.float64), ids, names, first=0)


def model_of(verdict: Any) -> Model:
    """Return what a verdict learnt, for new data."""
    data, coordinates = verdict.data, verdict.coordinates
    if data is None or coordinates is None:
        msg = (
            "this verdict was read from JSON or rests on no coordinates; run it again, "
            f"or use its folder, which holds {FILE}: stablek assign FOLDER NEW"
        )
        raise InputError(msg)
    if data.precomputed:
        msg = "clusters of distances have no columns, so new items cannot be placed"
        raise InputError(msg)
    apart = set(verdict.isolated)
    kept = np.array([name not in apart for name in data.item_ids()])
    values = np.asarray(data.values, dtype=np.float64)
    ks = sorted({*verdict.partitions, verdict.best_guess or 1})
    parts = {k: _compact(verdict.labels_at(k)[kept]) for k in ks}
    return Model(
        verdict.best_guess or 1,
        coordinates,
        data.columns,
        values.mean(axis=0),
        values.std(axis=0),
        np.ascontiguousarray(coordinates.scores(values[kept])),
        parts,
        data.steps,
    )


def _compact(labels: Labels) -> Labels:
    """Return labels from 0 without gaps: all items of a cluster may be isolated."""
    _, compact = np.unique(labels, return_inverse=True)
    return compact.astype(np.int64)


def _plain_steps(steps: tuple[Step, ...]) -> dict[str, NDArray[Any]]:
    """Return steps as arrays."""
    arrays: dict[str, NDArray[Any]] = {
        "steps": np.array([step.name for step in steps], dtype=np.str_)
    }
    for place, step in enumerate(steps):
        arrays[f"step{place}.columns"] = np.array(step.columns, dtype=np.str_)
        for name, numbers in step.numbers.items():
            arrays[f"step{place}:{name}"] = np.asarray(numbers)
    return arrays


def _steps(held: Mapping[str, NDArray[Any]]) -> tuple[Step, ...]:
    """Return the steps that :func:`_plain_steps` wrote."""
    made = []
    for place, name in enumerate(held["steps"].tolist()):
        start = f"step{place}:"
        numbers = {
            key.removeprefix(start): held[key] for key in held if key.startswith(start)
        }
        columns = tuple(held[f"step{place}.columns"].tolist())
        made.append(Step(name, columns, numbers))
    return tuple(made)


def _plain(coordinates: Any) -> dict[str, NDArray[Any]]:
    """Return coordinates as arrays."""
    length = coordinates.length
    return {
        "mean": coordinates.mean,
        "axes": coordinates.axes,
        "length": np.array(np.nan if length is None else length),
    }


def _coordinates(held: Mapping[str, NDArray[Any]]) -> Coordinates:
    """Return the coordinates that :func:`_plain` wrote."""
    from stablek.panel.coordinates import Coordinates as Made

    length = float(held["length"])
    return Made(
        held["mean"],
        held["axes"],
        share=np.nan,
        found=None,
        length=None if np.isnan(length) else length,
    )
