"""Clest with all three external indices in one pass: they read the same partitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.engine.execution.execute import Execution
from stablek.engine.plan import plan
from stablek.engine.run import run
from stablek.paradigm.cluster import algorithm as named_algorithm
from stablek.paradigm.contracts import Curve, Facts
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.measure import Measure
from stablek.paradigm.statistic.agreement import Agreement
from stablek.paradigm.synopsis import median_value, takes
from stablek_bench.grid import Recipe
from stablek_bench.journal import clock
from stablek_bench.store import Answer

#: The three external indices of the thesis.
THREE = ("adj", "fm", "f")


@dataclass(frozen=True)
class AllIndices:
    """The three external indices of roles 0 and 1: scores of shape (3, repeats, ks)."""

    gives = "scores of three indices"
    roles = 2
    original = False

    def collect(self, cube: PartitionCube, data: Dataset) -> NDArray[np.float64]:
        """Return the indices for every repeat and k."""
        return np.stack([Agreement(name).collect(cube, data) for name in THREE])


@takes("scores of three indices")
def three_medians(scores: NDArray[np.float64], facts: Facts) -> Curve:
    """Return the median of each index over repeats, as a column of its name."""
    columns = {
        name: median_value(one, facts).values
        for name, one in zip(THREE, scores, strict=True)
    }
    return Curve(facts.ks, columns, THREE[0])


def clest_answers(
    recipes: Sequence[Recipe],
    declared: Measure,
    data: Dataset,
    ks: range,
    seed: int,
    how: Execution,
) -> dict[Recipe, Answer]:
    """Answer Clest for several indices from one pass over the data and null sets."""
    every = declared.with_(collect=AllIndices(), synopsis=three_medians)
    clusterer = named_algorithm(recipes[0].algorithm)
    planned = plan(data, every, clusterer, ks, seed)
    now = clock(how)
    began = now()
    outcome = run(planned, how)
    seconds = now() - began
    facts = planned.facts(outcome.repeats)
    found = {}
    for recipe in recipes:
        curve = replace(outcome.curve, main=dict(recipe.settings)["index"])
        decision = declared.significance(curve, outcome.nulls, facts)
        more = {"candidates": [int(k) for k in decision.candidates]}
        found[recipe] = Answer(decision.k_star, seconds, how.workers(), facts=more)
    return found
