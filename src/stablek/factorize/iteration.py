"""The factors while they change."""

from __future__ import annotations

import numpy as np

from stablek.factorize.init import Start
from stablek.factorize.problem import Problem
from stablek.factorize.updates import Method, Steps
from stablek.kernels.clusters import by_first_appearance
from stablek.kernels.nmf import normalise

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
