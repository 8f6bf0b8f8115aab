"""Laws of every measure: what changes nothing about the data changes no answer.

Three groups far apart: the order of rows and of columns, a common offset of a million,
and a second copy of every row leave k as it is, and labels where they belong.
"""

import numpy as np
import pandas as pd
import pytest
from blobs import blobs

from stablek.api.choose_k import choose_k
from stablek.api.significance import significance
from stablek.measures import MEASURES, settings_of

SMALL = {"repeats": 12, "null_sets": 6, "runs": 2}
RNG = np.random.default_rng(7)
CENTRES = np.array([[0.0, 0, 0, 0], [30, 0, 0, 0], [0, 30, 0, 0]])
X = CENTRES[np.arange(45) % 3] + RNG.normal(size=(45, 4))
ROWS, COLUMNS = RNG.permutation(len(X)), RNG.permutation(X.shape[1])

#: The changed data, and for each of its rows the row it was.
CHANGES = {
    "rows permuted": (X[ROWS], ROWS),
    "columns permuted": (X[:, COLUMNS], np.arange(len(X))),
    "a million added": (X + 1e6, np.arange(len(X))),
    "all rows twice": (np.concatenate([X, X]), np.tile(np.arange(len(X)), 2)),
    "scaled": (X * 1024, np.arange(len(X))),
}

#: A likelihood and a density take a copy for more evidence. They are members of the
#: verdict, which shows them every row once.
COUNT_COPIES = {"bic", "valley"}


def answer(values, name, algorithm="hier-a"):
    """Return what a measure says of the data, with few repeats."""
    known = settings_of(name)
    few = {key: value for key, value in SMALL.items() if key in known}
    return choose_k(values, name, algorithm, range(2, 7), backend="serial", **few)


@pytest.fixture(scope="module")
def plain():
    """Return the answer of every measure to the data as they are."""
    return {name: answer(X, name) for name in MEASURES}


CASES = [
    (name, change)
    for name in sorted(MEASURES)
    for change in CHANGES
    if not (change == "all rows twice" and name in COUNT_COPIES)
]


@pytest.mark.parametrize(("name", "change"), CASES)
def test_k_and_labels_stay(name, change, plain):
    values, origin = CHANGES[change]
    before, after = plain[name], answer(values, name)
    assert after.k_star == before.k_star
    if before.labels is None:
        assert after.labels is None
        return
    pairs = set(zip(before.labels[origin].tolist(), after.labels.tolist(), strict=True))
    assert len(pairs) == len(set(before.labels.tolist())), pairs


#: Groups that touch, and none: here a few digits, or other draws, may decide.
UNCLEAR = {"near": blobs(m=6, away=3.0), "none": RNG.normal(size=(60, 6))}
OTHER = RNG.permutation(6)


@pytest.mark.parametrize("algorithm", ["hier-a", "kmeans-r"])
@pytest.mark.parametrize("name", sorted(MEASURES))
def test_offset_scale_and_order_of_columns_change_no_k_where_it_is_unclear(
    name, algorithm
):
    """The same draws of the same items; the order of rows would give others.

    A column that is the same for all items changes nothing, either.
    """
    for which, values in UNCLEAR.items():
        other = np.insert(values[:, OTHER], 2, 7.0, axis=1)
        plain, offset, ordered, scaled = (
            answer(made, name, algorithm)
            for made in (values, values + 1e6, other, values * 1024)
        )
        ks = [found.k_star for found in (offset, ordered, scaled)]
        assert ks == [plain.k_star] * 3, which
        # Sums in another order differ in the last digits; other draws would in most.
        pd.testing.assert_frame_equal(ordered.table, plain.table, rtol=1e-9, obj=which)


def test_the_order_of_columns_changes_no_null_set_of_other_questions():
    values = UNCLEAR["near"]
    ks = range(2, 5)
    plain, other = (
        choose_k(one, "fc", "hier-a", ks, repeats=10, calibrate=5, backend="serial")
        for one in (values, values[:, OTHER])
    )
    pd.testing.assert_frame_equal(plain.table, other.table, rtol=1e-9)
    plain, other = (
        significance(one, 3, "hier-a", null_sets=9, null="ps", backend="serial")
        for one in (values, values[:, OTHER])
    )
    np.testing.assert_allclose(plain.null_values, other.null_values, rtol=1e-9)
