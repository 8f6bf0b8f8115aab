"""Rules that read the agreements of many repeats: what is reproduced at k."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.errors import check_share, unknown_name
from stablek.paradigm.contracts import Column, Curve, Decision, Facts, Nulls

#: Below this mean agreement a partition is not reproduced well.
REPRODUCED = 0.9

TESTS = ("chi-square", "bernstein", "bernstein-independent")


@dataclass(frozen=True)
class EquallyReliable:
    """Find the set of ks whose clusterings are equally reliable, and more than others.

    The ks are sorted by mean agreement. As long as a test says that they are not
    equally reliable at level ``tau``, the lowest is dropped. What remains is the set of
    reliable ks; several members mean structure at several levels. k* is the member
    with the highest mean agreement (of equal ones the largest).

    ``chi-square``: with X_k the number of the H agreements above 0.9 and theta their
    pooled share, Y = sum_k (X_k - H theta)^2 / (H theta (1 - theta)) on |K| - 1 degrees
    of freedom; theta = 0 or 1 gives p = 1. ``bernstein`` assumes no distribution, see
    :func:`bernstein_bound`; it keeps more ks. ``bernstein-independent`` assumes that
    the mean agreements of different ks are independent; it keeps fewer.

    Where no agreement of the remaining ks is above 0.9, none of them is reliable: k* is
    1 and the set is empty.

    References
    ----------
    Thesis, section 3.2.2. Bertoni, Valentini (2007), Model order selection for
    bio-molecular data clustering, BMC Bioinformatics 8 (Suppl 2), S7. Bertoni,
    Valentini (2008), BMC Bioinformatics 9 (Suppl 2), S4.
    """

    tau: float = 0.01
    test: str = "chi-square"

    def __post_init__(self) -> None:
        check_share("tau", self.tau, "0.01")
        if self.test not in TESTS:
            raise unknown_name("test", self.test, TESTS)

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        rule = (
            "the ks whose agreements do not differ significantly from the best "
            f"({self.test}, tau = {self.tau:g})"
        )
        asked = [
            i
            for i, k in enumerate(curve.ks)
            if k in facts.asked and np.isfinite(curve.values[i])
        ]
        if not asked:
            return Decision(None, rule, "no two samples have items in common")
        mean, above = curve.values[asked], curve.columns["above"][asked]
        ks = np.asarray(curve.ks)[asked]
        # Worst first; of equal means the smaller k first, so that the larger is kept.
        order = np.lexsort((ks, mean))
        if self.test == "chi-square":
            counts = np.rint(above * facts.repeats)
            kept, p = eliminate_chi_square(counts[order], facts.repeats, self.tau)
        else:
            spread = curve.columns["sd"][asked] ** 2
            kept, p = eliminate_bernstein(
                mean[order],
                spread[order],
                facts.repeats,
                self.tau,
                independent=self.test == "bernstein-independent",
            )
        reliable = sorted(int(k) for k in ks[order][-kept:])
        best = int(order[-1])
        column = np.full(len(curve.ks), np.nan)
        column[np.asarray(asked)[order]] = p
        test = {"p": float(p[len(p) - kept]), "reliable": reliable}
        if not above[order][-kept:].any():
            reason = "no k reaches an agreement of 0.9 in any repeat"
            test["reliable"] = []
            return Decision(1, rule, reason, (1,), {"p": column}, test)
        k = int(ks[best])
        reason = (
            f"mean agreement {mean[best]:.3f} at k = {k}, {above[best]:.0%} of the "
            "repeats above 0.9"
        )
        if mean[best] < REPRODUCED:
            reason = f"no k is reproduced well: {reason}"
        if kept > 1:
            reason += f"; equally reliable: k = {', '.join(map(str, reliable))}"
        return Decision(k, rule, reason, tuple(reliable), {"p": column}, test)


def chi_square(counts: Column, repeats: int) -> tuple[float, float]:
    """Return Y and its p-value, for the same share of good repeats at all ks.

    ``counts`` are the numbers of good repeats, one per k, out of ``repeats`` each.
    A single k differs from nothing: p = 1.

    Examples
    --------
    >>> import numpy as np
    >>> chi_square(np.array([10.0, 10.0, 4.0]), 20)
    (5.0, 0.0820849986238988)
    """
    from scipy.stats import chi2

    theta = float(counts.sum()) / (repeats * len(counts))
    if len(counts) < 2 or theta in (0.0, 1.0):
        return 0.0, 1.0
    y = float((np.square(counts - repeats * theta)).sum())
    y /= repeats * theta * (1 - theta)
    return y, float(chi2.sf(y, len(counts) - 1))


def eliminate_chi_square(
    counts: Column, repeats: int, tau: float
) -> tuple[int, Column]:
    """Drop the first of the (sorted) ks while they differ; return how many remain.

    Also the p-values: entry i is that of the set from i on; NaN where none was made.
    """
    p = np.full(len(counts), np.nan)
    for first in range(len(counts)):
        _, p[first] = chi_square(counts[first:], repeats)
        if p[first] >= tau:
            break
    return len(counts) - first, p


def bernstein_bound(gap: Column, spread: Column, repeats: int) -> Column:
    """Return bounds on the chance of such gaps, if the ks were as good as the best.

    ``gap`` are the mean agreement of the best k minus those of others, ``spread`` the
    sums of their variances. Agreements lie in [0, 1], so by Bernstein's inequality a
    gap has probability at most exp(-H gap^2 / (2 spread + 2 gap / 3)), as
    Bernstein.p.value of the R package mosclust has it.

    Examples
    --------
    >>> import numpy as np
    >>> bernstein_bound(np.array([0.0, 0.05]), np.array([0.1, 0.1]), 100).round(4)
    array([1.    , 0.3425])
    """
    gap = np.asarray(gap, dtype=np.float64)
    below = 2 * np.asarray(spread) + 2 / 3 * gap
    power = np.divide(
        repeats * gap * gap, below, out=np.zeros_like(gap), where=below > 0
    )
    return np.exp(-power)


def eliminate_bernstein(
    mean: Column, spread: Column, repeats: int, tau: float, *, independent: bool = False
) -> tuple[int, Column]:
    """Drop the first of the (sorted) ks while all dropped are worse than the best.

    The chance that any k dropped so far is in truth as good as the best is at most the
    sum of their bounds; nothing is assumed of the distribution or of dependence
    between ks. Entry i of the p-values is that sum up to i.

    If the ks are ``independent``, the chance that all from i on only seem as far below
    the best as they are is at most the product of their bounds: entry i is that
    product. These are the p-values of Bernstein.compute.pvalues and
    Bernstein.ind.compute.pvalues in the R package mosclust.
    """
    # The bound of the best itself is 1, so that it is never dropped.
    bounds = bernstein_bound(mean[-1] - mean, spread[-1] + spread, repeats)
    p: Column
    if independent:
        p = np.multiply.accumulate(bounds[::-1])[::-1]
    else:
        p = np.minimum(np.cumsum(bounds), 1.0)
    first = int(np.argmax(p >= tau))
    return len(mean) - first, p


@dataclass(frozen=True)
class ClosestToOne:
    """Take the k whose agreements are closest to one, if they are close at all.

    k* has the largest mean agreement; of equal ones the largest k. Where that mean is
    below ``close``, no clustering is reproduced, and the answer is 1.

    The thesis reads histograms by eye: "the lowest k such that the distribution at k is
    close to one and that at k + 1 is in a wider range of values". Of 68 ways to say
    this in numbers this one did best on the simulated sets that chose, and on fresh
    ones about as well as any (docs/me_rules.md): coarser partitions of good clusters
    agree well too, but not as well.

    References
    ----------
    Thesis, section 3.2.2. Ben-Hur, Elisseeff, Guyon (2002), Pacific Symposium on
    Biocomputing 7, 6-17.
    """

    close: float = 0.9

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        rule = f"the k with the largest mean agreement, if that reaches {self.close:g}"
        inside = curve.within(facts.asked)
        ks, mean = inside.ks, inside.values
        if not np.isfinite(mean).any():
            return Decision(None, rule, "no two samples have items in common")
        best = float(np.nanmax(mean))
        tied = tuple(k for k, value in zip(ks, mean, strict=True) if value == best)
        k = tied[-1]
        if best < self.close:
            reason = f"the largest mean agreement is {best:.3f}, at k = {k}"
            return Decision(1, rule, reason, (1,))
        share = float(curve.columns["above"][curve.ks.index(k)])
        above = f"{share:.0%} of the repeats above 0.9"
        reason = f"mean agreement {best:.3f} at k = {k}, {above}"
        return Decision(k, rule, reason, tied)


@dataclass(frozen=True)
class Concentrated:
    """Take the last k of the first run of ks whose agreements crowd near one.

    The thesis's reading of ME taken literally: "the lowest k such that the distribution
    at k is close to one and that at k + 1 is in a wider range of values". The
    distribution at k is close to one when at least ``share`` of the repeats agree by
    more than 0.9. k* is the largest k of the first run of such ks. Where there is
    none, the answer is 1: no clustering is reproduced. Where the run continues to the
    last k, agreement says nothing of k: no indication.

    References
    ----------
    Thesis, section 3.2.2. Ben-Hur, Elisseeff, Guyon (2002), Pacific Symposium on
    Biocomputing 7, 6-17.
    """

    share: float = 0.8

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        rule = (
            f"the last k up to which {self.share:.0%} of the repeats agree by more "
            "than 0.9"
        )
        inside = curve.within(facts.asked)
        ks, above = inside.ks, inside.columns["above"]
        run = first_run(above >= self.share)
        if run is None:
            best = int(np.argmax(above))
            reason = (
                f"at no k do {self.share:.0%} of the repeats agree by more than 0.9; "
                f"the most, {above[best]:.0%}, do at k = {ks[best]}"
            )
            return Decision(1, rule, reason, (1,))
        last = run[1]
        if last == len(ks) - 1 and len(ks) > 1:
            reason = f"the agreements are close to one up to k = {ks[-1]}"
            return Decision(None, rule, reason)
        reason = (
            f"{above[last]:.0%} of the repeats agree by more than 0.9 at k = {ks[last]}"
        )
        if last + 1 < len(ks):
            reason += f", {above[last + 1]:.0%} at k = {ks[last + 1]}"
        close = [k for k, a in zip(ks, above, strict=True) if a >= self.share]
        return Decision(ks[last], rule, reason, facts={"close_to_one": close})


def first_run(good: Sequence[bool] | NDArray[np.bool_]) -> tuple[int, int] | None:
    """Return the first and last place of the first run of true values.

    Examples
    --------
    >>> first_run([False, True, True, False, True])
    (1, 2)
    """
    places = np.flatnonzero(np.asarray(good))
    if not len(places):
        return None
    first = last = int(places[0])
    while last + 1 < len(good) and good[last + 1]:
        last += 1
    return first, last
