"""A result for AnnData, and the check of one that was read from JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stablek.results.result import Result


def uns_form(result: Result) -> dict[str, Any]:
    """Return a result as AnnData can keep it."""
    curve = result.table.reset_index()
    return {
        "params": {
            "measure": result.measure,
            "algorithm": result.algorithm,
            "k_min": result.ks[0],
            "k_max": result.ks[-1],
            "random_state": result.seed,
            "settings": json.dumps(dict(result.settings), default=str),
        },
        # 0 stands for "no indication": None does not survive every version.
        "k_star": 0 if result.k_star is None else result.k_star,
        "rule": result.rule,
        "reason": result.reason,
        "sentence": result.sentence,
        "curve": curve,
        "json": result.to_json(),
    }


def check_result(plain: Mapping[str, Any]) -> None:
    """Refuse the plain form of a result whose parts do not fit one another.

    To be used within :func:`refusing`, which says of what it is.
    """
    ks, columns = plain["ks"], plain["columns"]
    wrong = [name for name, column in columns.items() if len(column) != len(ks)]
    if not ks or wrong or not all(type(k) is int for k in ks):
        raise ValueError(
            f"the {len(ks)} ks do not fit {', '.join(wrong[:3]) or 'the columns'}"
        )
    if plain["k_star"] is not None and type(plain["k_star"]) is not int:
        raise ValueError(f"k_star is {plain['k_star']!r}, not a number of clusters")
    if plain["main"] not in columns:
        raise ValueError(f"there is no column {plain['main']!r}, which the rule reads")
    for name in ("facts", "settings", "versions"):
        if not isinstance(plain[name], dict):
            raise ValueError(
                f"{name} is {plain[name]!r}, not a table of names and values"
            )
    labels, n = plain["labels"], plain["data"]["n"]
    if labels is not None and len(labels) != n:
        raise ValueError(f"{len(labels)} labels do not fit {n} items")
