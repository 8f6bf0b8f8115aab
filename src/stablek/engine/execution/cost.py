"""What a run will cost: tasks, memory before anything is allocated, time from a few.

Memory is counted from sizes that are known beforehand; time is measured on a few tasks
of the run itself, so that it holds for the data, the machine and its load.
"""

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stablek.engine.execution.execute import Execution, single_blas
from stablek.engine.plan import Plan, Task, sections
from stablek.engine.steps import carry_out
from stablek.errors import InputError, advice
from stablek.machine.memory import affordable, shown_size
from stablek.paradigm.contracts import NullModel, TellsMemory, by_column
from stablek.paradigm.cube import label_type

#: Labels that would fill more than this part of the budget are kept on disk.
CUBE_PART = 0.25

#: Tasks are timed until this many seconds are spent.
CALIBRATION_SECONDS = 3.0


@dataclass(frozen=True)
class Cost:
    """What a run is expected to take.

    ``tasks`` counts those of each kind, ``each`` is the seconds that a repeat's task
    takes, from ``timed`` tasks that were timed, and ``seconds`` those of the whole run
    (an adaptive one may need less) with so many ``workers``. ``memory`` has bytes, by
    what they are for, of the ``budget``.
    """

    tasks: dict[str, int]
    each: float
    seconds: float
    memory: dict[str, int]
    budget: int
    workers: int
    timed: int

    @property
    def total(self) -> int:
        """All the memory, without what is kept on disk."""
        return sum(size for what, size in self.memory.items() if "on disk" not in what)


def cube_bytes(plan: Plan) -> int:
    """Return the size of the labels of all repeats."""
    repeats = plan.checkpoints[-1]
    count = repeats * len(plan.ks) * plan.roles * plan.data.n
    return count * label_type(max(plan.ks)).itemsize


def cube_on_disk(plan: Plan, execution: Execution) -> bool:
    """Tell whether the labels should be kept on disk."""
    return not affordable(cube_bytes(plan) / CUBE_PART, execution.memory)


def memory_of(
    plan: Plan, execution: Execution, nulls: Sequence[tuple[NullModel, int]] = ()
) -> dict[str, int]:
    """Return the bytes a run will hold, by what they are for.

    An algorithm that has a method ``memory(n, m, k, itemsize)`` tells what it shares
    among all tasks and what each of them takes; of others a copy of the sample and one
    for work are assumed. So does a statistic by ``memory(n, repeats, ks, threads)``.
    """
    data, workers = plan.data, execution.workers()
    backend = execution.resolved(plan)
    threads = 1 if backend == "serial" else workers
    if backend == "serial" or execution.scheduler is not None:
        workers = 1
    itemsize = data.values.itemsize
    drawn = max((dgp.size(data.n) for dgp in plan.measure.perturb), default=data.n)
    shared, each = 0, 2 * drawn * data.m * itemsize
    if hasattr(plan.clusterer, "memory"):
        k = max(plan.ks)
        shared = plan.clusterer.memory(data.n, data.m, k, itemsize)[0]
        each = plan.clusterer.memory(drawn, data.m, k, itemsize)[1]
    labels = cube_bytes(plan)
    on_disk = cube_on_disk(plan, execution)
    each += len(plan.ks) * plan.roles * data.n * label_type(max(plan.ks)).itemsize
    apart = workers if backend in ("processes", "dask") else 0
    sizes = {
        "data": data.values.nbytes * (1 + apart),
        "distances": shared * (1 + apart),
        "labels on disk" if on_disk else "labels": labels,
        "workers": workers * each,
        "statistic": statistic_bytes(plan, threads),
    }
    models = [model for model, _ in nulls]
    if plan.measure.null is not None and plan.measure.null_sets:
        models.append(plan.measure.null)
    if models:
        one = data.values.nbytes + shared + labels + statistic_bytes(plan, 1)
        ordered = any(map(by_column, models)) * data.values.nbytes * (1 + apart)
        sizes["null sets"] = workers * one + ordered
    return {what: size for what, size in sizes.items() if size}


def statistic_bytes(plan: Plan, threads: int) -> int:
    """Return the bytes of steps 7-8 over all repeats, where the statistic tells."""
    collect = plan.measure.collect
    if not isinstance(collect, TellsMemory):
        return 0
    repeats = plan.checkpoints[-1]
    return collect.memory(plan.data.n, repeats, len(plan.ks), threads)


