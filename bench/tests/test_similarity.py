"""The consensus matrix as a distance, against the Euclidean one."""

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_rand_score

from stablek.api.choose_k import choose_k
from stablek.data import from_arrays
from stablek.datasets import mixture
from stablek_bench.similarity import (
    LINKAGE,
    consensus_partition,
    distance_of,
    euclidean_partition,
)


def test_both_distances_recover_separated_clusters():
    made = mixture("equal", 3, 5, 0, separation=9.0, n=60)
    data = from_arrays(made.values)
    result = choose_k(data, "fc", "hier-a", range(2, 7), repeats=20)
    for method in LINKAGE.values():
        for found in (
            consensus_partition(result, 3, method),
            euclidean_partition(data, 3, method),
        ):
            assert adjusted_rand_score(made.labels, found) == 1


class Untied:
    """A result whose consensus matrix has no two equal entries."""

    def consensus(self, k):
        square = np.random.default_rng(k).random((40, 40))
        consensus = (square + square.T) / 2
        np.fill_diagonal(consensus, 1)
        return consensus


def test_the_partition_is_the_cut_of_one_minus_the_consensus_matrix():
    flat = squareform(1 - Untied().consensus(4), checks=False)
    for method in ("average", "complete", "single"):
        expected = fcluster(linkage(flat, method), 4, "maxclust")
        found = consensus_partition(Untied(), 4, method)
        assert adjusted_rand_score(expected, found) == 1


def test_the_labels_of_fc_are_the_average_linkage_of_its_consensus_matrix():
    made = mixture("unequal", 4, 4, 2, bayes_error=0.05)
    result = choose_k(made.values, "fc", "hier-w", range(2, 6), repeats=30)
    found = consensus_partition(result, result.k_star, "average")
    assert adjusted_rand_score(result.labels, found) == 1


def test_pairs_never_drawn_together_are_apart():
    open_pair = np.array([[1.0, np.nan], [np.nan, 1.0]])
    np.testing.assert_array_equal(distance_of(open_pair), [[0, 1], [1, 0]])
