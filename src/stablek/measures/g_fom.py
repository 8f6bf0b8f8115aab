"""G-FOM: the rule of G-Gap on the FOM curve."""

from stablek.measures.fom import fom
from stablek.paradigm.card import card
from stablek.paradigm.cluster.merge_down import MergeDown
from stablek.paradigm.measure import Measure, as_given
from stablek.paradigm.significance.curve import Segments


@card(
    "Like fom, with a rule that reads the curve for you.",
    "utro2011",
    "yeung2001",
    thesis={"starts": 5},
)
def g_fom(*, starts: int = 5, refresh: int | None = None) -> Measure:
    """Return G-FOM: the first local maximum of a line's height over log FOM.

    ``refresh`` makes it read the curve of FOM-R (0, 2, 5 or any) instead of FOM's.

    References
    ----------
    Thesis, section 7.3. Giancarlo, Scaturro, Utro (2008), BMC Bioinformatics 9, 462.
    """
    return fom(starts=starts).with_(
        name="g-fom",
        cluster=as_given if refresh is None else MergeDown(refresh),
        significance=Segments(),
        depends_on_kmax=True,
    )
