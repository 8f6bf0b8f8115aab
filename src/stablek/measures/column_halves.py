"""Column halves: whether two halves of the columns show the same clusters."""

from stablek.paradigm.assign import cluster_both
from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.significance.extremes import LargestNearTop
from stablek.paradigm.split import ColumnHalves
from stablek.paradigm.statistic.agreement import Agreement
from stablek.paradigm.stop import FixedRepeats
from stablek.paradigm.synopsis import mean_value


@card("Many columns: finds the structure that many of them share.", "utro2011")
def column_halves(
    *, repeats: int = 12, index: str = "adj", share: float = 0.95
) -> Measure:
    """Return column halves: do two halves of the columns give the same clusters?.

    In each repeat the columns are split at random into two halves, all items are
    clustered with each half, and an external index compares the two partitions. The
    noise in one half is independent of the other, so only structure that many columns
    share comes back. k* is the largest k whose mean agreement is at least ``share`` of
    the largest. With fewer than about six columns it is of little use.
    """
    return Measure(
        name="column-halves",
        split=ColumnHalves(),
        assign=cluster_both,
        collect=Agreement(index),
        stop=FixedRepeats(repeats),
        synopsis=mean_value,
        significance=LargestNearTop(share),
        share_samples=True,
        better=("mean", "high"),
    )
