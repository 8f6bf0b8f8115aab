"""What holds for every update rule, on matrices nobody chose."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from stablek.data.seeds import stream
from stablek.errors import InputError
from stablek.factorize import METHODS, FixedIterations, factorise
from stablek.factorize.init import random
from stablek.factorize.iteration import Iteration
from stablek.factorize.problem import Problem

MONOTONE = [name for name, method in METHODS.items() if method.monotone]

matrices = hnp.arrays(
    np.float64,
    st.tuples(st.integers(2, 9), st.integers(1, 9)),
    elements=st.one_of(
        st.just(0.0),
        st.floats(1e-3, 1e3, allow_subnormal=False),
        st.floats(0, 1e-30, allow_subnormal=False),
    ),
).filter(lambda x: x.max() > 0)


def corner_cases():
    rng = np.random.default_rng(0)
    plain = rng.random((6, 5))
    zero_row, zero_column = plain.copy(), plain.copy()
    zero_row[2] = 0.0
    zero_column[:, 1] = 0.0
    constant_column = plain.copy()
    constant_column[:, 3] = 7.0
    return {
        "plain": plain,
        "zero row": zero_row,
        "zero column": zero_column,
        "constant column": constant_column,
        "constant": np.full((6, 5), 3.0),
        "one entry": np.diag([1.0, 0, 0, 0, 0, 0])[:, :5].copy(),
        "rank one": np.outer(np.arange(6.0), np.arange(5.0)),
        "tiny": plain * 1e-140,
        "huge": plain * 1e140,
        "two columns": plain[:, :2].copy(),
        "one column": plain[:, :1].copy(),
    }


def check_factors(x, found):
    for factor in (found.coefficients, found.metagenes):
        assert np.isfinite(factor).all()
        assert (factor >= 0).all()
    assert found.coefficients.shape == (len(x), found.rank)
    assert found.metagenes.shape == (found.rank, x.shape[1])
    assert found.objective >= 0 or found.method in ("brunet", "kl")
    assert np.isfinite(found.objective)
    assert 1 <= found.clusters <= found.rank


@pytest.mark.parametrize("name", MONOTONE)
@settings(max_examples=60, deadline=None)
@given(x=matrices, rank=st.integers(1, 6), seed=st.integers(0, 99))
@example(x=np.diag([32.0, 3.85e-152]), rank=3, seed=0)  # squares that underflow
def test_the_objective_never_rises(name, x, rank, seed):
    method = METHODS[name]
    problem = Problem.of(x)
    c, g = random(problem.values, rank, stream(seed))
    state = Iteration(problem, method, (c, g))
    before = state.objective()
    # Rounding aside: entries below 1e-150 are set to 0, sums have 1e-16 of noise.
    noise = 1e-11 * problem.values.size
    for iterations in (1, 1, 1, 2, 3, 5, 10, 25):
        state.advance(iterations)
        now = state.objective()
        assert now <= before + noise
        before = now


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=40, deadline=None)
@given(x=matrices, rank=st.integers(1, 12), seed=st.integers(0, 99))
def test_factors_stay_nonnegative_and_finite(name, x, rank, seed):
    found = factorise(x, rank, method=name, rng=stream(seed), stop=FixedIterations(25))
    check_factors(x, found)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("case", corner_cases())
@pytest.mark.parametrize("rank", [1, 4, 5, 9])
def test_corner_cases_run_at_any_rank(name, case, rank):
    x = corner_cases()[case]
    labels = np.arange(len(x)) % rank
    for init in ("random", "nndsvd", labels):
        found = factorise(x, rank, method=name, init=init, rng=stream(1))
        check_factors(x, found)
        sums = found.metagenes.sum(axis=1)
        assert np.all(np.isclose(sums, 1.0) | (sums == 0.0))


@pytest.mark.parametrize("name", METHODS)
def test_all_zero_data_are_refused_with_a_clear_error(name):
    with pytest.raises(InputError, match="all values are 0"):
        factorise(np.zeros((4, 3)), 2, method=name, rng=stream(0))


@pytest.mark.parametrize("name", METHODS)
def test_the_same_seed_gives_the_same_bits_from_any_number_of_threads(name):
    x = np.random.default_rng(1).random((20, 30))

    def one(seed):
        found = factorise(x, 4, method=name, rng=stream(seed, "nmf"))
        return found.coefficients.tobytes() + found.metagenes.tobytes()

    alone = [one(seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(one, range(8))) == alone


@pytest.mark.parametrize("name", METHODS)
def test_another_unit_of_measurement_changes_the_scale_and_nothing_else(name):
    x = np.random.default_rng(2).random((12, 9))
    one = factorise(x, 3, method=name, init="nndsvd")
    other = factorise(1024.0 * x, 3, method=name, init="nndsvd")
    assert np.array_equal(other.coefficients, 1024.0 * one.coefficients)
    assert np.array_equal(other.metagenes, one.metagenes)


@pytest.mark.parametrize("name", METHODS)
def test_a_block_matrix_is_clustered_by_its_blocks(name):
    rng = np.random.default_rng(3)
    x = 0.05 * rng.random((18, 24))
    truth = np.repeat([0, 1, 2], 6)
    for block in range(3):
        x[truth == block, 8 * block : 8 * block + 8] += 1 + rng.random((6, 8))
    found = factorise(x, 3, method=name, init="nndsvd").labels
    together = found[:, None] == found[None]
    assert np.array_equal(together, truth[:, None] == truth[None])
