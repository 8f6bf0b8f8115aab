"""Choose k, or a resolution, in the manner of scanpy.

``tl`` computes and writes into the AnnData object, ``pl`` draws what was written and
returns Axes::

    from stablek.integrations import anndata as sk

    sk.tl.choose_k(adata, use_rep="X_pca")
    sk.pl.curve(adata)

Everything written survives ``adata.write_h5ad``. scanpy itself is imported for Leiden
only, which is looked for where the user installed it.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from stablek.choose import choose_k as _choose_k
from stablek.data import Dataset, from_arrays
from stablek.errors import InputError, unknown_name
from stablek.grid import Setting, choose_setting
from stablek.integrations.leiden import Leiden, installed
from stablek.result import Result

if TYPE_CHECKING:
    from anndata import AnnData
    from matplotlib.axes import Axes

log = logging.getLogger("stablek")

#: Above this many variables, clustering X itself is worth a warning.
MANY = 2000


def values_of(
    adata: AnnData, use_rep: str | None = None, layer: str | None = None
) -> tuple[Dataset, str]:
    """Return the matrix to cluster and its name: a representation, a layer, or X.

    Without either, ``X_pca`` is taken if it is there, otherwise X; ``.raw`` never is.
    """
    if use_rep is not None and layer is not None:
        msg = "use_rep and layer name two matrices; choose one"
        raise InputError(msg)
    if layer is not None:
        if layer not in adata.layers:
            raise unknown_name("layer", layer, adata.layers)
        name, found = f"layers[{layer!r}]", adata.layers[layer]
    elif use_rep not in (None, "X"):
        if use_rep not in adata.obsm:
            raise unknown_name("representation", str(use_rep), adata.obsm)
        name, found = str(use_rep), adata.obsm[use_rep]
    elif use_rep is None and "X_pca" in adata.obsm:
        name, found = "X_pca", adata.obsm["X_pca"]
    else:
        name, found = "X", adata.X
        if use_rep is None and adata.n_vars > MANY:
            warnings.warn(
                f"clustering X with its {adata.n_vars} variables; compute a "
                "representation first (sc.pp.pca), or pass use_rep='X' if you mean it",
                UserWarning,
                stacklevel=4,
            )
    if found is None:
        msg = "this AnnData has no X; name a matrix with use_rep or layer"
        raise InputError(msg)
    dense = found.toarray() if hasattr(found, "toarray") else np.asarray(found)
    ids = tuple(str(i) for i in adata.obs_names)
    return from_arrays(dense, ids=ids, name=name), name


def categories(labels: Any) -> Any:
    """Return labels as text categories in natural order: "1", "2", ... "10"."""
    import pandas as pd

    numbers = np.asarray(labels) + 1
    ordered = [str(i) for i in range(1, int(numbers.max()) + 1)]
    return pd.Categorical([str(i) for i in numbers], categories=ordered)


def choose_k(
    adata: AnnData,
    *,
    measure: str = "fc",
    algorithm: Any = "hier-a",
    ks: Iterable[int] | None = None,
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
        The seed, under its new and its old name; a Generator gives one.
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
    result = _choose_k(data, measure, algorithm, ks, seed=seed, **settings)
    kept = result.to_uns()
    kept["params"]["use_rep"] = name
    _write(adata, key_added, kept, result.labels, result.sentence())
    return adata if copy else None


def verdict(
    adata: AnnData,
    *,
    labels: str | None = None,
    use_rep: str | None = None,
    layer: str | None = None,
    key_added: str = "verdict",
    rng: int | np.random.Generator | None = None,
    random_state: int | None = None,
    copy: bool = False,
    **settings: Any,
) -> AnnData | None:
    """Say how many clusters there are, how far to trust them, and add the partition.

    ``labels`` names a column of ``adata.obs`` to be judged, ``settings`` are those of
    :func:`stablek.verdict`, all else is as for :func:`choose_k`. Sets
    ``adata.obs[key_added]`` (the cluster of each observation, from "1"; not set where
    the data cannot be judged) and ``adata.uns[key_added]``: ``k`` (0: cannot be
    judged), ``sentence``, ``strength``, and the whole verdict as JSON text in ``json``.
    """
    from stablek.judge.run import verdict as judge

    adata = adata.copy() if copy else adata
    data, name = values_of(adata, use_rep, layer)
    own = None
    if labels is not None:
        if labels not in adata.obs:
            raise unknown_name("column of adata.obs", labels, adata.obs)
        own = [str(value) for value in adata.obs[labels]]
    found = judge(data, labels=own, seed=_seed(rng, random_state), **settings)
    kept = {
        "params": {"use_rep": name, "random_state": found.seed},
        "k": found.k or 0,
        "sentence": found.sentence,
        "strength": found.strength,
        "json": found.to_json(),
    }
    partition = None if found.k is None else found.labels
    _write(adata, key_added, kept, partition, found.sentence)
    return adata if copy else None


def choose_resolution(
    adata: AnnData,
    resolutions: Iterable[float],
    cluster: Callable[[Any, Any, np.random.Generator], Any] | None = None,
    *,
    use_rep: str | None = None,
    layer: str | None = None,
    key_added: str = "stablek_resolution",
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
        By default Leiden on scanpy's graph of neighbours, which is built anew for
        every subsample: see :class:`stablek.integrations.leiden.Leiden`. Or a function
        of your own: ``cluster(values, resolution, rng)`` returns one label per row.
    use_rep, layer, key_added, rng, random_state, copy
        As for :func:`choose_k`.
    **settings
        As for :func:`stablek.grid.choose_setting`: ``repeats``, ``calibrate`` ...

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
        installed()
        cluster = Leiden()
    found = choose_setting(data, resolutions, cluster, seed=seed, **settings)
    kept = _setting_uns(found)
    kept["params"]["use_rep"] = name
    _write(adata, key_added, kept, found.labels, found.sentence())
    return adata if copy else None


def result_of(adata: AnnData, key: str = "stablek") -> Result:
    """Return the result that :func:`choose_k` left, also after a file was read."""
    return Result.from_json(str(_kept(adata, key)["json"]))


def curve(
    adata: AnnData,
    *,
    key: str = "stablek",
    column: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the curve that chose k or the resolution; return the Axes."""
    from stablek.report import plots

    drawn = plots.curve(result_of(adata, key), column, ax=ax)
    tried = _kept(adata, key)["curve"]
    if "setting" in tried:
        drawn.set_xticks(range(2, 2 + len(tried)), [str(s) for s in tried["setting"]])
        drawn.set_xlabel("setting")
    return drawn


