"""The data set, and what is drawn from it.

Items are rows, everywhere. A :class:`Dataset` is the D_0 of the thesis; a
:class:`Sample` is one D_i made from it by a perturbation. Both are frozen: an
ingredient makes a new one and never changes what it was given.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.annotations import Annotation
from stablek.data.checks import check, symmetrize
from stablek.data.frames import is_frame, numbers, refuse_text, truth_note
from stablek.data.replay import Step
from stablek.errors import InputError
from stablek.kernels import distances as kernel
from stablek.machine.memory import affordable, shown_size

Matrix = NDArray[np.floating[Any]]
Distances = NDArray[np.float64]
Rows = NDArray[np.intp]

METRICS = kernel.METRICS


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return a C-ordered, read-only view or copy of ``array``.

    Kernels are compiled once per array type, and a read-only array is a type of its
    own; what reaches a kernel from a data set is therefore always read-only, as it is
    when a worker process maps it from a file.
    """
    plain = np.ascontiguousarray(array)
    if plain is array and plain.flags.writeable:
        plain = plain.view()
    plain.flags.writeable = False
    return plain


@dataclass(frozen=True, eq=False)
class Dataset:
    """The matrix to cluster: ``values[item, column]``, with names and provenance.

    Parameters
    ----------
    values
        Shape (n, m), finite, float64 or float32. Where ``precomputed`` is true, a
        symmetric (n, n) matrix of distances.
    ids, columns
        Names of rows and columns; empty means "numbered".
    classes
        Labels that the user gave, one per item; they never influence a run.
    name
        A short name for messages and reports.
    precomputed
        Whether ``values`` holds distances.
    notes
        What was done to the values on the way in, in order.
    first
        The number of the first item, where items have no names: 1, as in a file, or 0,
        as in an array.
    annotations
        What else is known of the items; it never influences a run.
    steps
        How the values were prepared, for new data to be prepared alike.
    """

    values: Matrix
    ids: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    classes: tuple[str, ...] | None = None
    name: str = "data"
    precomputed: bool = False
    notes: tuple[str, ...] = ()
    first: int = 1
    annotations: tuple[Annotation, ...] = ()
    steps: tuple[Step, ...] = ()
    _distances: dict[str, Distances] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", frozen(self.values))

    @property
    def n(self) -> int:
        """The number of items."""
        return int(self.values.shape[0])

    @property
    def m(self) -> int:
        """The number of columns."""
        return int(self.values.shape[1])

    def item_ids(self) -> tuple[str, ...]:
        """Return the names of the items; their numbers if they have none."""
        return self.ids or tuple(str(self.first + i) for i in range(self.n))

    def metric_or(self, asked: str) -> str:
        """Return the metric to use: the one asked for, unless distances are given."""
        return "precomputed" if self.precomputed else asked

    def column_names(self) -> tuple[str, ...]:
        """Return the names of the columns; their numbers from 1 if they have none."""
        return self.columns or tuple(str(j + 1) for j in range(self.m))

    def distances(self, metric: str) -> Distances:
        """Return the (n, n) matrix of distances, computed once and kept."""
        if self.precomputed:
            metric = "precomputed"
            if metric not in self._distances:
                self._distances[metric] = frozen(self.values.astype(np.float64))
        if metric not in self._distances:
            self._distances[metric] = frozen(kernel.pairwise(self.values, metric))
        return self._distances[metric]

    def knows(self, metric: str) -> bool:
        """Tell whether the distances are there already."""
        return metric in self._distances

    def whole(self) -> Sample:
        """Return the sample that holds every item unchanged."""
        return Sample(self, np.arange(self.n, dtype=np.intp))

    def with_values(self, values: Matrix, note: str | None = None) -> Dataset:
        """Return this data set with other values, and what was done noted."""
        notes = self.notes if note is None else (*self.notes, note)
        columns = self.columns if values.shape[1] == self.m else ()
        return replace(self, values=values, columns=columns, notes=notes, _distances={})


