"""Laws of the perturbations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stablek.data import Dataset
from stablek.errors import InputError
from stablek.paradigm.perturb import projection, resample, transform
from stablek.paradigm.perturb.projection import (
    Projection,
    distortion,
    fast_transform,
    hadamard,
    johnson_lindenstrauss,
)
from stablek.paradigm.perturb.resample import (
    Bootstrap,
    Stratified,
    StratifiedByClass,
    Subsample,
    Unchanged,
)
from stablek.paradigm.perturb.transform import DropColumn, Noise, RandomColumns

STRATA = tuple(i // 4 for i in range(24))
ALL = (
    Unchanged(),
    Subsample(0.7),
    Bootstrap(),
    Stratified(STRATA, 0.7),
    Noise(),
    RandomColumns(0.5),
    DropColumn(),
    Projection("dense", dimension=5),
    Projection("sparse", dimension=5),
    Projection("fast", dimension=5),
    Projection("plus-minus-one", dimension=5),
    StratifiedByClass(0.5),
)


def make(n=24, m=10, seed=0, dtype=np.float64):
    values = np.random.default_rng(seed).normal(size=(n, m)) + np.arange(m)
    classes = tuple(f"g{i // 4}" for i in range(n))
    return Dataset(values.astype(dtype), classes=classes)


def test_the_laws_cover_every_perturbation():
    known = {
        thing
        for module in (projection, resample, transform)
        for thing in vars(module).values()
        if hasattr(thing, "draw") and thing.__module__ == module.__name__
    }
    assert {type(perturb) for perturb in ALL} == known
    kinds = {perturb.kind for perturb in ALL if isinstance(perturb, Projection)}
    assert kinds == set(projection.PROJECTIONS)


@pytest.mark.parametrize("perturb", ALL, ids=repr)
def test_every_draw_keeps_its_promises(perturb):
    for seed in range(20):
        data = make(seed=seed)
        sample = perturb.draw(data, np.random.default_rng(seed), seed)
        again = perturb.draw(data, np.random.default_rng(seed), seed)
        assert (np.diff(sample.rows) >= 0).all()
        assert len(np.unique(sample.rows)) >= perturb.size(data.n)
        assert sample.values().shape[0] == len(sample)
        assert sample.values().shape[1] <= data.m
        assert np.array_equal(sample.values(), again.values())
        if not isinstance(perturb, Bootstrap):
            assert len(np.unique(sample.rows)) == len(sample) == perturb.size(data.n)


@pytest.mark.parametrize("perturb", ALL, ids=repr)
def test_precision_of_the_data_is_kept(perturb):
    data = make(dtype=np.float32)
    sample = perturb.draw(data, np.random.default_rng(0), 0)
    assert sample.values().dtype == np.float32


@pytest.mark.parametrize("perturb", [Subsample(0.5), Stratified(STRATA, 0.5)], ids=repr)
def test_every_item_is_drawn_equally_often(perturb):
    data, rng = make(), np.random.default_rng(3)
    drawn = np.zeros(data.n)
    for repeat in range(2000):
        drawn[perturb.draw(data, rng, repeat).rows] += 1
    # Five standard deviations of a share of one half in 2000 draws.
    assert np.abs(drawn / 2000 - 0.5).max() < 5 * 0.5 / np.sqrt(2000)


def test_stratified_draws_the_same_share_of_every_group():
    sample = Stratified(STRATA, 0.7).draw(make(), np.random.default_rng(0), 0)
    counts = np.bincount(np.asarray(STRATA)[sample.rows])
    assert counts.tolist() == [3] * 6


def test_bootstrap_repeats_rows_and_holds_about_two_thirds():
    data = make(n=1000, m=1)
    sample = Bootstrap().draw(data, np.random.default_rng(0), 0)
    assert len(sample) == 1000
    assert abs(len(np.unique(sample.rows)) - 632) < 40


def test_noise_has_the_median_of_the_rows_variances():
    data = make(n=400, m=50)
    sample = Noise().draw(data, np.random.default_rng(0), 0)
    expected = np.median(data.values.var(axis=1, ddof=1))
    assert np.isclose((sample.values() - data.values).var(), expected, rtol=0.05)
    assert np.array_equal(
        Noise(0).draw(data, np.random.default_rng(0), 0).values(), data.values
    )


def test_drop_column_takes_the_columns_in_turn_and_distances_agree():
    data = make(m=4)
    for repeat in range(9):
        sample = DropColumn().draw(data, np.random.default_rng(0), repeat)
        left = np.delete(data.values, repeat % 4, axis=1)
        assert np.array_equal(sample.values(), left)
        fresh = np.sqrt(((left[:, None] - left[None]) ** 2).sum(axis=2))
        assert np.allclose(sample.distances("euclidean"), fresh, atol=1e-10)


def test_random_columns_are_columns_of_the_data_in_order():
    data = make()
    sample = RandomColumns(0.5).draw(data, np.random.default_rng(3), 0)
    places = [
        np.flatnonzero((c == data.values.T).all(axis=1))[0] for c in sample.values().T
    ]
    assert places == sorted(places)
    assert len(places) == 5


@pytest.mark.parametrize("kind", ["dense", "sparse", "fast"])
def test_projections_keep_squared_distances_on_average(kind):
    data = make(n=12, m=60)
    ratios = []
    for seed in range(60):
        sample = Projection(kind, dimension=20).draw(
            data, np.random.default_rng(seed), 0
        )
        ratios.append(distortion(sample).mean)
    assert abs(np.mean(ratios) - 1) < 4 * np.std(ratios) / np.sqrt(60) + 1e-3


@pytest.mark.parametrize("kind", ["dense", "sparse", "fast"])
def test_at_the_johnson_lindenstrauss_dimension_all_pairs_are_within_epsilon(kind):
    data = make(n=20, m=400)
    sample = Projection(kind, epsilon=0.6).draw(data, np.random.default_rng(1), 0)
    assert sample.values().shape[1] == johnson_lindenstrauss(20, 0.6)
    assert distortion(sample, 0.6).within == 1


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_projections_have_the_entries_they_promise(kind):
    unit = Dataset(
        np.eye(400)
    )  # the projection of a unit vector is a row of the matrix
    drawn = Projection(kind, dimension=100).draw(unit, np.random.default_rng(1), 0)
    entries = drawn.values() * np.sqrt(100)
    assert entries.mean() == pytest.approx(0, abs=0.03)
    assert entries.var() == pytest.approx(1, abs=0.05)
    if kind == "sparse":  # Achlioptas: 0 with probability 2/3, else +-sqrt(3)
        assert np.unique(entries.round(12)) == pytest.approx([-(3**0.5), 0, 3**0.5])
        assert (entries == 0).mean() == pytest.approx(2 / 3, abs=0.02)
    else:  # Gaussian: the fourth moment is 3
        assert (entries**4).mean() == pytest.approx(3, abs=0.3)


def test_bound_is_that_of_dasgupta_and_gupta_and_not_the_misprint():
    """scikit-learn documents 663, 11841 and 1112658, cut off where the bound rounds up.

    from sklearn.random_projection import johnson_lindenstrauss_min_dim
    johnson_lindenstrauss_min_dim(1e6, eps=[0.5, 0.1, 0.01])
    """
    found = [johnson_lindenstrauss(10**6, epsilon) for epsilon in (0.5, 0.1, 0.01)]
    assert found == [664, 11842, 1112659]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 5), st.integers(0, 10**6))
def test_hadamard_is_orthogonal_and_its_own_inverse(power, seed):
    rows = np.random.default_rng(seed).normal(size=(3, 2**power))
    assert np.allclose(hadamard(hadamard(rows)), rows)
    assert np.allclose((hadamard(rows) ** 2).sum(axis=1), (rows**2).sum(axis=1))


def test_hadamard_is_the_product_with_scipys_matrix():
    from scipy.linalg import hadamard as matrix

    rows = np.random.default_rng(0).normal(size=(4, 16))
    assert np.allclose(hadamard(rows), rows @ matrix(16) / 4)


def test_fast_transform_is_linear():
    rows = np.random.default_rng(0).normal(size=(5, 9))
    once, twice = (
        fast_transform(rows * f, 4, np.random.default_rng(1)) for f in (1.0, 2.0)
    )
    assert np.allclose(2 * once, twice)


def test_a_projection_that_would_not_reduce_is_refused():
    with pytest.raises(InputError, match="larger epsilon or a dimension below 10"):
        Projection("dense").draw(make(), np.random.default_rng(0), 0)


@pytest.mark.parametrize(
    "perturb", [Noise(), RandomColumns(), DropColumn(), Projection(dimension=2)]
)
def test_a_distance_matrix_is_refused_where_values_are_needed(perturb):
    distances = Dataset(1.0 - np.eye(5), precomputed=True)
    with pytest.raises(InputError, match="distance matrix"):
        perturb.draw(distances, np.random.default_rng(0), 0)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Subsample(1.0),
        lambda: Stratified(STRATA, 0.0),
        lambda: RandomColumns(2),
        lambda: Noise(-1),
        lambda: Projection("thick"),
        lambda: Projection(dimension=0),
        lambda: Projection(epsilon=1.0),
        lambda: Stratified((0, 1)).draw(make(), np.random.default_rng(0), 0),
        lambda: DropColumn().draw(make(m=1), np.random.default_rng(0), 0),
        lambda: Noise().draw(make(m=1), np.random.default_rng(0), 0),
    ],
)
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(InputError):
        wrong()
