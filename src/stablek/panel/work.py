"""The panel's work as tasks: done by threads or a cluster, and kept: done once.

Whatever costs time is a task with an output of plain arrays: the data themselves,
every null set, the mixtures. With a journal, a verdict that was killed finds there what
it had finished, and gives the same bits as one that was never disturbed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Streams
from stablek.engine.execution import execute
from stablek.engine.execution.batches import tapered
from stablek.engine.execution.dask_cluster import dask_workers, spread_out
from stablek.engine.execution.execute import Execution
from stablek.engine.plan import Output, Task
from stablek.engine.run import Journal, Watch
from stablek.errors import TryAgainError
from stablek.panel.nulls import draw_null, draw_skewed
from stablek.panel.observe import Labels, Observed, observe, observe_null
from stablek.panel.prepare import Prepared
from stablek.paradigm.statistic.mixture import best_bic

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Work:
    """What is to be observed of one data set; every part has streams of its own."""

    made: Prepared
    ks: tuple[int, ...]
    streams: Streams
    execution: Execution = field(default_factory=Execution)
    journal: Journal | None = None
    watch: Watch | None = None

    def data(self, repeats: int) -> Observed:
        """Return all statistics of the data."""
        task = Task("original", self.ks, repeat=repeats)
        (output,) = self._outputs("data", [task], self._data)
        assert output.labels is not None  # what _data gives
        assert output.columns is not None
        columns = {name: np.array(column) for name, column in output.columns.items()}
        alone = float(columns.pop("alone")[0])
        # A copy: what a chunk holds need not be aligned, and compiled code would see
        # arrays of another type in it.
        labels = np.array(output.labels)
        partitions = np.ascontiguousarray(labels[:, 0])
        drawn = np.ascontiguousarray(labels[:, 1:])
        return Observed(self.ks, columns, alone, partitions, drawn)

    def null_sets(self, kind: str, sets: int, repeats: int) -> dict[str, Floats]:
        """Return the statistics of so many null sets, one row each."""
        what = f"null sets ({kind}{', stability' if repeats else ''})"
        tasks = [
            Task("null", self.ks, repeat=repeats, null=b, model=kind)
            for b in range(sets)
        ]
        rows: dict[str, list[Floats]] = {}
        for output in self._outputs(what, tasks, self.null_set):
            assert output.columns is not None  # what null_set gives
            for name, column in output.columns.items():
                own = rows.setdefault(name, [np.empty(0)] * sets)
                own[output.task.null] = column
        alone = np.concatenate(rows.pop("alone"))
        return {name: np.array(own) for name, own in rows.items()} | {"alone": alone}

    def mixtures(self, partitions: Labels) -> Floats:
        """Return the best BIC of Gaussian mixtures at k = 1 and at every k."""

        def carried_out(task: Task) -> Output:
            whole = np.zeros(partitions.shape[1], dtype=np.intp)
            bic, _ = best_bic(self.made.judged, [whole, *partitions], task.ks)
            return Output(task, columns={"bic": bic})

        task = Task("mixture", (1, *self.ks))
        (output,) = self._outputs("mixtures", [task], carried_out)
        assert output.columns is not None  # what carried_out gives
        return np.array(output.columns["bic"])

    def _data(self, task: Task) -> Output:
        own = self.streams.under("data")
        seen = observe(self.made.judged, task.ks, own, task.repeat)
        assert seen.labels is not None  # the data's own are kept
        labels = np.concatenate([seen.partitions[:, None], seen.labels], axis=1)
        return Output(task, labels, {**seen.columns, "alone": np.array([seen.alone])})

    def null_set(self, task: Task) -> Output:
        """Return the statistics of the null set that a task names."""
        own = self.streams.under("null", task.model, task.null)
        made = self.made
        if task.model == "skewed":
            assert made.frame is not None  # prepare() keeps both
            assert made.values is not None
            rows = draw_skewed(made.values, own("draw"))
            if made.sphere is not None:
                rows = made.sphere.bend(rows)
            drawn = np.ascontiguousarray(made.frame.scores(rows))
        else:
            drawn = made.as_prepared(draw_null(task.model, made.judged, own("draw")))
        seen = observe_null(drawn, task.ks, own, task.repeat)
        return Output(task, columns={**seen.columns, "alone": np.array([seen.alone])})

    def _outputs(
        self, what: str, tasks: list[Task], carry_out: Callable[[Task], Output]
    ) -> Iterator[Output]:
        """Yield the outputs of tasks: first those kept, then the others as they end."""
        kept = list(self.journal.kept(tasks)) if self.journal else []
        yield from kept
        done = len(kept)
        if self.watch:
            self.watch(what, done, len(tasks))
        known = {output.task for output in kept}
        fresh: list[Output] = []
        began = time.monotonic()
        try:
            for output in self._run([t for t in tasks if t not in known], carry_out):
                fresh.append(output)
                if time.monotonic() - began >= execute.BATCH_SECONDS:
                    self._keep(fresh)
                    began = time.monotonic()
                done += 1
                if self.watch:
                    self.watch(what, done, len(tasks))
                yield output
        finally:
            self._keep(fresh)

    def _keep(self, outputs: list[Output]) -> None:
        """Keep outputs and forget them, so that nothing is written twice."""
        batch = tuple(outputs)
        outputs.clear()
        if batch and self.journal:
            self.journal.keep(batch)

    def _run(
        self, tasks: list[Task], carry_out: Callable[[Task], Output]
    ) -> Iterator[Output]:
        if len(tasks) < 2 or self.execution.backend == "serial":
            yield from map(carry_out, tasks)
            return
        if self.execution.backend == "dask":
            yield from self._on_cluster(tasks)
            return
        import joblib

        run = joblib.Parallel(
            n_jobs=self.execution.workers(),
            backend="threading",
            return_as="generator_unordered",
        )
        yield from run(joblib.delayed(carry_out)(task) for task in tasks)

    def _on_cluster(self, tasks: list[Task]) -> Iterator[Output]:
        """Carry out null sets on a Dask cluster; only these are several tasks."""
        workers = dask_workers(self.execution)
        size = -(-len(tasks) // (8 * workers))
        cut = list(tapered(tasks, size, 1, workers))
        bare = Work(self.made, self.ks, self.streams)
        suspects: list[Task] = []
        for done in spread_out(bare, cut, null_sets_there, self.execution, suspects):
            yield from done
        if suspects:
            msg = (
                f"null set {suspects[0].null} ({suspects[0].model}) killed its worker "
                "again and again (often memory). Try workers with more of it"
            )
            raise TryAgainError(msg)


def null_sets_there(work: Work, tasks: Sequence[Task]) -> list[Output]:
    """Observe null sets on a worker of a cluster, with one BLAS thread."""
    with execute.single_blas():
        return [work.null_set(task) for task in tasks]
