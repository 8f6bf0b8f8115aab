"""Adjustment for annotations, against least squares written another way."""

import numpy as np
import pytest

from stablek.data import from_arrays
from stablek.data.adjustment import adjust
from stablek.data.annotations import as_annotations
from stablek.errors import InputError


def sample(n=40, m=6, seed=0):
    rng = np.random.default_rng(seed)
    plate = rng.choice(["a", "b", "c"], n)
    age = rng.normal(50, 9, n)
    values = rng.normal(size=(n, m))
    values += (plate == "b")[:, None] * 3 + age[:, None] * 0.2
    columns = {"plate": plate.tolist(), "age": age.tolist(), "flat": ["x"] * n}
    return from_arrays(values, annotations=as_annotations(columns, n)), plate, age


def test_what_is_left_is_what_dummies_leave():
    data, plate, age = sample()
    got = adjust(data, ["plate", "age"])
    dummies = np.column_stack(
        [plate == "a", plate == "b", plate == "c", age - age.mean()]
    ).astype(float)
    fit = np.linalg.lstsq(dummies, data.values, rcond=None)[0]
    rest = data.values - dummies @ fit
    # The level is limma's: the plain mean of the three plates at the mean age.
    np.testing.assert_allclose(got.values, rest + fit[:3].mean(axis=0), atol=1e-10)
    assert got.notes[-1] == "means by 'plate', 'age' removed from every column"


def test_nothing_goes_with_the_columns_any_more():
    data, plate, age = sample(seed=3)
    values = adjust(data, ["plate", "age"]).values
    means = [values[plate == p].mean(axis=0) for p in "abc"]
    both = np.column_stack([np.ones(40), age, plate == "b", plate == "c"]).astype(float)
    fit = np.linalg.lstsq(both, values, rcond=None)[0]
    np.testing.assert_allclose(fit[1:], 0, atol=1e-10)
    alone = adjust(data, ["plate"]).values
    means = [alone[plate == p].mean(axis=0) for p in "abc"]
    np.testing.assert_allclose(means[0], means[1], atol=1e-10)
    np.testing.assert_allclose(means[0], means[2], atol=1e-10)


def test_a_constant_column_removes_nothing():
    data, *_ = sample()
    got = adjust(data, ["flat"])
    assert np.array_equal(got.values, data.values)
    assert "the same for all items" in got.notes[-1]


def test_refusals_say_what_to_do():
    data, *_ = sample()
    with pytest.raises(InputError, match="did you mean 'plate'"):
        adjust(data, ["plates"])
    with pytest.raises(InputError, match="use annotations="):
        adjust(from_arrays(data.values), ["plate"])
    holes = as_annotations({"plate": ["", *(["a", "b"] * 20)[1:]]}, 40)
    with pytest.raises(InputError, match="1 of 40 items lack it"):
        adjust(from_arrays(data.values, annotations=holes), ["plate"])
    ids = as_annotations({"id": [f"s{i}" for i in range(40)]}, 40)
    with pytest.raises(InputError, match="is it an id"):
        adjust(from_arrays(data.values, annotations=ids), ["id"])


def test_distances_cannot_be_adjusted():
    distances = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))
    data = from_arrays(distances, precomputed=True)
    with pytest.raises(InputError, match="needs values"):
        adjust(data, ["plate"])
