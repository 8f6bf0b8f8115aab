"""Clest: clusters of one part, predicted on the other by a classifier."""

from stablek.paradigm.assign import classify_and_cluster
from stablek.paradigm.card import card
from stablek.paradigm.classify import classifier as named_classifier
from stablek.paradigm.measure import Measure
from stablek.paradigm.perturb.poisson import PoissonBox
from stablek.paradigm.significance.clest import ClestRule
from stablek.paradigm.split import TrainingShare
from stablek.paradigm.statistic.agreement import Agreement
from stablek.paradigm.stop import FixedRepeats
from stablek.paradigm.synopsis import median_value


@card(
    "If you want to predict the clusters of new items; slow.",
    "dudoit2002",
    thesis={"repeats": 20, "null_sets": 20, "proportion": True},
)
def clest(
    *,
    repeats: int = 20,
    null_sets: int = 20,
    index: str = "fm",
    classifier: str = "dlda",
    training: float = 2 / 3,
    p_max: float = 0.05,
    d_min: float = 0.05,
    proportion: bool = False,
    fast: bool = False,
) -> Measure:
    """Return Clest: do the clusters of one part predict those of the other?.

    In each repeat two thirds of the items are clustered and train a classifier, which
    labels the rest; the rest is clustered too, and an external index compares the two.
    The median over repeats is compared with its mean over null sets from Ps. It can
    answer 1.

    ``fast`` shares the split of a repeat among all k. The thesis's pseudocode of
    Fast_Stability_Measure draws the split (its step 2) again for each k, which leaves
    nothing to share, because Clest perturbs only by splitting.

    References
    ----------
    Thesis, section 3.3.3. Dudoit, Fridlyand (2002), Genome Biology 3, research0036.
    """
    return Measure(
        name="clest",
        split=TrainingShare(training),
        assign=classify_and_cluster,
        train=named_classifier(classifier),
        collect=Agreement(index),
        stop=FixedRepeats(repeats),
        synopsis=median_value,
        significance=ClestRule(p_max, d_min, proportion),
        null=PoissonBox(),
        null_sets=null_sets,
        share_samples=fast,
        better=("median", "high"),
    )
