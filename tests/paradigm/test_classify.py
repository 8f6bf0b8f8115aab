"""Classifiers against scikit-learn and against their definitions, written out."""

import numpy as np
import pytest

from stablek.errors import InputError
from stablek.paradigm.classify import (
    CLASSIFIERS,
    Dlda,
    Lda,
    NearestCentroid,
    NearestNeighbours,
    classifier,
)


def clouds(seed=0, n=60, m=7, k=4, offset=0.0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % k
    values = rng.normal(size=(n, m)) * rng.uniform(0.5, 3, m)
    values += 2 * rng.normal(size=(k, m))[labels] + offset
    return values, labels.astype(np.uint8), rng.normal(size=(40, m)) * 3 + offset


def dlda_oracle(training, labels, asked):
    classes = sorted(set(labels.tolist()))
    means = {c: training[labels == c].mean(axis=0) for c in classes}
    pooled = np.zeros(training.shape[1])
    for x, c in zip(training, labels, strict=True):
        pooled += (x - means[c]) ** 2
    return [min(classes, key=lambda c: (((x - means[c]) ** 2) / pooled).sum())
            for x in asked]  # fmt: skip


@pytest.mark.parametrize("offset", [0.0, 1e5])
@pytest.mark.parametrize("seed", range(5))
def test_dlda_equals_its_definition_written_out(seed, offset):
    training, labels, asked = clouds(seed, offset=offset)
    found = Dlda().predict(training, labels, asked, 4)
    assert found.dtype == labels.dtype
    assert found.tolist() == dlda_oracle(training, labels, asked)


def test_dlda_leaves_out_a_constant_column_and_survives_a_perfect_one():
    training, labels, asked = clouds()
    padded = np.column_stack([training, np.full(len(training), 7.0)])
    known = Dlda().predict(training, labels, asked, 4)
    more = np.column_stack([asked, np.arange(len(asked))])
    assert Dlda().predict(padded, labels, more, 4).tolist() == known.tolist()
    perfect = np.column_stack([training, labels.astype(float)])
    wanted = np.arange(len(asked)) % 4
    more = np.column_stack([asked, wanted.astype(float)])
    assert Dlda().predict(perfect, labels, more, 4).tolist() == wanted.tolist()


def test_identical_training_rows_give_some_taught_label():
    training, labels = np.ones((6, 3)), np.array([0, 0, 1, 1, 2, 2])
    for name in CLASSIFIERS:
        found = classifier(name).predict(training, labels, np.ones((2, 3)), 3)
        assert set(found.tolist()) <= {0, 1, 2}


def test_nearest_centroid_and_neighbours_equal_those_of_scikit_learn():
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.neighbors import NearestCentroid as Peer

    training, labels, asked = clouds(3)
    expected = Peer().fit(training, labels).predict(asked)
    found = NearestCentroid().predict(training, labels, asked, 4)
    assert found.tolist() == expected.tolist()
    expected = KNeighborsClassifier(1).fit(training, labels).predict(asked)
    found = NearestNeighbours(1).predict(training, labels, asked, 4)
    assert found.tolist() == expected.tolist()


def test_of_equally_frequent_labels_the_nearest_wins():
    training = np.array([[0.0], [1.0], [2.0], [3.0]])
    labels = np.array([1, 0, 0, 1])
    found = NearestNeighbours(4).predict(training, labels, np.array([[-1.0], [1.4]]), 2)
    assert found.tolist() == [1, 0]


@pytest.mark.parametrize("m", [3, 30, 200])
def test_lda_equals_the_ridge_formula_with_a_full_inverse(m):
    training, labels, asked = clouds(1, m=m)
    means = np.stack([training[labels == c].mean(axis=0) for c in range(4)])
    rest = training - means[labels]
    cov = rest.T @ rest / (len(training) - 4)
    inverse = np.linalg.inv(cov + 0.1 * np.trace(cov) / m * np.eye(m))
    apart = asked[:, None] - means[None]
    expected = np.einsum("icj,jl,icl->ic", apart, inverse, apart).argmin(axis=1)
    found = Lda().predict(training, labels, asked, 4)
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("name", sorted(CLASSIFIERS))
def test_a_label_nobody_has_is_never_predicted_and_inputs_stay_untouched(name):
    training, labels, asked = clouds(k=3)
    labels = np.where(labels == 1, 5, labels).astype(np.uint16)
    for array in (training, labels, asked):
        array.flags.writeable = False
    found = classifier(name).predict(training, labels, asked, 6)
    assert set(found.tolist()) <= {0, 2, 5}
    assert found.shape == (len(asked),)


def test_an_unknown_classifier_is_refused_with_the_nearest_name():
    with pytest.raises(InputError, match="did you mean 'dlda'"):
        classifier("dldaa")
    with pytest.raises(InputError, match="ridge"):
        Lda(ridge=0)
    with pytest.raises(InputError, match="neighbours"):
        NearestNeighbours(0)
