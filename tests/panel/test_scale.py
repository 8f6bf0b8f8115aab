"""How columns are scaled before a verdict: unlike scales, counts, components."""

import numpy as np
import pytest

from stablek.data import Dataset
from stablek.data.preparation import STEPS, standardise_columns
from stablek.panel.scale import (
    components_in_order,
    scale_in_place,
    scale_of,
    total_fold,
)


def gaussian(spreads, n=60, seed=0):
    rng = np.random.default_rng(seed)
    return Dataset(rng.normal(size=(n, len(spreads))) * spreads)


def counts(n=60, m=400, depth=None, seed=0):
    rng = np.random.default_rng(seed)
    made = rng.poisson(rng.pareto(1.0, m), (n, m)).astype(float)
    if depth is not None:
        made = rng.poisson(made * depth[:, None]).astype(float)
    return Dataset(made)


def test_columns_on_unlike_scales_are_standardised():
    data = gaussian([1, 100, 1, 1000, 0.1])
    how = scale_of(data)
    assert how.steps == ("standardise-columns",)
    assert how.used == "columns standardised"
    told = "they are on very different scales: one column holds most of the variance"
    assert how.why == told
    two = scale_of(gaussian([1, 1000, 1, 1000, 0.1])).why
    assert two.endswith("2 of 5 columns hold most of the variance")
    values = data.values.copy()
    assert scale_in_place(values, how) == ("columns standardised",)
    np.testing.assert_allclose(values.std(axis=0), 1, rtol=1e-2)


@pytest.mark.parametrize(
    "spreads",
    [
        [1, 1, 1, 1],
        [1, 1.8, 1, 0.7],
        [9, 5, 3, 2, 1.2, 0.8],  # scores of components, widest first
        [1.0],
        list(np.exp(np.random.default_rng(1).normal(0, 0.9, 300))),  # expression
    ],
)
def test_other_columns_are_left_as_they_are(spreads):
    assert scale_of(gaussian(spreads)).steps == ()


def test_a_constant_column_does_not_count():
    data = gaussian([1, 0, 1.2, 0.8])
    assert scale_of(data).steps == ()
    assert scale_of(Dataset(np.ones((20, 3)))).steps == ()


def test_counts_become_logarithms():
    how = scale_of(counts())
    assert how.steps == ("log1p",)
    assert how.why == "the values are counts"
    values = counts().values.copy()
    assert scale_in_place(values, how) == ("log2 of the values + 1",)
    np.testing.assert_allclose(values, np.log2(1 + counts().values), rtol=1e-6)


def test_counts_of_unlike_totals_are_made_equal_first():
    depth = np.linspace(1, 6, 60)
    how = scale_of(counts(depth=depth))
    assert how.steps == ("equal-totals", "log1p")
    assert "the totals of the rows differ" in how.why


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(0).integers(0, 17, (40, 64)),  # pixels
        np.random.default_rng(0).poisson(3, (40, 50)),  # none is large
        np.random.default_rng(0).poisson(300, (40, 50)) - 400,
        np.random.default_rng(0).poisson(30, (40, 5)),  # few columns
        np.random.default_rng(0).integers(0, 256, (40, 64)),
    ],
)
def test_whole_numbers_that_are_no_counts(values):
    assert total_fold(values.astype(float)) is None


@pytest.mark.parametrize("prepare", [standardise_columns, STEPS["log1p"]])
def test_what_was_prepared_before_is_left_alone(prepare):
    data = prepare(Dataset(np.abs(gaussian([1, 100, 1, 1000]).values)))
    how = scale_of(data)
    assert how.steps == ()
    assert how.why == "the columns were already prepared"


def test_spreads_that_fall_are_those_of_components():
    assert components_in_order(np.array([9.0, 5, 3, 2, 1]))
    assert not components_in_order(np.array([9.0, 3, 5, 2, 1]))
    assert not components_in_order(np.array([9.0, 5, 1]))
    assert not components_in_order(np.array([1.2, 1.1, 1.0, 0.9, 0.8]))
