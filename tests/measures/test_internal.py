"""WCSS, KL, Gap, FOM and their approximations against direct computation."""

from itertools import pairwise

import numpy as np
import pytest
from blobs import blobs
from oracles import within_by_hand

from stablek.api.choose_k import choose_k
from stablek.data import Dataset
from stablek.errors import InputError
from stablek.measures import MEASURES, measure
from stablek.paradigm.statistic.dispersion import per_condition

INTERNAL = [
    "diff-fom", "fom", "fom-r", "g-fom", "g-gap", "gap-pc", "gap-pr", "gap-ps", "kl",
    "wcss", "wcss-r",
]  # fmt: skip
KS = range(2, 9)


@pytest.mark.parametrize("name", ["hier-a", "hier-s", "kmeans-c"])
def test_wcss_is_the_sum_of_squares_about_the_centroids(name):
    X = blobs()
    found = choose_k(X, "wcss", name, range(1, 9))
    for place, k in enumerate(found.ks):
        labels = found.cube.labels[0, place, 0]
        assert len(np.unique(labels)) == k
        assert found.columns["wcss"][place] == pytest.approx(within_by_hand(X, labels))


def test_wcss_of_kmeans_is_scikit_learns_inertia():
    from sklearn.cluster import KMeans

    X = blobs()
    found = choose_k(X, "wcss", "kmeans-a", range(1, 6))
    for place, k in enumerate(found.ks):
        labels = found.cube.labels[0, place, 0]
        centres = np.stack([X[labels == c].mean(axis=0) for c in range(k)])
        theirs = KMeans(k, init=centres, n_init=1, tol=0).fit(X)
        assert found.columns["wcss"][place] == pytest.approx(theirs.inertia_)


@pytest.mark.parametrize("name", ["gap-ps", "gap-pc", "gap-pr", "g-gap", "kl", "wcss"])
@pytest.mark.parametrize("algorithm", ["hier-a", "kmeans-w"])
def test_three_clear_clusters_are_found(name, algorithm):
    X = blobs(n=90, away=30.0)
    settings = {"null_sets": 20} if name.startswith("gap") else {}
    assert choose_k(X, name, algorithm, **settings).k_star == 3


def test_gap_of_a_random_algorithm_is_started_five_times_on_data_and_null_sets():
    found = choose_k(blobs(), "gap-ps", "kmeans-r", range(1, 6), null_sets=2)
    assert found.cube.repeats == 5
    assert (found.columns["sd"][1:] >= 0).all()


@pytest.mark.parametrize("name", ["gap-ps", "gap-pc"])
def test_gap_answers_one_on_a_single_cluster(name):
    rng = np.random.default_rng(3)
    found = choose_k(rng.random((80, 3)), name, "hier-c", range(1, 8), null_sets=30)
    assert found.k_star == 1
    assert found.labels.tolist() == [1] * 80


def test_preset_thesis_runs_gap_twenty_times_with_ten_null_sets():
    found = choose_k(blobs(30), "gap-pr", "hier-a", range(1, 5), preset="thesis")
    assert found.facts["runs"] == 20
    assert found.facts["null_sets"] == 10
    assert sum(found.facts["outcomes"].values()) == 20
    assert found.nulls.columns["log_wcss"].shape == (20, 10, 5)


def test_settings_given_win_over_the_preset():
    found = choose_k(
        blobs(30), "gap-ps", "hier-a", range(1, 5), preset="thesis", runs=2
    )
    assert (found.facts["runs"], found.facts["null_sets"]) == (2, 10)


def test_unknown_preset_is_refused():
    with pytest.raises(InputError, match="thesis"):
        choose_k(blobs(30), "gap-ps", preset="these")


def test_kl_needs_one_k_more_and_one_less_and_shows_neither():
    found = choose_k(blobs(), "kl", "hier-a", KS)
    assert found.ks == tuple(KS)
    assert np.isfinite(found.columns["kl"]).all()
    w = choose_k(blobs(), "wcss", "hier-a", range(1, 10)).columns["wcss"]
    diff = [(k - 1) ** 0.5 * w[k - 2] - k**0.5 * w[k - 1] for k in range(2, 10)]
    direct = [abs(a / b) for a, b in pairwise(diff)]
    assert found.columns["kl"] == pytest.approx(direct)


