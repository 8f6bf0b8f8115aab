"""WCSS: the knee of the within-cluster sum of squares."""

from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.significance.knee import Knee
from stablek.paradigm.statistic.dispersion import WithinSS
from stablek.paradigm.stop import Starts
from stablek.paradigm.synopsis import within


@card(
    "For a quick look; the knee is often unclear.",
    "hastie2009",
    "satopaa2011",
    thesis={"starts": 5},
)
def wcss(*, starts: int = 5, rule: str = "drop-ratio") -> Measure:
    """Return the within-cluster sum of squares: where does its curve bend?.

    WCSS(k) is the sum of squared distances of the items to the centroid of their
    cluster. It falls as k grows, steeply up to k* and slowly after it. Algorithms with
    a random start are run ``starts`` times; the curve is their mean, and the
    table has the spread. It cannot answer 1.

    References
    ----------
    Thesis, section 2.2.1. Hastie, Tibshirani, Friedman (2009), The Elements of
    Statistical Learning, section 14.3.11.
    """
    return Measure(
        name="wcss",
        collect=WithinSS(),
        stop=Starts(starts),
        synopsis=within,
        significance=Knee(rule),
        share_samples=True,
        smallest_k=1,
        partition="first",
    )
