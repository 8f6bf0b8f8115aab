"""The stability measures of chapter 3: each on data whose answer is known."""

import numpy as np
import pytest
from oracles import within_by_hand
from scipy.cluster.hierarchy import cut_tree, linkage

import stablek
from stablek.data.seeds import stream
from stablek.datasets import gaussian3, mixture, null_set
from stablek.errors import InputError
from stablek.measures import MEASURES, measure, settings_of
from stablek.measures.compose import compose
from stablek.paradigm.perturb.poisson import PoissonBox

STABILITY = ("clest", "consensus", "levine-domany", "me", "mosram", "roth")
SMALL = {"clest": {"repeats": 8, "null_sets": 20}, "mosram": {"repeats": 40}}


@pytest.fixture(scope="module")
def three():
    return mixture("equal", 3, 12, 0, separation=7.0, n=75)


@pytest.mark.parametrize("name", STABILITY)
@pytest.mark.parametrize("fast", [False, True])
def test_three_separated_clusters_are_found_also_by_the_fast_form(three, name, fast):
    settings = SMALL.get(name, {"repeats": 25})
    result = stablek.choose_k(
        three.values, name, "hier-w", range(2, 7), fast=fast, **settings
    )
    assert 3 in result.candidates
    if name != "mosram":  # it may rank the coarser level first
        assert result.k_star == 3
    assert result.facts["repeats"] == settings["repeats"]


@pytest.mark.parametrize("name", ["clest", "me"])
def test_measures_that_can_answer_one_do_so_on_noise(name):
    noise = null_set("gaussian", 70, 8, seed=3)
    settings = SMALL.get(name, {"repeats": 25})
    result = stablek.choose_k(noise.values, name, "hier-w", range(2, 6), **settings)
    assert result.k_star == 1
    assert "No evidence of clusters" in result.sentence


def test_fc_is_consensus_with_fast_and_shares_its_draws(three):
    fc = stablek.choose_k(three.values, "fc", ks=range(2, 6), repeats=10)
    fast = stablek.choose_k(
        three.values, "consensus", ks=range(2, 6), repeats=10, fast=True
    )
    for name, column in fc.columns.items():
        np.testing.assert_array_equal(column, fast.columns[name])
    drawn = fc.cube.labels != fc.cube.missing
    assert (drawn == drawn[:, :1]).all()  # all ks hold the same items
    own = stablek.choose_k(three.values, "consensus", ks=range(2, 6), repeats=10)
    drawn = own.cube.labels != own.cube.missing
    assert not (drawn == drawn[:, :1]).all()


def test_every_measure_that_draws_has_a_fast_form():
    for name in STABILITY:
        assert settings_of(name)["fast"] is False
        assert measure(name, fast=True).share_samples
        assert not measure(name).share_samples
    assert MEASURES["fc"]().share_samples


def test_model_explorer_is_one_when_all_partitions_are_identical(three):
    result = stablek.choose_k(
        three.values, "me", "hier-a", ks=range(3, 5), repeats=12, index="fm"
    )
    assert result.columns["mean"][0] == 1
    assert result.columns["min"][0] == 1
    assert result.columns["bin_95"][0] == 1


def test_model_explorer_compares_the_common_items_only(three):
    result = stablek.choose_k(three.values, "me", ks=(2, 3), repeats=5)
    first, second = result.cube.labels[0, 0]
    drawn = (first != 255).sum(), (second != 255).sum()
    assert drawn == (60, 60)  # ceil(0.8 x 75)
    assert ((first != 255) & (second != 255)).sum() < 60


def test_clest_takes_two_thirds_for_training_and_labels_the_rest_twice(three):
    result = stablek.choose_k(
        three.values, "clest", "kmeans-r", (2, 3), repeats=4, null_sets=3
    )
    classified, clustered = result.cube.labels[0, 0]
    assert ((classified != 255) == (clustered != 255)).all()
    assert (classified != 255).sum() == 25
    assert result.nulls.columns["median"].shape == (1, 3, 2)


@pytest.mark.parametrize("name", ["clest", "roth"])
def test_k_is_at_most_one_less_than_the_held_out_part(name):
    values = gaussian3(0).values[:, :20]
    with pytest.raises(InputError, match="largest possible k is 19"):
        stablek.choose_k(values, name, ks=range(2, 25))
    assert measure(name).smallest_part(60) == 20


def test_mosram_finds_two_levels_of_structure():
    made = mixture("two-level", 4, 40, 1, separation=14.0, n=120)
    result = stablek.choose_k(
        made.values, "mosram", "hier-w", range(2, 7), repeats=60, dimension=30
    )
    assert {2, 4} <= set(result.candidates)
    assert result.facts["reliable"] == list(result.candidates)


def test_brunets_consensus_of_restarts_finds_the_k_before_the_fall(three):
    result = stablek.choose_k(three.values, "brunet", "kmeans-r", range(2, 8))
    assert result.facts["repeats"] == 50
    assert (result.cube.labels != 255).all()  # nothing is left out
    assert result.columns["cophenetic"][0] > 0
    still = stablek.choose_k(three.values, "brunet", "hier-a", range(2, 6))
    assert still.facts["repeats"] == 1  # nothing is random
    assert still.k_star is None


@pytest.mark.parametrize("name", ["nearest-centroid", "knn", "lda"])
def test_other_classifiers_serve_clest_and_roth_by_name(three, name):
    for chosen in ("clest", "roth"):
        result = stablek.choose_k(
            three.values, chosen, "hier-w", (2, 3, 4), repeats=5, classifier=name
        )
        assert result.k_star == 3


def gap_procedure(values, nulls, k_max):
    """The procedure GP of the thesis (Fig. Gap), loop by loop, with SciPy."""

    def curve(matrix):
        tree = linkage(matrix, "average")
        return [
            np.log(within_by_hand(matrix, cut_tree(tree, k)[:, 0]))
            for k in range(1, k_max + 2)
        ]

    logs = np.array([curve(null) for null in nulls])
    gap = logs.mean(axis=0) - np.array(curve(values))
    s = logs.std(axis=0, ddof=1) * np.sqrt(1 + 1 / len(nulls))
    for k in range(1, k_max + 1):
        if gap[k - 1] >= gap[k] - s[k]:
            return k, gap, s
    return k_max, gap, s


def test_gap_in_the_paradigm_agrees_with_the_direct_procedure(three):
    # Null sets are drawn with the columns in order: here, of their smallest values.
    order = three.values.min(axis=0).argsort()
    data = stablek.data.from_arrays(three.values[:, order])
    nulls = [
        PoissonBox().draw(data, stream(5, "null set", "ps", 0, b)).values
        for b in range(10)
    ]
    k_star, gap, s = gap_procedure(three.values, nulls, 6)
    named = stablek.choose_k(three.values, "gap-ps", "hier-a", range(1, 7), seed=5)
    np.testing.assert_allclose(named.columns["gap"], gap[:6], atol=1e-9)
    np.testing.assert_allclose(named.columns["gap_error"], s[:6], atol=1e-9)
    assert named.k_star == k_star == 3
    own = compose(
        perturb="restarts",
        statistic="wcss",
        synopsis="log-wcss",
        significance="gap",
        null_model="ps",
        null_sets=10,
        repeats=1,
    )
    found = stablek.choose_k(three.values, own, "hier-a", range(1, 7), seed=5)
    np.testing.assert_array_equal(found.columns["gap"], named.columns["gap"])
    assert found.k_star == k_star
