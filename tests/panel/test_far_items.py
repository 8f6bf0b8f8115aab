"""Isolated items: which are far from all others, and when to doubt them."""

from types import SimpleNamespace

import numpy as np

import stablek
from stablek.data.seeds import Streams
from stablek.panel.far_items import few_far
from stablek.panel.prepare import prepare


def prepared(scores, isolated, far=()):
    rows = np.setdiff1d(np.arange(len(scores)), isolated)
    far = np.asarray(far, dtype=np.intp)
    aside = np.asarray(isolated)
    return SimpleNamespace(scores=scores, rows=rows, isolated=aside, far=far)


def test_an_error_of_measurement_is_far_from_all():
    values = np.random.default_rng(0).normal(size=(200, 3))
    values[7] = 900.0
    seen = prepare(values, Streams(0))
    assert 7 in seen.isolated
    assert few_far(seen, np.array([7])) == 1
    assert few_far(seen, np.array([], dtype=np.intp)) == 0


def test_an_item_beside_a_dense_cluster_is_not_far():
    """Many items of the wide cluster are farther from their nearest neighbour."""
    rng = np.random.default_rng(0)
    dense, wide = rng.normal(size=(150, 2)), 60 + 20 * rng.normal(size=(100, 2))
    scores = np.vstack([dense, wide, [[5.0, -5.0]]])
    away = np.linalg.norm(scores[:, None] - scores[None], axis=2)
    np.fill_diagonal(away, np.inf)
    nearest = away.min(axis=1)
    assert (nearest > nearest[250]).sum() > 10
    assert few_far(prepared(scores, [250]), np.array([250])) == 0


def test_a_long_tail_is_no_error():
    rng = np.random.default_rng(0)
    far = 100.0 * np.arange(1, 21)[:, None] * [1.0, -1.0]
    scores = np.vstack([rng.normal(size=(300, 2)), far])
    isolated = np.arange(300, 320)
    assert few_far(prepared(scores, isolated), isolated) == 0
    some = prepared(scores[:303], isolated[:3])
    assert few_far(some, isolated[:3]) == 3


def test_items_of_tiny_clusters_are_far():
    rng = np.random.default_rng(0)
    pair = [[99.0, 0.0], [99.1, 0.0]]
    scores = np.vstack([rng.normal(size=(200, 2)), pair])
    aside = np.array([200, 201])
    assert few_far(prepared(scores, aside), aside) == 0
    assert few_far(prepared(scores, aside, far=aside), aside) == 2


def test_a_far_group_leaves_the_places_of_the_others_as_they_are():
    """Coordinates are rounded, but by little beside the spread of the others."""
    rng = np.random.default_rng(0)
    centres = np.repeat([[0.0, 0, 0], [8, 0, 0], [0, 8, 0]], 40, axis=0)
    near = centres + rng.normal(size=(120, 3))
    values = np.vstack([near, 1e5 + rng.normal(size=(10, 3))])
    scores = prepare(values, Streams(0)).scores[:120]
    away = np.linalg.norm(near[:, None] - near, axis=2)
    kept = np.linalg.norm(scores[:, None] - scores, axis=2)
    assert np.abs(away - kept).max() < 1e-5
    assert stablek.verdict(values, null_sets=19, repeats=10).k == 4


def test_equal_items_are_not_far():
    scores = np.zeros((20, 2))
    assert few_far(prepared(scores, [3]), np.array([3])) == 0


def test_twice_the_usual_distance_is_asked_for_where_all_are_alike():
    """In 40 columns the fence is at 1.3 times the usual distance."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(300, 40))
    scores[3] *= 1.7
    scores[4] *= 4
    assert few_far(prepared(scores, [3]), np.array([3])) == 0
    assert few_far(prepared(scores, [4]), np.array([4])) == 1
