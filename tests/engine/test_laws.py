"""Laws that hold for every measure and algorithm of the registries."""

import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from blobs import blobs
from fault_clusterers import Halves

from stablek.api.choose_k import choose_k
from stablek.data import Dataset, Sample, from_arrays
from stablek.engine.plan import plan
from stablek.engine.together import run
from stablek.errors import PartFailedError
from stablek.measures import MEASURES, measure
from stablek.measures.consensus import fc
from stablek.paradigm.cluster import ALGORITHMS, algorithm

SMALL = {"repeats": 6, "null_sets": 3}


def positive(n=40, m=3, k=3, seed=0, away=8.0):
    """Return groups without negative values, which nmf needs."""
    return np.abs(blobs(n, m, k, seed, away) + 30)


def small(name):
    """Return a measure cheap enough to be run many times over."""
    from stablek.measures import settings_of

    known = settings_of(name)
    return {key: value for key, value in SMALL.items() if key in known}


def same(first, second):
    assert first.k_star == second.k_star
    assert first.ks == second.ks
    assert set(first.columns) == set(second.columns)
    for name, column in first.columns.items():
        assert column.tobytes() == second.columns[name].tobytes(), name
    assert np.array_equal(first.labels, second.labels)


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_a_measure_pickles(name):
    made = MEASURES[name]()
    assert pickle.loads(pickle.dumps(made)) == made


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_two_threads_give_the_same_bits_as_one_worker(name):
    X = positive()
    one = choose_k(X, name, "kmeans-r", range(2, 6), backend="serial", **small(name))
    two = choose_k(
        X, name, "kmeans-r", range(2, 6), jobs=2, backend="threads", **small(name)
    )
    same(one, two)


FREE_OF_K_MAX = [n for n in sorted(MEASURES) if not MEASURES[n]().depends_on_kmax]


#: Every measure with one algorithm, and every algorithm with three measures.
K_MAX_CASES = [(name, "kmeans-r") for name in FREE_OF_K_MAX] + [
    (name, other) for name in ("wcss", "gap-pc", "fc") for other in sorted(ALGORITHMS)
]


@pytest.mark.parametrize(("name", "with_what"), K_MAX_CASES)
def test_a_larger_k_max_leaves_the_curve_at_smaller_k_alone(name, with_what):
    data, made = from_arrays(np.abs(positive())), measure(name, **small(name))
    short, long = (
        run(plan(data, made, algorithm(with_what), range(2, last))) for last in (6, 9)
    )
    for column, values in short.curve.at(range(2, 6)).columns.items():
        if column.startswith("delta"):  # at the end it needs the area beyond
            values = values[:-1]
        longer = long.curve.at(range(2, 6)).columns[column][: len(values)]
        assert values.tobytes() == longer.tobytes(), column


@pytest.mark.parametrize("name", sorted(ALGORITHMS))
def test_an_algorithm_gives_the_partitions_it_promises(name):
    data = from_arrays(positive())
    from stablek.data.seeds import Streams

    found = algorithm(name).partitions(data.whole(), (2, 3, 5), Streams(0))
    assert found.shape == (3, data.n)
    for labels, k in zip(found, (2, 3, 5), strict=True):
        assert labels[0] == 0
        assert labels.max() + 1 <= k
        if not name.startswith("nmf"):
            assert len(np.unique(labels)) == k


@pytest.mark.parametrize("name", sorted(ALGORITHMS))
def test_an_algorithm_is_the_same_for_one_k_as_for_many(name):
    data = from_arrays(positive())
    from stablek.data.seeds import Streams

    made = algorithm(name)
    many = made.partitions(data.whole(), (2, 3, 4, 5), Streams(0))
    one = made.partitions(data.whole(), (4,), Streams(0))
    assert np.array_equal(np.asarray(many[2], int), np.asarray(one[0], int))


def test_processes_give_the_same_bits_as_one_worker():
    X = positive(60)
    one = choose_k(X, "fc", "kmeans-r", range(2, 6), backend="serial", repeats=400)
    two = choose_k(
        X, "fc", "kmeans-r", range(2, 6), jobs=2, backend="processes", repeats=400
    )
    same(one, two)


def test_a_hundred_repeats_are_the_first_hundred_of_two_hundred_and_fifty():
    X = positive()
    short = choose_k(X, "fc", "hier-a", range(2, 6), repeats=100)
    long = choose_k(X, "fc", "hier-a", range(2, 6), repeats=250)
    assert np.array_equal(short.cube.labels, long.cube.first(100).labels)


