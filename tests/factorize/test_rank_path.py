"""From one rank to the next, up and down."""

import numpy as np
import pytest

from stablek.data.seeds import stream
from stablek.errors import InputError
from stablek.factorize import METHODS, StationaryObjective, factorise, path
from stablek.factorize.path import factors, grown, shrunk
from stablek.factorize.problem import Problem
from stablek.factorize.updates import half_squared_error

X = np.random.default_rng(6).gamma(0.5, size=(25, 18))
PROBLEM = Problem.of(X)


def test_the_path_up_falls_with_every_rank():
    found = path(X, range(1, 12))
    objectives = [one.objective for one in found]
    assert np.all(np.diff(objectives) < 0)
    assert [one.rank for one in found] == list(range(1, 12))
    assert found[3].init == "grown from rank 3"


def test_rank_one_is_the_leading_singular_pair():
    (found,) = path(X, [1], stop=StationaryObjective(1e-12))
    sizes = np.linalg.svd(X, compute_uv=False)
    assert found.objective == pytest.approx(0.5 * np.square(sizes[1:]).sum())


def test_the_path_up_does_not_depend_on_the_other_ranks():
    alone = path(X, [5])[0]
    among = path(X, range(2, 9))[3]
    assert np.array_equal(alone.coefficients, among.coefficients)


def test_the_path_down_goes_from_the_largest_to_the_smallest():
    found = path(X, [3, 6, 4], direction="down")
    assert [one.rank for one in found] == [3, 6, 4]
    assert found[1].init == "nndsvd"
    assert found[0].init == "merged from rank 4"


@pytest.mark.parametrize("direction", ["up", "down"])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_walks_both_ways_beyond_the_rank_of_the_data(method, direction):
    x = X[:6, :4]
    found = path(x, range(1, 8), direction=direction, method=method, rng=stream(0))
    for one in found:
        assert np.isfinite(one.coefficients).all()
        assert (one.metagenes >= 0).all()


@pytest.mark.parametrize("direction", ["up", "down"])
def test_a_path_is_about_as_good_as_independent_runs(direction):
    ks = range(2, 9)
    walked = path(X, ks, direction=direction)
    for k, one in zip(ks, walked, strict=True):
        runs = [factorise(X, k, rng=stream(seed, k)).objective for seed in range(5)]
        assert one.objective <= 1.05 * min(runs)


def test_a_grown_start_fits_better_than_the_model_it_grew_from():
    before = factorise(X, 3, rng=stream(0))
    start = grown(PROBLEM, METHODS["hals"], before)
    model = factors(PROBLEM, before)
    assert half_squared_error(PROBLEM.values, *start) < half_squared_error(
        PROBLEM.values, *model
    )


def test_a_grown_start_for_multiplicative_rules_has_no_zero():
    before = factorise(X, 3, rng=stream(0))
    for factor in grown(PROBLEM, METHODS["brunet"], before):
        assert factor.min() > 0


def test_the_cheapest_merge_is_the_cheapest_of_all_merges_tried_by_hand():
    before = factorise(X, 5, rng=stream(2))
    c, g = factors(PROBLEM, before)
    costs = []
    for a in range(5):
        for b in range(a + 1, 5):
            pair = np.outer(c[a], g[a]) + np.outer(c[b], g[b])
            u, s, v = np.linalg.svd(pair)
            rest = [j for j in range(5) if j not in (a, b)]
            model = c[rest].T @ g[rest] + s[0] * np.outer(u[:, 0], v[0])
            costs.append(0.5 * np.square(PROBLEM.values - model).sum())
    merged = half_squared_error(PROBLEM.values, *shrunk(PROBLEM, before))
    assert merged == pytest.approx(min(costs), rel=1e-9)


def test_merging_a_split_component_costs_nothing():
    before = factorise(X, 3, rng=stream(0))
    c, g = factors(PROBLEM, before)
    twice = type(before)(
        np.ldexp(np.vstack([c, c[:1]]).T, PROBLEM.exponent) * [0.5, 1, 1, 0.5],
        np.vstack([g, g[:1]]),
        before.objective,
        0,
        "",
        "hals",
        "",
    )
    merged = half_squared_error(PROBLEM.values, *shrunk(PROBLEM, twice))
    assert merged == pytest.approx(half_squared_error(PROBLEM.values, c, g))


def test_wrong_requests_are_refused():
    with pytest.raises(InputError, match="no rank"):
        path(X, [])
    with pytest.raises(InputError, match="at least 1"):
        path(X, [0, 1])
    with pytest.raises(InputError, match="direction"):
        path(X, [2], direction="sideways")
    with pytest.raises(InputError, match="cannot shrink"):
        shrunk(PROBLEM, path(X, [1])[0])
