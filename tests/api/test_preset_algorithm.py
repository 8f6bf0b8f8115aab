"""Which algorithm runs if none is named, and what --preset thesis makes of it."""

import numpy as np
import pytest

import stablek
from stablek.data import from_arrays
from stablek.measures.presets import preset_algorithm

X = np.abs(np.vstack([np.random.default_rng(1).normal(c, 0.3, (8, 4)) for c in (1, 5)]))


@pytest.mark.parametrize(
    ("given", "run"),
    [("nmf-a", "nmf-a+brunet"), ("nmf-a+hals", "nmf-a+hals"), ("hier-a", "hier-a")],
)
def test_nmf_is_brunets_under_the_preset(given: str, run: str) -> None:
    ks = range(2, 4)
    found = stablek.choose_k(X, "fc", given, ks, preset="thesis", repeats=4)
    assert found.algorithm == run
    assert stablek.choose_k(X, "fc", given, ks, repeats=4).algorithm == given


def test_the_default_is_kmeans_where_distances_are_euclidean() -> None:
    how = {"ks": range(2, 4), "repeats": 4}
    apart = np.linalg.norm(X[:, None] - X[None], axis=2)
    assert stablek.choose_k(X, "fc", **how).algorithm == "kmeans-w"
    assert stablek.choose_k(X, "fc", preset="thesis", **how).algorithm == "hier-a"
    assert stablek.choose_k(X, "fc", metric="manhattan", **how).algorithm == "hier-a"
    assert stablek.assess(X, 2, repeats=4).algorithm == "kmeans-w"
    for data, metric in (
        (apart, "precomputed"),
        (from_arrays(apart, precomputed=True), "euclidean"),
    ):
        assert stablek.choose_k(data, metric=metric, **how).algorithm == "hier-a"
        assert stablek.assess(data, 2, metric=metric, repeats=4).algorithm == "hier-a"
        tested = stablek.significance(data, 2, metric=metric, null_sets=4)
        assert tested.algorithm == "hier-a"


def test_two_clear_clusters_are_two_by_default() -> None:
    """K-means halves both, stably: the area alone says 4."""
    rng = np.random.default_rng(0)
    two = rng.normal(size=(90, 5)) + 7 * np.eye(5)[np.arange(90) % 2]
    ks = range(2, 16)
    found = stablek.choose_k(two, ks=ks, repeats=60)
    assert (found.k_star, found.rule) == (2, "the k before pairs turn ambiguous")
    by_area = stablek.choose_k(two, ks=ks, repeats=60, rule="settles")
    assert by_area.k_star == 4
    assert by_area.table["pac"].equals(found.table["pac"])
    assert (found.main, by_area.main) == ("pac", "area")  # what a plot shows
    thesis = stablek.choose_k(two, "fc", "kmeans-w", ks, preset="thesis", repeats=60)
    assert thesis.k_star == 4


def test_algorithms_of_ones_own_stay() -> None:
    one = object()
    assert preset_algorithm("thesis", one) is one
    assert preset_algorithm("thesis", "nmf-i") == "nmf-i"
