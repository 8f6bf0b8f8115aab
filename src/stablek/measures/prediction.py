"""Prediction strength: how well one half predicts the clusters of the other."""

from stablek.paradigm.assign import classify_and_cluster
from stablek.paradigm.card import card
from stablek.paradigm.classify import NearestCentroid
from stablek.paradigm.measure import Measure
from stablek.paradigm.significance.extremes import LargestAbove
from stablek.paradigm.split import TrainingShare
from stablek.paradigm.statistic.prediction import PredictionStrength
from stablek.paradigm.stop import FixedRepeats
from stablek.paradigm.synopsis import mean_value


@card(
    "If the clusters must come back in new items; needs no null sets.", "tibshirani2005"
)
def prediction(
    *, repeats: int = 20, training: float = 0.5, strong: float = 0.8
) -> Measure:
    """Return prediction strength: how many pairs the other half keeps together.

    In each repeat the items are split into halves. Both are clustered, and the
    centroids of one half predict clusters for the other. For each cluster found there,
    take the share of its pairs that are predicted together; the smallest share over
    clusters is the prediction strength. k* is the largest k whose mean is at least
    ``strong``; if there is none, k* is 1. All k share the halves of a repeat.

    References
    ----------
    Tibshirani, Walther (2005), J. Computational and Graphical Statistics 14, 511-528.
    """
    return Measure(
        name="prediction",
        split=TrainingShare(training),
        assign=classify_and_cluster,
        train=NearestCentroid(),
        collect=PredictionStrength(),
        stop=FixedRepeats(repeats),
        synopsis=mean_value,
        significance=LargestAbove(strong),
        share_samples=True,
        better=("mean", "high"),
    )
