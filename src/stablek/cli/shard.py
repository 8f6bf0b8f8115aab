"""A run in parts, and what it will cost: the plan behind the options of ``run``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.options import setting
from stablek.cli.run_folder import at_work
from stablek.cli.user_code import load_named
from stablek.errors import InputError

if TYPE_CHECKING:
    from stablek.api.choose_k import Request
    from stablek.data import Dataset
    from stablek.engine.execution.cost import Cost
    from stablek.engine.plan import Plan
    from stablek.paradigm.contracts import NullModel

    Nulls = Sequence[tuple[NullModel, int]]


def build_request(dataset: Dataset, given: dict[str, Any]) -> tuple[Request, Nulls]:
    """Return what the options ask for, and further null models to compare with.

    What a run would refuse is refused, and nothing is run.
    """
    from stablek.api.choose_k import request
    from stablek.engine.calibrate import calibrating_model, check_calibrates

    calibrated = bool(given["calibrate"])
    asked = request(dataset, calibrated=calibrated, **arguments_of(dataset, given))
    if not calibrated:
        return asked, ()
    check_calibrates(asked.measure)
    return asked, [(calibrating_model(given["null"]), given["calibrate"])]


def arguments_of(dataset: Dataset, given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a request that the options stand for."""
    same = ("ks", "seed", "preset", "repeats", "fraction")
    return {
        "measure": load_named(given["measure"]),
        "algorithm": load_named(given["algorithm"]),
        "metric": dataset.metric_or(given["metric"]),
        **{name: given[name] for name in same},
        **dict(setting(text) for text in given["settings"]),
    }


def settings_to_keep(given: dict[str, Any]) -> dict[str, Any]:
    """Return the options that determine a result, for the manifest of its folder."""
    names = (
        "measure", "algorithm", "repeats", "fraction", "preset", "metric", "seed",
        "calibrate", "null",
    )  # fmt: skip
    ks, more = given["ks"], dict(setting(text) for text in given["settings"])
    return {
        **{name: given[name] for name in names},
        "ks": ks and [ks[0], ks[-1]],
        "more": more,
    }


def run_part(
    dataset: Dataset,
    what: Mapping[str, Any],
    parts: Callable[[], Sequence[tuple[str, Plan, Nulls]]],
    given: Mapping[str, Any],
) -> int:
    """Carry out one shard and keep it; there is no result yet.

    ``parts`` makes the plans, each with its name and with further null models.
    """
    from stablek.engine.shard import Shard, run_shard

    shard, out = Shard.parse(given["shard"]), given["out"]
    if out is None:
        raise InputError("--shard needs a folder to keep its part in: add -o DIR")
    plans = parts()
    count = 0
    with at_work(given, dataset, what, shard.key) as (folder, progress):
        assert folder is not None  # `out` is given
        for name, plan, nulls in plans:
            journal = folder.journal(f"{shard.key}-{name}" if name else shard.key)
            count += run_shard(
                plan, shard, journal, given["execution"], progress, nulls
            )
    if not given["quiet"]:
        click.echo(f"shard {shard}: {count} tasks kept in {out}", err=True)
        click.echo(f"when all shards are finished: stablek merge {out}", err=True)
    return 0


def show_cost(cost: Cost, ks: Sequence[int] = (), *, as_json: bool) -> int:
    """Print what a run would cost."""
    if as_json:
        click.echo(json.dumps(plain_cost(cost)))
    else:
        click.echo("\n".join(cost_lines(cost, ks)))
    return 0


def plain_cost(cost: Cost) -> dict[str, Any]:
    """Return the cost as JSON knows it."""
    return {
        "tasks": cost.tasks, "seconds": cost.seconds, "seconds_per_task": cost.each,
        "workers": cost.workers, "memory": cost.memory, "total": cost.total,
        "budget": cost.budget,
    }  # fmt: skip


def cost_lines(cost: Cost, ks: Sequence[int]) -> list[str]:
    """Return the cost as lines of text."""
    from stablek.machine.memory import shown_size

    counts = ", ".join(f"{what}: {count}" for what, count in cost.tasks.items())
    parts = ", ".join(
        f"{what} {shown_size(size)}" for what, size in cost.memory.items()
    )
    return [
        f"tasks    {counts}" + (f" (k = {ks[0]} to {ks[-1]})" if ks else ""),
        f"time     about {shown_time(cost.seconds)} with {cost.workers} worker(s); "
        f"{cost.each:.3g} s a task, from {cost.timed} timed",
        f"memory   about {shown_size(cost.total)} ({parts}); budget "
        f"{shown_size(cost.budget)}",
    ]


def shown_time(seconds: float) -> str:
    """Return a time as people say it.

    Examples
    --------
    >>> shown_time(0.42), shown_time(95), shown_time(7300), shown_time(200_000)
    ('0.42 s', '1.6 min', '2.0 h', '2.3 days')
    """
    for size, name in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.1f} {name}"
    return f"{seconds:.2g} s"
