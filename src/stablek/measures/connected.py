"""Connected: groups of neighbours with gaps between them, of any shape."""

from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.significance.extremes import LargestAbove
from stablek.paradigm.statistic.connected import ConnectedGaps
from stablek.paradigm.stop import Starts
from stablek.paradigm.synopsis import NamedColumns


@card(
    "Groups of any shape with gaps between them: rings, moons, chains.", "campello2013"
)
def connected(*, wide: float = 0.7) -> Measure:
    """Return connected: how many groups of neighbours have gaps between them.

    Neighbours are joined step by step (single linkage on mutual reachability, so that
    stray items do not bridge a gap). A gap is wide if the step across it is long
    compared with the steps inside both groups: ``wide`` is the logarithm of the ratio,
    0.7 for twice as long. k* is the largest k at which all gaps are wide; if there is
    none, k* is 1. Groups may be rings, moons or chains. It uses distances, not
    partitions; for labels that follow such shapes use -a hier-s.

    References
    ----------
    Campello, Moulavi, Sander (2013), PAKDD, 160-172.
    """
    return Measure(
        name="connected",
        collect=ConnectedGaps(),
        stop=Starts(1),
        synopsis=NamedColumns("gap"),
        significance=LargestAbove(wide),
        share_samples=True,
        partition="first",
        better=("gap", "high"),
    )
