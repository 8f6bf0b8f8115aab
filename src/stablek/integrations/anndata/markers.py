"""Markers of a verdict's clusters among the variables, as scanpy keeps its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import unknown_name
from stablek.results.describe import drawn_at
from stablek.results.markers import TOP, Marker, markers

if TYPE_CHECKING:
    from anndata import AnnData

    from stablek.results.verdict import Verdict

#: Of more observations than this, evenly spaced ones are read.
MOST = 2000
#: Variables per cluster that are read; those that are higher in it are kept.
READ = 500


def markers_of(
    adata: AnnData,
    verdict: Verdict,
    k: int,
    *,
    layer: str | None = None,
    top: int = READ,
) -> tuple[Marker, ...]:
    """Return the variables that set the clusters at k apart, from X or a layer.

    The clusters may have been found in a representation such as ``X_pca``.
    """
    if layer is not None and layer not in adata.layers:
        raise unknown_name("layer", layer, adata.layers)
    matrix = adata.X if layer is None else adata.layers[layer]
    if matrix is None:
        return ()
    drawn, items = drawn_at(verdict, k)
    if len(items) > MOST:
        items = items[np.linspace(0, len(items) - 1, MOST).astype(np.intp)]
    some = matrix[items]
    dense = some.toarray() if hasattr(some, "toarray") else np.asarray(some)
    return markers(
        dense.astype(np.float32, copy=False),
        verdict.labels_at(k)[items] - 1,
        tuple(map(str, adata.var_names)),
        drawn=None if drawn is None else drawn[:, items],
        top=top,
        believed=(verdict.k or 1) > 1,
    )


def as_scanpy(listed: Sequence[Marker], groupby: str, top: int = TOP) -> dict[str, Any]:
    """Return markers in the form of ``adata.uns["rank_genes_groups"]``.

    ``scores`` are AUC - 1/2, twice (1: always larger inside), largest first, so that
    variables come first that are higher in a cluster. ``logfoldchanges`` hold the
    difference of the means, which is one if the values are logarithms. There are no
    p-values, since the clusters were found in the same cells: they are NaN. Read it
    with scanpy's plots:
    ``sc.pl.rank_genes_groups_dotplot(adata, key="verdict_markers")``.
    """
    groups = sorted({one.cluster for one in listed})
    least = min((sum(m.cluster == c for m in listed) for c in groups), default=0)
    least = min(least, top)
    columns: dict[str, dict[str, NDArray[Any]]] = {
        name: {} for name in ("names", "scores", "logfoldchanges", "pvals", "pvals_adj",
                              "stability")
    }  # fmt: skip
    for c in groups:
        mine = sorted(
            (m for m in listed if m.cluster == c), key=lambda m: (-m.auc, m.place)
        )[:least]
        blank = np.full(len(mine), np.nan)
        columns["names"][str(c)] = np.array([m.column for m in mine], dtype=object)
        columns["scores"][str(c)] = np.array([2 * m.auc - 1 for m in mine], np.float32)
        gaps = [m.mean_inside - m.mean_outside for m in mine]
        columns["logfoldchanges"][str(c)] = np.array(gaps, dtype=np.float32)
        columns["pvals"][str(c)] = columns["pvals_adj"][str(c)] = blank
        columns["stability"][str(c)] = np.array([m.stability for m in mine])
    params = {
        "groupby": groupby, "reference": "rest", "method": "auc", "use_raw": False,
        "corr_method": "none",
    }  # fmt: skip
    return {"params": params, **{name: _records(c) for name, c in columns.items()}}


def _records(columns: dict[str, NDArray[Any]]) -> NDArray[Any]:
    """Return columns as a record array with one field per group."""
    kinds = [(name, column.dtype) for name, column in columns.items()]
    length = len(next(iter(columns.values()))) if columns else 0
    made = np.empty(length, dtype=kinds)
    for name, column in columns.items():
        made[name] = column
    return made.view(np.recarray)
