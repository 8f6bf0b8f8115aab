"""Gap: log WCSS against what a null model would give."""

from stablek.paradigm.card import card
from stablek.paradigm.contracts import NullModel
from stablek.paradigm.measure import Measure
from stablek.paradigm.perturb.null import Permutation
from stablek.paradigm.perturb.poisson import PoissonBox, PoissonPrincipal
from stablek.paradigm.significance.against_null import Gap
from stablek.paradigm.statistic.dispersion import WithinSS
from stablek.paradigm.stop import Starts
from stablek.paradigm.synopsis import log_within


def gap(
    name: str,
    null: NullModel,
    *,
    null_sets: int = 10,
    runs: int = 1,
    rule: str = "tibshirani",
    starts: int = 5,
) -> Measure:
    """Return Gap with a null model of choice.

    ``runs`` Monte Carlo runs of ``null_sets`` null sets each; algorithms with a random
    start are started ``starts`` times, on the data and on every null set, and their
    mean log WCSS is compared.
    """
    return Measure(
        name=name,
        collect=WithinSS(),
        stop=Starts(starts),
        synopsis=log_within,
        significance=Gap(rule),
        null=null,
        null_sets=null_sets,
        runs=runs,
        share_samples=True,
        smallest_k=1,
        below=1,
        above=1,
        partition="first",
    )


@card(
    "If the answer may be one cluster, and the columns are uncorrelated.",
    "tibshirani2001",
    thesis={"runs": 20, "null_sets": 10, "starts": 1},
)
def gap_ps(
    *, null_sets: int = 10, runs: int = 1, rule: str = "tibshirani", starts: int = 5
) -> Measure:
    """Return the Gap statistic against a uniform box around the data.

    Gap(k) is the mean of log WCSS(k) over null sets minus log WCSS(k) of the data; k*
    is the first k with Gap(k) >= Gap(k+1) - s(k+1). It can answer 1. The box ignores
    correlation between columns, so correlated data without clusters look clustered.

    References
    ----------
    Thesis, section 2.2.2. Tibshirani, Walther, Hastie (2001), JRSS B 63, 411-423.
    """
    return gap(
        "gap-ps", PoissonBox(), null_sets=null_sets, runs=runs, rule=rule, starts=starts
    )


@card(
    "If the answer may be one cluster; the box follows the data.",
    "tibshirani2001",
    thesis={"runs": 20, "null_sets": 10, "starts": 1},
)
def gap_pc(
    *, null_sets: int = 10, runs: int = 1, rule: str = "tibshirani", starts: int = 5
) -> Measure:
    """Return the Gap statistic against a uniform box along the principal components.

    Like gap-ps, but the null sets keep the correlation between columns, so that it is
    not taken for clusters. Tibshirani et al. prefer it; on the thesis's real data
    it answers 1 for most sets.

    References
    ----------
    Thesis, section 2.2.2. Tibshirani, Walther, Hastie (2001), JRSS B 63, 411-423.
    """
    return gap(
        "gap-pc",
        PoissonPrincipal(),
        null_sets=null_sets,
        runs=runs,
        rule=rule,
        starts=starts,
    )


@card(
    "If the answer may be one cluster; null sets keep the values of each column.",
    "tibshirani2001",
    thesis={"runs": 20, "null_sets": 10, "starts": 1},
)
def gap_pr(
    *, null_sets: int = 10, runs: int = 1, rule: str = "tibshirani", starts: int = 5
) -> Measure:
    """Return the Gap statistic against the data with every column in random order.

    Like gap-ps, but each column keeps its own values exactly: a skewed or bimodal
    column is not taken for clusters, but links between columns are.

    References
    ----------
    Thesis, sections 1.4 and 2.2.2.
    """
    return gap(
        "gap-pr",
        Permutation(),
        null_sets=null_sets,
        runs=runs,
        rule=rule,
        starts=starts,
    )
