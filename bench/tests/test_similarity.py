"""The consensus matrix as a distance, against the Euclidean one."""

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_rand_score

from stablek.api.choose_k import choose_k
from stablek.data import from_arrays
from stablek.datasets import mixture
from stablek_bench.grid import TABLES
from stablek_bench.similarity import LINKAGE, cut, distance_of, indices_at, place_of


def test_both_distances_recover_separated_clusters():
    made = mixture("equal", 3, 5, 0, separation=9.0, n=60)
    data, classes = from_arrays(made.values), tuple(map(str, made.labels))
    for name in ("FC-simMonti", "ConsensusEuclideanMonti"):
        for recipe in TABLES[name].rows.values():
            found = indices_at(recipe, data, classes, (3, 4), 0)
            assert found[3] == 1 > found[4]


def test_a_cut_belongs_to_the_table_of_its_data_set():
    row = TABLES["siimEuclidean"].rows["Hier-C"]
    assert place_of(row, "Yeast") == ("siimEuclidean", "Hier-C")
    assert place_of(row, "Novartis") == ("ConsensusEuclideanMonti", "Hier-C")


def test_the_partition_is_the_cut_of_one_minus_the_consensus_matrix():
    square = np.random.default_rng(4).random((40, 40))  # no two entries are equal
    consensus = (square + square.T) / 2
    np.fill_diagonal(consensus, 1)
    flat = squareform(1 - consensus, checks=False)
    for method in LINKAGE.values():
        expected = fcluster(linkage(flat, method), 4, "maxclust")
        found = cut(distance_of(consensus), 4, method)
        assert adjusted_rand_score(expected, found) == 1


def test_the_labels_of_fc_are_the_average_linkage_of_its_consensus_matrix():
    made = mixture("unequal", 4, 4, 2, bayes_error=0.05)
    result = choose_k(made.values, "fc", "hier-w", range(2, 6), repeats=30)
    apart = distance_of(result.consensus(result.k_star))
    found = cut(apart, result.k_star, "average")
    assert adjusted_rand_score(result.labels, found) == 1


def test_pairs_never_drawn_together_are_apart():
    open_pair = np.array([[1.0, np.nan], [np.nan, 1.0]])
    np.testing.assert_array_equal(distance_of(open_pair), [[0, 1], [1, 0]])