def sizes(adata: AnnData, *, key: str = "stablek", ax: Axes | None = None) -> Axes:
    """Draw how many observations each cluster has; return the Axes."""
    from stablek.report.pictures import COLOURS, new_axes

    if key not in adata.obs:
        raise unknown_name("column of obs", key, [str(c) for c in adata.obs.columns])
    ax = new_axes(ax)
    counts = adata.obs[key].value_counts(sort=False)
    ax.bar([str(c) for c in counts.index], counts.to_numpy(), color=COLOURS[0])
    ax.set(xlabel="cluster", ylabel="observations")
    return ax


class tl:
    """Compute, and write into the AnnData object; scanpy's word."""

    choose_k = staticmethod(choose_k)
    choose_resolution = staticmethod(choose_resolution)
    verdict = staticmethod(verdict)


class pl:
    """Draw what was computed; scanpy's word."""

    curve = staticmethod(curve)
    sizes = staticmethod(sizes)


def _seed(rng: Any, random_state: int | None) -> int:
    if rng is not None and random_state is not None:
        msg = "rng and random_state are two names of one seed; give one of them"
        raise InputError(msg)
    chosen = random_state if rng is None else rng
    if isinstance(chosen, np.random.Generator):
        return int(chosen.integers(2**31))
    return 0 if chosen is None else int(chosen)


def _setting_uns(found: Setting) -> dict[str, Any]:
    kept = found.result.to_uns()
    del kept["k_star"], kept["params"]["k_min"], kept["params"]["k_max"]
    kept["params"]["resolutions"] = [str(s) for s in found.settings]
    kept["resolution"] = "none" if found.setting is None else str(found.setting)
    kept["sentence"] = found.sentence()
    kept["curve"] = found.table.reset_index()
    kept["curve"]["setting"] = [str(s) for s in found.settings]
    return kept


def _write(adata: AnnData, key: str, kept: Any, labels: Any, sentence: str) -> None:
    adata.uns[key] = kept
    added = f"'{key}' (adata.uns)"
    if labels is not None:
        adata.obs[key] = categories(labels)
        added = f"'{key}' (adata.obs, adata.uns)"
    elif key in adata.obs:
        # An older partition must not pass for this one.
        del adata.obs[key]
    log.info("%s Added %s.", sentence, added)


def _kept(adata: AnnData, key: str) -> Any:
    if key not in adata.uns or "json" not in adata.uns[key]:
        msg = f"adata.uns has no result '{key}'; run tl.choose_k(adata) first"
        raise InputError(msg)
    return adata.uns[key]