@dataclass(frozen=True)
class GivenRows:
    """Draws the rows it is given, renumbered by a permutation of the items."""

    rows: tuple[tuple[int, ...], ...]
    place: tuple[int, ...]

    def draw(self, data, rng, repeat):
        where = np.asarray(self.place)[list(self.rows[repeat])]
        return Sample(data, np.sort(where).astype(np.intp))

    def size(self, n):
        return len(self.rows[0])


@pytest.mark.parametrize("name", ["hier-a", "hier-c", "hier-s", "hier-w"])
def test_permuting_rows_and_draws_alike_permutes_labels_and_keeps_the_curve(name):
    X = positive(30)
    rng = np.random.default_rng(5)
    rows = tuple(tuple(rng.permutation(30)[:24].tolist()) for _ in range(20))
    order = rng.permutation(30)
    place = np.empty(30, int)
    place[order] = np.arange(30)
    results = []
    for values, where in ((X, np.arange(30)), (X[order], place)):
        made = fc(repeats=20).with_(perturb=(GivenRows(rows, tuple(where.tolist())),))
        results.append(choose_k(values, made, name, range(2, 7)))
    first, second = results
    for column in first.columns:
        if column == "cophenetic":  # its tree is full of ties: M has few values
            continue
        assert first.columns[column] == pytest.approx(
            second.columns[column], nan_ok=True
        )
    from stablek.paradigm.indices import adjusted_rand, contingency

    assert adjusted_rand(contingency(first.labels[order], second.labels)) == 1


def test_the_consensus_matrix_is_what_a_double_loop_counts():
    result = choose_k(positive(20), "fc", "hier-a", range(2, 5), repeats=15)
    labels = result.cube.of_k(3).astype(int)
    missing = result.cube.missing
    expected = np.eye(20)
    for i in range(20):
        for j in range(20):
            if i == j:
                continue
            both = [row for row in labels if row[i] != missing and row[j] != missing]
            expected[i, j] = np.mean([row[i] == row[j] for row in both])
    assert np.array_equal(result.consensus(3), expected)


def test_the_area_is_one_minus_the_mean_of_the_consensus_values():
    result = choose_k(positive(25), "fc", "hier-a", range(2, 5), repeats=30)
    for place, k in enumerate(result.ks):
        upper = result.consensus(k)[np.triu_indices(25, 1)]
        assert result.columns["area"][place] == pytest.approx(1 - upper.mean())
        pac = ((upper > 0.1) & (upper < 0.9)).mean()
        assert result.columns["pac"][place] == pytest.approx(pac)


def test_a_failing_repeat_does_not_sink_the_run():
    class Shaky(Halves):
        def trouble(self, X):
            if self.random_state % 5 == 0:
                raise RuntimeError("no luck")

    result = choose_k(
        positive(20), "fc", Shaky(), range(2, 4), repeats=30, backend="serial"
    )
    assert result.failures
    assert "RuntimeError: no luck" in result.failures[0]
    assert np.isfinite(result.columns["area"]).all()


def test_the_plan_is_all_that_a_run_depends_on():
    data = from_arrays(positive())
    planned = plan(data, fc(repeats=5), algorithm("hier-a"), range(2, 5), seed=3)
    again = pickle.loads(pickle.dumps(planned))
    assert np.array_equal(run(planned).cube.labels, run(again).cube.labels)


def test_all_rows_equal_is_an_answer():
    result = choose_k(np.ones((12, 3)), "fc", "hier-a")
    assert result.k_star == 1
    assert "identical" in result.sentence


def test_few_distinct_rows_limit_k_and_say_so():
    X = np.repeat(np.arange(4.0)[:, None], 6, axis=0)
    result = choose_k(X, "fc", "hier-a", range(2, 9), repeats=10)
    assert result.ks == (2, 3)
    assert any("4 distinct rows" in note for note in result.notes)


def test_a_data_set_is_never_changed_by_a_run():
    values = positive()
    copy = values.copy()
    choose_k(Dataset(values), "fc", "kmeans-w", range(2, 5), repeats=5)
    assert np.array_equal(values, copy)


def test_more_clusters_than_labels_hold_are_refused_not_wrapped():
    class Noisy:
        def __init__(self):
            self.n_clusters = 2

        def fit_predict(self, X):
            return np.full(len(X), -1)

    with pytest.raises(PartFailedError, match="320 clusters and noise items"):
        choose_k(positive(400), "fc", Noisy(), range(2, 4), repeats=3, backend="serial")
