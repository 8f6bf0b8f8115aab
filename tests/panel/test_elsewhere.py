"""Items that most subsamples put into another cluster are told apart from the rest."""

import numpy as np
import pytest

import stablek
from stablek.paradigm.statistic.item_consensus import is_elsewhere
from stablek.results.describe import class_records


@pytest.fixture(scope="module")
def iris():
    datasets = pytest.importorskip("sklearn.datasets")
    return stablek.verdict(datasets.load_iris().data, seed=0)


def test_items_of_iris_are_in_the_other_cluster_in_most_subsamples(iris):
    table = iris.items.set_index("id").loc[list(iris.elsewhere())]
    assert len(table) > 0
    assert (table["consensus"] < 0.1).all()
    assert (table["runner_up_consensus"] > 0.9).all()
    assert table["between"].all()
    assert set(iris.elsewhere()) <= set(iris.between())


def test_where_partition_and_subsamples_disagree_is_said(iris):
    told = iris.dissent[-1]
    count = len(iris.elsewhere())
    assert told.startswith(f"{count} items are in another cluster in most subsamples")
    assert "lie between" not in iris.sentence
    assert iris.elsewhere()[0] in told


def test_an_item_that_is_torn_is_not_elsewhere():
    own, other = np.array([0.49, 0.49, 0.55]), np.array([0.74, 0.76, 0.9])
    assert is_elsewhere(own, other).tolist() == [False, True, False]


def test_a_class_is_not_called_stable_where_the_answer_says_otherwise():
    load = pytest.importorskip("sklearn.datasets").load_iris
    names = ["setosa", "versicolor", "virginica"]
    own = [names[t] for t in load().target]
    found = stablek.verdict(load().data, labels=own, jobs=1)
    assert "1 of your 3 classes is a stable cluster (setosa)" in found.sentence
    words = {row["class"]: row["word"] for row in class_records(found)}
    assert words["setosa"] == "highly stable"
    assert words["versicolor"] == "would be stable at k = 3"
    three = stablek.verdict(load().data, 3, labels=own, jobs=1)
    assert "1 of your 3 classes is a stable cluster (setosa)" in three.sentence
    words = {row["class"]: row["word"] for row in class_records(three)}
    assert words["versicolor"] == "stable, but its cluster is not"
