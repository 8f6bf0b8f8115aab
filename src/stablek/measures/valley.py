"""Valley: whether there is a valley between every two neighbouring clusters."""

from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.significance.extremes import LargestBelow
from stablek.paradigm.statistic.valley import HeldOutValley
from stablek.paradigm.stop import Starts
from stablek.paradigm.synopsis import NamedColumns


@card("If a split must not cut through a cloud of items; needs values.", "fisher1936")
def valley(*, deep: float = 0.6, folds: int = 6) -> Measure:
    """Return valley: the largest k with a valley between every two clusters.

    Half of the items of two neighbouring clusters give the axis that separates
    them; the density along it is estimated on the other half. Between clusters it has a
    valley; a split through a cloud has one only for the items that made the split. The
    curve is the lowest density between two clusters divided by the lower of their
    peaks, for the worst pair (0: nothing in between, 1: no valley). k* is the largest k
    where it is at most ``deep``; if there is none, k* is 1.

    References
    ----------
    Fisher (1936), Annals of Eugenics 7, 179-188.
    """
    return Measure(
        name="valley",
        collect=HeldOutValley(folds),
        stop=Starts(1),
        synopsis=NamedColumns("valley", "low"),
        significance=LargestBelow(deep),
        share_samples=True,
        partition="first",
        better=("valley", "low"),
    )
