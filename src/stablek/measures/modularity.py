"""Modularity: how well clusters follow the graph of nearest neighbours."""

from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.significance.extremes import Extreme
from stablek.paradigm.statistic.graph import Modularity
from stablek.paradigm.stop import Starts
from stablek.paradigm.synopsis import mean_value


@card("Groups of neighbours of any size, as in graphs of cells.", "newman2004")
def modularity(*, starts: int = 1) -> Measure:
    """Return modularity: do neighbours share a cluster more often than by chance?.

    Two items are joined if one is among the 2 ln n nearest of the other (4 to 15). The
    modularity is the share of these edges inside clusters, minus the share expected if
    edges were drawn at random. k* has the largest modularity. It cannot answer 1.

    References
    ----------
    Newman, Girvan (2004), Physical Review E 69, 026113.
    """
    return Measure(
        name="modularity",
        collect=Modularity(),
        stop=Starts(starts),
        synopsis=mean_value,
        significance=Extreme(),
        share_samples=True,
        partition="first",
        better=("mean", "high"),
    )
