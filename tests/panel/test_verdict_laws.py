"""What changes nothing about the data changes no verdict.

The order of rows and columns, a common offset of a million, a scale, a column that is
the same for all, and a second copy of every row leave k as it is, and items together
that were.
"""

import numpy as np
import pytest
from blobs import blobs
from made_sets import QUICK, grouped, moons, noise

import stablek
from stablek.panel.coordinates import sphere_of


def answers():
    """Return zeros and ones: columns that nothing but the others tells apart."""
    rng = np.random.default_rng(5)
    group = np.repeat([0, 1, 2], 30)
    likely = np.kron(np.eye(3), np.ones(6)) * 0.8 + 0.1
    return (rng.random((90, 18)) < likely[group]).astype(float)


SETS = {
    "blobs": grouped()[0],
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
    "constant": lambda X: (np.insert(X, 1, 7.0, axis=1), np.arange(len(X))),
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
    if change in ("rows", "columns", "constant"):
        assert after.p == before.p
        for k in before.ks:
            kept = before.labels_at(k)[origin]
            np.testing.assert_array_equal(after.labels_at(k), kept)
        for column, numbers in before.columns.items():
            np.testing.assert_array_equal(after.columns[column], numbers)


def test_clusters_far_from_zero_lie_on_no_sphere():
    """All rows have one length then, to a part in a million."""
    rng = np.random.default_rng(3)
    near = blobs(m=6, away=3.0) + 2.0**30 - 2.0**30
    before, after = (stablek.verdict(X, **QUICK) for X in (near, near + 2.0**30))
    assert (after.k, after.strength) == (before.k, before.strength)
    assert after.p == pytest.approx(before.p, rel=1e-6)
    rows = rng.normal(size=(50, 5))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    for values, radius in ((rows, 1.0), (rows * 3e8, 3e8), (rows + 2.0**30, None)):
        assert sphere_of(values, values.mean(axis=0)) == (
            radius and pytest.approx(radius)
        )
