"""What cannot be used is refused at the door: what, where, and what to do."""

import os
import sys

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from stablek import measures
from stablek.api.choose_k import choose_k, request
from stablek.api.compare import compare
from stablek.api.verdict import verdict
from stablek.data import from_arrays
from stablek.data.seeds import Streams
from stablek.datasets.simulated import demo
from stablek.engine.calibrate import calibrate_outcome, compared_column
from stablek.engine.execution.execute import Execution, cores
from stablek.engine.plan import plan
from stablek.errors import InputError
from stablek.machine import memory
from stablek.measures.compose import compose
from stablek.paradigm.assign import classify_and_cluster
from stablek.paradigm.classify import classifier
from stablek.paradigm.cluster import algorithm
from stablek.paradigm.cluster.adapter import Adapter
from stablek.paradigm.contracts import Curve, Parts
from stablek.paradigm.perturb.null import Permutation, null_model
from stablek.paradigm.significance.reliability import EquallyReliable
from stablek.paradigm.split import TrainingShare
from stablek.paradigm.statistic.agreement import Agreement
from stablek.paradigm.stop import EveryColumn
from stablek.paradigm.synopsis import consensus_distribution
from stablek.results.comparison import Comparison

X = np.random.default_rng(0).normal(size=(12, 3))
SQUARE = np.abs(X[:, :1] - X[:, 0])


def with_one(value):
    spoilt = X.copy()
    spoilt[4, 2] = value
    return spoilt


@pytest.mark.parametrize(
    ("given", "facts", "told"),
    [
        (X[:, 0], {}, "X has 1 dimension.*reshape"),
        (demo(), {}, "X is a Simulated; pass a table of numbers, e.g. its .values"),
        (None, {}, "X is a NoneType; pass a table of numbers$"),
        (X.astype(complex), {}, "X has type complex128; pass real numbers"),
        ([["a", "b"]] * 4, {}, "X has type <U1; pass real numbers"),
        (np.array([[1, "b"]] * 4, object), {}, "X is not numeric: .*'b'"),
        (X[:2], {}, r"2 row\(s\): at least 3 items"),
        (X[:, :0], {}, "no column: every item needs at least one value"),
        (with_one(np.nan), {}, "1 value.* at row 4, column 2. Fill or drop"),
        (pd.DataFrame(with_one(np.inf)), {}, "at row 4, column '2'"),
        (with_one(1e200), {}, "values up to 1e.200 overflow squared distances"),
        (X, {"precomputed": True}, "must be square; this one is 12 x 3"),
        (SQUARE + np.triu(SQUARE), {"precomputed": True}, "is not symmetric"),
        (-SQUARE, {"precomputed": True}, "zero diagonal and no negative entry"),
        (SQUARE + 1, {"precomputed": True}, "if yours holds similarities"),
    ],
)
def test_values_that_no_measure_can_use_are_refused(given, facts, told):
    with pytest.raises(InputError, match=told):
        from_arrays(given, **facts)


def test_a_sparse_matrix_is_made_dense_if_it_fits_the_memory():
    np.testing.assert_array_equal(from_arrays(csr_matrix(X)).values, X)
    with pytest.raises(InputError, match=r"takes 80 TB with its zeros.*fewer columns"):
        from_arrays(csr_matrix((10**7, 10**6)))


def test_an_anndata_object_is_refused_with_calls_that_work():
    anndata = pytest.importorskip("anndata")
    made = anndata.AnnData(X)
    with pytest.raises(InputError, match=r"a matrix of it, adata\.X, .*tl\.verdict"):
        from_arrays(made)
    made.obsm["X_umap"] = X[:, :2]
    with pytest.raises(InputError, match=r"adata\.obsm\['X_umap'\]"):
        from_arrays(made)


def test_whole_numbers_truth_values_and_objects_become_numbers():
    for kind in (int, bool, object):
        data = from_arrays((X > 0).astype(kind))
        assert data.values.dtype == np.float64
        assert set(np.unique(data.values)) == {0.0, 1.0}


class Bare:
    """A table of another library: columns, but no index."""

    columns = ("a", "b", "c")

    def to_numpy(self):
        return X


def test_a_table_without_an_index_brings_its_columns_only():
    data = from_arrays(Bare())
    assert data.columns == ("a", "b", "c")
    assert not data.ids


