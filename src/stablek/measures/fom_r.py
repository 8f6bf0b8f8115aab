"""FOM-R: FOM along merges down from k_max."""

from stablek.measures.fom import fom
from stablek.paradigm.card import card
from stablek.paradigm.cluster.merge_down import MergeDown
from stablek.paradigm.measure import Measure


@card(
    "Like fom, for large data and K-means.",
    "utro2011",
    "yeung2001",
    thesis={"starts": 5},
)
def fom_r(
    *, refresh: int = 0, starts: int = 5, rule: str = "hartigan-squares"
) -> Measure:
    """Return FOM-R: FOM with one clustering at k_max per left-out column, then merges.

    Like WCSS-R, for every column that is left out.

    References
    ----------
    Thesis, section 7.3. Giancarlo, Scaturro, Utro (2008), BMC Bioinformatics 9, 462.
    """
    return fom(starts=starts, rule=rule).with_(
        name="fom-r", cluster=MergeDown(refresh), depends_on_kmax=True
    )
