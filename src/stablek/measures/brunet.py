"""Brunet et al.: the consensus of random restarts on the whole data."""

from stablek.errors import check_count
from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.perturb.resample import Unchanged
from stablek.paradigm.significance.extremes import StartsToFall
from stablek.paradigm.statistic.comembership import CoMembership
from stablek.paradigm.stop import Starts
from stablek.paradigm.synopsis import ConsensusColumn


@card("With NMF: finds the k at which its consensus starts to break up.", "brunet2004")
def brunet(*, repeats: int = 50, fall: float = 0.002) -> Measure:
    """Return Brunet's consensus: how often random restarts put two items together.

    Nothing is resampled: every repeat clusters the whole data from a new random start
    (nmf-r, kmeans-r). k* is where the cophenetic correlation of the consensus matrix
    starts to fall. An algorithm without randomness always gives the same partition, so
    no k is chosen.

    References
    ----------
    Thesis, section 3.3.1. Brunet, Tamayo, Golub, Mesirov (2004), PNAS 101, 4164-4169.
    """
    check_count("repeats", repeats)  # by this name; the stop rule says "starts"
    return Measure(
        name="brunet",
        perturb=(Unchanged(),),
        collect=CoMembership(cophenetic=True),
        stop=Starts(repeats),
        synopsis=ConsensusColumn("cophenetic"),
        significance=StartsToFall(fall=fall),
        above=1,
        share_samples=True,
        partition="consensus",
        better=("cophenetic", "high"),
    )
