"""The tasks of a verdict, known beforehand: for shards.

The gate stops early where its answer is plain. Which tasks it will ask for is known in
the end only, so the shards carry out all that it might.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stablek.api.verdict import in_coordinates, wanted_ks
from stablek.data import Dataset, as_dataset
from stablek.data.seeds import Streams
from stablek.engine.execution.execute import single_blas
from stablek.engine.plan import Plan
from stablek.errors import whole_ks
from stablek.panel.gate import gate_plan, gate_rows
from stablek.panel.null_sets import null_models
from stablek.panel.panel import panel_passes, panel_plans
from stablek.panel.prepare import Prepared, prepare
from stablek.panel.scale import Scale, wanted_scale
from stablek.panel.trivial import is_trivial
from stablek.paradigm.contracts import NullModel


@dataclass(frozen=True)
class Part:
    """One plan of a verdict, the null sets that it is held against, and its journal."""

    name: str
    plan: Plan
    nulls: tuple[tuple[NullModel, int], ...] = ()


def verdict_parts(
    X: Any,
    ks: Iterable[int] | int | None = None,
    *,
    metric: str = "euclidean",
    scale: str = "auto",
    seed: int = 0,
    repeats: int,
    null_sets: int,
) -> list[Part]:
    """Return all plans of a verdict; none where it needs no run.

    The arguments are those of :func:`stablek.verdict`.
    """
    given = as_dataset(X, metric)
    metric = given.metric_or(metric)
    asked = None if ks is None else whole_ks(ks)
    scaling = wanted_scale(given, metric, scale)
    todo = {"verdict": scaling, **({"as-given": Scale()} if scaling.steps else {})}
    streams = Streams(seed, ("verdict",))
    parts: list[Part] = []
    with single_blas():
        for name, one in todo.items():
            prepared = _prepared(given, metric, one, streams)
            if prepared is None:
                continue
            if prepared.components != 0:
                parts.append(_gate(name, prepared, streams, null_sets, seed))
            wanted = wanted_ks(asked, len(prepared.rows))
            plans = panel_plans(prepared, wanted, repeats=repeats, seed=seed)
            parts += [
                Part(f"{name}-{key}", shared.plan)
                for key, shared in panel_passes(plans)
            ]
    return parts


def _prepared(
    given: Dataset, metric: str, scaling: Scale, streams: Streams
) -> Prepared | None:
    order, _, data = in_coordinates(given, metric, scaling, streams)
    if is_trivial(given, order):
        return None
    return prepare(data.values, streams.under("prepare"))


def _gate(
    name: str, prepared: Prepared, streams: Streams, sets: int, seed: int
) -> Part:
    rows = gate_rows(len(prepared.rows), streams)
    models = null_models(prepared.coordinates, prepared.values.take(rows), streams)
    plan = gate_plan(np.ascontiguousarray(prepared.judged[rows]), seed)
    return Part(f"{name}-gate", plan, tuple((model, sets) for model in models))