def direct_fom(X, algorithm, ks):
    """Cluster without each column in turn, afresh; return FOM(e, k), (m, ks)."""
    from scipy.cluster.hierarchy import fcluster, linkage

    n, m = X.shape
    found = np.zeros((m, len(ks)))
    for e in range(m):
        tree = linkage(np.delete(X, e, axis=1), algorithm)
        for place, k in enumerate(ks):
            labels = fcluster(tree, k, "maxclust")
            found[e, place] = np.sqrt(within_by_hand(X[:, [e]], labels) / n)
    return found


@pytest.mark.parametrize(
    ("name", "theirs"), [("hier-a", "average"), ("hier-c", "complete")]
)
def test_fom_is_its_direct_computation(name, theirs):
    X = blobs(m=5)
    found = choose_k(X, "fom", name, KS)
    direct = direct_fom(X, theirs, KS)
    aggregate = direct.sum(axis=0)
    adjusted = aggregate / np.sqrt((45 - np.array(KS)) / 45)
    assert found.columns["aggregate"] == pytest.approx(aggregate)
    assert found.columns["fom"] == pytest.approx(adjusted)
    assert per_condition(found.cube, found.data)[0] == pytest.approx(direct)


def test_fom_of_a_random_algorithm_is_started_five_times_and_its_spread_reported():
    found = choose_k(blobs(), "fom", "kmeans-r", KS)
    parts = per_condition(found.cube, found.data)
    assert parts.shape == (5, 4, 7)
    sums = parts.sum(axis=1) / np.sqrt((45 - np.array(KS)) / 45)
    assert found.columns["fom"] == pytest.approx(sums.mean(axis=0))
    assert found.columns["sd"] == pytest.approx(sums.std(axis=0, ddof=1), abs=1e-12)


def test_wcss_of_a_random_algorithm_is_the_mean_of_five_starts():
    found = choose_k(blobs(), "wcss", "kmeans-r", KS)
    X = blobs()
    direct = [
        [within_by_hand(X, row[0]) for row in start] for start in found.cube.labels
    ]
    assert np.shape(direct) == (5, 7)
    assert found.columns["wcss"] == pytest.approx(np.mean(direct, axis=0))


def merge_once(values, labels):
    """Merge the two clusters with the nearest centroids, by brute force."""
    names = sorted(set(labels), key=list(labels).index)
    centres = {c: values[labels == c].mean(axis=0) for c in names}
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    a, b = min(pairs, key=lambda p: ((centres[p[0]] - centres[p[1]]) ** 2).sum())
    return np.where(labels == b, a, labels)


@pytest.mark.parametrize("algorithm", ["kmeans-r", "hier-c"])
def test_wcss_r_without_refresh_is_the_brute_force_way_down(algorithm):
    X = blobs(n=60, away=2.0)
    found = choose_k(X, "wcss-r", algorithm, range(1, 11), starts=2)
    top = found.cube.labels[0, -1, 0].astype(int)
    direct = []
    for _ in range(10):
        direct.append(within_by_hand(X, top))
        top = merge_once(X, top) if len(set(top)) > 1 else top
    curve = [within_by_hand(X, labels) for labels in found.cube.labels[0, :, 0]]
    assert curve == pytest.approx(direct[::-1])


@pytest.mark.parametrize("refresh", [1, 2, 5])
def test_wcss_r_refines_where_k_is_a_multiple_of_the_refresh(refresh):
    from sklearn.cluster import KMeans

    X = blobs(n=60, away=2.0)
    found = choose_k(X, "wcss-r", "kmeans-a", range(1, 13), refresh=refresh)
    cube = found.cube.labels[0, :, 0].astype(int)
    for k in range(11, 0, -1):
        merged = merge_once(X, cube[k])  # row k holds k + 1 clusters
        if k % refresh == 0:
            names = np.unique(merged)
            centres = np.stack([X[merged == c].mean(axis=0) for c in names])
            merged = KMeans(k, init=centres, n_init=1, tol=0).fit(X).labels_
        same = cube[k - 1][:, None] == cube[k - 1]
        assert np.array_equal(same, merged[:, None] == merged)


