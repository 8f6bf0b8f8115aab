"""The plain form of a result: what is written as JSON, and read from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from stablek.results.json_form import column_of, plain_column

if TYPE_CHECKING:
    from stablek.results.result import Result

#: Raised whenever the JSON form changes in a way that old readers cannot follow.
SCHEMA = 2


def plain_form(result: Result) -> dict[str, Any]:
    """Return a result as plain numbers, strings, lists and dictionaries."""
    columns = {name: plain_column(column) for name, column in result.columns.items()}
    return {
        "schema": SCHEMA,
        "k_star": result.k_star,
        "rule": result.rule,
        "reason": result.reason,
        "candidates": list(result.candidates),
        "measure": result.measure,
        "algorithm": result.algorithm,
        "data": {"name": result.data_name, "n": result.n, "m": result.m},
        "ks": list(result.ks),
        "main": result.main,
        "error": result.error,
        "columns": columns,
        "labels": None if result.labels is None else result.labels.tolist(),
        "facts": dict(result.facts),
        "settings": dict(result.settings),
        "seed": result.seed,
        "versions": dict(result.versions),
        "notes": list(result.notes),
        "failures": list(result.failures),
    }


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


def parts_of(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a result from its plain form, if they fit one another."""
    check_result(plain)
    labels, data = plain["labels"], plain["data"]
    columns = {name: column_of(column) for name, column in plain["columns"].items()}
    same = (
        "k_star", "rule", "reason", "measure", "algorithm", "main", "error", "facts",
        "settings", "seed", "versions",
    )  # fmt: skip
    lists = ("candidates", "ks", "notes", "failures")
    return {
        **{name: plain[name] for name in same},
        **{name: tuple(plain[name]) for name in lists},
        "columns": columns,
        "n": data["n"],
        "m": data["m"],
        "data_name": data["name"],
        # Schema 1 numbered clusters from 0.
        "labels": None
        if labels is None
        else np.asarray(labels, dtype=np.int64) + (plain["schema"] == 1),
    }


def check_result(plain: Mapping[str, Any]) -> None:
    """Refuse the plain form of a result whose parts do not fit one another.

    To be used within :func:`refusing`, which says of what it is.
    """
    ks, columns = plain["ks"], plain["columns"]
    wrong = [name for name, column in columns.items() if len(column) != len(ks)]
    if not ks or wrong or not all(type(k) is int for k in ks):
        problem = f"the {len(ks)} ks do not fit {', '.join(wrong[:3]) or 'the columns'}"
        raise ValueError(problem)
    if plain["k_star"] is not None and type(plain["k_star"]) is not int:
        problem = f"k_star is {plain['k_star']!r}, not a number of clusters"
        raise ValueError(problem)
    if plain["main"] not in columns:
        problem = f"there is no column {plain['main']!r}, which the rule reads"
        raise ValueError(problem)
    for name in ("facts", "settings", "versions"):
        if not isinstance(plain[name], dict):
            problem = f"{name} is {plain[name]!r}, not a table of names and values"
            raise ValueError(problem)
    labels, n = plain["labels"], plain["data"]["n"]
    if labels is not None and len(labels) != n:
        problem = f"{len(labels)} labels do not fit {n} items"
        raise ValueError(problem)
