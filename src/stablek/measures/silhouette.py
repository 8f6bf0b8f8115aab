"""Silhouette: how much closer items are to their own cluster than to the next."""

from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.significance.extremes import Extreme
from stablek.paradigm.statistic.quality import Quality
from stablek.paradigm.stop import Starts
from stablek.paradigm.synopsis import mean_value


@card("For a quick look at round clusters; favours few, coarse ones.", "rousseeuw1987")
def silhouette(*, starts: int = 5) -> Measure:
    """Return the silhouette: are items closer to their own cluster than to the next?.

    The width of an item is (b - a) / max(a, b): a is its mean distance to the other
    items of its cluster, b its mean distance to the nearest other cluster. k* is where
    the mean width of all items is largest. Algorithms with a random start are run
    ``starts`` times. It cannot answer 1.

    References
    ----------
    Rousseeuw (1987), J. Computational and Applied Mathematics 20, 53-65.
    """
    return Measure(
        name="silhouette",
        collect=Quality("silhouette"),
        stop=Starts(starts),
        synopsis=mean_value,
        significance=Extreme(),
        share_samples=True,
        partition="first",
        better=("mean", "high"),
    )
