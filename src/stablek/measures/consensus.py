"""Consensus, and FC, its fast form."""

from stablek.errors import InputError
from stablek.paradigm.card import card
from stablek.paradigm.contracts import ChoosesFromAreas, Rule
from stablek.paradigm.measure import Measure
from stablek.paradigm.perturb.resample import Subsample
from stablek.paradigm.significance.votes import Votes, consensus_rule
from stablek.paradigm.statistic.comembership import CoMembership
from stablek.paradigm.stop import FixedRepeats, Settled
from stablek.paradigm.synopsis import consensus_distribution

#: Numbers of repeats at which a run looks whether k is settled, unless one is given.
COUNTS = (250, 500, 1000, 2000, 4000)
#: Repeats times items that such a run takes at most, after the first of them.
WORK = 500_000


@card(
    "If every k needs its own subsamples; otherwise use fc.",
    "monti2003",
    "senbabaoglu2014",
    thesis={"repeats": 250, "fraction": 0.8},
)
def consensus(
    *,
    fraction: float = 0.8,
    repeats: int | None = None,
    fast: bool = False,
    adaptive: bool = False,
    rule: str = "settles",
) -> Measure:
    """Return Consensus: how often subsamples put two items into one cluster.

    For each k, M(i, j) is the share of the subsamples holding both i and j in which
    they get the same label. The area under the CDF of the M(i, j) grows up to k*, then
    settles. ``fast`` is FC.

    There are 250 repeats. Unless ``repeats`` is given, the run continues to at most
    4,000 if other seeds might still choose another k. This needs a fast algorithm, and
    repeats times items of at most 500,000. With ``adaptive`` the run may also stop
    earlier: after 24 repeats or more, and after ``repeats`` (250) at the latest. The
    column of cophenetic correlations is then left out.

    ``rule`` says how the curve is read: settles (the default), clear (the default for
    K-means: first PAC, then the area), delta-below:0.1 or another share, or the best
    pac, dispersion, cophenetic or entropy. docs/rules.md says how often each is right.

    References
    ----------
    Thesis, section 3.3.1. Monti, Tamayo, Mesirov, Golub (2003), Machine Learning 52,
    91-118.
    """
    reads = consensus_rule(rule)
    if adaptive and rule == "cophenetic":
        raise InputError(
            "an adaptive run has no cophenetic correlations; leave out adaptive"
        )
    wanted = True if rule == "cophenetic" else None
    stop = stop_rule(repeats, reads, adaptive=adaptive)
    return Measure(
        name="fc" if fast else "consensus",
        perturb=(Subsample(fraction),),
        # In a run that should be short, the cophenetic correlations would take a third.
        collect=CoMembership(cophenetic=False if adaptive else wanted),
        stop=stop,
        synopsis=consensus_distribution,
        significance=reads,
        above=1,
        share_samples=fast,
        depends_on_kmax=isinstance(stop, Settled),
        partition="consensus",
        better=("pac", "low"),
    )


def stop_rule(
    repeats: int | None, rule: Rule, *, adaptive: bool
) -> FixedRepeats | Settled:
    """Return when a run stops: after so many repeats, or as soon as k is settled."""
    once = rule.reading if isinstance(rule, Votes) else rule
    if adaptive:
        most = 250 if repeats is None else repeats
        counts = (*(c for c in Settled.counts if c < most), most)
        return Settled(once, counts, synopsis=consensus_distribution, whole=rule)
    if repeats is None and isinstance(once, ChoosesFromAreas):
        return Settled(once, COUNTS, 200, whole=rule, work=WORK)
    return FixedRepeats(250 if repeats is None else repeats, rule)


@card(
    "The first choice: as precise as consensus, at a fraction of its cost.",
    "giancarlo2011",
    "monti2003",
    "senbabaoglu2014",
    thesis={"repeats": 250, "fraction": 0.8},
)
def fc(
    *,
    fraction: float = 0.8,
    repeats: int | None = None,
    adaptive: bool = False,
    rule: str = "settles",
) -> Measure:
    """Return fast consensus: Consensus in which all k share the same subsamples.

    One tree then serves all k, so the cost is divided by their number.

    ``rule`` says how the curve is read, as in consensus: settles (the default), clear
    (the default for K-means: first PAC, then the area), delta-below:0.1 or another
    share, or the best pac, dispersion, cophenetic or entropy.

    References
    ----------
    Thesis, section 7.5. Giancarlo, Utro (2011), Algorithms for Molecular Biology 6, 1.
    """
    return consensus(
        fraction=fraction, repeats=repeats, fast=True, adaptive=adaptive, rule=rule
    )
