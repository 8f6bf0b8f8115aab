"""Every NMF kernel against a few lines of NumPy."""

import numpy as np
import pytest

from stablek.factorize import updates
from stablek.kernels import nmf, nmf_hals, nmf_multiplicative, nmf_squarem


def problem(n=7, m=10, k=3, seed=0):
    rng = np.random.default_rng(seed)
    x, c, g = rng.random((n, m)), rng.random((n, k)), rng.random((k, m))
    x[rng.random((n, m)) < 0.1] = 0.0
    return x, c, g


def run(kernel, x, c, g, iterations=1):
    found_c, found_g = c.T.copy(), g.copy()
    kernel(x.copy(), np.ascontiguousarray(x.T), found_c, found_g, iterations)
    return found_c.T, found_g


def lee_seung(x, c, g):
    c = c * (x @ g.T) / (c @ g @ g.T)
    return c, g * (c.T @ x) / (c.T @ c @ g)


def kullback_leibler(x, c, g):
    c = c * ((x / (c @ g + 1e-200)) @ g.T) / g.sum(axis=1)
    return c, g * (c.T @ (x / (c @ g + 1e-200))) / c.sum(axis=0)[:, None]


def lin(x, c, g):
    def side(data, fixed, moving):  # data ~ moving @ fixed
        slope = (moving @ fixed - data) @ fixed.T
        lifted = np.where(slope < 0, np.maximum(moving, 1e-8), moving)
        return moving - lifted / (lifted @ fixed @ fixed.T + 1e-8) * slope

    c = side(x, g, c)
    g = side(x.T, c.T, g.T).T
    total = g.sum(axis=1)
    return c * total, g / total[:, None]


def als(x, c, g):
    c = np.maximum(np.linalg.lstsq(g.T, x.T, rcond=None)[0].T, 0)
    return c, np.maximum(np.linalg.lstsq(c, x, rcond=None)[0], 0)


def hals(x, c, g):
    def side(data, fixed, moving):
        q, k = data.shape[1], len(fixed)
        for _ in range(1 + (q + k) // (4 * k)):
            for j in range(k):
                if not fixed[j].any():
                    continue
                rest = data - moving @ fixed + np.outer(moving[:, j], fixed[j])
                best = rest @ fixed[j] / (fixed[j] @ fixed[j])
                moving[:, j] = np.maximum(best, 0)
        return moving

    c = side(x, g, c.copy())
    return c, side(x.T, c.T, g.T.copy()).T


@pytest.mark.parametrize(
    ("kernel", "oracle", "tolerance"),
    [
        (updates.lee_seung, lee_seung, 1e-12),
        (updates.kullback_leibler, kullback_leibler, 1e-12),
        (updates.brunet, kullback_leibler, 1e-12),
        (updates.lin, lin, 1e-12),
        (updates.als, als, 1e-5),  # the kernel adds a ridge of 1e-10
        (nmf_hals.hals, hals, 1e-12),
        (nmf_hals.plain_hals, hals, 1e-12),
    ],
)
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 8])
def test_one_iteration_is_the_textbook_formula(kernel, oracle, tolerance, k):
    x, c, g = problem(k=k)
    for found, expected in zip(run(kernel, x, c, g), oracle(x, c, g), strict=True):
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    "kernel",
    [
        updates.lee_seung,
        updates.kullback_leibler,
        updates.brunet,
        updates.lin,
        updates.als,
        nmf_hals.hals,
        nmf_squarem.accelerated,
    ],
)
def test_padding_stays_zero_and_changes_no_factor(kernel):
    x, c, g = problem(n=7, m=10, k=3)
    wide, tall = np.zeros((7, 16)), np.zeros((10, 16))
    wide[:, :10], tall[:, :7] = x, x.T
    found_c, found_g = np.zeros((3, 16)), np.zeros((3, 16))
    found_c[:, :7], found_g[:, :10] = c.T, g
    kernel(wide, tall, found_c, found_g, 6)
    expected_c, expected_g = run(kernel, x, c, g, 6)
    np.testing.assert_allclose(found_c[:, :7].T, expected_c, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found_g[:, :10], expected_g, rtol=1e-9, atol=1e-12)
    assert not found_c[:, 7:].any()
    assert not found_g[:, 10:].any()


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 9])
def test_products_agree_with_matmul(k):
    x, c, g = problem(n=9, m=11, k=k)
    top, square = np.empty((k, 11)), np.empty((k, k))
    nmf.project(np.ascontiguousarray(c.T), x, top)
    nmf.gram(g, square)
    left = np.empty_like(x)
    nmf.residual(x, np.ascontiguousarray(c.T), g, left)
    np.testing.assert_allclose(top, c.T @ x)
    np.testing.assert_allclose(square, g @ g.T)
    np.testing.assert_allclose(left, x - c @ g, atol=1e-14)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 7, 30])
