"""Separation: how far apart the closest two clusters lie."""

from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.significance.extremes import Extreme
from stablek.paradigm.statistic.separation import Separation
from stablek.paradigm.stop import Starts
from stablek.paradigm.synopsis import NamedColumns


@card("To see whether the closest two clusters are separated at all.", "qiu2006")
def separation(*, starts: int = 5) -> Measure:
    """Return separation: how well are the closest two clusters separated?.

    Two clusters are compared on the axis that separates them best: the distance between
    their means, divided by the sum of their standard deviations. Below 1 they overlap,
    above 2 they are well separated. The table also has ``valley``, how full the space
    between them is, and ``smallest``, the size of the smallest cluster. It cannot
    answer 1.

    References
    ----------
    Qiu, Joe (2006), J. Classification 23, 315-334.
    """
    return Measure(
        name="separation",
        collect=Separation(),
        stop=Starts(starts),
        synopsis=NamedColumns("separation"),
        significance=Extreme(),
        share_samples=True,
        partition="first",
        better=("separation", "high"),
    )
