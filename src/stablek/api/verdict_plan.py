"""What a verdict would run and cost, before it is asked for."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from stablek.api.verdict import NULL_SETS, REPEATS, in_coordinates, wanted_ks
from stablek.data import Dataset, as_dataset
from stablek.data.seeds import Streams
from stablek.engine.execution.cost import Cost
from stablek.engine.execution.execute import Execution, single_blas
from stablek.errors import whole_ks
from stablek.panel.needs import Part, check_needs, cost_of, needs_of, parts_of
from stablek.panel.prepare import LARGEST, prepare
from stablek.panel.scale import Scale, wanted_scale
from stablek.panel.trivial import is_trivial


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
    data, metric, scaling, asked = _asked(X, ks, metric, scale)
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
    """Return all plans of a verdict, for shards; none where it needs no run.

    The arguments are those of :func:`stablek.verdict`.
    """
    given, metric, scaling, asked = _asked(X, ks, metric, scale)
    streams = Streams(seed, ("verdict",))
    parts: list[Part] = []
    with single_blas():
        todo = {"verdict": scaling, **({"as-given": Scale()} if scaling.steps else {})}
        for name, one in todo.items():
            order, _, data = in_coordinates(given, metric, one, streams)
            if is_trivial(given, order):
                continue
            prepared = prepare(data.values, streams.under("prepare"))
            some = parts_of(
                prepared, wanted_ks(asked, len(prepared.rows)), streams,
                repeats=repeats, null_sets=null_sets, seed=seed,
            )  # fmt: skip
            parts += [part._replace(name=f"{name}-{part.name}") for part in some]
    return parts


def _asked(
    X: Any, ks: Iterable[int] | int | None, metric: str, scale: str
) -> tuple[Dataset, str, Scale, tuple[int, ...] | None]:
    data = as_dataset(X, metric)
    metric = data.metric_or(metric)
    asked = None if ks is None else whole_ks(ks)
    return data, metric, wanted_scale(data, metric, scale), asked
