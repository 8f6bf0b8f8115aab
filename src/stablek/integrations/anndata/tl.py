"""Compute, and write into the AnnData object; scanpy's word."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stablek.api.choose_k import choose_k as choose
from stablek.api.choose_setting import choose_setting
from stablek.data import Dataset, from_arrays
from stablek.data.annotations import as_annotations
from stablek.data.frames import is_frame, refuse_text
from stablek.data.seeds import seed_of
from stablek.errors import InputError, unknown_name
from stablek.integrations.anndata.fields import of_setting, write
from stablek.integrations.leiden import Leiden, require_scanpy

if TYPE_CHECKING:
    from anndata import AnnData

__all__ = ["choose_k", "choose_resolution", "verdict"]

#: Above this many variables, clustering X itself is worth a warning.
MANY = 2000

#: Subsamples by which a resolution is chosen. Leiden is slow, and twice as many answer
#: the same as often as another seed does: see docs/resolution.md.
REPEATS = 50


def choose_k(
    adata: AnnData,
    *,
    measure: str = "fc",
    algorithm: Any = None,
    ks: Iterable[int] | int | None = None,
    use_rep: str | None = None,
    layer: str | None = None,
    key_added: str = "stablek",
    rng: int | np.random.Generator | None = None,
    random_state: int | None = None,
    copy: bool = False,
    **settings: Any,
) -> AnnData | None:
    """Choose the number of clusters and add the partition to an AnnData object.

    Parameters
    ----------
    adata
        Observations are the items.
    measure, algorithm, ks, **settings
        As for :func:`stablek.choose_k`.
    use_rep, layer
        The matrix to cluster; by default ``X_pca`` if present, otherwise X.
    key_added
        Where to write.
    rng, random_state
        The seed, under its new and its old name; a Generator or RandomState gives one.
    copy
        Return a copy instead of writing into ``adata``.

    Returns
    -------
    None, or the copy. Sets the following fields:

    ``adata.obs[key_added]``
        The cluster of each observation, as text categories from "1"; not set where the
        measure gives no indication.
    ``adata.uns[key_added]``
        ``params``, ``k_star`` (1: no evidence of clusters; 0: no indication), ``rule``,
        ``reason``, ``sentence``, ``curve`` (a DataFrame, one row per k), and the whole
        result as JSON text in ``json``.
    """
    adata = adata.copy() if copy else adata
    data, name = values_of(adata, use_rep, layer)
    seed = _seed(rng, random_state)
    result = choose(data, measure, algorithm, ks, seed=seed, **settings)
    kept = result.to_uns()
    kept["params"]["use_rep"] = name
    write(adata, key_added, kept, result.labels, result.sentence)
    return adata if copy else None


def verdict(
    adata: AnnData,
    *,
    labels: str | None = None,
    annotations: Iterable[str] = (),
    use_rep: str | None = None,
    layer: str | None = None,
    key_added: str = "verdict",
    resolution_key: str | None = None,
    rng: int | np.random.Generator | None = None,
    random_state: int | None = None,
    copy: bool = False,
    **settings: Any,
) -> AnnData | None:
    """Say how many clusters there are, how far to trust them, and add the partition.

    Parameters
    ----------
    adata
        Observations are the items.
    labels
        A column of ``adata.obs`` to be judged, such as cell types.
    annotations
        Columns of ``adata.obs`` to compare with the clusters: batch, sample, depth.
    use_rep, layer, key_added, rng, random_state, copy
        As for :func:`choose_k`. Markers are read from X, or from the layer.
    resolution_key
        A column of ``adata.obs`` with the clusters of Leiden, or where
        :func:`choose_resolution` wrote: a sentence says how the two compare.
    **settings
        As for :func:`stablek.verdict`.

    Returns
    -------
    None, or the copy. Sets the following fields:

    ``adata.obs[key_added]``
        The cluster of each observation, from "1"; not set where the data cannot be
        judged. With ``_consensus``, ``_runner_up`` and ``_between`` added to the name:
        how firmly each observation belongs there.
    ``adata.uns[key_added]``
        ``k`` (0: cannot be judged), ``best_guess``, ``sentence``, ``strength``;
        ``clusters``, ``plausible`` and ``annotations`` as DataFrames; the whole verdict
        as JSON text in ``json``.
    ``adata.uns[key_added + "_markers"]``
        What sets the clusters apart, in the form of scanpy's ``rank_genes_groups``.
    ``adata.obsp[key_added + "_consensus"]``
        The consensus matrix, for up to 2,000 observations.
    """
    from stablek.api.verdict import verdict as judge
    from stablek.integrations.anndata.verdict_fields import write_verdict

    adata = adata.copy() if copy else adata
    data, name = values_of(adata, use_rep, layer)
    user_labels = None
    if labels is not None:
        user_labels = [str(value) for value in _column(adata, labels)]
    columns = {column: list(_column(adata, column)) for column in annotations}
    data = replace(data, annotations=as_annotations(columns, data.n), _distances={})
    judged = judge(data, labels=user_labels, seed=_seed(rng, random_state), **settings)
    fine = None if resolution_key is None else _column(adata, resolution_key)
    write_verdict(adata, key_added, judged, name, layer, fine, resolution_key)
    return adata if copy else None


def _column(adata: AnnData, name: str) -> Any:
    if name not in adata.obs:
        raise unknown_name("column of adata.obs", name, map(str, adata.obs.columns))
    return adata.obs[name]


def choose_resolution(
    adata: AnnData,
    resolutions: Iterable[float],
    cluster: Callable[[Any, Any, np.random.Generator], Any] | None = None,
    *,
    use_rep: str | None = None,
    layer: str | None = None,
    key_added: str = "stablek_resolution",
    repeats: int = REPEATS,
    progress: bool = True,
    rng: int | np.random.Generator | None = None,
    random_state: int | None = None,
    copy: bool = False,
    **settings: Any,
) -> AnnData | None:
    """Choose the resolution (or any other setting) whose clusters are reproduced best.

    Parameters
    ----------
    adata
        Observations are the items.
    resolutions
        What to try, from coarse to fine.
    cluster
        By default Leiden on scanpy's graph of neighbours, which is built for every
        subsample: see :class:`stablek.integrations.leiden.Leiden`. Or a function of
        your own: ``cluster(values, resolution, rng)`` returns one label per row.
    use_rep, layer, key_added, rng, random_state, copy
        As for :func:`choose_k`.
    repeats
        The number of subsamples, each clustered at every resolution.
    progress
        Show the progress and the time left, as :func:`stablek.verdict` does.
    **settings
        As for :func:`stablek.choose_setting`: ``fraction``, ``calibrate`` ...

    Returns
    -------
    None, or the copy. Sets the fields of :func:`choose_k`, with ``resolution`` (as
    text; "none" where there is none) in the place of ``k_star``; ``curve`` has one row
    per resolution.
    """
    adata = adata.copy() if copy else adata
    data, name = values_of(adata, use_rep, layer)
    seed = _seed(rng, random_state)
    if cluster is None:
        require_scanpy()
        cluster = Leiden()
    chosen = choose_setting(
        data, resolutions, cluster, repeats=repeats, seed=seed, progress=progress,
        **settings,
    )  # fmt: skip
    kept = of_setting(chosen)
    kept["params"]["use_rep"] = name
    write(adata, key_added, kept, chosen.labels, chosen.sentence)
    return adata if copy else None


def values_of(
    adata: AnnData, use_rep: str | None = None, layer: str | None = None
) -> tuple[Dataset, str]:
    """Return the matrix to cluster and its name: a representation, a layer, or X.

    Without either, ``X_pca`` is taken if it is there, otherwise X; ``.raw`` never is.
    """
    if use_rep is not None and layer is not None:
        raise InputError("use_rep and layer name two matrices; choose one")
    if layer is not None:
        if layer not in adata.layers:
            raise unknown_name("layer", layer, adata.layers)
        name, matrix = f"layers[{layer!r}]", adata.layers[layer]
    elif use_rep not in (None, "X"):
        if use_rep not in adata.obsm:
            names = ", ".join(adata.obsm)
            known = f"Known: {names}" if names else "adata.obsm is empty"
            remedy = "make X_pca with sc.pp.pca(adata), or leave use_rep out"
            raise unknown_name(
                "representation", str(use_rep), adata.obsm, f"{known}; {remedy}"
            )
        name, matrix = str(use_rep), adata.obsm[use_rep]
    elif use_rep is None and "X_pca" in adata.obsm:
        name, matrix = "X_pca", adata.obsm["X_pca"]
    else:
        name, matrix = "X", adata.X
        if use_rep is None and adata.n_vars > MANY:
            warnings.warn(
                f"clustering X with its {adata.n_vars} variables; compute a "
                "representation first (sc.pp.pca), or pass use_rep='X' if you mean it",
                UserWarning,
                stacklevel=3,
            )
    if matrix is None:
        raise InputError("this AnnData has no X; name a matrix with use_rep or layer")
    if is_frame(matrix):
        refuse_text(matrix)
    dense = matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix)
    ids = tuple(str(i) for i in adata.obs_names)
    return from_arrays(dense, ids=ids, name=name), name


def _seed(rng: Any, random_state: int | None) -> int:
    if rng is not None and random_state is not None:
        raise InputError(
            "rng and random_state are two names of one seed; give one of them"
        )
    return seed_of(random_state if rng is None else rng)
