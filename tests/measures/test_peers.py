"""Parity with R: ConsensusClusterPlus, NMF and fpc, on the same draws."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from stablek.api.choose_k import choose_k
from stablek.data import Sample, from_arrays
from stablek.data.seeds import Streams
from stablek.measures import measure
from stablek.paradigm.classify import NearestCentroid
from stablek.paradigm.cluster import algorithm

GOLDEN = Path(__file__).parent.parent / "golden"


@dataclass(frozen=True, eq=False)
class Given:
    """A perturbation that draws what another program drew."""

    rows: np.ndarray

    def draw(self, data, rng, repeat):
        return Sample(data, self.rows[repeat].astype(np.intp))

    def size(self, n):
        return self.rows.shape[1]


@pytest.fixture(scope="module")
def peer():
    """What ConsensusClusterPlus 1.62.0 and NMF 0.25 gave, made by this R script::

        library(ConsensusClusterPlus); library(NMF)
        set.seed(7)
        truth <- rep(1:3, each = 10)
        x <- matrix(rnorm(120), 30) + 2.5 * cbind(truth == 2, truth == 3, 0, 0)
        drawn <- list()
        own <- get("sampleCols", asNamespace("ConsensusClusterPlus"))
        assignInNamespace("sampleCols", function(...) {
          found <- own(...); drawn[[length(drawn) + 1]] <<- found$subcols; found
        }, "ConsensusClusterPlus")
        pdf(NULL)
        ccp <- ConsensusClusterPlus(t(x), maxK = 7, reps = 25, pItem = 0.77,
          pFeature = 1, clusterAlg = "hc", distance = "euclidean",
          innerLinkage = "average", finalLinkage = "average", seed = 3,
          plot = NULL)
        lower <- sapply(2:7, function(k) { m <- ccp[[k]]$ml; m[lower.tri(m)] })
        area <- sapply(2:7, function(k) {  # as its CDF(), 100 breaks
          v <- ccp[[k]]$ml; v <- v[lower.tri(v)]
          h <- hist(v, plot = FALSE, breaks = seq(0, 1, by = 1 / 100))
          counts <- cumsum(h$counts) / sum(h$counts)
          sum(counts * diff(h$breaks))
        })
        coph <- sapply(2:7, function(k) cophcor(ccp[[k]]$ml))

    It grows one tree per resample, so it is FC, and it draws floor(0.77 x 30) = 23
    items, where stablek would draw 24; ``drawn`` are its own draws.
    """
    with np.load(GOLDEN / "consensusclusterplus.npz") as stored:
        return dict(stored)


@pytest.fixture(scope="module")
def ours(peer):
    own = measure("fc", repeats=25).with_(perturb=(Given(peer["drawn"]),))
    return choose_k(peer["values"], own, "hier-a", range(2, 8))


def test_the_consensus_matrices_equal_those_of_consensusclusterplus(peer, ours):
    # R lists the lower triangle column by column: the upper one row by row.
    place = np.triu_indices(30, 1)
    for column, k in enumerate(range(2, 8)):
        np.testing.assert_allclose(
            ours.consensus(k)[place], peer["lower"][:, column], rtol=0, atol=1e-12
        )


def test_the_area_is_that_of_consensusclusterplus_up_to_its_bins(peer, ours):
    # It bins M into hundredths and takes their right ends: up to 0.01 more.
    more = peer["area"] - ours.columns["area"]
    assert (more >= 0).all()
    assert (more <= 0.01).all()


def test_the_cophenetic_correlation_equals_that_of_the_nmf_package(peer, ours):
    np.testing.assert_allclose(
        ours.columns["cophenetic"], peer["cophenetic"], rtol=0, atol=1e-12
    )


def strength(clustered, classified):
    """Tibshirani, Walther (2005): the worst cluster's share of pairs kept together."""
    shares = []
    for cluster in np.unique(clustered):
        inside = classified[clustered == cluster]
        n = len(inside)
        together = (inside[:, None] == inside[None, :]).sum() - n
        shares.append(together / (n * (n - 1)) if n > 1 else 1.0)
    return min(shares)


def test_clusters_are_carried_to_the_other_half_as_fpc_does():
    """Compare prediction strength with fpc 2.2-10, made by this R script::

        library(fpc)
        set.seed(11)
        truth <- rep(1:3, each = 30)
        x <- matrix(rnorm(180), 90) + 3 * cbind(truth == 2, truth == 3)
        set.seed(5)
        ps <- prediction.strength(x, Gmin = 2, Gmax = 4, M = 4,
          clustermethod = hclustCBI, classification = "centroid", method = "ward.D2",
          scaling = FALSE, distances = FALSE)
        set.seed(5)
        splits <- do.call(rbind, lapply(2:4, function(k)
          t(sapply(1:4, function(l) sample(90, 90)))))
        values <- do.call(rbind, lapply(2:4, function(k) ps$predcorr[[k]]))

    Ward, because with single items as clusters fpc goes wrong: it takes the mean of
    such an item's columns for each of its coordinates.
    """
    with np.load(GOLDEN / "prediction_strength.npz") as stored:
        peer = dict(stored)
    data = from_arrays(peer["values"])
    hier, transfer = algorithm("hier-w"), NearestCentroid()
    for row, k in enumerate(range(2, 5)):
        for run in range(4):
            order = peer["splits"][row, run].astype(np.intp)
            halves = [Sample(data, order[:45]), Sample(data, order[45:])]
            labels = [hier.partitions(half, (k,), Streams(0))[0] for half in halves]
            found = [
                strength(
                    labels[i],
                    transfer.predict(
                        halves[1 - i].values(), labels[1 - i], halves[i].values(), k
                    ),
                )
                for i in (0, 1)
            ]
            assert np.mean(found) == pytest.approx(peer["strength"][row, run])
