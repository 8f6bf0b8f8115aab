"""Measures that share their clusterings say what they say alone, bit for bit."""

from dataclasses import dataclass

import numpy as np
import pytest

from stablek.api.choose_k import choose_k
from stablek.api.compare import compare
from stablek.data import as_dataset
from stablek.engine.execution.execute import Execution
from stablek.engine.plan import plan
from stablek.engine.together import passes, run, run_pass
from stablek.measures import measure
from stablek.paradigm.cluster import algorithm

SERIAL = Execution(1, "serial")


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    centres = rng.normal(0, 5, (4, 6))
    return as_dataset(np.abs(np.repeat(centres, 12, axis=0) + rng.normal(size=(48, 6))))


def plans(data, names, clusterer, ks=range(2, 7)):
    made = []
    for name in names:
        wanted = measure(name, **({"repeats": 12} if name in ("fc", "me") else {}))
        own = [k for k in ks if k >= wanted.smallest_k]
        made.append(plan(data, wanted, algorithm(clusterer), own, 5))
    return made


@pytest.mark.parametrize("clusterer", ["hier-a", "kmeans-w", "kmeans-r", "nmf-i+fold"])
def test_what_is_shared_has_the_bits_of_what_is_not(data, clusterer):
    asked = plans(data, ["wcss", "kl", "gap-ps", "gap-pc", "fc", "me"], clusterer)
    shared = {}
    for one in passes(asked):
        found = run_pass(one, SERIAL)
        shared |= dict(zip(one.places, found, strict=True))
    for place, own in enumerate(asked):
        alone, together = run(own, SERIAL), shared[place]
        assert together.decision.k_star == alone.decision.k_star
        assert together.curve.columns.keys() == alone.curve.columns.keys()
        for name, column in alone.curve.columns.items():
            np.testing.assert_array_equal(together.curve.columns[name], column)
        assert (together.cube.labels == alone.cube.labels).all()
        if alone.nulls is not None:
            for name, column in alone.nulls.columns.items():
                np.testing.assert_array_equal(together.nulls.columns[name], column)


def test_measures_of_dispersion_share_one_pass(data):
    asked = plans(data, ["wcss", "kl", "gap-ps", "gap-pc", "fc"], "hier-a")
    assert [one.places for one in passes(asked)] == [(0, 1, 2, 3), (4,)]


def test_an_adaptive_measure_and_a_foreign_algorithm_run_alone(data):
    from sklearn.cluster import KMeans

    adaptive = plan(data, measure("fc", adaptive=True), algorithm("hier-a"), None, 0)
    assert len(passes([adaptive, adaptive])) == 2
    foreign = [
        plan(data, measure(name), algorithm(KMeans(3, n_init=1)), None, 0)
        for name in ("wcss", "kl")
    ]
    assert len(passes(foreign)) == 2


@dataclass(frozen=True)
class Broken:
    gives = "scores"
    roles = 1
    original = False

    def collect(self, cube, data):
        raise ZeroDivisionError


def test_a_statistic_that_raises_fails_alone_though_it_shares_a_pass(data):
    good = measure("silhouette")
    bad = good.with_(name="bad", collect=Broken())
    found = compare(data, [good, bad], ["hier-a"], range(2, 4), backend="serial")
    assert found.results[0].k_star == choose_k(data, good, "hier-a", range(2, 4)).k_star
    assert [one.measure for one in found.failures] == ["bad"]
    assert "ZeroDivisionError" in found.failures[0].message
