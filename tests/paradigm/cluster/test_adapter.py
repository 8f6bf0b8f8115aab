"""A foreign clusterer is held to its word: labels are read as meant, or refused."""

import numpy as np
import pytest

from stablek.api.choose_k import choose_k
from stablek.api.choose_setting import Grid
from stablek.data import from_arrays
from stablek.data.seeds import Streams
from stablek.errors import OutOfTime, Terminated, reraise_signals
from stablek.paradigm.cluster.adapter import Adapter, ClustererError, valid_labels

X = np.arange(12.0)[:, None] % 4 * 9 + np.random.default_rng(0).normal(size=(12, 2))


class Slices:
    """Cut the first column into slices of equal size."""

    __slots__ = ("n_clusters",)

    def __init__(self):
        self.n_clusters = 2

    def fit_predict(self, values):
        return values[:, 0].argsort().argsort() * self.n_clusters // len(values)


class Spoils(Slices):
    """Subtracts from its input each time, until nothing is left."""

    def fit_predict(self, values):
        found = super().fit_predict(values)
        values -= values[np.arange(len(values)) % 5]
        return found


class Unsayable(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class OwnStop(BaseException):
    def __init__(self, first, second):
        super().__init__(f"{first} {second}")


def raising(error):
    class Raising(Slices):
        def fit_predict(self, values):
            raise error

    return Adapter(Raising(), "Raising")


def labels_of(clusterer, ks):
    return clusterer.partitions(from_arrays(X).whole(), ks, Streams(0, ("test",)))


def test_a_clusterer_that_changes_its_input_spoils_no_other_k():
    alone = labels_of(Adapter(Spoils(), "Spoils"), (4,))
    assert (labels_of(Adapter(Spoils(), "Spoils"), (2, 3, 4))[2:] == alone).all()


@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
def test_a_function_that_changes_its_input_spoils_no_other_setting(metric):
    def cut(values, setting, rng):
        found = values[:, 0] > setting
        values[:] = 0
        return found

    given = X if metric == "euclidean" else np.abs(X[:, :1] - X[:, 0])
    data = from_arrays(given, precomputed=metric == "precomputed")
    found = Grid(cut, (5.0, 5.0)).partitions(data.whole(), (2, 3), Streams(0, ()))
    assert found.any()
    assert (found[0] == found[1]).all()


def test_an_object_with_slots_is_a_clusterer_like_any_other():
    assert labels_of(Adapter(Slices(), "Slices"), (3,)).max() == 2


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (
            np.array([0, 1, 2, 3]) * 0.5 + 0.5,
            r"the label 0\.5, which is not a whole "
            "number at k",
        ),
        ([0, 1, np.inf, 1], "infinite labels"),
        ([0, 1, np.nan, 1], "NaN labels"),
        (np.ma.array([0, 1, 2, 3], mask=[0, 0, 0, 1]), "masked labels; .* label -1"),
        (np.array([0, 1, None, 1], object), r"missing labels \(NoneType, int\)"),
        (np.array(["a", "b", np.nan, "a"], object), r"missing labels \(float, str\)"),
        (np.array([0, 1, np.nan, 1], object), "NaN labels"),
        (np.array([0, "0", 1, 1], object), r"labels of mixed kinds \(int, str\)"),
        ([[0], [1, 2], [3], [4]], "something other than labels"),
        (np.arange(4) * 1j, "labels of type complex128"),
        (np.arange(4).astype("M8[s]"), r"labels of type datetime64"),
        (np.array([2**70] * 4, object), "labels of type object"),
        (None, r"labels of shape \(\) for 4 items"),
    ],
)
def test_labels_that_say_nothing_are_refused_with_the_reason(found, told):
    with pytest.raises(ClustererError, match=told):
        valid_labels(found, 4, 2, "mine")


@pytest.mark.parametrize(
    ("found", "numbered"),
    [
        (np.array([2.0, 1.0, 2.0, 0.0]) * 1e300, [0, 1, 0, 2]),
        (np.array([3, 3, 1, 1]) + (2**63 - 4), [0, 0, 1, 1]),
        (np.array([2**63 - 1, -1, -1, 0]), [0, 1, 2, 3]),
        (np.array([2**64 - 1, 0, 0, 1], np.uint64), [0, 1, 1, 2]),
        (np.array([5, -1, -1, 5], object), [0, 1, 2, 0]),
        (np.array(["b", "a", "a", "b"], object), [0, 1, 1, 0]),
        (np.ma.array([0, 1, 1, 0]), [0, 1, 1, 0]),
        ([True, False, False, True], [0, 1, 1, 0]),
        ([-1.0, 4.0, -1.0, 4.0], [0, 1, 2, 1]),
    ],
)
def test_labels_are_numbered_by_first_appearance_whatever_their_type(found, numbered):
    assert valid_labels(found, 4, 2, "mine").tolist() == numbered


def test_more_clusters_than_two_bytes_hold_are_not_wrapped_around():
    many = 2**16 + 5
    assert valid_labels(np.arange(many), many, 2, "mine").max() == many - 1


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OwnStop("my", "words"), "Raising failed at k = 2: OwnStop: my words"),
        (GeneratorExit(), "GeneratorExit"),
        (SystemExit(7), "SystemExit: 7"),
        (StopIteration("over"), "StopIteration: over"),
        (Unsayable(), r"Unsayable \(its message cannot be shown: RuntimeError\)"),
    ],
)
def test_whatever_a_clusterer_raises_fails_its_task(error, told):
    with pytest.raises(ClustererError, match=told):
        labels_of(raising(error), (2,))


@pytest.mark.parametrize("stop", [KeyboardInterrupt, Terminated, OutOfTime])
def test_a_signal_is_no_failure_of_the_clusterer(stop):
    with pytest.raises(stop):
        labels_of(raising(stop()), (2,))


def test_what_is_no_signal_stays_behind_the_error_that_was_raised():
    with pytest.raises(ValueError, match="outer"), reraise_signals():  # noqa: PT012
        try:
            raise OwnStop("a", "b")
        except OwnStop as error:
            raise ValueError("outer") from error


def test_more_clusters_than_asked_for_are_told():
    class Apart(Slices):
        def fit_predict(self, values):
            return np.arange(len(values))

    found = choose_k(X, "fc", Apart(), range(2, 4), repeats=3, jobs=1)
    told = "partitions with more than k clusters: 3 of 3 at k = 2, 3 of 3 at k = 3"
    assert found.facts["more_clusters"] == told
    assert told in found.notes
    assert "more_clusters" not in choose_k(X, "fc", "hier-a", range(2, 4)).facts