def check_memory(
    plan: Plan, execution: Execution, nulls: Sequence[tuple[NullModel, int]] = ()
) -> None:
    """Refuse a run that would not fit the budget, before it allocates anything."""
    needs = memory_of(plan, execution, nulls)
    total = sum(size for what, size in needs.items() if "on disk" not in what)
    if affordable(total, execution.memory):
        return
    allowed = execution.allowed()
    memory = advice("--memory", "memory=")
    source = (
        f"half of what is free; {memory} sets it"
        if execution.memory is None
        else f"set by {memory}"
    )
    name, n = plan.clusterer.name, plan.data.n
    if needs.get("distances", 0) > allowed:
        raise InputError(
            f"{name} on {n:,} items needs {shown_size(needs['distances'])} for their "
            f"distances; the budget is {shown_size(allowed)} ({source}). "
            f"Use {advice('-a', 'algorithm')} kmeans-mb, which needs none"
        )
    parts = ", ".join(f"{what} {shown_size(size)}" for what, size in needs.items())
    raise InputError(
        f"{plan.measure.name} with {name} on {n:,} items needs {shown_size(total)} "
        f"({parts}); the budget is {shown_size(allowed)} ({source}). Try "
        f"{advice('--jobs 1', 'jobs=1')}, fewer ks, fewer repeats, or more {memory}"
    )


def estimate(
    plan: Plan,
    execution: Execution,
    nulls: Sequence[tuple[NullModel, int]] = (),
    enough: float = CALIBRATION_SECONDS,
) -> Cost:
    """Return what a run will cost; a few of its tasks are carried out to tell.

    The first task also compiles, so it is left out if there is time for others. Null
    sets are taken to cost what the data cost.
    """
    check_memory(plan, execution, nulls)
    workers = 1 if execution.resolved(plan) == "serial" else execution.workers()
    began = time.perf_counter()
    plan.clusterer.prepare(plan.data)
    fixed = time.perf_counter() - began
    todo = sections(plan, nulls)
    tasks = {what: len(tasks) for what, tasks, _ in todo}
    repeats = plan.checkpoints[-1]
    times, statistic = _timed(plan, repeats, enough)
    each = float(np.mean(times))
    per_repeat = each * len(plan.repeat_tasks(0, 1))
    one_curve = repeats * per_repeat + statistic
    sets = sum(len(tasks) for _, tasks, model in todo if model is not None)
    seconds = (
        fixed
        + (repeats * per_repeat + sets * (fixed + one_curve)) / workers
        + statistic
    )
    return Cost(
        tasks,
        each,
        seconds,
        memory_of(plan, execution, nulls),
        execution.allowed(),
        workers,
        len(times),
    )


def _timed(plan: Plan, repeats: int, enough: float) -> tuple[list[float], float]:
    """Return the times of some tasks, and that of the statistic over all repeats."""
    first = plan.repeat_tasks(0, min(3, repeats))
    chosen = _spread_over(first, 8)
    times: list[float] = []
    kept: list[tuple[Task, np.ndarray]] = []
    with single_blas():
        for task in [chosen[0], *chosen]:
            began = time.perf_counter()
            output = carry_out(plan, task)
            times.append(time.perf_counter() - began)
            if output.labels is not None:
                kept.append((task, output.labels))
            if sum(times) > enough and len(times) > 1:
                break
    whole = [pair for pair in kept if pair[0].ks == plan.ks]
    return times[1:], _statistic_seconds(plan, whole, repeats)


def _spread_over(tasks: list[Task], most: int) -> list[Task]:
    places = np.linspace(0, len(tasks) - 1, min(most, len(tasks))).round().astype(int)
    return [tasks[place] for place in dict.fromkeys(places.tolist())]


def _statistic_seconds(
    plan: Plan, kept: list[tuple[Task, np.ndarray]], repeats: int
) -> float:
    """Return the time of steps 7-8 over all repeats, from those over one and a few."""
    distinct = {task.repeat: (task, labels) for task, labels in kept}
    if not distinct or plan.measure.collect.original:
        return 0.0
    few = len(distinct)
    cube = plan.cube(few)
    for place, (task, labels) in enumerate(distinct.values()):
        cube.put(place, task.ks, labels)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # a few repeats leave pairs never drawn
        taken = []
        for count in (few, 1, few):  # the first time compiles
            began = time.perf_counter()
            plan.measure.collect.collect(cube.first(count), plan.data)
            taken.append(time.perf_counter() - began)
    slope = max(taken[2] - taken[1], 0.0) / max(few - 1, 1)
    return taken[2] + slope * (repeats - few)