def test_distances_of_some_columns_are_those_of_the_values():
    from stablek.data import Sample

    data = from_arrays(X)
    some = Sample(data, np.arange(1, 9), dropped=1)
    kept = X[1:9][:, [0, 2]]
    want = np.sqrt(((kept[:, None] - kept) ** 2).sum(axis=2))
    np.testing.assert_allclose(some.distances("euclidean"), want)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: TrainingShare(1.0), "share = 1 must lie between 0 and 1"),
        (lambda: EveryColumn(0), "starts = 0 must be at least 1"),
        (lambda: EquallyReliable(tau=0), "tau = 0 must lie between 0 and 1"),
        (lambda: EquallyReliable(test="chi"), "unknown test 'chi'.*chi-square"),
        (lambda: Permutation(within="cells"), "unknown permutation within 'cells'"),
        (lambda: Execution(-1), "jobs = -1 must be 0 .one per core. or more"),
        (lambda: measures.measure(measures.measure("fc"), repeats=3),
         "repeats apply to a measure given by name; fc was given as an object"),
        (lambda: compose(perturb="bootstrap", fraction=0.5),
         "fraction = 0.5 applies to the perturbations subsample"),
        (lambda: measures.measure("me").with_(synopsis=consensus_distribution),
         "reads pairs, but the statistic Agreement gives scores"),
        (lambda: algorithm(3), "fit_predict"),
        (lambda: choose_k(X, "fc", "hier-a", range(2, 2)), "range of ks is empty"),
        (lambda: choose_k(X, "fc", "hier-a", (2, 4)), "consecutive, as in ks=range"),
        (lambda: choose_k(X[:3], "clest", "hier-a"), "3 items are too few for clest"),
        (lambda: choose_k(X, "fc", "hier-a", range(2, 4), repeats=2).consensus(9),
         "k = 9 was not run; the ks are 2 to 3"),
        (lambda: choose_k(SQUARE, "clest", "hier-a", range(2, 4), metric="precomputed"),
         "classifier needs the items' values"),
    ],
)  # fmt: skip
def test_a_setting_that_makes_no_sense_is_refused_with_its_limits(make, told):
    with pytest.raises(InputError, match=told):
        make()


def test_null_sets_without_a_model_are_refused():
    made = measures.measure("fc")
    with pytest.raises(InputError, match="5 null sets, but no null model is named"):
        made.with_(null_sets=5)


def test_a_classifier_needs_a_training_part():
    whole = Parts(learning=from_arrays(X).whole())
    with pytest.raises(InputError, match="use split = two-thirds and train = dlda"):
        classify_and_cluster([whole], algorithm("hier-a"), None)


def test_calibration_needs_null_sets_and_a_column_that_has_a_better_end():
    planned = request(X, "fc", "hier-a", range(2, 4), repeats=2).plan
    with pytest.raises(InputError, match="calibrate = 0: at least 1 null set"):
        calibrate_outcome(planned, None, 0)
    bare = plan(
        from_arrays(X), measures.measure("wcss").with_(better=None),
        algorithm("hier-a"), range(2, 5),
    )  # fmt: skip
    curve = Curve((2,), {"x": np.ones(1)}, "x", better="high")
    assert compared_column(bare, curve) == ("x", "high")


@pytest.mark.parametrize(
    "named",
    [
        (classifier, "dlda"), (null_model, "pr"),
    ],
)  # fmt: skip
def test_an_ingredient_may_be_given_as_an_object(named):
    find, word = named
    made = find(word)
    assert find(made) is made


def test_a_composed_measure_takes_objects_for_names():
    rule = EquallyReliable()
    made = compose(
        perturb="subsample", fraction=0.5, statistic=Agreement("fm"),
        synopsis="mean", significance=rule,
    )  # fmt: skip
    assert made.significance is rule
    assert made.collect == Agreement("fm")
    assert made.perturb[0].fraction == 0.5


class Unnumbered:
    def fit_predict(self, X):
        return np.zeros(len(X))


def test_a_clusterer_that_cannot_be_told_k_is_refused():
    sample = from_arrays(X).whole()
    foreign = Adapter(Unnumbered(), "Unnumbered")
    with pytest.raises(InputError, match="neither n_clusters nor n_components"):
        foreign.partitions(sample, (2,), Streams(0))


class Raising:
    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def prepare(self, data):
        """Make it look like one of ours, so that nothing guards it."""

    def fit_predict(self, X):
        raise ZeroDivisionError("mine")


def test_two_objects_of_one_class_are_compared_under_names_of_their_own():
    names = []

    class Nothing:
        def kept(self, tasks):
            return []

        def keep(self, outputs):
            pass

    def journal(name):
        names.append(name)
        return Nothing()

    found = compare(
        X, ["fc"], [Raising(), Raising()], range(2, 4), repeats=2, journal=journal,
        backend="serial",
    )  # fmt: skip
    assert names == ["fc-Raising", "fc-Raising~2"]
    assert [part.algorithm for part in found.failures] == ["Raising", "Raising~2"]
    assert "ZeroDivisionError: mine" in found.failures[0].message
    assert found.sentence == "No measure gave an answer."


@pytest.mark.parametrize(
    ("name", "settings", "told"),
    [
        ("fc", {"repeats": 0}, "repeats = 0 must be at least 1"),
        ("fc", {"repeats": 4.5}, "repeats = 4.5 must be a whole number"),
        ("wcss", {"starts": 0}, "starts = 0 must be at least 1"),
        ("fom", {"starts": 0}, "starts = 0 must be at least 1"),
        ("brunet", {"repeats": 0}, "repeats = 0 must be at least 1"),
        ("gap-pc", {"runs": 0}, "runs = 0 must be at least 1"),
        ("gap-pc", {"null_sets": -1}, "gap-pc: null_sets = -1 must be 0 or more"),
    ],
)
def test_counts_that_are_none_are_refused_before_anything_runs(name, settings, told):
    with pytest.raises(InputError, match=told):
        measures.measure(name, **settings)


