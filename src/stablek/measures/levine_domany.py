"""Levine and Domany: how well the clusters of the whole data come back."""

from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.perturb.resample import Subsample
from stablek.paradigm.significance.extremes import LocalMaxima
from stablek.paradigm.statistic.rejoined import Rejoined
from stablek.paradigm.stop import FixedRepeats
from stablek.paradigm.synopsis import mean_value


@card("To see how well one partition survives resampling.", "levine2001")
def levine_domany(
    *, fraction: float = 0.8, repeats: int = 100, fast: bool = False
) -> Measure:
    """Return Levine-Domany: how many pairs of the original clusters stay together.

    Of the drawn pairs that are together in the partition of the whole data, take the
    share that is together in the partition of the subsample. The curve is the
    mean over subsamples; those without such pairs are skipped. k* is the highest local
    maximum. It cannot answer 1, and it does not notice clusters that merge.

    References
    ----------
    Thesis, section 3.3.2. Levine, Domany (2001), Neural Computation 13, 2573-2593.
    """
    return Measure(
        name="levine-domany",
        perturb=(Subsample(fraction),),
        collect=Rejoined(),
        stop=FixedRepeats(repeats),
        synopsis=mean_value,
        significance=LocalMaxima(),
        share_samples=fast,
        better=("mean", "high"),
    )
