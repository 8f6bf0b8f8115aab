"""What a verdict would cost, before it is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from stablek.api.verdict import NULL_SETS, REPEATS, in_coordinates, wanted_ks
from stablek.data import as_dataset
from stablek.data.seeds import Streams
from stablek.engine.execution.cost import Cost
from stablek.engine.execution.execute import Execution, single_blas
from stablek.errors import whole_ks
from stablek.panel.needs import check_needs, cost_of, needs_of
from stablek.panel.prepare import LARGEST
from stablek.panel.scale import wanted_scale


def verdict_cost(
    X: Any,
    ks: Iterable[int] | int | None = None,
    *,
    metric: str = "euclidean",
    scale: str = "auto",
    seed: int = 0,
    repeats: int = REPEATS,
    null_sets: int = NULL_SETS,
    execution: Execution | None = None,
) -> Cost:
    """Return tasks, memory and about how long :func:`stablek.verdict` would take.

    The parameters are those of :func:`stablek.verdict`. Memory is computed, time is
    measured on a few tasks. What does not fit the budget is refused, as a verdict is.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(60, 4))
    >>> sorted(verdict_cost(X, range(2, 5)).memory)[:3]
    ['coordinates', 'data', 'distances']
    """
    how = execution or Execution()
    data = as_dataset(X, metric)
    metric = data.metric_or(metric)
    scaling = wanted_scale(data, metric, scale)
    asked = None if ks is None else whole_ks(ks)
    tried = wanted_ks(asked, min(data.n, LARGEST))
    changed = bool(scaling.steps) or metric != "euclidean"
    needs = needs_of(data, tried, how, repeats=repeats, changed=changed)
    check_needs(needs, how, data.n)
    with single_blas():
        streams = Streams(seed, ("cost",))
        data = in_coordinates(data, metric, scaling, streams)[2]
        cost = cost_of(
            data, tried, needs, how, repeats=repeats, null_sets=null_sets, seed=seed
        )
    # Where columns are scaled, a second verdict is given on the data as they are.
    times = 2 if scaling.steps else 1
    return replace(
        cost,
        seconds=times * cost.seconds,
        tasks={what: times * count for what, count in cost.tasks.items()},
    )
