"""Stopping rules decide from what they have seen."""

import numpy as np
import pytest

from stablek.data.seeds import stream
from stablek.errors import InputError
from stablek.factorize import (
    FixedIterations,
    StationaryConnectivity,
    StationaryObjective,
)
from stablek.factorize.factorisation import solve
from stablek.factorize.init import random
from stablek.factorize.iteration import Iteration
from stablek.factorize.problem import Problem
from stablek.factorize.updates import METHODS


def test_a_stationary_objective_is_judged_by_its_last_fall():
    rule = StationaryObjective(tolerance=0.01)
    assert not rule.settled([1.0])
    assert not rule.settled([1.0, 0.98])
    assert rule.settled([1.0, 0.98, 0.975])
    assert rule.settled([1.0, 1.2])
    assert rule.settled([1e-15])


def test_connectivity_must_be_unchanged_for_that_many_looks():
    rule = StationaryConnectivity(looks=2)
    assert not rule.settled([b"a", b"a"])
    assert rule.settled([b"a", b"a", b"a"])
    assert not rule.settled([b"a", b"b", b"b"])
    assert rule.settled([b"a", b"b", b"b", b"b"])


def test_names_of_clusters_do_not_matter_to_connectivity():
    problem = Problem.of(np.eye(4))
    genes = np.full((3, 4), 0.25)

    def partition(labels):
        return Iteration(
            problem, METHODS["hals"], (np.eye(3)[:, labels].copy(), genes)
        ).partition()

    assert partition([0, 0, 1, 2]) == partition([2, 2, 0, 1])
    assert partition([0, 0, 1, 2]) != partition([0, 1, 1, 2])


def test_connectivity_reads_coefficients_after_the_metagenes_are_normalised():
    problem = Problem.of(np.eye(2))
    raw = np.array([[1.0, 2.0], [1.5, 1.0]])
    genes = np.array([[9.0, 9.0], [0.1, 0.1]])
    state = Iteration(problem, METHODS["hals"], (raw, genes))
    assert state.partition() == np.zeros(2, np.int32).tobytes()


@pytest.mark.parametrize(
    "make",
    [
        lambda: FixedIterations(0),
        lambda: StationaryObjective(tolerance=-1),
        lambda: StationaryObjective(every=0),
        lambda: StationaryConnectivity(looks=0),
    ],
)
def test_a_rule_that_could_not_work_is_refused(make):
    with pytest.raises(InputError):
        make()


@pytest.mark.parametrize("k", [2, 3, 5, 9])
@pytest.mark.parametrize("at_most", [2000, 95])
def test_one_kernel_stops_where_looking_from_outside_does(k, at_most, monkeypatch):
    rng = np.random.default_rng(k)
    groups = np.arange(30) % 3
    values = rng.random((30, 20)) + 3.0 * (groups[:, None] == np.arange(20) % 3)
    problem = Problem.of(np.where(values > 0.5, values, 0.0))
    rule, stop = METHODS["brunet"], StationaryConnectivity(looks=8, at_most=at_most)

    def found():
        start = random(problem.values, k, stream(0, k))
        return solve(problem, rule, start, stop, "random")

    inside = found()
    monkeypatch.setattr(Iteration, "settle", lambda *_: None)
    outside = found()
    assert inside.iterations == outside.iterations
    assert inside.stopped_by == outside.stopped_by
    np.testing.assert_array_equal(inside.labels, outside.labels)
    np.testing.assert_allclose(inside.objective, outside.objective)
