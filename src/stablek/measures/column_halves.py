"""Column halves: whether two halves of the columns tell of the same clusters."""

from __future__ import annotations

from stablek.paradigm.assign import cluster_both
from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.significance.extremes import LargestNearTop
from stablek.paradigm.split import ColumnHalves
from stablek.paradigm.statistic.agreement import Agreement
from stablek.paradigm.stop import FixedRepeats
from stablek.paradigm.synopsis import mean_value


@card("Many columns: only what many of them share comes back.", "utro2011")
def column_halves(
    *, repeats: int = 12, index: str = "adj", share: float = 0.95
) -> Measure:
    """Return column halves: how alike two halves of the columns cluster the items.

    In each repeat the columns are split at random in two halves, all items are
    clustered by either half, and an external index compares the two partitions. The
    noise in one half says nothing of the other, so only what many columns share comes
    back. k* is the largest k whose mean agreement is at least ``share`` of the largest.
    With fewer than about six columns it says little.
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