@dataclass(frozen=True, eq=False)
class Sample:
    """What one draw of a perturbation gave: some rows, perhaps with other values.

    Parameters
    ----------
    source
        The data set it was drawn from.
    rows
        Which items of the source it holds, in order; a bootstrap may repeat one.
    changed
        The new values, one row per entry of ``rows``, where the draw changed them.
    dropped
        The column left out, where the draw left out just one. Distances are then
        taken from those of the source instead of being computed afresh.
    """

    source: Dataset
    rows: Rows
    changed: Matrix | None = None
    dropped: int | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def values(self) -> Matrix:
        """Return the values of the sample, shape (len(rows), columns)."""
        if self.source.precomputed:
            raise InputError(
                "this algorithm needs the items' values, but the input is a distance "
                "matrix; use hier-a, hier-c, hier-s or hier-w"
            )
        if self.changed is not None:
            return frozen(self.changed)
        if len(self.rows) == self.source.n and self.is_whole():
            taken = self.source.values
        else:
            taken = self.source.values[self.rows]
        if self.dropped is not None:
            taken = np.delete(taken, self.dropped, axis=1)
        return frozen(taken)

    def is_whole(self) -> bool:
        """Tell whether the rows are all the items, each once, in order."""
        return len(self.rows) == self.source.n and bool(
            np.array_equal(self.rows, np.arange(self.source.n))
        )

    def distances(self, metric: str) -> Distances:
        """Return a fresh (len, len) matrix of distances, which the caller may spoil."""
        if self.changed is not None:
            return kernel.pairwise(self.values(), metric)
        if self.dropped is None or self.source.precomputed:
            return kernel.gather(self.source.distances(metric), self.rows)
        if metric == "euclidean" and self.is_whole():
            squares = self.source.distances("sqeuclidean")
            return kernel.downdate(squares, self.source.values, self.dropped)
        return kernel.pairwise(self.values(), metric)

    def take(self, positions: Rows) -> Sample:
        """Return the sample that holds the entries at these positions of this one."""
        changed = None if self.changed is None else self.changed[positions]
        return Sample(self.source, self.rows[positions], changed, self.dropped)


def as_dataset(X: Any, metric: str = "euclidean") -> Dataset:
    """Return a data set as it is, and anything else checked at the door.

    With ``metric="precomputed"`` what is not a data set yet is taken as distances.
    """
    if isinstance(X, Dataset):
        if metric == "precomputed" and not X.precomputed:
            raise InputError(
                "metric = precomputed, but this data set holds values; make it with "
                "from_arrays(distances, precomputed=True)"
            )
        values = symmetrize(X.values) if X.precomputed else X.values
        check(values, vars(X))
        return X if values is X.values else replace(X, values=values, _distances={})
    return from_arrays(X, precomputed=metric == "precomputed", first=0)


def dense(values: Any) -> NDArray[Any]:
    """Return a sparse matrix as a dense one, if that fits the memory."""
    size = 8.0 * np.prod(values.shape)
    if not affordable(size):
        raise InputError(
            f"X is a sparse matrix that takes {shown_size(size)} with its zeros, more "
            "than the memory; pass fewer columns (a PCA of it)"
        )
    return values.toarray()


def from_arrays(values: Any, *, fewest: int = 3, **facts: Any) -> Dataset:
    """Return a data set from anything array-like, checked at the door.

    A DataFrame brings its index and columns as names, and columns of truth values
    become 1 and 0; a sparse matrix is made dense, as far as memory allows. Refused,
    with the place named: columns of text, categories or dates, anything not
    two-dimensional, not numeric, complex, NaN or infinite, or with fewer
    than ``fewest`` rows.
    """
    facts = dict(facts)
    if hasattr(values, "obs_names") and hasattr(values, "obsm"):
        names = ["X_pca"] if "X_pca" in values.obsm else list(values.obsm)[:1]
        matrix = f"adata.obsm[{names[0]!r}]" if names else "adata.X"
        raise InputError(
            f"X is an AnnData object; pass a matrix of it, {matrix}, or use "
            "tl.verdict(adata) or tl.choose_k(adata), after: "
            "from stablek.integrations.anndata import tl"
        )
    if hasattr(values, "toarray"):
        values = dense(values)
    if is_frame(values):
        refuse_text(values)
        facts.setdefault("columns", tuple(str(c) for c in values.columns))
        if hasattr(values, "index"):
            facts.setdefault("ids", tuple(str(i) for i in values.index))
        facts["notes"] = (*facts.get("notes", ()), *truth_note(values))
        values = numbers(values)
    array = np.asarray(values)
    if array.dtype == object and array.ndim == 0:
        table = ", e.g. its .values" if hasattr(values, "values") else ""
        raise InputError(
            f"X is a {type(values).__name__}; pass a table of numbers{table}"
        )
    if array.ndim != 2:
        raise InputError(
            f"X has {array.ndim} dimension(s); pass a table of shape (items, columns)"
            "; for a single column use X.reshape(-1, 1)"
        )
    if array.dtype not in (np.float32, np.float64):
        if array.dtype.kind not in "biuf" and array.dtype != object:
            raise InputError(f"X has type {array.dtype}; pass real numbers")
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"X is not numeric: {error}; pass real numbers") from None
    if facts.get("precomputed"):
        array = symmetrize(array)
    check(array, facts, fewest)
    return Dataset(array, **facts)
