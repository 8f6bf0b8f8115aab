"""DIFF-FOM: the largest scaled fall of the FOM curve."""

from stablek.measures.fom import fom
from stablek.paradigm.card import card
from stablek.paradigm.cluster.merge_down import MergeDown
from stablek.paradigm.measure import Measure, as_given
from stablek.paradigm.significance.curve import LargestDifference


@card(
    "Like fom, with a rule that reads the curve for you.",
    "utro2011",
    "yeung2001",
    thesis={"starts": 5},
)
def diff_fom(*, starts: int = 5, refresh: int | None = None) -> Measure:
    """Return DIFF-FOM: the k >= 3 with the largest DIFF(k) of the FOM curve.

    DIFF(k) = (k-1)^(2/m) FOM(k-1) - k^(2/m) FOM(k), as in KL. ``refresh`` makes it read
    the curve of FOM-R (0, 2, 5 or any) instead of FOM's. It cannot answer 1 or 2.

    References
    ----------
    Thesis, section 7.3. Giancarlo, Scaturro, Utro (2008), BMC Bioinformatics 9, 462.
    """
    return fom(starts=starts).with_(
        name="diff-fom",
        cluster=as_given if refresh is None else MergeDown(refresh),
        significance=LargestDifference(),
        below=1,
        depends_on_kmax=refresh is not None,
    )
