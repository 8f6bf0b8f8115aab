"""What a verdict needs: memory before anything is made, and time from a few tasks."""

import time
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stablek.data import Dataset
from stablek.data.content import AT_ONCE
from stablek.data.seeds import Streams
from stablek.engine.execution.cost import Cost, estimate
from stablek.engine.execution.execute import Execution
from stablek.engine.plan import Plan
from stablek.errors import InputError
from stablek.machine.memory import affordable, shown_size
from stablek.panel.components import MOST_COMPONENTS
from stablek.panel.far_groups import MOST_FAR, far_groups
from stablek.panel.gate import ROWS, gate_plan, gate_rows
from stablek.panel.null_sets import null_models
from stablek.panel.panel import panel_passes, panel_plans
from stablek.panel.prepare import LARGEST, Prepared, prepare
from stablek.panel.surroundings import Surroundings
from stablek.paradigm.contracts import NullModel
from stablek.results.rank_shifts import BLOCK as RANKED
from stablek.results.rank_shifts import SHIFTS

#: Bytes of a name that the verdict makes up for an item, and of a reference to a name.
NAME, REFERENCE = 60, 8
#: Whole numbers and numbers per item: its place in the order, and the table of items.
PER_ITEM = 14
#: Matrices of distances between the items judged that are held at a time.
MATRICES = 4


class Part(NamedTuple):
    """One plan of a verdict, the null sets that it is held against, and its journal."""

    name: str
    plan: Plan
    nulls: tuple[tuple[NullModel, int], ...] = ()


def parts_of(
    prepared: Prepared, ks: tuple[int, ...], streams: Streams, *, repeats: int,
    null_sets: int, seed: int,
) -> list[Part]:  # fmt: skip
    """Return the plans of a verdict, the gate's first.

    The gate stops early where its answer is plain. Which tasks it will ask for is known
    in the end only; these are all that it might.
    """
    parts: list[Part] = []
    if prepared.components != 0:
        rows = gate_rows(len(prepared.rows), streams)
        models = null_models(prepared.coordinates, prepared.values.take(rows), streams)
        plan = gate_plan(np.ascontiguousarray(prepared.judged[rows]), seed)
        parts.append(Part("gate", plan, tuple((one, null_sets) for one in models)))
    plans = panel_plans(prepared, ks, repeats=repeats, seed=seed)
    return [*parts, *(Part(name, one.plan) for name, one in panel_passes(plans))]


def needs_of(
    data: Dataset,
    ks: Sequence[int],
    execution: Execution,
    *,
    repeats: int,
    changed: bool,
) -> dict[str, int]:
    """Return the bytes a verdict and its report will hold, by what they are for.

    ``changed``: whether values are scaled, or turned for another metric.
    """
    n, m, size = data.n, data.m, data.values.itemsize
    judged, gated = min(n, LARGEST), min(n, ROWS)
    # The rows judged, centred and turned; of a wide table a sign for each value, and
    # its axes, for the space that rows of one length span, too.
    held = judged * m + 8 * 4 * m * MOST_COMPONENTS if m > judged else 24 * judged * m
    work = held + 8 * 6 * min(AT_ONCE, n * m) + n * size * min(m, 8)
    if n > LARGEST:
        work += 8 * 4 * MOST_FAR**2
    shifts = (1 + repeats) * m
    return {
        "data": n * m * size,
        "rows in order": n * m * (8 if changed else size),
        "coordinates": 8 * n * min(m, MOST_COMPONENTS + 1),
        "items": n * (8 * PER_ITEM + REFERENCE + (0 if data.ids else NAME)),
        "labels at every k": n * len(ks),
        "distances": 8 * (MATRICES * judged**2 + execution.workers() * 2 * gated**2),
        "work": work,
        "markers": 4 * min(max(ks) * shifts, max(SHIFTS, shifts))
        + 4 * 4 * min(RANKED, n * m),
    }


def check_needs(needs: dict[str, int], execution: Execution, n: int) -> None:
    """Refuse a verdict that would not fit the budget, before anything is made."""
    total = sum(needs.values())
    if affordable(total, execution.memory):
        return
    source = "half of what is free" if execution.memory is None else "set by --memory"
    parts = ", ".join(f"{what} {shown_size(size)}" for what, size in needs.items())
    raise InputError(
        f"a verdict on {n:,} items needs {shown_size(total)} ({parts}); the budget is "
        f"{shown_size(execution.allowed())} ({source}). Raise it with --memory, or "
        "select fewer columns or rows"
    )


def cost_of(
    data: Dataset,
    ks: tuple[int, ...],
    needs: dict[str, int],
    execution: Execution,
    *,
    repeats: int,
    null_sets: int,
    seed: int,
) -> Cost:
    """Return what a verdict will cost at most; some rows and tasks are tried to tell.

    The passes over all items are timed on the rows judged, and null sets on the data.
    The gate often stops before all null sets are drawn.
    """
    streams = Streams(seed, ("verdict",))
    drawn = np.arange(data.n)
    if data.n > LARGEST:
        drawn = np.sort(streams("cost").permutation(data.n)[:LARGEST])
    some = np.asarray(data.values[drawn], dtype=np.float64)
    began = time.perf_counter()
    prepared = prepare(some, streams.under("prepare"))
    once = time.perf_counter() - began
    every = 0.0
    if data.n > LARGEST:
        whole = np.zeros(len(prepared.rows), dtype=np.int64)
        began = time.perf_counter()
        prepared.coordinates.scores(some)
        far_groups(some, Surroundings.of(prepared.values[:], whole), streams)
        every = (time.perf_counter() - began) * data.n / len(some)
    planned = parts_of(
        prepared, ks, streams, repeats=repeats, null_sets=null_sets, seed=seed
    )
    parts = [estimate(one.plan, execution, one.nulls) for one in planned]
    tasks: Counter[str] = Counter()
    for one in parts:
        tasks.update(one.tasks)
    timed = sum(one.timed for one in parts)
    return Cost(
        dict(tasks),
        sum(one.each * one.timed for one in parts) / timed,
        once + every + sum(one.seconds for one in parts),
        needs,
        execution.allowed(),
        execution.workers(),
        timed,
    )
