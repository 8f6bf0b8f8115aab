"""Draw what was computed; scanpy's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stablek.errors import InputError, unknown_name
from stablek.integrations.anndata.fields import kept, result_of

if TYPE_CHECKING:
    from anndata import AnnData
    from matplotlib.axes import Axes

__all__ = ["consensus", "curve", "sizes", "trust", "verdict"]


def curve(
    adata: AnnData,
    *,
    key: str = "stablek",
    column: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the curve that chose k or the resolution; return the Axes.

    ``key`` is where the result was written, ``column`` one of its columns; by default
    the one that the rule reads. For a verdict, how plausible every k is.
    """
    from stablek.report import plots

    entries = kept(adata, key)
    if "plausible" in entries:
        return verdict(adata, key=key, ax=ax)
    result = result_of(adata, key)
    tried = entries["curve"]
    if "setting" not in tried:
        return plots.curve(result, column, ax=ax)
    settings = [str(s) for s in tried["setting"]]
    answer = "no resolution"
    if (chosen := str(entries["resolution"])) in settings:
        clusters = round(float(tried["clusters"].iloc[settings.index(chosen)]))
        answer = f"resolution {chosen}: {clusters} clusters"
    drawn = plots.curve(result, column, ax=ax, answer=answer)
    drawn.set_xticks(range(2, 2 + len(settings)), settings)
    drawn.set_xlabel("resolution")
    drawn.set_title(answer, fontsize="medium")
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


def verdict(adata: AnnData, *, key: str = "verdict", ax: Axes | None = None) -> Axes:
    """Draw how plausible every number of clusters is; the answer stands out."""
    from stablek.report.pictures import CHOSEN, COLOURS, new_axes

    entries = kept(adata, key)
    table = entries["plausible"]
    ax = new_axes(ax)
    best = int(entries["best_guess"])
    colours = [CHOSEN if int(k) == best else COLOURS[0] for k in table["k"]]
    ax.bar(table["k"].astype(int), table["weight"].astype(float), color=colours)
    ax.set(xlabel="number of clusters k", ylabel="weight")
    ax.set_title(f"{entries['strength']}: k = {int(entries['k'])}", fontsize="medium")
    return ax


def trust(
    adata: AnnData,
    *,
    key: str = "verdict",
    basis: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw observations on an embedding, shaded by how firmly each belongs.

    ``basis`` names an embedding such as "umap"; by default ``X_umap``, ``X_tsne`` or
    the first columns of ``X_pca``.
    """
    from stablek.report.pictures import new_axes

    column = f"{key}_consensus"
    if column not in adata.obs:
        raise InputError(f"adata.obs has no '{column}'; run tl.verdict(adata) first")
    name = _basis(adata, basis)
    points = np.asarray(adata.obsm[name])[:, :2]
    ax = new_axes(ax)
    shown = ax.scatter(
        points[:, 0], points[:, 1], c=np.asarray(adata.obs[column], dtype=float), s=8,
        cmap="viridis", vmin=0, vmax=1, plotnonfinite=True,
    )  # fmt: skip
    ax.set(xlabel=f"{name} 1", ylabel=f"{name} 2", xticks=[], yticks=[])
    ax.figure.colorbar(shown, ax=ax, shrink=0.7, label="consensus with own cluster")
    return ax


def consensus(adata: AnnData, *, key: str = "verdict", ax: Axes | None = None) -> Axes:
    """Draw the consensus matrix, observations in the order of their clusters."""
    from stablek.report.pictures import new_axes

    name = f"{key}_consensus"
    if name not in adata.obsp:
        raise InputError(
            f"adata.obsp has no '{name}'; tl.verdict keeps it for up to 2,000 "
            "observations that were all judged"
        )
    ax = new_axes(ax)
    order = np.argsort(np.asarray(adata.obs[key].cat.codes), kind="stable")
    matrix = np.asarray(adata.obsp[name])[np.ix_(order, order)]
    image = ax.imshow(matrix, cmap="Blues", vmin=0, vmax=1, interpolation="nearest")
    ax.set(xticks=[], yticks=[])
    ax.figure.colorbar(image, ax=ax, shrink=0.8, label="share of subsamples together")
    return ax


def _basis(adata: AnnData, basis: str | None) -> str:
    if basis is None:
        for name in ("X_umap", "X_tsne", "X_pca"):
            if name in adata.obsm:
                return name
        raise InputError("adata.obsm has no X_umap, X_tsne or X_pca; name a basis")
    name = basis if basis in adata.obsm else f"X_{basis}"
    if name not in adata.obsm:
        raise unknown_name("representation", basis, map(str, adata.obsm))
    return name
