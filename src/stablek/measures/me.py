"""Model Explorer: how similarly two subsamples are clustered."""

from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.perturb.resample import Subsample
from stablek.paradigm.significance.reliability import ClosestToOne
from stablek.paradigm.statistic.agreement import Agreement
from stablek.paradigm.stop import FixedRepeats
from stablek.paradigm.synopsis import agreement_distribution


@card("To see in histograms at which k stability ends; slow.", "benhur2002")
def me(
    *,
    fraction: float = 0.8,
    repeats: int = 100,
    index: str = "adj",
    close: float = 0.9,
    fast: bool = False,
) -> Measure:
    """Return Model Explorer: how similarly two subsamples are clustered.

    In each repeat two subsamples are drawn independently and clustered; an external
    index compares the two partitions on the items they have in common. At a good k the
    agreements are all near one; at other k they spread. It can answer 1. With the
    indices fm and f, one large cluster brings the agreement near one; adj corrects for
    that.

    References
    ----------
    Thesis, section 3.2.2. Ben-Hur, Elisseeff, Guyon (2002), Pacific Symposium on
    Biocomputing 7, 6-17.
    """
    return Measure(
        name="me",
        perturb=(Subsample(fraction), Subsample(fraction)),
        collect=Agreement(index),
        stop=FixedRepeats(repeats),
        synopsis=agreement_distribution,
        significance=ClosestToOne(close),
        share_samples=fast,
        better=("mean", "high"),
    )
