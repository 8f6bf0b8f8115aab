"""One factorisation: its value, its form, and what it says about itself."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import NMF

from stablek.data.seeds import stream
from stablek.errors import InputError
from stablek.factorize import (
    METHODS,
    Factorisation,
    FixedIterations,
    StationaryConnectivity,
    StationaryObjective,
    factorisations,
    factorise,
    labels,
)
from stablek.factorize.factorisation import solve
from stablek.factorize.init import random
from stablek.factorize.iteration import Iteration
from stablek.factorize.problem import Problem
from stablek.kernels.nmf import gram, wide

X = np.random.default_rng(5).gamma(0.5, size=(30, 40))


def sklearn_best(loss, rank, seeds):
    solver = "cd" if loss == "frobenius" else "mu"
    runs = [
        NMF(
            rank,
            init="random",
            random_state=seed,
            solver=solver,
            beta_loss=loss,
            tol=1e-6,
            max_iter=4000,
        ).fit(X)
        for seed in seeds
    ]
    best = min(run.reconstruction_err_ for run in runs)
    return 0.5 * best**2  # both losses: reconstruction_err_ = sqrt(2 f)


@pytest.mark.parametrize(
    ("name", "within"),
    [
        ("hals", 1e-3),
        ("lee-seung", 5e-3),
        ("lin", 5e-3),
        ("brunet", 2e-3),
        ("kl", 5e-3),  # after a warm-up five starts are more alike
    ],
)
def test_the_best_of_a_few_starts_agrees_with_scikit_learn(name, within):
    loss = "kullback-leibler" if name in ("brunet", "kl") else "frobenius"
    stop = StationaryObjective(tolerance=1e-6, at_most=4000)
    ours = min(
        factorise(X, 3, method=name, stop=stop, rng=stream(seed)).objective
        for seed in range(5)
    )
    assert ours <= sklearn_best(loss, 3, range(5)) * (1 + within)


def test_als_is_within_some_percent_and_never_worse_than_its_start():
    best = sklearn_best("frobenius", 3, range(3))
    for seed in range(3):
        found = factorise(X, 3, method="als", rng=stream(seed))
        assert found.objective < 1.1 * best


@pytest.mark.parametrize("name", METHODS)
def test_the_objective_reported_is_that_of_the_factors_returned(name):
    found = factorise(X, 4, method=name, rng=stream(0))
    model = found.coefficients @ found.metagenes
    if METHODS[name].objective == "euclidean":
        direct = 0.5 * np.square(X - model).sum()
    else:
        direct = (X * np.log(X / model) - X + model).sum()
    assert found.objective == pytest.approx(direct)


def test_extrapolated_hals_gets_further_than_plain_hals():
    problem = Problem.of(np.random.default_rng(0).random((40, 60)))
    method = METHODS["hals"]
    plain = replace(method, steps=method.careful, careful=None)

    def reached(rule):
        return sum(
            solve(
                problem,
                rule,
                random(problem.values, 10, stream(seed)),
                FixedIterations(50),
                "",
            ).objective
            for seed in range(5)
        )

    assert reached(method) < 0.997 * reached(plain)


def test_accelerated_divergence_gets_further_than_plain_updates():
    x = np.random.default_rng(0).random((40, 60))
    for seed in range(3):
        fast, slow = (
            factorise(x, 6, method=name, rng=stream(seed), stop=FixedIterations(90))
            for name in ("kl", "brunet")
        )
        assert fast.objective < 0.995 * slow.objective


def test_a_step_that_overshoots_is_taken_back():
    problem, method = Problem.of(X), METHODS["hals"]

    def wild(values, transposed, coefficients, metagenes, iterations):
        coefficients *= 10.0

    start = random(problem.values, 3, stream(0))
    state = Iteration(problem, replace(method, steps=wild), start)
    careful = Iteration(
        problem,
        replace(method, steps=method.careful),
        random(problem.values, 3, stream(0)),
    )
    state.advance(10)
    careful.advance(10)
    assert state.iterations == 10
    assert np.array_equal(state.coefficients, careful.coefficients)


def test_the_shared_scale_does_not_drift():
    found = Iteration(
        Problem.of(X), METHODS["hals"], random(Problem.of(X).values, 12, stream(0))
    )
    found.advance(2000)
    assert np.allclose(found.metagenes.sum(axis=1), 1.0)
    assert found.coefficients.max() < 1e3


def test_metagenes_sum_to_one_and_the_thesis_letters_are_the_transposes():
    found = factorise(X, 4, rng=stream(0))
    assert np.allclose(found.metagenes.sum(axis=1), 1.0)
    assert np.allclose(found.W @ found.H, (found.coefficients @ found.metagenes).T)
    assert found.W.shape == (40, 4)
    assert found.H.shape == (4, 30)


def test_a_result_cannot_be_changed():
    found = factorise(X, 2, rng=stream(0))
    with pytest.raises(ValueError, match="read-only"):
        found.coefficients[0, 0] = 1.0


def made_of(coefficients):
    c = np.asarray(coefficients, dtype=float)
    genes = np.full((c.shape[1], 2), 0.5)
    return Factorisation(c, genes, 0.0, 1, "by hand", "hals", "by hand")


def test_ties_and_items_without_coefficients_go_to_the_lowest_component():
    assert labels(made_of([[1, 1, 0], [0, 2, 2], [0, 0, 0]])).tolist() == [0, 1, 0]


def test_a_partition_with_fewer_clusters_than_components_says_so():
    found = made_of([[1, 0, 0], [0, 0, 2], [3, 0, 0]])
    assert found.labels.tolist() == [0, 2, 0]
    assert (found.rank, found.clusters) == (3, 2)


def test_labels_do_not_depend_on_how_the_scale_is_shared_by_the_factors():
    # Component 1 has the larger raw coefficient but hardly contributes to the item.
    x = np.array([[10.0, 10.0, 0.1], [9.0, 11.0, 0.1], [0.0, 0.0, 5.0]])
    found = factorise(x, 2, init="nndsvd")
    assert found.labels[0] == found.labels[1] != found.labels[2]


def test_the_rule_that_stopped_it_is_named():
    assert factorise(X, 3, rng=stream(0), stop=FixedIterations(7)).iterations == 7
    found = factorise(X, 3, rng=stream(0), stop=FixedIterations(7))
    assert found.stopped_by == "fixed iterations (7)"
    found = factorise(X, 3, rng=stream(0))
    assert found.stopped_by == "stationary objective (0.0001 in 10 iterations)"
    found = factorise(X, 3, rng=stream(0), stop=StationaryObjective(0.0, at_most=20))
    assert found.stopped_by == "limit of 20 iterations"
    assert found.iterations == 20
    found = factorise(
        X, 3, method="brunet", rng=stream(0), stop=StationaryConnectivity(5)
    )
    assert found.stopped_by == "stationary connectivity (5 looks, 10 apart)"
    assert found.iterations >= 50
    assert (found.method, found.init) == ("brunet", "random")


def test_an_exact_fit_stops_at_once():
    x = np.outer(np.arange(1.0, 7), np.arange(1.0, 5))
    found = factorise(x, 2, rng=stream(0), stop=StationaryObjective(0.0))
    assert found.iterations < 50


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rank": 0}, "at least 1 component"),
        ({"method": "hal"}, "did you mean 'hals'"),
        ({"init": "nnsvd"}, "did you mean 'nndsvd'"),
        ({"rng": None}, "seeds.stream"),
        ({"values": -X}, "nmf-a\\+shift.* or .*nmf-a\\+fold"),
        ({"values": X[:, 0]}, r"shape \(30,\)"),
        ({"values": np.full((3, 3), np.nan)}, "NaN"),
        ({"values": np.full((3, 3), 1e200)}, "overflow"),
    ],
)
def test_wrong_input_is_refused_with_its_remedy(change, message):
    given = {"values": X, "rank": 2, "rng": stream(0), **change}
    with pytest.raises(InputError, match=message):
        factorise(**given)


def test_the_input_is_left_alone_and_may_be_read_only_or_float32():
    x = X.copy()
    x.flags.writeable = False
    one = factorise(x, 3, rng=stream(0))
    assert np.array_equal(x, X)
    other = factorise(np.asfortranarray(X), 3, rng=stream(0))
    assert np.array_equal(one.coefficients, other.coefficients)
    small = factorise(X.astype(np.float32), 3, rng=stream(0))
    assert small.objective == pytest.approx(one.objective, rel=1e-4)


@pytest.mark.parametrize("method", ["hals", "kl"])
def test_single_precision_reaches_the_objective_of_double(method):
    values = np.random.default_rng(3).random((30, 21))
    stop = StationaryObjective(tolerance=1e-5)
    double, single = (
        factorise(
            values, 4, method=method, rng=stream(1), stop=stop, precision=precision
        )
        for precision in ("double", "single")
    )
    assert single.objective == pytest.approx(double.objective, rel=1e-3)
    assert single.coefficients.dtype == np.float64
    assert single.coefficients.shape == (30, 4)
    assert single.metagenes.shape == (4, 21)


def test_an_unknown_precision_is_refused():
    with pytest.raises(InputError, match="precision"):
        factorise(np.ones((3, 3)), 1, rng=stream(0), precision="half")


def test_the_warm_up_of_kl_pays():
    values = np.random.default_rng(5).gamma(0.5, size=(40, 30))
    few = FixedIterations(10)
    warm = factorise(values, 5, method="kl", rng=stream(2), stop=few)
    cold = factorise(values, 5, method="brunet", rng=stream(2), stop=few)
    assert warm.objective < cold.objective


def test_several_starts_at_once_are_those_that_one_call_each_would_make():
    values = np.random.default_rng(11).random((17, 23))
    together = factorisations(values, 4, [stream(1, i) for i in range(3)])
    for i, one in enumerate(together):
        alone = factorise(values, 4, rng=stream(1, i))
        assert np.array_equal(one.coefficients, alone.coefficients)
        assert np.array_equal(one.metagenes, alone.metagenes)
        assert one.objective == alone.objective


@pytest.mark.parametrize("k", [1, 3, 16, 30])
def test_the_padded_product_of_a_factor_with_itself_is_that_of_its_rows(k):
    factor = np.random.default_rng(k).random((k, 37))
    found = np.full((k, wide(k)), np.nan)
    gram(factor, found)
    np.testing.assert_allclose(found[:, :k], factor @ factor.T, rtol=1e-13)
    assert not found[:, k:].any()
