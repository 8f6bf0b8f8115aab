"""The factors while they change."""

import numpy as np

from stablek.factorize.init import Start
from stablek.factorize.problem import Problem
from stablek.factorize.stop import StationaryConnectivity, Stopping
from stablek.factorize.updates import Method, Steps, brunet, has_lists
from stablek.kernels.clusters import by_first_appearance
from stablek.kernels.nmf import normalise
from stablek.kernels.nmf_brunet import until_stationary, vectors_of

WATCH_EVERY = 10


class Iteration:
    """The factors while they change: what a stopping rule may look at."""

    def __init__(self, problem: Problem, method: Method, start: Start) -> None:
        self.problem, self.method = problem, method
        self.coefficients, self.metagenes = problem.own(start)
        self.iterations = 0
        self._unit: float | None = None
        self._objective: float | None = None

    def advance(self, iterations: int) -> None:
        """Make so many iterations.

        A rule that may overshoot is watched, every ten iterations at least: those that
        raised the objective are thrown away and made again with care. As it feeds on
        differences, the scale that the factors share would drift; it is reset.
        """
        last = self.iterations + iterations
        while self.iterations < last:
            careful, count = self.method.careful, last - self.iterations
            if careful is None:
                self._step(self.method.steps, count)
                continue
            count = min(WATCH_EVERY, count)
            before = self.objective()
            kept = self.coefficients.copy(), self.metagenes.copy()
            self._step(self.method.steps, count)
            if self.objective() > before:
                self.coefficients[:], self.metagenes[:] = kept
                self.iterations -= count
                self._step(careful, count)
            normalise(self.coefficients, self.metagenes)

    def _step(self, steps: Steps, iterations: int) -> None:
        rows, columns = self.problem.rows, self.problem.columns
        steps(rows, columns, self.coefficients, self.metagenes, iterations)
        self.iterations += iterations
        self._objective = None

    def settle(self, stop: Stopping) -> bool | None:
        """Iterate and look in one kernel; return whether the rule ended it.

        None: there is no such kernel, and nothing was done. There is one for Brunet's
        updates with his stopping rule, where looks would take longer than iterations.
        """
        rows, rank = self.problem.rows, len(self.metagenes)
        if self.method.steps is not brunet or not has_lists(rows, rank):
            return None
        if not isinstance(stop, StationaryConnectivity):
            return None
        self.iterations, settled = until_stationary(
            rows,
            self.problem.columns,
            self.coefficients,
            self.metagenes,
            stop.every,
            stop.looks,
            stop.at_most,
            vectors_of(rank),
        )
        self._objective = None
        return bool(settled)

    def objective(self) -> float:
        """Return the objective of the scaled data."""
        if self._objective is None:
            self._objective = self.method.evaluate(
                self.problem.rows, self.coefficients, self.metagenes
            )
        return self._objective

    def share(self) -> float:
        """Return the objective relative to that of the mean of all items."""
        if self._unit is None:
            self._unit = self.method.of_mean(self.problem.values)
        return self.objective() / self._unit

    def partition(self) -> bytes:
        """Return the partition, clusters numbered by first appearance."""
        scale = self.metagenes.sum(axis=1, keepdims=True)
        items = self.coefficients[:, : len(self.problem.values)]
        largest = np.argmax(items * scale, axis=0)
        return by_first_appearance(largest).astype(np.int32).tobytes()
