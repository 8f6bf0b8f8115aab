"""Two ways to the same merges, in the same order and to the last bit."""

import numpy as np
import pytest

from stablek.kernels.chains import agglomerate
from stablek.kernels.few import agglomerate_rows
from stablek.kernels.linkage import METHODS


def square_of(kind, n, rng):
    if kind == "plain":
        points = rng.normal(size=(n, 3))
    elif kind == "grid":  # many ties
        points = rng.integers(0, 4, size=(n, 2)).astype(float)
    else:  # no distances of points at all, and nothing but ties
        upper = np.triu(rng.integers(0, 6, size=(n, n)).astype(float), 1)
        return upper + upper.T
    return np.sqrt(np.square(points[:, None] - points[None]).sum(axis=2))


def merged_by(way, square, rows, method):
    n = len(rows)
    pairs, heights = np.empty((2, n - 1), np.int64), np.empty(n - 1)
    source = square.view()
    source.flags.writeable = False
    chained = way(source, rows, np.empty((n, n)), METHODS[method], pairs, heights)
    return chained, pairs.tolist(), heights.tolist()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["plain", "grid", "ties"])
def test_few_items_are_merged_as_many_are(kind, method):
    rng = np.random.default_rng(7)
    for n in (*range(2, 24), 40, 60, 100):
        square = square_of(kind, n, rng)
        some = np.sort(rng.permutation(n)[: max(2, 4 * n // 5)])
        for rows in (np.arange(n), some, some[::-1]):
            few = merged_by(agglomerate_rows, square, rows, method)
            assert few == merged_by(agglomerate, square, rows, method)


def test_the_kinds_of_distances_reach_chains_and_the_rule_for_ties():
    rng = np.random.default_rng(7)
    plain, ties = (square_of(kind, 30, rng) for kind in ("plain", "ties"))
    assert merged_by(agglomerate_rows, plain, np.arange(30), "average")[0] == 29
    assert merged_by(agglomerate_rows, ties, np.arange(30), "average")[0] < 29
