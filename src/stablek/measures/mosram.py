"""MOSRAM: Model Explorer on random projections, with a test that gives a set of ks."""

from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.perturb.projection import Projection
from stablek.paradigm.significance.reliability import EquallyReliable
from stablek.paradigm.statistic.agreement import Agreement
from stablek.paradigm.stop import FixedRepeats
from stablek.paradigm.synopsis import agreement_distribution


@card(
    "To see several levels of structure at once; projects the columns at random.",
    "bertoni2007",
)
def mosram(
    *,
    repeats: int = 100,
    index: str = "fm",
    projection: str = "dense",
    epsilon: float = 0.5,
    dimension: int | None = None,
    bound: str | None = None,
    tau: float = 0.01,
    test: str = "chi-square",
    fast: bool = False,
) -> Measure:
    """Return MOSRAM: how similarly two random projections are clustered.

    In each repeat two projections of the data to fewer columns are drawn independently
    and clustered; an external index compares the partitions. The answer is a set: the k
    with the lowest mean agreement is dropped until a test finds the others equally
    reliable. If several k remain, there is structure at several levels.
    ``test="bernstein"`` assumes no distribution and keeps more k;
    ``test="bernstein-independent"`` keeps fewer.

    ``projection`` is dense, sparse, fast, or plus-minus-one, which the authors use. The
    number of columns is ``dimension``, or follows from the Johnson-Lindenstrauss bound
    for ``epsilon`` (``bound="authors"``: 4 ln n / epsilon^2, the default with
    plus-minus-one). It is at most four fifths of all columns, because the bound exceeds
    the number of columns of many small tables.

    References
    ----------
    Thesis, section 3.2.2. Bertoni, Valentini (2007), BMC Bioinformatics 8 (Suppl 2),
    S7; (2008), BMC Bioinformatics 9 (Suppl 2), S4.
    """
    draw = Projection(projection, epsilon, dimension, at_most=0.8, bound=bound)
    return Measure(
        name="mosram",
        perturb=(draw, draw),
        collect=Agreement(index),
        stop=FixedRepeats(repeats),
        synopsis=agreement_distribution,
        significance=EquallyReliable(tau, test),
        share_samples=fast,
        better=("mean", "high"),
    )
