"""The parts of a run: repeats, statistic, synopsis, null sets, significance."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from stablek.engine.execution.cost import cube_bytes, cube_on_disk
from stablek.engine.execution.execute import Execution, run_tasks
from stablek.engine.interim import best_against, best_so_far
from stablek.engine.plan import Output, Plan, Task
from stablek.engine.steps import curve_of
from stablek.errors import PartFailedError, TryAgainError, advice
from stablek.machine.memory import shown_size
from stablek.paradigm.contracts import (
    ConfirmsCurve,
    Curve,
    Decision,
    NullCurves,
    NullModel,
    TellsOtherRuns,
    WatchesBest,
)
from stablek.paradigm.cube import PartitionCube, passing_file
from stablek.paradigm.statistic.comembership import THREADS

Watch = Callable[[str, int, int], None]


class Journal(Protocol):
    """Keeps the outputs of tasks, so that a run that was stopped can be resumed."""

    def kept(self, tasks: Sequence[Task]) -> Iterable[Output]:
        """Return the outputs already kept among those of ``tasks``."""
        ...

    def keep(self, outputs: Sequence[Output]) -> None:
        """Keep a batch of outputs."""
        ...


@dataclass(frozen=True)
class Outcome:
    """All that a run found."""

    curve: Curve
    decision: Decision
    cube: PartitionCube
    repeats: int
    stopped: str
    nulls: NullCurves | None = None
    failures: tuple[str, ...] = ()
    others: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class DataCurve:
    """What the repeats on the data gave, before any decision."""

    cube: PartitionCube
    curve: Curve
    repeats: int
    stopped: str
    failures: tuple[str, ...] = ()


def decided(plan: Plan, done: DataCurve, nulls: NullCurves | None) -> Outcome:
    """Return the outcome: what the measure's rule says of its curves."""
    measure, failures = plan.measure, done.failures
    facts = plan.facts(done.repeats)
    decision = measure.significance(done.curve, nulls, facts)
    if nulls is not None:
        failures = (*failures, *nulls.failures)
        if nulls.missing:
            reason = f"{decision.reason}; {missing_note(nulls)}"
            decision = replace(decision, reason=reason)
    others: dict[int, int] = {}
    if nulls is None and isinstance(measure.stop, TellsOtherRuns):
        others = measure.stop.other_runs(done.cube, facts)
    return Outcome(
        done.curve, decision, done.cube, done.repeats, done.stopped, nulls, failures,
        others,
    )  # fmt: skip


@dataclass(frozen=True)
class Worker:
    """Tasks through the journal: what is kept is not run again."""

    plan: Plan
    execution: Execution
    journal: Journal | None = None
    watch: Watch | None = None
    paces: dict[str, float] = field(default_factory=dict)

    def outputs(
        self, what: str, tasks: list[Task], model: NullModel | None = None
    ) -> Iterable[Output]:
        """Yield the outputs of tasks: those kept first, then the others as they end."""
        done = 0
        kept = list(self.journal.kept(tasks)) if self.journal else []
        for output in kept:
            done += 1
            yield output
        if self.watch:
            self.watch(what, done, len(tasks))
        finished = {output.task for output in kept}
        rest = [task for task in tasks if task not in finished] if kept else tasks
        for batch in run_tasks(self.plan, rest, self.execution, model, self.paces):
            if self.journal:
                self.journal.keep(batch)
            done += len(batch)
            if self.watch:
                self.watch(what, done, len(tasks))
            yield from batch

    def look(self, best: Callable[[], int | None]) -> None:
        """Offer the watch a look at the answer so far."""
        if self.watch is not None and isinstance(self.watch, WatchesBest):
            self.watch.best(best)


