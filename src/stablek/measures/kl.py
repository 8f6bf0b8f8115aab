"""KL: the Krzanowski-Lai index."""

from stablek.measures.wcss import wcss
from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.significance.curve import KrzanowskiLai


@card(
    "Like wcss, with a rule that needs no knee.", "krzanowski1988", thesis={"starts": 5}
)
def kl(*, starts: int = 5) -> Measure:
    """Return the index of Krzanowski and Lai: where WCSS abruptly stops falling.

    KL(k) = |DIFF(k) / DIFF(k+1)| with DIFF(k) = (k-1)^(2/m) W(k-1) - k^(2/m) W(k); k*
    is its maximum. It needs W one k below and above the range, and cannot answer 1.

    References
    ----------
    Thesis, section 2.2.1. Krzanowski, Lai (1988), Biometrics 44, 23-34.
    """
    return wcss(starts=starts).with_(
        name="kl", significance=KrzanowskiLai(), smallest_k=2, below=1, above=1
    )
