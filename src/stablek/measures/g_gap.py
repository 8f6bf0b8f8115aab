"""G-Gap: Gap with a straight line for the null curve."""

from stablek.measures.wcss import wcss
from stablek.paradigm.card import card
from stablek.paradigm.cluster.merge_down import MergeDown
from stablek.paradigm.measure import Measure, as_given
from stablek.paradigm.significance.curve import Segments
from stablek.paradigm.synopsis import log_within


@card(
    "Like gap-ps, without null sets: fast, for data of any size.",
    "utro2011",
    "tibshirani2001",
    thesis={"starts": 5},
)
def g_gap(*, starts: int = 5, refresh: int | None = None) -> Measure:
    """Return G-Gap: the first local maximum of a line's height over log WCSS.

    On data without structure log WCSS falls in a nearly straight line, so the line
    through the curve's ends replaces Gap's null sets. ``refresh`` makes it read
    the curve of WCSS-R (0, 2, 5 or any) instead of that of WCSS. It can answer 1.

    References
    ----------
    Thesis, section 7.2. Giancarlo, Scaturro, Utro (2008), BMC Bioinformatics 9, 462.
    """
    return wcss(starts=starts).with_(
        name="g-gap",
        cluster=as_given if refresh is None else MergeDown(refresh),
        synopsis=log_within,
        significance=Segments(),
        depends_on_kmax=True,
    )
