"""WCSS-R: WCSS along merges down from k_max."""

from stablek.measures.wcss import wcss
from stablek.paradigm.card import card
from stablek.paradigm.cluster.merge_down import MergeDown
from stablek.paradigm.measure import Measure


@card(
    "Like wcss, for large data and K-means.",
    "utro2011",
    "hastie2009",
    thesis={"starts": 5},
)
def wcss_r(*, refresh: int = 0, starts: int = 5, rule: str = "drop-ratio") -> Measure:
    """Return WCSS-R: WCSS with one clustering at k_max and merges from there.

    Going down, the two clusters with the nearest centroids are merged. If
    ``refresh`` R > 0 and k mod R = 0, the algorithm starts from the merged partition
    and refines it.

    References
    ----------
    Thesis, section 7.1. Giancarlo, Scaturro, Utro (2008), BMC Bioinformatics 9, 462.
    """
    return wcss(starts=starts, rule=rule).with_(
        name="wcss-r", cluster=MergeDown(refresh), depends_on_kmax=True
    )