def data_curve(plan: Plan, worker: Worker) -> DataCurve:
    """Run the repeats on the data until the stop rule has enough of them."""
    measure = plan.measure
    counts = plan.checkpoints
    cube = _empty_cube(plan, counts[-1], worker.execution)
    failures: dict[Task, str] = {}
    if measure.collect.original:
        for output in worker.outputs("original", [Task("original", plan.ks)]):
            if output.labels is None:
                raise PartFailedError(output.failure or "the original partition failed")
            cube.original = output.labels
    done = 0
    for count in counts:
        for output in worker.outputs("repeats", plan.repeat_tasks(done, count)):
            if output.labels is None:
                failures[output.task] = output.failure or "unknown failure"
            else:
                cube.put(output.task.repeat, output.task.ks, output.labels)
                worker.look(lambda: best_so_far(plan, cube))
        done = count
        current = cube.first(done)
        if not current.filled.any(axis=0).all():
            raise PartFailedError(in_order(failures)[0])
        reason = measure.stop.enough(current, plan.asked)
        last = done == counts[-1]
        if not (reason or last):
            continue
        curve = _curve(plan, current, worker)
        stop = measure.stop
        holds = not isinstance(stop, ConfirmsCurve) or stop.confirms(
            curve, plan.facts(done)
        )
        if last or holds:
            reason = reason or f"the limit of {done} repeats was reached"
            return DataCurve(current, curve, done, reason, in_order(failures))
    raise AssertionError  # a stop rule has at least one checkpoint


def _curve(plan: Plan, cube: PartitionCube, worker: Worker) -> Curve:
    """Make the curve with all the workers' threads, which have nothing else to do."""
    execution = worker.execution
    serial = execution.resolved(plan) == "serial"
    threads = THREADS.set(1 if serial else execution.workers())
    try:
        return curve_of(plan, cube)
    finally:
        THREADS.reset(threads)


def _empty_cube(plan: Plan, repeats: int, execution: Execution) -> PartitionCube:
    """Return room for the labels: in memory, or on disk if they are large."""
    if not cube_on_disk(plan, execution):
        return plan.cube(repeats)
    try:
        with passing_file() as path:
            return plan.cube(repeats, path)
    except OSError as error:
        size = shown_size(cube_bytes(plan))
        raise TryAgainError(
            f"the labels of all repeats take {size}, and the folder for temporary "
            f"files has no room ({error.strerror}); set TMPDIR to another folder, or "
            f"{advice('--memory', 'memory=')} to more than four times that size"
        ) from None


def null_curves(
    worker: Worker,
    model: NullModel,
    sets: int,
    repeats: int,
    runs: int = 1,
    curve: Curve | None = None,
    first: int = 0,
) -> NullCurves:
    """Return the curves of null sets; columns of shape (runs, sets - first, ks).

    ``first`` leaves out those that are known already.

    ``curve`` is that of the data. A null set that fails gets it in its place: it counts
    as one that looks like the data, which can only make their structure seem weaker.
    All fail where every one does, or where the curve is not known. If ``model`` is the
    measure's own, the watch gets the decision that the finished repeats would give.
    """
    plan = worker.plan
    every = plan.null_tasks(model, sets, runs, repeats)
    tasks = [task for task in every if task.null >= first]
    columns: dict[str, np.ndarray] = {}
    shape = (runs, sets - first, len(plan.ks))
    missing: list[Task] = []
    failures: dict[Task, str] = {}
    for output in worker.outputs(f"null sets ({model.name})", tasks, model):
        task = output.task
        if output.failure is not None:
            some = "" if output.columns is None else ", in some repeats"
            failures[task] = f"null set {task.null + 1}{some}: {output.failure}"
        if output.columns is None:
            missing.append(task)
            continue
        for name, column in output.columns.items():
            place = columns.setdefault(name, np.full(shape, np.nan))
            place[task.run, task.null - first] = column
        if curve is not None and model is plan.measure.null:
            worker.look(lambda: best_against(plan, curve, columns, repeats))
    failed = in_order(failures)
    if missing and (curve is None or len(missing) == len(tasks)):
        raise PartFailedError(failed[0])
    for task in missing:
        assert curve is not None  # or nothing may be missing
        for name, place in columns.items():
            place[task.run, task.null - first] = curve.columns[name]
    return NullCurves(model.name, columns, len(missing), failed)


def in_order(failures: Mapping[Task, str]) -> tuple[str, ...]:
    """Return what failed in the order of the tasks, not in that of their ends."""
    return tuple(failures[task] for task in sorted(failures))


def missing_note(nulls: NullCurves) -> str:
    """Return what is said of null sets that failed."""
    return f"{nulls.missing} null set(s) failed; they count as looking like the data"