@pytest.mark.parametrize("algorithm", ["kmeans-r", "hier-a"])
def test_fom_r_merges_down_without_each_column_in_turn(algorithm):
    X = blobs(n=60, m=3, away=2.0)
    found = choose_k(X, "fom-r", algorithm, range(2, 9), starts=1)
    direct = np.zeros((3, 7))
    for e in range(3):
        labels = found.cube.labels[e, -1, 0].astype(int)
        for place in range(6, -1, -1):
            direct[e, place] = np.sqrt(within_by_hand(X[:, [e]], labels) / 60)
            labels = merge_once(np.delete(X, e, axis=1), labels)
    assert per_condition(found.cube, found.data)[0] == pytest.approx(direct)
    assert found.columns["aggregate"] == pytest.approx(direct.sum(axis=0))


def test_wcss_r_of_a_hierarchy_with_refresh_is_refused_with_a_remedy():
    with pytest.raises(InputError, match="refresh=0"):
        choose_k(blobs(), "wcss-r", "hier-a", KS, refresh=2)
    with pytest.raises(InputError, match="0 \\(never\\) or more"):
        measure("fom-r", refresh=-1)


@pytest.mark.parametrize("base", ["wcss-r", "fom-r"])
@pytest.mark.parametrize("refresh", [0, 2, 5])
def test_g_and_diff_rules_read_the_approximate_curves_too(base, refresh):
    names = {"wcss-r": ["g-gap"], "fom-r": ["g-fom", "diff-fom"]}[base]
    column = {"wcss-r": "wcss", "fom-r": "fom"}[base]
    curve = choose_k(blobs(), base, "kmeans-r", KS, refresh=refresh)
    for name in names:
        made = measure(name, refresh=refresh)
        assert made.depends_on_kmax
        found = choose_k(blobs(), made, "kmeans-r", KS)
        assert found.columns[column] == pytest.approx(curve.columns[column])


def test_partition_reported_is_the_one_that_was_measured():
    X = blobs(n=60, away=2.0)
    for name in ("wcss", "wcss-r", "g-gap", "kl"):
        found = choose_k(X, name, "kmeans-r", range(2, 9))
        place = found.ks.index(found.k_star)
        wcss = within_by_hand(X, found.labels)
        at_k = found.columns["wcss"][place]
        spread = 6 * found.columns["sd"][place] if name != "g-gap" else at_k
        assert abs(wcss - at_k) <= spread + 1e-9


@pytest.mark.parametrize("name", INTERNAL)
def test_a_distance_matrix_is_refused_with_a_sentence(name):
    X = blobs(20)
    square = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    with pytest.raises(InputError, match="distance"):
        choose_k(square, name, "hier-a", range(2, 5), metric="precomputed")


@pytest.mark.parametrize("name", INTERNAL)
def test_every_internal_measure_is_registered_and_documented(name):
    made = MEASURES[name]()
    assert made.name == name
    assert "References" in MEASURES[name].__doc__


@pytest.mark.parametrize("name", ["fom", "fom-r", "g-fom", "diff-fom"])
def test_fom_of_one_column_is_refused(name):
    with pytest.raises(InputError, match="2 columns"):
        choose_k(np.arange(12.0).reshape(-1, 1) ** 2, name, "hier-a", range(2, 4))


def test_float32_data_keep_their_precision_and_give_the_same_answer():
    X = blobs(n=60)
    wide = choose_k(X, "gap-ps", "hier-a", range(1, 6))
    slim = choose_k(Dataset(X.astype(np.float32)), "gap-ps", "hier-a", range(1, 6))
    assert slim.k_star == wide.k_star
    assert slim.columns["wcss"] == pytest.approx(wide.columns["wcss"], rel=1e-5)
