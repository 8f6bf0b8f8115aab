"""Every ingredient keeps its contract, by the checks that are shipped to users."""

import numpy as np
import pytest

from stablek.measures import MEASURES, measure, settings_of
from stablek.paradigm.cluster import ALGORITHMS, algorithm
from stablek.paradigm.cluster.adapter import Adapter
from stablek.paradigm.perturb.null import NULL_MODELS, null_model
from stablek.testing import (
    check_clusterer,
    check_measure,
    check_null_model,
    check_perturbation,
    some_data,
)

QUICK = {"repeats": 5, "null_sets": 3}
#: These draw distances, and labels; their own tests hold them to it.
OTHER_KINDS = {"graph", "labels"}


@pytest.mark.parametrize("name", sorted(ALGORITHMS))
def test_every_algorithm_keeps_its_contract(name):
    check_clusterer(algorithm(name))


@pytest.mark.parametrize("name", sorted(set(NULL_MODELS) - OTHER_KINDS))
def test_every_null_model_keeps_its_contract(name):
    check_null_model(null_model(name))


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_measure_and_its_perturbations_keep_their_contracts(name):
    known = settings_of(name)
    made = measure(name, **{key: v for key, v in QUICK.items() if key in known})
    for perturbation in made.perturb:
        check_perturbation(perturbation)
    check_measure(made, "kmeans-w")


def test_the_adapter_keeps_the_contract():
    from sklearn.cluster import KMeans

    check_clusterer(Adapter(KMeans(n_init=1), "KMeans"))


def test_a_clusterer_that_ignores_its_streams_is_found_out():
    class Careless:
        name, random, native = "careless", True, False
        calls = 0

        def prepare(self, data):
            pass

        def partitions(self, sample, ks, streams):
            type(self).calls += 1
            rng = np.random.default_rng(type(self).calls)
            return np.stack([rng.integers(0, k, len(sample)) for k in ks])

    with pytest.raises((AssertionError, AttributeError)):
        check_clusterer(Careless())


def test_a_perturbation_that_changes_the_data_is_found_out():
    class Vandal:
        def draw(self, data, rng, repeat):
            data.values[0, 0] = 99.0
            return data.whole()

        def size(self, n):
            return n

    with pytest.raises(ValueError, match="read-only"):
        Vandal().draw(some_data(), np.random.default_rng(0), 0)
