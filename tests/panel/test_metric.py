"""Verdicts by other distances than the Euclidean."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from scipy.stats import spearmanr

import stablek
from stablek.data import from_arrays
from stablek.data.seeds import Streams
from stablek.errors import InputError
from stablek.panel import metric as metrics
from stablek.panel.metric import from_distances, to_euclidean
from stablek.panel.scale import scale_of
from stablek.paradigm.indices import adjusted_rand, contingency

FEW = {"ks": range(2, 7), "null_sets": 19, "level": 0.05}


def three_groups(seed=0, size=30):
    rng = np.random.default_rng(seed)
    centres = np.repeat(8 * np.eye(3, 6), size, axis=0)
    return centres + rng.normal(size=centres.shape)


def distances(values, kind="euclidean"):
    return squareform(pdist(values, kind))


def agreement(first, second):
    return adjusted_rand(contingency(first, second))


def test_coordinates_have_the_distances_they_were_made_from():
    wanted = distances(three_groups())
    made = from_distances(from_arrays(wanted, precomputed=True), Streams(0))
    assert made.m == 6
    assert not made.precomputed
    np.testing.assert_allclose(distances(made.values), wanted, atol=1e-9)
    assert made.notes == ("coordinates by classical scaling: 6 axes",)
    assert not scale_of(made).steps


def test_a_verdict_on_distances_is_that_on_the_values():
    values = three_groups()
    by_values = stablek.verdict(values, **FEW)
    found = stablek.verdict(distances(values), metric="precomputed", **FEW)
    assert (found.k, found.strength) == (3, by_values.strength)
    assert agreement(found.labels, by_values.labels) == 1
    assert found.settings["metric"] == "precomputed"
    assert "metric" not in by_values.settings
    given = from_arrays(distances(values), precomputed=True)
    assert np.array_equal(stablek.verdict(given, **FEW).labels, found.labels)


def test_distances_of_one_cloud_have_no_clusters():
    values = np.random.default_rng(3).normal(size=(60, 4))
    for kind in ("euclidean", "cityblock", "chebyshev"):
        found = stablek.verdict(distances(values, kind), metric="precomputed", **FEW)
        assert found.k == 1, kind
        assert not any("columns" in step for step in found.next_steps)


def test_counts_are_told_apart_by_a_distance_of_their_own():
    rng = np.random.default_rng(5)
    types = rng.dirichlet(np.full(40, 0.5), 3)
    mixed = [rng.dirichlet(50 * types[i % 3] + 1e-3) for i in range(75)]
    counts = np.array([rng.multinomial(2000, row) for row in mixed])
    given = distances(counts, "braycurtis")
    found = stablek.verdict(given, metric="precomputed", **FEW)
    assert found.k == 3
    assert agreement(found.labels, np.arange(75) % 3) > 0.9
    assert any("cannot be represented" in note for note in found.notes)


def test_items_at_distance_0_are_one_place():
    values = np.vstack([three_groups(), three_groups()[:4]])
    made = from_distances(from_arrays(distances(values), precomputed=True), Streams(0))
    assert np.array_equal(made.values[90:], made.values[:4])
    nowhere = from_arrays(np.zeros((5, 5)), precomputed=True)
    assert not from_distances(nowhere, Streams(0)).values.any()


def test_the_unit_of_distances_does_not_matter():
    wanted = distances(three_groups())
    for factor in (1e-100, 1e100):
        given = from_arrays(wanted * factor, precomputed=True)
        made = from_distances(given, Streams(0))
        np.testing.assert_allclose(distances(made.values / factor), wanted, atol=1e-9)


@pytest.mark.parametrize("kind", ["correlation", "cosine", "spearman"])
def test_euclidean_distances_say_what_the_metric_says(kind):
    values = np.random.default_rng(1).gamma(2.0, size=(12, 9))
    values[:, 3] = values[:, 4]
    made = values.copy()
    assert to_euclidean(made, kind)[-1].startswith("rows")
    wanted = (
        1 - spearmanr(values, axis=1).statistic
        if kind == "spearman"
        else distances(values, kind)
    )
    ratio = (distances(made) ** 2)[np.triu_indices(12, 1)]
    ratio /= 2 * wanted[np.triu_indices(12, 1)]
    np.testing.assert_allclose(ratio, ratio[0])


def test_the_shape_of_rows_is_found_whatever_their_level():
    rng = np.random.default_rng(2)
    shapes = rng.normal(size=(3, 12))[np.arange(90) % 3]
    rows = shapes * rng.lognormal(0, 1, (90, 1)) + rng.normal(0, 5, (90, 1))
    rows += rng.normal(0, 0.05, rows.shape)
    found = stablek.verdict(rows, metric="correlation", **FEW)
    assert found.k == 3
    assert agreement(found.labels, np.arange(90) % 3) > 0.9


def test_what_is_no_metric_of_a_verdict_is_refused(monkeypatch):
    with pytest.raises(
        InputError, match=r"unknown metric .manhattan.. Known: .*precomputed"
    ):
        stablek.verdict(three_groups(), metric="manhattan")
    monkeypatch.setattr(metrics, "MOST_DISTANCES", 10)
    with pytest.raises(InputError, match="takes up to 10 items, not 90"):
        stablek.verdict(distances(three_groups()), metric="precomputed")
