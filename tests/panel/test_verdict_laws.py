"""What changes nothing about the data changes no verdict.

The order of rows and columns, a common offset of a million, a scale, and a second copy
of every row leave k as it is, and items together that were.
"""

import numpy as np
import pytest
from made_sets import QUICK, blobs, moons, noise

import stablek


def answers():
    """Return zeros and ones: columns that nothing but the others tells apart."""
    rng = np.random.default_rng(5)
    group = np.repeat([0, 1, 2], 30)
    likely = np.kron(np.eye(3), np.ones(6)) * 0.8 + 0.1
    return (rng.random((90, 18)) < likely[group]).astype(float)


SETS = {
    "blobs": blobs()[0],
    "moons": moons(160)[0],
    "skewed": noise("skewed"),
    "answers": answers(),
}


def order_of(count, seed=7):
    return np.random.default_rng(seed).permutation(count)


#: The changed data, and for each of its rows the row it was.
CHANGES = {
    "rows": lambda X: (X[order_of(len(X))], order_of(len(X))),
    "columns": lambda X: (X[:, order_of(X.shape[1])], np.arange(len(X))),
    "a million": lambda X: (X + 1e6, np.arange(len(X))),
    "scale": lambda X: (X * 1024, np.arange(len(X))),
    "twice": lambda X: (np.concatenate([X, X]), np.tile(np.arange(len(X)), 2)),
}


@pytest.fixture(scope="module")
def plain():
    return {name: stablek.verdict(X, **QUICK) for name, X in SETS.items()}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", SETS)
def test_k_and_groups_stay(name, change, plain):
    values, origin = CHANGES[change](SETS[name])
    before, after = plain[name], stablek.verdict(values, **QUICK)
    assert (after.k, after.best_guess) == (before.k, before.best_guess)
    assert after.strength == before.strength
    pairs = set(zip(before.labels[origin].tolist(), after.labels.tolist(), strict=True))
    assert len(pairs) == len(set(before.labels.tolist()))
    if change in ("rows", "columns"):
        assert after.p == before.p
        for k in before.ks:
            kept = before.labels_at(k)[origin]
            np.testing.assert_array_equal(after.labels_at(k), kept)
        for column, numbers in before.columns.items():
            np.testing.assert_array_equal(after.columns[column], numbers)
