"""The plain form of a verdict: what is written as JSON, and read from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.results.json_form import column_of, plain_column, plain_record

if TYPE_CHECKING:
    from stablek.results.verdict import Verdict

#: Raised whenever the JSON form changes in a way that old readers cannot follow.
SCHEMA = 2


def plain_form(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as plain numbers, strings, lists and dictionaries."""
    return {
        "schema": SCHEMA,
        "k": verdict.k,
        "best_guess": verdict.best_guess,
        "sentence": verdict.sentence,
        "strength": verdict.strength,
        "evidence": verdict.evidence,
        "levels": [asdict(level) for level in verdict.levels],
        "plausible": {str(k): weight for k, weight in verdict.plausible.items()},
        "p": verdict.p,
        "p_of": dict(verdict.p_of),
        "votes": dict(verdict.votes),
        "dissent": list(verdict.dissent),
        "next_steps": list(verdict.next_steps),
        "labels": verdict.labels.tolist(),
        "ks": list(verdict.ks),
        "columns": {name: plain_column(c) for name, c in verdict.columns.items()},
        "clusters": [plain_record(row) for row in verdict.cluster_records],
        "items": {
            name: plain_column(column) if column.dtype.kind == "f"
            else column.tolist()
            for name, column in verdict.item_columns.items()
        },
        "moves": [plain_record(row) for row in verdict.move_records],
        "user_labels": verdict.user_labels,
        "isolated": list(verdict.isolated),
        "rare_items": list(verdict.rare_items),
        "scale": verdict.scale,
        "ids": list(verdict.ids),
        "data": {"name": verdict.data_name, "n": verdict.n, "m": verdict.m},
        "facts": dict(verdict.facts),
        "settings": dict(verdict.settings),
        "seed": verdict.seed,
        "versions": dict(verdict.versions),
        "notes": list(verdict.notes),
    }  # fmt: skip


def parts_of(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a verdict from its plain form; levels stay plain."""
    data = plain["data"]
    apart = ("schema", "data", "clusters", "items", "moves")
    same = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in plain.items()
        if name not in apart
    }
    return {
        **same,
        "labels": np.asarray(plain["labels"], dtype=np.int64),
        "columns": {name: column_of(c) for name, c in plain["columns"].items()},
        "plausible": {int(k): weight for k, weight in plain["plausible"].items()},
        "cluster_records": tuple(plain["clusters"]),
        "item_columns": {n: _array(column) for n, column in plain["items"].items()},
        "move_records": tuple(plain["moves"]),
        "data_name": data["name"],
        "n": data["n"],
        "m": data["m"],
    }


def _array(column: list[Any]) -> NDArray[Any]:
    """Return a column of items; None stands for what is not known."""
    if any(value is None or isinstance(value, float) for value in column):
        return column_of(column)
    return np.asarray(column)
