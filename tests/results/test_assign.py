"""New items: the nearest cluster, its distance, doubt, and "like none of them"."""

import numpy as np

from stablek.results.assign import Projection, Reference


def two(seed=0, n=60):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    return rng.normal(size=(n, 2)) + labels[:, None] * [8.0, 0.0], labels


def test_means_serve_where_they_give_the_clusters_back():
    scores, labels = two()
    reference = Reference.of(scores, labels)
    assert not reference.by_items
    got = reference.assign(scores)
    assert np.array_equal(got.cluster - 1, labels)
    centres = [scores[labels == c].mean(axis=0) for c in range(2)]
    away = np.linalg.norm(scores - np.array(centres)[labels], axis=1)
    np.testing.assert_allclose(got.distance, away)
    assert not got.like_none.any()  # no training item is like none


def test_doubt_is_the_way_to_the_other_cluster():
    scores, labels = two()
    reference = Reference.of(scores, labels)
    a, b = reference.centres
    at = np.array([0.0, 0.2, 0.4, 0.5, 0.6, 1.0])
    aside = np.array([0.0, 3.0])  # across the way, which changes no doubt
    got = reference.assign(
        a + at[:, None] * (b - a) + aside * [[0], [1], [1], [0], [0], [0]]
    )
    assert got.cluster.tolist()[:3] == [1, 1, 1]
    assert got.cluster.tolist()[4:] == [2, 2]
    direction = (b - a) / np.linalg.norm(b - a)
    lifted = 2 * (at[1] + (aside @ direction) / np.linalg.norm(b - a))
    np.testing.assert_allclose(
        got.doubt[[0, 1, 3, 4, 5]], [0, lifted, 1, 0.8, 0], atol=1e-9
    )
    assert got.between.tolist()[3:] == [True, True, False]
    assert got.runner_up.tolist()[4:] == [1, 1]


def test_what_is_far_off_is_like_none():
    scores, labels = two()
    got = Reference.of(scores, labels).assign(
        np.array([[0.0, 40.0], [0.0, 0.5]]), ["x", "y"]
    )
    assert got.like_none.tolist() == [True, False]
    assert got.ids == ("x", "y")
    assert "1 unlike any cluster" in got.sentence
    assert "id" in got.table
    assert len(got.table) == 2


def test_items_serve_where_means_do_not():
    rng = np.random.default_rng(1)
    angle = rng.uniform(0, 2 * np.pi, 200)
    ring = np.column_stack([np.cos(angle), np.sin(angle)]) * 6
    scores = np.concatenate([ring, rng.normal(size=(100, 2)) * 0.5])
    labels = np.repeat([0, 1], [200, 100])
    reference = Reference.of(scores, labels)
    assert reference.by_items
    got = reference.assign(scores)
    assert np.array_equal(got.cluster - 1, labels)
    assert not got.like_none.any()
    new = reference.assign(np.array([[6.1, 0.0], [0.1, 0.2], [3.0, 0.0], [30.0, 0.0]]))
    assert new.cluster.tolist()[:2] == [1, 2]
    assert new.like_none.tolist() == [False, False, True, True]
    assert new.doubt[0] < 0.1


def test_one_cluster_and_no_items():
    scores, _ = two()
    got = Reference.of(scores, np.zeros(60, dtype=int)).assign(scores)
    assert set(got.cluster.tolist()) == {1}
    assert not got.doubt.any()
    assert not got.runner_up.any()
    empty = Reference.of(scores, np.zeros(60, dtype=int)).assign(scores[:0])
    assert empty.cluster.size == 0


def test_blocks_change_nothing(monkeypatch):
    scores, labels = two()
    whole = Reference.of(scores, labels).assign(scores)
    monkeypatch.setattr("stablek.results.assign.AT_ONCE", 7)
    parts = Reference.of(scores, labels).assign(scores)
    assert np.array_equal(whole.cluster, parts.cluster)
    np.testing.assert_allclose(whole.doubt, parts.doubt, atol=1e-12)


def test_a_projection_gives_components_and_the_length_of_the_rest():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(9, 5))
    axes = np.eye(5)[:, :2]
    got = Projection(np.zeros(5), axes, 2.0).scores(values)
    np.testing.assert_allclose(got[:, :2], values[:, :2])
    length = np.linalg.norm(values[:, 2:], axis=1)
    np.testing.assert_allclose(got[:, 2], 2 * np.log(length / 2))
    assert Projection(np.zeros(5), axes).scores(values).shape == (9, 2)
