"""Consensus, and FC, its fast form."""

from __future__ import annotations

from stablek.measure import Measure
from stablek.perturb.resample import Subsample
from stablek.significance.curve import AreaSettles
from stablek.statistic.comembership import CoMembership
from stablek.stop import FixedRepeats
from stablek.synopsis import consensus_distribution


def consensus(
    *, fraction: float = 0.8, repeats: int = 250, fast: bool = False
) -> Measure:
    """Return Consensus: how often two items fall together, over subsamples.

    For each k, M(i, j) is the share of the subsamples holding both i and j in which
    they get one label. The area under the CDF of the M(i, j) grows up to k*, then
    settles. ``fast`` is FC.

    References
    ----------
    Thesis, section 3.3.1. Monti, Tamayo, Mesirov, Golub (2003), Machine Learning 52,
    91-118.
    """
    return Measure(
        name="fc" if fast else "consensus",
        perturb=(Subsample(fraction),),
        collect=CoMembership(),
        stop=FixedRepeats(repeats),
        synopsis=consensus_distribution,
        significance=AreaSettles(),
        above=1,
        share_samples=fast,
        partition="consensus",
        better=("pac", "low"),
    )


def fc(*, fraction: float = 0.8, repeats: int = 250) -> Measure:
    """Return FC: Consensus in which all ks share the sample drawn in a repeat.

    One dendrogram then serves all ks, and the cost falls by their number.

    References
    ----------
    Thesis, section 7.5. Giancarlo, Utro (2011), Algorithms for Molecular Biology 6, 1.
    """
    return consensus(fraction=fraction, repeats=repeats, fast=True)
