"""The fields of an AnnData object that hold a result: written, and read again."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from stablek.errors import InputError
from stablek.results.result import Result
from stablek.results.setting import Setting

if TYPE_CHECKING:
    from anndata import AnnData

log = logging.getLogger("stablek")


def write(adata: AnnData, key: str, kept: Any, labels: Any, sentence: str) -> None:
    """Set the fields, and tell which."""
    adata.uns[key] = kept
    added = f"'{key}' (adata.uns)"
    if labels is not None:
        adata.obs[key] = categories(labels)
        added = f"'{key}' (adata.obs, adata.uns)"
    elif key in adata.obs:
        # An older partition must not pass for this one.
        del adata.obs[key]
    log.info("%s Added %s.", sentence, added)


def categories(labels: Any) -> Any:
    """Return labels as text categories in natural order: "1", "2", ... "10"."""
    import pandas as pd

    numbers = np.asarray(labels)
    ordered = [str(i) for i in range(1, int(numbers.max()) + 1)]
    return pd.Categorical([str(i) for i in numbers], categories=ordered)


def of_setting(chosen: Setting) -> dict[str, Any]:
    """Return what ``adata.uns`` holds of a chosen setting."""
    kept = chosen.result.to_uns()
    del kept["k_star"], kept["params"]["k_min"], kept["params"]["k_max"]
    kept["params"]["resolutions"] = [str(s) for s in chosen.settings]
    kept["resolution"] = "none" if chosen.setting is None else str(chosen.setting)
    kept["sentence"] = chosen.sentence
    kept["curve"] = chosen.table.reset_index()
    kept["curve"]["setting"] = [str(s) for s in chosen.settings]
    return kept


def kept(adata: AnnData, key: str) -> Any:
    """Return what ``adata.uns`` holds of a result."""
    if key not in adata.uns or "json" not in adata.uns[key]:
        raise InputError(
            f"adata.uns has no result '{key}'; run tl.choose_k(adata) first"
        )
    return adata.uns[key]


def result_of(adata: AnnData, key: str = "stablek") -> Result:
    """Return the result that :func:`choose_k` left, also after a file was read."""
    return Result.from_json(str(kept(adata, key)["json"]))
