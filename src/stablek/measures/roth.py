"""Roth et al.: how many items a classifier misplaces, compared with chance."""

from stablek.paradigm.assign import classify_and_cluster
from stablek.paradigm.card import card
from stablek.paradigm.classify import classifier as named_classifier
from stablek.paradigm.measure import Measure
from stablek.paradigm.significance.extremes import Extreme
from stablek.paradigm.split import TrainingShare
from stablek.paradigm.statistic.misclassification import Misclassification
from stablek.paradigm.stop import FixedRepeats
from stablek.paradigm.synopsis import loss_by_chance


@card("Like clest, but compares the transfer of labels with chance.", "roth2002")
def roth(
    *,
    repeats: int = 20,
    classifier: str = "dlda",
    training: float = 2 / 3,
    fast: bool = False,
) -> Measure:
    """Return Roth et al.: how many items a classifier misplaces, relative to chance.

    The split is Clest's (``training=0.5`` gives the halves of the paper). The labels
    of the classifier and of the clustering are matched as well as possible; the share
    of items that still differ is divided by its mean for random labellings at that k.
    k* has the smallest mean. It cannot answer 1.

    ``fast`` shares the split of a repeat among all k, which the thesis's pseudocode
    leaves inside the loop over k; see :func:`stablek.measures.clest.clest`.

    References
    ----------
    Thesis, section 3.3.4. Roth, Lange, Braun, Buhmann (2002), COMPSTAT, 123-128.
    Lange, Roth, Braun, Buhmann (2004), Neural Computation 16, 1299-1323.
    """
    return Measure(
        name="roth",
        split=TrainingShare(training),
        assign=classify_and_cluster,
        train=named_classifier(classifier),
        collect=Misclassification(),
        stop=FixedRepeats(repeats),
        synopsis=loss_by_chance,
        significance=Extreme(),
        share_samples=fast,
        better=("mean", "low"),
    )
