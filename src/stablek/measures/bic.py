"""BIC: the best mixture of Gaussians."""

from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.significance.extremes import Extreme
from stablek.paradigm.statistic.mixture import MixtureBic
from stablek.paradigm.stop import Starts
from stablek.paradigm.synopsis import mean_loss


@card(
    "If clusters are roughly Gaussian; on real data it often finds too many.",
    "schwarz1978",
    "fraley2002",
)
def bic(*, starts: int = 1) -> Measure:
    """Return the Bayesian information criterion: which Gaussian mixture fits best?.

    EM starts from the partition of the algorithm, with spherical, diagonal and tied
    covariances, and full ones up to four columns; the best of them is used. It can
    answer 1. Clusters with long tails need several Gaussians each, so on real data it
    often finds too many.

    References
    ----------
    Schwarz (1978), Annals of Statistics 6, 461-464. Fraley, Raftery (2002), JASA 97,
    611-631.
    """
    return Measure(
        name="bic",
        collect=MixtureBic(),
        stop=Starts(starts),
        synopsis=mean_loss,
        significance=Extreme(),
        share_samples=True,
        smallest_k=1,
        partition="first",
    )
