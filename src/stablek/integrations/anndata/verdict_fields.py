"""The fields of an AnnData object that hold a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stablek.integrations.anndata.fields import write
from stablek.integrations.anndata.markers import as_scanpy, markers_of
from stablek.paradigm.indices import adjusted_rand, contingency
from stablek.results.describe import main_level

if TYPE_CHECKING:
    import pandas as pd
    from anndata import AnnData

    from stablek.results.verdict import Verdict

#: The consensus matrix of more observations than this is not kept.
MOST_PAIRS = 2000


def write_verdict(
    adata: AnnData,
    key: str,
    verdict: Verdict,
    use_rep: str,
    layer: str | None,
    fine: Any = None,
    fine_key: str | None = None,
) -> None:
    """Write a verdict into an AnnData object: trust per cell, tables, markers."""
    kept: dict[str, Any] = {
        "params": {"use_rep": use_rep, "random_state": verdict.seed},
        "k": verdict.k or 0,
        "best_guess": verdict.best_guess or 0,
        "sentence": verdict.sentence,
        "strength": verdict.strength,
        "clusters": writable(verdict.clusters),
        "plausible": plausible_frame(verdict),
        "json": verdict.to_json(),
    }
    explained = verdict.annotations
    if explained.rows:
        import pandas as pd

        kept["annotations"] = writable(
            pd.DataFrame([one.to_dict() for one in explained.rows])
        )
        kept["annotation_sentences"] = list(explained.sentences)
    if fine is not None:
        kept["resolution_sentence"] = reconciled(verdict, fine, str(fine_key))
    partition = None if verdict.k is None else verdict.labels
    write(adata, key, kept, partition, verdict.sentence)
    for name in ("consensus", "runner_up", "between"):
        if name in verdict.item_columns:
            adata.obs[f"{key}_{name}"] = np.asarray(verdict.item_columns[name])
    k = main_level(verdict)
    if k is not None:
        markers = markers_of(adata, verdict, k, layer=layer)
        if markers and (verdict.k or 1) > 1:
            adata.uns[f"{key}_markers"] = as_scanpy(markers, key)
    result = verdict.result
    if (
        result is not None
        and result.n == adata.n_obs <= MOST_PAIRS
        and k is not None
        and result.cube is not None
        and k in result.cube.ks
    ):
        adata.obsp[f"{key}_consensus"] = in_order_of(adata, verdict, k)


def in_order_of(adata: AnnData, verdict: Verdict, k: int) -> Any:
    """Return the consensus matrix at k in the order of the observations."""
    result = verdict.result
    assert result is not None
    assert result.data is not None
    place = {name: i for i, name in enumerate(result.data.item_ids())}
    rows = np.array([place[str(name)] for name in adata.obs_names])
    return result.consensus(k)[np.ix_(rows, rows)].astype(np.float32)


def plausible_frame(verdict: Verdict) -> pd.DataFrame:
    """Return how plausible every k is, as a table."""
    import pandas as pd

    ks = sorted(verdict.plausible)
    return pd.DataFrame({"k": ks, "weight": [float(verdict.plausible[k]) for k in ks]})


def writable(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table that a file can hold: numbers or text in every column."""
    made = table.copy()
    for name in made.columns:
        if made[name].dtype == object:
            numbers = made[name].map(lambda v: v is None or isinstance(v, (int, float)))
            if numbers.all():
                made[name] = made[name].astype(float)
            else:
                made[name] = made[name].map(lambda v: "" if v is None else str(v))
    made.columns = [str(name) for name in made.columns]
    return made


def reconciled(verdict: Verdict, fine: Any, key: str) -> str:
    """Return how the clusters of a resolution and of a verdict go together.

    Leiden cuts a graph of neighbours at a resolution; a verdict looks for groups with
    room between them. The finer of the two mostly splits the other.
    """
    other = [str(value) for value in fine]
    count = len(set(other))
    k = verdict.best_guess or 1
    labels = verdict.labels_at(k)
    table = contingency(other, labels)
    rand = adjusted_rand(table)
    if k == 1 or (verdict.k or 1) == 1:
        return (
            f"'{key}' has {count} clusters; the verdict finds no evidence of clusters. "
            "They cut a continuum, which can still be a useful description."
        )
    inside = float(table.max(axis=1).sum() / max(table.sum(), 1))
    if count == k:
        return (
            f"'{key}' and the verdict both have {k} clusters; they agree to {rand:.2f} "
            "(adjusted Rand index)."
        )
    if count > k:
        return (
            f"'{key}' has {count} clusters, the verdict {k}. For {inside:.0%} of the "
            f"cells, the clusters of '{key}' are parts of those of the verdict "
            f"(adjusted Rand index {rand:.2f})."
        )
    within = float(table.max(axis=0).sum() / max(table.sum(), 1))
    return (
        f"'{key}' has {count} clusters, the verdict {k}. For {within:.0%} of the "
        f"cells, the clusters of the verdict are parts of those of '{key}' (adjusted "
        f"Rand index {rand:.2f})."
    )
