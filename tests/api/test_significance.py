"""MECCA: significance of a partition, of an algorithm's and of labels brought."""

import json
from functools import partial

import numpy as np
import pytest
from blobs import blobs
from click.testing import CliRunner

from stablek.api.significance import mecca, significance
from stablek.cli.significance import command
from stablek.data import Dataset
from stablek.errors import InputError
from stablek.paradigm.statistic.quality import Quality


def noise(seed, n=40, m=3):
    return np.random.default_rng(seed).random((n, m))


@pytest.mark.parametrize("statistic", ["wcss", "calinski-harabasz", "silhouette"])
@pytest.mark.parametrize("null", ["pc", "ps", "pr", "normal", "m3c", "ps-sphere"])
def test_clear_clusters_are_significant_by_every_statistic_and_null(statistic, null):
    found = significance(
        blobs(), 3, "hier-a", statistic=statistic, null=null, null_sets=39
    )
    assert found.p == 1 / 40
    assert found.rejected
    assert found.tested == "algorithm"


def test_p_is_uniform_on_data_from_the_null_model_itself():
    # Independent columns are exchangeable, so the permutation test is exact. (The box
    # of Ps is fitted to the data and a little too small: its p-values are too large.)
    p = [
        significance(noise(s), 3, "hier-c", null="pr", null_sets=19, seed=s).p
        for s in range(40)
    ]
    assert 0.3 < np.mean(p) < 0.7
    assert np.mean(np.array(p) <= 0.05) <= 0.15


def test_permuted_labels_are_the_null_for_labels_from_elsewhere():
    X = blobs()
    found = significance(X, labels=np.arange(45) % 3, null_sets=99)
    assert (found.tested, found.p, found.k) == ("labels", 0.01, 3)
    assert "random orders" in found.sentence
    shuffled = np.random.default_rng(0).permutation(np.arange(45) % 3)
    assert significance(X, labels=shuffled, null_sets=99).p > 0.01


def test_an_algorithms_own_labels_on_noise_look_significant_only_in_the_wrong_test():
    X = noise(1)
    from stablek.api.choose_k import choose_k

    labels = choose_k(X, "wcss", "hier-c", range(2, 6)).cube.of_k(3)[0]
    wrong = significance(X, labels=labels, null_sets=99)
    right = significance(X, 3, "hier-c", null="ps", null_sets=99)
    assert wrong.p == 0.01
    assert "holds only if the labels were not made from these data" in wrong.sentence
    assert wrong.sentence.endswith("give k=3 in place of the labels.")
    assert "holds only" not in right.sentence
    assert right.p > 0.05


def test_plain_proportion_can_be_zero():
    found = significance(blobs(), 3, "hier-a", null_sets=19, proportion=True)
    assert found.p == 0


def test_a_distance_matrix_is_tested_against_the_random_graph():
    X = blobs()
    square = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    found = significance(square, 3, "hier-a", metric="precomputed", null_sets=39)
    assert (found.null, found.statistic, found.p) == ("graph", "silhouette", 1 / 40)
    with pytest.raises(InputError, match="only 'graph'"):
        significance(square, 3, "hier-a", metric="precomputed", null="ps")
    with pytest.raises(InputError, match="distance"):
        significance(square, 3, "hier-a", metric="precomputed", statistic="wcss")


def mean_size(data, labels):
    del data
    return float(np.bincount(labels).max())


def test_a_statistic_that_is_not_a_number_is_no_evidence_of_structure():
    def unknown(data, labels):
        return float("nan")

    for proportion in (False, True):
        found = significance(
            blobs(), 3, "hier-a", statistic=unknown, better="high", null_sets=9,
            proportion=proportion, backend="serial",
        )  # fmt: skip
        assert found.p == 1.0
        told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        assert (told["value"], told["null_values"]) == (None, [None] * 9)


@pytest.mark.parametrize(("sets", "enough"), [(9, False), (19, False), (20, True)])
def test_null_sets_too_few_to_reject_anything_are_told(sets, enough):
    found = significance(blobs(), 3, "hier-a", null_sets=sets)
    assert (found.notes == ()) is enough
    assert found.rejected is enough
    assert enough or "use 20 or more" in found.notes[-1]


def test_labels_have_a_null_of_their_own():
    with pytest.raises(InputError, match="random orders of the same labels; leave"):
        significance(blobs(), labels=["a", "b", "c"] * 15, null="pc")


