"""FOM: how well clusters predict a column they have not seen."""

from stablek.paradigm.card import card
from stablek.paradigm.measure import Measure
from stablek.paradigm.perturb.transform import DropColumn
from stablek.paradigm.significance.knee import Knee
from stablek.paradigm.statistic.dispersion import HeldOut
from stablek.paradigm.stop import EveryColumn
from stablek.paradigm.synopsis import figure_of_merit


@card(
    "If the columns are conditions that predict one another; few columns. For choosing "
    "k it is about as good as always answering 3 (docs/fom_rules.md).",
    "yeung2001",
    thesis={"starts": 5},
)
def fom(*, starts: int = 5, rule: str = "hartigan-squares") -> Measure:
    """Return the figure of merit: the spread of a left-out column within clusters.

    Every column is left out once, and the items are clustered by the others; the
    2-norm FOM(e, k) is the root mean square deviation of column e from its cluster
    means. The sum over all columns, divided by sqrt((n - k)/n), is the curve; k*
    is at its knee. Values per column come from
    ``stablek.paradigm.statistic.dispersion.per_condition``.

    References
    ----------
    Thesis, section 2.2.3. Yeung, Haynor, Ruzzo (2001), Bioinformatics 17, 309-318.
    """
    return Measure(
        name="fom",
        perturb=(DropColumn(),),
        collect=HeldOut(),
        stop=EveryColumn(starts),
        synopsis=figure_of_merit,
        significance=Knee(rule),
        share_samples=True,
    )