@pytest.mark.parametrize("name", ["wcss", "kl", "gap-pc", "g-gap", "fom"])
def test_distances_are_refused_before_anything_is_clustered(name):
    with pytest.raises(InputError, match="needs the items' values, not distances"):
        request(SQUARE, name, ks=range(2, 4), metric="precomputed")


def test_values_are_not_taken_for_distances():
    with pytest.raises(InputError, match="precomputed, but this data set holds values"):
        choose_k(from_arrays(X), metric="precomputed")


def test_a_comparison_takes_a_matrix_of_distances_as_choose_k_does():
    given = {"ks": range(2, 5), "metric": "precomputed", "repeats": 4}
    (one,) = compare(SQUARE, ["fc"], ["hier-a"], **given).results
    alone = choose_k(SQUARE, "fc", "hier-a", **given)
    assert one.k_star == alone.k_star
    np.testing.assert_array_equal(one.labels, alone.labels)


def test_a_setting_that_no_measure_has_is_refused():
    with pytest.raises(InputError, match="none of fc, wcss has a setting 'colour'"):
        compare(X, ["fc", "wcss"], ["hier-a"], range(2, 4), colour=3)


def test_settings_go_to_the_measures_given_by_name():
    own = measures.measure("fc", repeats=3)
    found = compare(X, ["fc", own], ["hier-a"], range(2, 4), repeats=5)
    assert [one.facts["repeats"] for one in found.results] == [5, 3]
    assert list(found.table.index) == ["fc", "fc~2"]
    with pytest.raises(InputError, match="repeats applies to measures given by name"):
        compare(X, [own], ["hier-a"], range(2, 4), repeats=5)


def test_whatever_an_ingredient_of_ones_own_raises_fails_its_part_alone():
    class Odd(Agreement):
        def collect(self, cube, data):
            raise KeyError("pairs")

    odd = compose(statistic=Odd("fm"), synopsis="mean", significance=EquallyReliable(),
                  name="odd", repeats=2)  # fmt: skip
    found = compare(X, [odd, "wcss"], ["hier-a"], range(2, 5))
    assert isinstance(found, Comparison)
    (failed,) = found.failures
    assert (failed.measure, failed.message) == ("odd", "KeyError: 'pairs'")
    assert [one.measure for one in found.results] == ["wcss"]


def test_two_algorithms_of_one_class_have_a_column_each():
    class Slices:
        def __init__(self, column):
            self.n_clusters, self.column = 2, column

        def fit_predict(self, values):
            order = values[:, self.column].argsort().argsort()
            return order * self.n_clusters // len(values)

    found = compare(
        X, ["fc"], [Slices(0), Slices(1)], range(2, 4), repeats=4, backend="serial"
    )
    assert list(found.table.columns) == ["Slices", "Slices~2"]
    assert (found.results[0].labels != found.results[1].labels).any()


@pytest.mark.parametrize("error", [MemoryError("no room"), KeyboardInterrupt()])
def test_what_would_fail_every_part_stops_a_comparison(error, monkeypatch):
    def starved(*_, **__):
        raise error

    monkeypatch.setattr("stablek.api.compare.run_pass", starved)
    with pytest.raises(type(error)):
        compare(X, ["fc"], ["hier-a"], range(2, 4))


def bounds_of(monkeypatch, **texts):
    """Return the bounds on memory where the system's files hold these texts."""

    class File:
        def __init__(self, path):
            self.text = texts[path.rsplit("/")[-1].replace(".", "_")]

        def read_text(self, encoding):
            return self.text

    monkeypatch.setattr(memory, "Path", File)
    return memory.free_memory()


def test_memory_is_bounded_by_what_is_free_and_by_the_limit_of_a_container(monkeypatch):
    monkeypatch.setitem(sys.modules, "resource", None)  # as on Windows
    free = "MemTotal: 9 kB\nMemAvailable:    7 kB\n"
    assert bounds_of(monkeypatch, meminfo=free, memory_max="5000\n")[1:] == [7168, 5000]
    assert bounds_of(monkeypatch, meminfo=free, memory_max="max\n")[1:] == [7168]
    (whole,) = bounds_of(monkeypatch, meminfo="", memory_max="max")[1:]
    assert whole == os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def test_cores_are_counted_where_affinity_is_unknown(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert cores() == 1


@pytest.mark.parametrize(
    ("ks", "told"),
    [
        (3.0, r"ks = 3.0 is not a sequence; pass e.g. range\(2, 11\)"),
        ([2.5, 3.5], "ks has 2.5; pass whole numbers"),
        (["2", "3"], "ks has '2'; pass whole numbers"),
    ],
)
@pytest.mark.parametrize("ask", [choose_k, verdict])
def test_ks_that_are_no_whole_numbers_are_refused(ask, ks, told):
    with pytest.raises(InputError, match=told):
        ask(np.random.default_rng(0).normal(size=(60, 3)) ** 3, ks=ks)
