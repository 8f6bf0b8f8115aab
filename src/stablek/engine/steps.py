"""The thesis's pseudocode, with its step numbers in the margin.

Stability_Statistic is the body of the loop over repeats; Stability_Measure calls it for
one k at a time, Fast_Stability_Measure for all ks at once. Here that is one function
and the ks it is given.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Key, Streams, stream
from stablek.engine.plan import Output, Plan, Task
from stablek.errors import InputError
from stablek.paradigm.assign import cluster_each
from stablek.paradigm.cluster.adapter import ClustererError
from stablek.paradigm.contracts import (
    Curve,
    DrawLabeller,
    NullModel,
    draws,
    stream_number,
)
from stablek.paradigm.cube import PartitionCube, label_type, not_drawn
from stablek.paradigm.perturb.null import in_metric_of
from stablek.paradigm.perturb.null_set import null_set
from stablek.paradigm.split import whole

_UNUSED = stream(0, "unused")

#: Repeats are clustered in one go while their distances are at most this: some
#: milliseconds, so that a run that is stopped soon ends.
PIECE = 4_000_000

#: Not in runs of fewer repeats: compiling what does it takes longer than it saves.
WORTHWHILE = 100


def one_repeat(
    plan: Plan, streams: Streams, repeat: int, ks: Sequence[int]
) -> NDArray[Any]:
    """Carry out steps 1-6 of Stability_Statistic once, for the ks of one task.

    Every stream is named by (repeat, k or "shared", role) and by nothing else, so the
    outcome does not depend on the number of workers, their order, a restart, or the
    other ks asked for. Returns labels of shape (ks, roles, items).
    """
    measure, data = plan.measure, plan.data
    shared = "shared" if plan.shared else ks[0]
    samples = [  # step 1
        dgp.draw(data, _rng(dgp, streams, "sample", repeat, shared, role), repeat)
        for role, dgp in enumerate(measure.perturb)
    ]
    parts = [  # step 2
        measure.split.parts(
            sample, _rng(measure.split, streams, "split", repeat, shared, role)
        )
        for role, sample in enumerate(samples)
    ]
    edges = measure.assign(parts, plan.clusterer, measure.train)  # steps 3-5
    dtype = label_type(max(plan.ks))
    labels = np.full((len(ks), len(edges), data.n), not_drawn(dtype), dtype)
    number = repeat
    if draws(plan.clusterer):
        number = stream_number(measure.perturb[0], data, repeat)
    for role, edge in enumerate(edges):  # step 6
        partitions = check_label_range(
            edge.partitions(ks, streams.under("cluster", number, role)), dtype
        )
        # Written backwards, so that an item drawn twice keeps its first label.
        labels[:, role, edge.sample.rows[::-1]] = partitions[:, ::-1]
    return labels


def label_tasks(
    plan: Plan, streams: Streams, tasks: Sequence[Task]
) -> Iterator[tuple[Task, NDArray[Any] | ClustererError]]:
    """Yield each repeat's task with its labels, or with how the clusterer failed."""
    measure, tasks = plan.measure, list(tasks)
    plain = (
        isinstance(plan.clusterer, DrawLabeller)
        and not draws(plan.clusterer)
        and (measure.split, measure.assign) == (whole, cluster_each)
        and plan.checkpoints[-1] >= WORTHWHILE
    )
    at_once = max(1, PIECE // plan.data.n**2) if plain else 1
    for first in range(0, len(tasks), at_once):
        some = tasks[first : first + at_once]
        labels = _several_repeats(plan, streams, some) if plain else None
        if labels is not None:
            yield from zip(some, labels, strict=True)
            continue
        for task in some:
            try:
                yield task, one_repeat(plan, streams, task.repeat, task.ks)
            except ClustererError as error:
                yield task, error


def _several_repeats(
    plan: Plan, streams: Streams, tasks: Sequence[Task]
) -> list[NDArray[Any]] | None:
    """Do for several tasks what :func:`one_repeat` does, if only rows are drawn.

    It draws the same samples from the same streams; the labels are the same, in less
    time where samples are small.
    """
    places: dict[tuple[int, ...], list[int]] = {}
    for place, task in enumerate(tasks):
        places.setdefault(task.ks, []).append(place)
    labels: dict[int, NDArray[Any]] = {}
    for own in places.values():
        some = _several_samples(plan, streams, [tasks[place] for place in own])
        if some is None:
            return None
        labels.update(zip(own, some, strict=True))
    return [labels[place] for place in range(len(tasks))]


def _several_samples(
    plan: Plan, streams: Streams, tasks: Sequence[Task]
) -> NDArray[Any] | None:
    """Label the samples of tasks that have the same ks."""
    ks, perturb, data = tasks[0].ks, plan.measure.perturb, plan.data
    shared = "shared" if plan.shared else ks[0]
    samples: list[list[NDArray[np.intp]]] = []
    for role, dgp in enumerate(perturb):
        rows: list[NDArray[np.intp]] = []
        for task in tasks:
            rng = _rng(dgp, streams, "sample", task.repeat, shared, role)
            sample = dgp.draw(data, rng, task.repeat)
            plain = sample.changed is None and sample.dropped is None
            if not plain or (rows and len(sample) != len(rows[0])):
                return None
            rows.append(sample.rows)
        samples.append(rows)
    dtype = label_type(max(plan.ks))
    shape = (len(tasks), len(ks), len(perturb), data.n)
    labels = np.full(shape, not_drawn(dtype), dtype)
    assert isinstance(plan.clusterer, DrawLabeller)
    for role, rows in enumerate(samples):
        plan.clusterer.label_draws(data, rows, ks, labels[:, :, role])
    return labels


def _rng(ingredient: Any, streams: Streams, *key: Key) -> np.random.Generator:
    """Return the ingredient's stream; the same unused one if it draws nothing.

    A stream takes ten microseconds to make, and a small FOM repeat little more.
    """
    return streams(*key) if draws(ingredient) else _UNUSED


def original(plan: Plan, streams: Streams, ks: Sequence[int]) -> NDArray[Any]:
    """Return the partition of the whole data at each k, shape (ks, items)."""
    every = plan.data.whole()
    partitions = plan.clusterer.partitions(every, ks, streams.under("original"))
    dtype = label_type(max(plan.ks))
    return check_label_range(np.asarray(partitions), dtype).astype(dtype, copy=False)


def check_label_range(labels: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return labels that the cube has room for; refuse a foreign clusterer's others.

    Every noise item is a cluster of its own, so there may be far more than k.
    """
    if labels.size and labels.max() >= not_drawn(dtype):
        raise ClustererError(
            f"{int(labels.max()) + 1} clusters and noise items in one partition, at "
            f"most {not_drawn(dtype)} are kept; give noise items a common label >= 0"
        )
    return labels


def curve_of(plan: Plan, cube: PartitionCube) -> Curve:
    """Carry out steps 7-8 and Synopsis: from partitions to the statistic and curve."""
    collected = plan.measure.collect.collect(cube, plan.data)
    return plan.measure.synopsis(collected, plan.facts(cube.repeats))


def null_curve(plan: Plan, model: NullModel, task: Task) -> Output:
    """Run the whole measure on one null set; return the columns of its curve.

    It has as many repeats as the data had: a statistic such as PAC depends on them. One
    that fails is left out and reported, as among the repeats of the data.
    """
    rng = stream(plan.seed, "null set", task.model, task.run, task.null)
    drawn = null_set(in_metric_of(model, plan.clusterer), plan.data, rng)
    on_null = replace(plan, data=drawn)
    try:
        on_null.clusterer.prepare(on_null.data)
    except InputError as error:
        raise InputError(
            f"not in your data, but in a null set of the model {model.name}: {error}"
        ) from None
    streams = Streams(plan.seed, ("null", task.model, task.run, task.null))
    cube = on_null.cube(task.repeat)
    if plan.measure.collect.original:
        cube.original = original(on_null, streams, plan.ks)
    failed: ClustererError | None = None
    for part, outcome in label_tasks(
        on_null, streams, on_null.repeat_tasks(0, task.repeat)
    ):
        if isinstance(outcome, ClustererError):
            failed = outcome
        else:
            cube.put(part.repeat, part.ks, outcome)
    if failed and not cube.filled.any(axis=0).all():
        raise failed
    curve = curve_of(on_null, cube)
    columns = {name: np.asarray(column) for name, column in curve.columns.items()}
    return Output(task, columns=columns, failure=str(failed) if failed else None)


def carry_out(plan: Plan, task: Task, model: NullModel | None = None) -> Output:
    """Carry out one task; a foreign clusterer's failure is an output, not an error."""
    try:
        if task.kind == "repeat":
            labels = one_repeat(plan, plan.streams, task.repeat, task.ks)
            return Output(task, labels=labels)
        if task.kind == "original":
            return Output(task, labels=original(plan, plan.streams, task.ks))
        assert model is not None  # plan.null_tasks names one for every null task
        return null_curve(plan, model, task)
    except ClustererError as error:
        return Output(task, failure=str(error))


def carry_out_all(
    plan: Plan, tasks: Sequence[Task], model: NullModel | None = None
) -> Iterator[Output]:
    """Carry out several tasks, one after another or some at once."""
    if not all(task.kind == "repeat" for task in tasks):
        yield from (carry_out(plan, task, model) for task in tasks)
        return
    for task, outcome in label_tasks(plan, plan.streams, tasks):
        if isinstance(outcome, ClustererError):
            yield Output(task, failure=str(outcome))
        else:
            yield Output(task, labels=outcome)
