"""Consensus, and FC, its fast form."""

from __future__ import annotations

from stablek.errors import InputError
from stablek.paradigm.card import card
from stablek.paradigm.contracts import Rule
from stablek.paradigm.measure import Measure
from stablek.paradigm.perturb.resample import Subsample
from stablek.paradigm.significance.votes import Votes, consensus_rule
from stablek.paradigm.statistic.comembership import CoMembership
from stablek.paradigm.stop import FixedRepeats, Settled
from stablek.paradigm.synopsis import consensus_distribution


@card(
    "Where every k must have samples of its own; otherwise fc.",
    "monti2003",
    "senbabaoglu2014",
    thesis={"repeats": 250, "fraction": 0.8},
)
def consensus(
    *,
    fraction: float = 0.8,
    repeats: int = 250,
    fast: bool = False,
    adaptive: bool = False,
    rule: str = "settles",
) -> Measure:
    """Return Consensus: how often two items fall together, over subsamples.

    For each k, M(i, j) is the share of the subsamples holding both i and j in which
    they get one label. The area under the CDF of the M(i, j) grows up to k*, then
    settles. ``fast`` is FC. With ``adaptive`` the run stops as soon as curve and
    decision have settled, after ``repeats`` at the latest, and the column of cophenetic
    correlations is left out.

    ``rule`` reads the curve: settles (the default), delta-below:0.1 or another share,
    or the best pac, dispersion, cophenetic or entropy. docs/rules.md says how often
    each is right.

    References
    ----------
    Thesis, section 3.3.1. Monti, Tamayo, Mesirov, Golub (2003), Machine Learning 52,
    91-118.
    """
    reads = consensus_rule(rule)
    if adaptive and rule == "cophenetic":
        msg = "an adaptive run has no cophenetic correlations; leave out adaptive"
        raise InputError(msg)
    wanted = True if rule == "cophenetic" else None
    return Measure(
        name="fc" if fast else "consensus",
        perturb=(Subsample(fraction),),
        # In a run that is to be short, the cophenetic correlations would take a third.
        collect=CoMembership(cophenetic=False if adaptive else wanted),
        stop=settled(repeats, reads) if adaptive else FixedRepeats(repeats, reads),
        synopsis=consensus_distribution,
        significance=reads,
        above=1,
        share_samples=fast,
        depends_on_kmax=adaptive,
        partition="consensus",
        better=("pac", "low"),
    )


def settled(repeats: int, rule: Rule) -> Settled:
    """Return the adaptive stop rule that goes with a rule."""
    counts = (*(c for c in Settled.counts if c < repeats), repeats)
    once = rule.reading if isinstance(rule, Votes) else rule
    return Settled(once, counts, synopsis=consensus_distribution, whole=rule)


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
    repeats: int = 250,
    adaptive: bool = False,
    rule: str = "settles",
) -> Measure:
    """Return FC: Consensus in which all ks share the sample drawn in a repeat.

    One dendrogram then serves all ks, and the cost falls by their number. ``rule`` is
    that of consensus.

    References
    ----------
    Thesis, section 7.5. Giancarlo, Utro (2011), Algorithms for Molecular Biology 6, 1.
    """
    return consensus(
        fraction=fraction, repeats=repeats, fast=True, adaptive=adaptive, rule=rule
    )