def test_any_function_can_be_the_statistic():
    found = significance(
        blobs(), 3, "hier-a", statistic=mean_size, better="low", null_sets=9
    )
    assert (found.value, found.statistic) == (15, "mean_size")
    with pytest.raises(InputError, match="high"):
        significance(blobs(), 3, "hier-a", statistic=mean_size)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"k": 3, "labels": [0, 1] * 22 + [0]},
        {"k": 1},
        {"k": 3, "null_sets": 0},
        {"k": 3, "level": 1.0},
        {"k": 3, "null": "labels"},
        {"k": 3, "null": "psc"},
        {"k": 3, "statistic": "wcs"},
        {"labels": [0, 1]},
        {"labels": [0] * 45},
    ],
)
def test_wrong_questions_are_refused(wrong):
    with pytest.raises(InputError):
        significance(blobs(), **wrong)


def test_workers_do_not_change_the_outcome():
    one = significance(blobs(), 3, "kmeans-r", null_sets=9, jobs=1, backend="serial")
    two = significance(blobs(), 3, "kmeans-r", null_sets=9, jobs=2, backend="threads")
    assert one.p == two.p
    assert one.null_values.tobytes() == two.null_values.tobytes()


def test_qualities_are_scikit_learns():
    from sklearn import metrics

    X = blobs(away=2.0)
    rng = np.random.default_rng(0)
    for k in (2, 3, 7):
        labels = np.r_[np.arange(k), rng.integers(k, size=45 - k)]
        rows = labels[None].astype(np.uint16)
        data = Dataset(X)
        assert Quality("silhouette").of(data, rows)[0] == pytest.approx(
            metrics.silhouette_score(X, labels)
        )
        assert Quality("calinski-harabasz").of(data, rows)[0] == pytest.approx(
            metrics.calinski_harabasz_score(X, labels)
        )


@pytest.fixture
def table(tmp_path):
    X = blobs()
    lines = ["a\tb\tc\td\tkind"]
    lines += [
        "\t".join([*(f"{v:.6f}" for v in row), "xyz"[i % 3]]) for i, row in enumerate(X)
    ]
    path = tmp_path / "blobs.tsv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_command_says_which_of_the_two_tests_was_done(table):
    runner = CliRunner()
    made = ["--labels", "kind", "--null-sets", "19", "-q"]
    found = runner.invoke(command, [table, *made, "-k", "3"])
    assert found.stdout.startswith("p = 0.05\n")
    assert "the 3 clusters of kmeans-w compared with its clusters in 19" in found.output
    found = runner.invoke(command, [table, *made])
    assert "your labels (3 classes) compared with 19 random orders" in found.output
    assert "nothing was clustered. This p holds only if" in found.output


def test_command_prints_json_and_knows_the_preset(table):
    made = [table, "--labels", "kind", "-k", "3", "--null-sets", "9", "--json", "-q"]
    found = json.loads(CliRunner().invoke(command, made).stdout)
    assert (found["p"], found["tested"], len(found["null_values"])) == (
        0.1, "algorithm", 9,
    )  # fmt: skip
    found = CliRunner().invoke(command, [*made, "--preset", "thesis"])
    assert json.loads(found.stdout)["p"] == 0


def test_command_without_a_partition_says_what_to_give(table):
    found = CliRunner().invoke(command, [table, "--drop", "kind", "-q"])
    assert isinstance(found.exception, InputError)
    assert "-k K" in str(found.exception)


def test_what_is_unusual_is_high_or_low_and_nothing_else():
    with pytest.raises(InputError, match="unknown better 'Low'; did you mean 'low'"):
        significance(np.eye(6), 2, "hier-a", better="Low", null_sets=4)


def test_a_statistic_without_a_name_and_a_k_of_numpy_are_told_in_words():
    def scaled(data, labels, factor):
        return factor * float(labels.max())

    made = partial(scaled, factor=2.0)
    values = np.random.default_rng(0).normal(size=(12, 2))
    found = significance(
        values, np.int64(2), "hier-a", statistic=made, better="high", null_sets=4
    )
    told = json.loads(json.dumps(found.to_dict()))
    assert (told["statistic"], told["k"]) == ("scaled", 2)


def test_the_old_name_says_what_the_new_one_is_and_gives_the_same():
    with pytest.warns(DeprecationWarning, match=r"is now significance\(X, k, algo"):
        old = mecca(blobs(), "hier-a", 3, alpha=0.1, null_sets=9)
    new = significance(blobs(), 3, "hier-a", level=0.1, null_sets=9)
    assert old.to_dict() == new.to_dict()
    with pytest.warns(DeprecationWarning, match="alpha is now level"):
        assert old.alpha == 0.1


def test_the_old_option_is_a_second_name_of_the_new_one(table):
    few = [table, "--labels", "kind", "-k", "3", "--null-sets", "4", "--json", "-q"]
    for option in ("--alpha", "--level"):
        answer = CliRunner().invoke(command, [*few, option, "0.3"])
        assert json.loads(answer.stdout)["level"] == 0.3
