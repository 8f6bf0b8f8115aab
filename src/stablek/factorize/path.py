"""Factorisations for many ranks, each from its neighbour: incremental NMF.

The thesis asks for this in chapter 8. Going up, a component is added that fits what
the model leaves unexplained; going down, the two components are merged that can be
merged at the least cost. Either way the next rank starts close to its solution.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stablek.errors import InputError, unknown_name
from stablek.factorize.factorisation import Factorisation, check_rank, solve
from stablek.factorize.init import Start, from_partition, positive_start, started
from stablek.factorize.problem import Problem, Work
from stablek.factorize.stop import StationaryObjective, Stopping
from stablek.factorize.updates import Method, method_named
from stablek.kernels.nmf import gram, project, residual
from stablek.kernels.nmf_hals import plain_hals

Matrix = NDArray[np.float64]

DIRECTIONS = ("up", "down")
# Iterations on the new component alone; it is a start, and need not be exact.
WARM_UP = 10


def path(
    values: ArrayLike,
    ks: Sequence[int],
    *,
    direction: str = "up",
    method: str = "hals",
    init: str | ArrayLike = "nndsvd",
    stop: Stopping | None = None,
    rng: np.random.Generator | None = None,
) -> list[Factorisation]:
    """Return one factorisation per rank in ``ks``, computed along one path.

    Going up, the path starts at rank 1, whose best solution is unique (the leading
    singular pair), and passes through every rank up to the largest: nothing is drawn
    at random, and the solution at k does not depend on which other ks were asked for.
    Going down, it starts at the largest rank from ``init`` and depends on it.

    Under the same stopping rule the objective falls as the rank grows, which
    independent runs do not guarantee: a grown start fits no worse than the model it
    grew from (for the multiplicative rules, up to the hundredth that keeps it
    positive).
    """
    rule = method_named(method)
    if direction not in DIRECTIONS:
        raise unknown_name("direction", direction, DIRECTIONS)
    if len(ks) == 0:
        raise InputError("no rank was given")
    check_rank(min(ks))
    problem, until = Problem.of(values), stop or StationaryObjective()
    if direction == "up":
        return walk(problem, ks, rule, until)
    start, name = started(
        problem.values, max(ks), init, rng, positive=rule.multiplicative
    )
    here = solve(problem, rule, start, until, name)
    by_rank = {here.rank: here}
    while here.rank > min(ks):
        name = f"merged from rank {here.rank}"
        here = solve(problem, rule, shrunk(problem, here), until, name)
        by_rank[here.rank] = here
    return [by_rank[k] for k in ks]


def walk(
    problem: Problem, ks: Sequence[int], rule: Method, until: Stopping
) -> list[Factorisation]:
    """Return the factorisations met on the way up from rank 1."""
    everyone = np.zeros(len(problem.values), dtype=np.intp)
    start = from_partition(problem.values, 1, everyone)
    here = solve(problem, rule, start, until, "mean")
    by_rank = {here.rank: here}
    while here.rank < max(ks):
        name = f"grown from rank {here.rank}"
        here = solve(problem, rule, grown(problem, rule, here), until, name)
        by_rank[here.rank] = here
    return [by_rank[k] for k in ks]


def factors(problem: Problem, known: Factorisation) -> Start:
    """Return fresh factors of the scaled data, (rank, n) and (rank, m)."""
    return np.ldexp(known.coefficients.T, -problem.exponent), known.metagenes.copy()


def grown(problem: Problem, method: Method, known: Factorisation) -> Start:
    """Return a start of one rank more: the model, and a component for its residual.

    The new component is the best non-negative one for the residual near the item that
    the model explains least (largest sum of squared positive residuals; the first
    such item on ties).
    """
    coefficients, metagenes = problem.own(factors(problem, known))
    left = np.empty_like(problem.rows)
    residual(problem.rows, coefficients, metagenes, left)
    missing = np.maximum(left, 0.0)
    worst = int(np.argmax(np.square(missing).sum(axis=1)))
    gene = missing[worst : worst + 1].copy()
    weight = np.zeros((1, coefficients.shape[1]), left.dtype)
    n, m = problem.values.shape
    turned = np.zeros_like(problem.columns)
    turned[:, :n] = left[:, :m].T
    plain_hals(left, turned, weight, gene, WARM_UP)
    start = problem.bare(
        np.vstack([coefficients, weight]), np.vstack([metagenes, gene])
    )
    return positive_start(start) if method.multiplicative else start


def shrunk(problem: Problem, known: Factorisation) -> Start:
    """Return a start of one rank less: the cheapest pair of components merged.

    A pair is replaced by the best single component for the sum of the two, and the
    pair is taken for which this raises the squared error least. That rise is exact
    and needs only rank x rank matrices: with the pair's Gram matrices A (coefficients)
    and B (metagenes), the merged component is the leading eigenvector of B A.
    """
    coefficients, metagenes = problem.own(factors(problem, known))
    rank = len(metagenes)
    if rank < 2:
        raise InputError("a factorisation of rank 1 cannot shrink")
    one, other = np.triu_indices(rank, 1)
    rise, alpha, beta = _merges(problem, coefficients, metagenes, one, other)
    at = int(np.argmin(rise))
    a, b = int(one[at]), int(other[at])
    coefficients[a] = alpha[at, 0] * coefficients[a] + alpha[at, 1] * coefficients[b]
    metagenes[a] = beta[at, 0] * metagenes[a] + beta[at, 1] * metagenes[b]
    return problem.bare(
        np.delete(coefficients, b, axis=0), np.delete(metagenes, b, axis=0)
    )


def _merges(
    problem: Problem, coefficients: Work, metagenes: Work, one: Any, other: Any
) -> tuple[Matrix, Matrix, Matrix]:
    """Return the rise of the squared error and the weights of every merge."""
    rank = len(metagenes)
    kind = metagenes.dtype
    square_c, square_m, cross = (np.empty((rank, rank), kind) for _ in range(3))
    gram(coefficients, square_c)
    gram(metagenes, square_m)
    left = np.empty_like(problem.rows)
    residual(problem.rows, coefficients, metagenes, left)
    half = np.empty_like(metagenes)
    project(coefficients, left, half)
    # cross: <residual, c_a m_b'>
    project(half, np.ascontiguousarray(metagenes.T), cross)

    pairs = np.stack([one, other], axis=1)
    block = (pairs[:, :, None], pairs[:, None, :])
    a, b, s = square_c[block], square_m[block], cross[block]
    # The eigenvalues of B A, a 2 x 2 matrix with non-negative entries, are the squared
    # singular values of the pair's sum.
    ba = _times(b, a)
    trace = ba[:, 0, 0] + ba[:, 1, 1]
    det = ba[:, 0, 0] * ba[:, 1, 1] - ba[:, 0, 1] * ba[:, 1, 0]
    first = 0.5 * (trace + np.sqrt(np.maximum(0.0, trace**2 - 4.0 * det)))
    second = np.maximum(0.0, trace - first)
    # Rows of the adjugate of (B A - first I): take the longer, both are parallel.
    tall = np.stack([ba[:, 0, 1], first - ba[:, 0, 0]], axis=1)
    wide = np.stack([first - ba[:, 1, 1], ba[:, 1, 0]], axis=1)
    taller = tall.sum(axis=1, keepdims=True) > wide.sum(axis=1, keepdims=True)
    alpha = np.where(taller, tall, wide)
    alpha = np.maximum(alpha, 0.0)
    empty = alpha.sum(axis=1) == 0.0  # two equal eigenvalues: either component will do
    alpha[empty] = (1.0, 0.0)
    alpha /= alpha.sum(axis=1, keepdims=True)
    along = np.stack([(a[:, i] * alpha).sum(axis=1) for i in (0, 1)], axis=1)
    size = (alpha * along).sum(axis=1, keepdims=True)
    beta = np.divide(along, size, out=np.zeros_like(along), where=size > 0.0)
    kept = (alpha[:, :, None] * beta[:, None, :] * s).sum(axis=(1, 2))
    rise = second + 2.0 * (s[:, 0, 0] + s[:, 1, 1] - kept)
    return rise, alpha, beta


def _times(a: Matrix, b: Matrix) -> Matrix:
    """Multiply stacks of 2 x 2 matrices in plain arithmetic."""
    return (a[:, :, :, None] * b[:, None, :, :]).sum(axis=2)
