"""Every null model keeps what it promises, and no clusters."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stablek.api.significance import significance
from stablek.data import Dataset, from_arrays
from stablek.errors import InputError
from stablek.paradigm.perturb.null import (
    NULL_MODELS,
    Permutation,
    RandomGraph,
    null_model,
)
from stablek.paradigm.perturb.null_set import null_set

SIZES = st.tuples(st.integers(8, 40), st.integers(2, 5), st.integers(0, 10**6))
ON_VALUES = sorted(set(NULL_MODELS) - {"graph", "labels"})


def make(n, m, seed, dtype=np.float64):
    rng = np.random.default_rng(seed)
    mix = rng.normal(size=(m, m))
    values = rng.normal(size=(n, m)) @ mix + 5 * rng.normal(size=m)
    classes = tuple("ab"[i % 2] for i in range(n))
    return Dataset(values.astype(dtype), classes=classes)


def draw(name, data, seed=0):
    return null_model(name).draw(data, np.random.default_rng(seed))


def test_registry_names_are_the_models_own_names():
    assert {name: factory().name for name, factory in NULL_MODELS.items()} == {
        name: name for name in NULL_MODELS
    }


@pytest.mark.parametrize("name", ON_VALUES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_size_and_precision_are_kept_and_the_seed_decides_all(name, dtype):
    data = make(30, 3, 1, dtype)
    first, again, other = draw(name, data), draw(name, data), draw(name, data, 1)
    assert first.values.shape == (30, 3)
    assert first.values.dtype == dtype
    assert np.array_equal(first.values, again.values)
    assert not np.array_equal(first.values, other.values)
    assert not np.array_equal(first.values, data.values)


@settings(max_examples=25, deadline=None)
@given(SIZES)
def test_the_box_keeps_items_between_the_columns_extremes(size):
    data = make(*size)
    values = draw("ps", data).values
    assert (values >= data.values.min(axis=0)).all()
    assert (values <= data.values.max(axis=0)).all()


@settings(max_examples=25, deadline=None)
@given(SIZES)
def test_the_sphere_holds_all_items_of_data_and_null(size):
    from stablek.paradigm.perturb.regions import enclosing_ball

    data = make(*size)
    centre, radius = enclosing_ball(data.values)
    for values in (data.values, draw("ps-sphere", data).values):
        assert np.linalg.norm(values - centre, axis=1).max() <= radius * (1 + 1e-12)


def test_the_sphere_is_nearly_the_smallest():
    from stablek.paradigm.perturb.regions import enclosing_ball

    corners = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8).T
    centre, radius = enclosing_ball(corners.astype(float))
    assert np.abs(centre).max() < 0.02
    assert radius < np.sqrt(3) * 1.02


@settings(max_examples=15, deadline=None)
@given(st.tuples(st.integers(12, 40), st.integers(1, 4), st.integers(0, 10**6)))
def test_the_hull_holds_every_null_item(size):
    from scipy.optimize import linprog

    data = make(*size)
    for item in draw("ps-hull", data).values[:4]:
        # In the hull: a convex combination of the data gives the item.
        equal = np.vstack([data.values.T, np.ones(data.n)])
        found = linprog(np.zeros(data.n), A_eq=equal, b_eq=[*item, 1])
        assert found.status == 0


def test_the_hull_is_filled_evenly():
    values = np.array([[0, 0], [4, 0], [4, 1], [0, 1]] * 1000, dtype=float)
    values += 1e-9 * np.random.default_rng(0).normal(size=values.shape)
    null = draw("ps-hull", Dataset(values)).values
    assert abs(null.mean(axis=0) - [2, 0.5]).max() < 0.1
    assert abs((null[:, 0] < 1).mean() - 0.25) < 0.03


@settings(max_examples=25, deadline=None)
@given(SIZES)
def test_permutation_within_columns_keeps_every_column_as_a_set(size):
    data = make(*size)
    values = draw("pr", data).values
    assert np.array_equal(np.sort(values, axis=0), np.sort(data.values, axis=0))


@settings(max_examples=25, deadline=None)
@given(SIZES)
def test_permutation_within_rows_keeps_every_row_as_a_set(size):
    data = make(*size)
    null = Permutation(within="rows").draw(data, np.random.default_rng(0))
    assert np.array_equal(np.sort(null.values), np.sort(data.values))


@settings(max_examples=25, deadline=None)
@given(SIZES)
def test_pc_stays_in_the_box_of_the_principal_scores(size):
    data = make(*size)
    values = draw("pc", data).values
    mean = data.values.mean(axis=0)
    covariance = np.cov(data.values.T)
    axes = np.linalg.eigh(covariance)[1]
    scores, null = (data.values - mean) @ axes, (values - mean) @ axes
    slack = 1e-9 * np.ptp(scores)
    assert (null >= scores.min(axis=0) - slack).all()
    assert (null <= scores.max(axis=0) + slack).all()


def test_pc_has_the_covariance_of_a_uniform_box_on_the_principal_axes():
    data = make(20_000, 3, 3)
    null = draw("pc", data).values
    mean = data.values.mean(axis=0)
    axes = np.linalg.eigh(np.cov(data.values.T))[1]
    widths = np.ptp((data.values - mean) @ axes, axis=0)
    expected = axes @ np.diag(widths**2 / 12) @ axes.T
    assert np.allclose(np.cov(null.T), expected, rtol=0.05, atol=0.05 * widths.max())


@pytest.mark.parametrize(("n", "m"), [(20_000, 3), (4000, 5)])
def test_m3c_keeps_means_and_covariance(n, m):
    data = make(n, m, 4)
    null = draw("m3c", data).values
    scale = np.trace(np.cov(data.values.T))
    assert np.abs(np.cov(null.T) - np.cov(data.values.T)).max() < 0.05 * scale
    assert np.abs(null.mean(axis=0) - data.values.mean(axis=0)).max() < 0.05 * scale


def test_normal_keeps_means_and_spreads_and_no_correlation():
    data = make(20_000, 3, 5)
    null = draw("normal", data).values
    assert np.allclose(null.mean(axis=0), data.values.mean(axis=0), atol=0.1)
    assert np.allclose(null.std(axis=0), data.values.std(axis=0), rtol=0.05)
    assert np.abs(np.corrcoef(null.T) - np.eye(3)).max() < 0.05


def test_pc_and_m3c_work_with_more_columns_than_items():
    data = make(10, 30, 6)
    for name in ("pc", "m3c"):
        null = draw(name, data).values
        assert np.linalg.matrix_rank(null - data.values.mean(axis=0)) <= 9


def test_random_graph_keeps_the_set_of_distances_and_is_a_distance_matrix():
    data = make(12, 3, 7)
    null = draw("graph", data)
    below = np.tril_indices(12, -1)
    assert null.precomputed
    assert np.array_equal(null.values, null.values.T)
    before = np.sort(data.distances("euclidean")[below])
    assert np.array_equal(np.sort(null.values[below]), before)


def test_random_labels_keep_the_data_and_the_class_sizes():
    data = make(12, 3, 8)
    null = draw("labels", data)
    assert np.array_equal(null.values, data.values)
    assert sorted(null.classes) == sorted(data.classes)
    assert null.classes != data.classes


@pytest.mark.parametrize("name", ON_VALUES)
def test_a_distance_matrix_is_refused_by_all_but_the_random_graph(name):
    data = make(10, 3, 9)
    distances = Dataset(data.distances("euclidean"), precomputed=True)
    with pytest.raises(InputError, match="only 'graph'"):
        draw(name, distances)
    assert draw("graph", distances).precomputed


def test_hull_of_many_columns_and_of_flat_data_is_refused():
    with pytest.raises(InputError, match="at most 6 columns"):
        draw("ps-hull", make(30, 7, 0))
    flat = np.outer(np.arange(10.0), [1.0, 2.0])
    with pytest.raises(InputError, match="no volume"):
        draw("ps-hull", Dataset(flat))


def test_labels_null_without_labels_says_what_to_do():
    with pytest.raises(InputError, match="--labels"):
        draw("labels", Dataset(np.eye(4)))


def test_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(InputError, match="did you mean 'pc'"):
        null_model("pcc")


@pytest.mark.parametrize("metric", ["euclidean", "correlation"])
def test_the_random_graph_of_a_run_has_the_distances_of_its_metric(metric, monkeypatch):
    values = np.random.default_rng(3).normal(size=(14, 5))
    data = from_arrays(values)
    seen = []

    def keep(self, data, rng):
        seen.append(self.metric)
        return plain(self, data, rng)

    plain = RandomGraph.draw
    monkeypatch.setattr(RandomGraph, "draw", keep)
    found = significance(
        data, 3, "hier-a", statistic="silhouette", null="graph", null_sets=2,
        metric=metric, jobs=1,
    )  # fmt: skip
    assert seen == [metric] * 2
    square = from_arrays(data.distances(metric), precomputed=True)
    given = significance(square, 3, "hier-a", null_sets=2, metric="precomputed", jobs=1)
    np.testing.assert_array_equal(given.null_values, found.null_values)
    assert given.value == found.value
    own = np.sort(data.distances(metric)[np.tril_indices(14, -1)])
    null = plain(RandomGraph(metric=metric), data, np.random.default_rng(0))
    np.testing.assert_array_equal(np.sort(null.values[np.tril_indices(14, -1)]), own)


@pytest.mark.parametrize("name", ON_VALUES)
@pytest.mark.parametrize("counts", [False, True])
def test_the_order_of_columns_changes_no_bit_of_a_null_set(name, counts):
    data = make(30, 5, 3)
    if counts:  # columns that share their smallest, largest and middle value
        data = data.with_values(np.sign(data.values - data.values.mean(axis=0)))
    order = np.array([3, 0, 4, 1, 2])
    other = data.with_values(data.values[:, order])
    first, second = (
        null_set(null_model(name), one, np.random.default_rng(0)).values
        for one in (data, other)
    )
    assert (first[:, order] == second).all()


def test_a_model_that_knows_columns_by_number_gets_them_as_given():
    class FirstColumn:
        name = "first column"

        def draw(self, data, rng):
            return data.with_values(rng.permuted(data.values[:, :1], axis=0))

    data = Dataset(np.array([[9.0, 1.0], [8.0, 0.0], [7.0, 2.0]]))
    drawn = null_set(FirstColumn(), data, np.random.default_rng(0))
    assert sorted(drawn.values[:, 0]) == [7.0, 8.0, 9.0]