@pytest.mark.parametrize("n", [1, 2, 9])
def test_all_rows_of_the_model_have_the_bits_of_one_row_at_a_time(n, k, dtype):
    _, c, g = problem(n=n, m=11, k=k)
    weights, genes = np.ascontiguousarray(c.T, dtype), g.astype(dtype)
    found, expected = np.empty((2, n, 11), dtype)
    nmf.model(weights, genes, found)
    for i in range(n):
        nmf.model_row(i, weights, genes, expected[i])
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_allclose(found, c @ g, rtol=1e-5)


def test_a_lifted_zero_moves_under_lin_and_stays_under_lee_and_seung():
    x, c, g = problem()
    c[0, 0] = 0.0
    x[0] = 5 * g[0]  # item 0 wants component 0
    assert run(updates.lin, x, c, g, 20)[0][0, 0] > 0
    assert run(updates.lee_seung, x, c, g, 20)[0][0, 0] == 0


def test_a_leap_is_the_published_formula_and_keeps_entries_positive():
    rng = np.random.default_rng(1)
    zero, one, two = (rng.random((3, 5)) + 0.1 for _ in range(3))
    r = one - zero
    v = two - one - r
    guess = two.copy()
    nmf_squarem.leap(zero, one, guess, 2.5)
    expected = np.maximum(zero + 2 * 2.5 * r + 2.5**2 * v, 0.1 * two)
    np.testing.assert_allclose(guess, expected)
    lengths = nmf_squarem.turns(zero, one, two, 2.0)
    np.testing.assert_allclose(lengths, [(r**2).sum() / 4, (v**2).sum() / 4])
    np.testing.assert_allclose(
        zero + 2 * r + v, two, err_msg="a leap of length 1 is x2 itself"
    )


def test_two_accelerated_iterations_are_two_plain_ones():
    x, c, g = problem()
    fast = run(nmf_squarem.accelerated, x, c, g, 2)
    plain = run(updates.kullback_leibler, x, c, g, 2)
    np.testing.assert_allclose(fast[0] @ fast[1], plain[0] @ plain[1])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_objectives_are_those_of_the_matrices(dtype):
    x, c, g = (part.astype(dtype) for part in problem())
    transposed = np.ascontiguousarray(c.T)
    model = (c @ g).astype(float)
    error = nmf.squared_error(x, transposed, g)
    assert error == pytest.approx(((x - model) ** 2).sum(), rel=1e-5)
    seen = x[x > 0].astype(float)
    want = (seen * np.log(seen / model[x > 0])).sum() - x.sum() + model.sum()
    found = nmf_multiplicative.divergence(x, transposed, g)
    assert found == pytest.approx(want, rel=1e-5)


def test_a_component_of_zeros_is_kept_as_it_is():
    x, c, g = problem()
    g[1] = 0.0
    coefficients = np.ascontiguousarray(c.T)
    nmf.normalise(coefficients, g)
    np.testing.assert_allclose(g.sum(axis=1), [1, 0, 1])
    np.testing.assert_array_equal(coefficients[1], c[:, 1])
    for kernel in (updates.kullback_leibler, updates.brunet):
        found, _ = run(kernel, x, c, g)
        np.testing.assert_array_equal(found[:, 1], c[:, 1])
    nothing, _ = run(updates.als, x, c, np.zeros_like(g))
    np.testing.assert_array_equal(nothing, c)


def test_no_iteration_changes_nothing():
    x, c, g = problem()
    for found, before in zip(run(nmf_hals.hals, x, c, g, 0), (c, g), strict=True):
        np.testing.assert_array_equal(found, before)


@pytest.mark.parametrize("k", [2, 4, 5, 13, 20, 27, 32])
def test_brunets_updates_at_non_zero_entries_are_those_at_all_entries(k):
    x, c, g = problem(n=40, m=70, k=k)
    x[np.random.default_rng(1).random(x.shape) < 0.5] = 0.0
    x[3], x[:, 5] = 0.0, 0.0  # an item and a column without any entry
    fast, plain = run(updates.brunet, x, c, g, 5), (c, g)
    for _ in range(5):
        plain = kullback_leibler(x, *plain)
    for found, expected in zip(fast, plain, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    assert not fast[0][3].any()


def test_brunets_updates_in_single_precision_and_at_large_ranks_are_plain_ones():
    for k, dtype in ((3, np.float32), (33, np.float64)):
        x, c, g = (part.astype(dtype) for part in problem(n=40, m=50, k=k))
        fast = run(updates.brunet, x, c, g, 3)
        plain = run(updates.kullback_leibler, x, c, g, 3)
        for found, expected in zip(fast, plain, strict=True):
            np.testing.assert_array_equal(found, expected)
