"""The methods for a fixed k (problem Q.2): replicating analysis and BagClust.

They do not choose a k, so they have a separate registry.
"""

from collections.abc import Callable

from stablek.paradigm.assign import classify_and_cluster
from stablek.paradigm.card import card
from stablek.paradigm.classify import classifier as named_classifier
from stablek.paradigm.contracts import Curve, Decision, Facts, Nulls
from stablek.paradigm.measure import Measure
from stablek.paradigm.perturb.resample import Bootstrap
from stablek.paradigm.split import TrainingShare
from stablek.paradigm.statistic.agreement import Agreement
from stablek.paradigm.statistic.comembership import CoMembership
from stablek.paradigm.statistic.misclassification import Overlap
from stablek.paradigm.stop import FixedRepeats
from stablek.paradigm.synopsis import ConsensusColumn, mean_value


def k_was_given(curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
    """Return the one k that was asked for."""
    return Decision(facts.asked[0], "k was given")


@card("If the clusters must come back in other items.", "breckenridge1989")
def replicating(
    repeats: int = 20,
    *,
    training: float = 0.5,
    classifier: str = "dlda",
    index: str = "adj",
) -> Measure:
    """Return replicating analysis: clusters of one part, predicted on the other.

    References
    ----------
    Thesis, section 3.2.1, Fig. Replicating_Analysis. Breckenridge (1989), Multivariate
    Behavioral Research 24, 147-161.
    """  # fmt: skip
    return Measure(
        name="replicating",
        split=TrainingShare(training),
        assign=classify_and_cluster,
        train=named_classifier(classifier),
        collect=Agreement(index),
        stop=FixedRepeats(repeats),
        synopsis=mean_value,
        significance=k_was_given,
    )


@card("To improve a partition, and see how certain each item is.", "dudoit2003")
def bagclust1(repeats: int = 100) -> Measure:
    """Return BagClust1: bootstrap partitions vote on the cluster of each item.

    References
    ----------
    Thesis, section 3.2.1, Fig. BagClust1. Dudoit, Fridlyand (2003), Bioinformatics 19,
    1090-1099, section 2.1.
    """
    return Measure(
        name="bagclust1",
        perturb=(Bootstrap(),),
        collect=Overlap(),
        stop=FixedRepeats(repeats),
        synopsis=mean_value,
        significance=k_was_given,
    )


@card("Like bagclust1, if the clusters themselves may change.", "dudoit2003")
def bagclust2(repeats: int = 100) -> Measure:
    """Return BagClust2: bootstrap partitions make a dissimilarity, which is clustered.

    References
    ----------
    Thesis, section 3.2.1, Eq. dissBag2. Dudoit, Fridlyand (2003), section 2.2.
    """
    return Measure(
        name="bagclust2",
        perturb=(Bootstrap(),),
        collect=CoMembership(),
        stop=FixedRepeats(repeats),
        synopsis=ConsensusColumn("dispersion"),
        significance=k_was_given,
    )


#: The word a user types, and what makes the method.
METHODS: dict[str, Callable[..., Measure]] = {
    "bagclust1": bagclust1,
    "bagclust2": bagclust2,
    "replicating": replicating,
}

#: What the one number of a method is.
VALUE = {
    "bagclust1": "mean overlap with the original partition",
    "bagclust2": "dispersion of the co-membership matrix",
    "replicating": "mean agreement of prediction and clustering",
}
