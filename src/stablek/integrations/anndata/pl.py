"""Draw what was computed; scanpy's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablek.errors import unknown_name
from stablek.integrations.anndata.fields import kept, result_of

if TYPE_CHECKING:
    from anndata import AnnData
    from matplotlib.axes import Axes

__all__ = ["curve", "sizes"]


def curve(
    adata: AnnData,
    *,
    key: str = "stablek",
    column: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the curve that chose k or the resolution; return the Axes.

    ``key`` is where the result was written, ``column`` one of its columns; by default
    the one that the rule reads.
    """
    from stablek.report import plots

    drawn = plots.curve(result_of(adata, key), column, ax=ax)
    tried = kept(adata, key)["curve"]
    if "setting" in tried:
        drawn.set_xticks(range(2, 2 + len(tried)), [str(s) for s in tried["setting"]])
        drawn.set_xlabel("setting")
    return drawn


def sizes(adata: AnnData, *, key: str = "stablek", ax: Axes | None = None) -> Axes:
    """Draw how many observations each cluster of ``adata.obs[key]`` has."""
    from stablek.report.pictures import COLOURS, new_axes

    if key not in adata.obs:
        raise unknown_name("column of obs", key, [str(c) for c in adata.obs.columns])
    ax = new_axes(ax)
    counts = adata.obs[key].value_counts(sort=False)
    ax.bar([str(c) for c in counts.index], counts.to_numpy(), color=COLOURS[0])
    ax.set(xlabel="cluster", ylabel="observations")
    return ax
