"""Clest's rule: the agreement must beat what null data reach, and by enough."""

from dataclasses import dataclass

import numpy as np

from stablek.errors import InputError
from stablek.paradigm.contracts import Curve, Decision, Facts, Nulls


@dataclass(frozen=True)
class ClestRule:
    """Take the k whose agreement exceeds that of null sets most, if it does at all.

    With t_k the median agreement of the data and t_k,b that of null set b: d_k = t_k
    minus the mean of the t_k,b, and p_k the share of null sets that reach t_k. K are
    the ks with p_k <= p_max and d_k >= d_min; k* is the one with the largest d_k, or 1
    if K is empty.

    p_k is (1 + #) / (1 + B), so that B = 20 null sets and p_max = 0.05 tolerate none
    that reaches t_k (one would give 2/21 = 0.095). ``proportion`` takes the thesis's
    plain # / B instead, which tolerates one.

    References
    ----------
    Thesis, section 3.3.3, Fig. Significance_Analysis for Clest. Dudoit, Fridlyand
    (2002), Genome Biology 3, research0036, steps 1-4.
    """

    p_max: float = 0.05
    d_min: float = 0.05
    proportion: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.p_max <= 1:
            raise InputError(
                f"p_max = {self.p_max:g} must lie between 0 and 1, e.g. 0.05"
            )

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        if nulls is None:
            raise InputError(
                "Clest's rule needs null sets; give a null model and null_sets >= 1"
            )
        rule = (
            f"Clest: the largest d among the ks with p <= {self.p_max:g} and "
            f"d >= {self.d_min:g}, else 1"
        )
        reference = nulls.columns[curve.main].reshape(-1, len(curve.ks))
        t, t0 = curve.values, reference.mean(axis=0)
        reached = (reference >= t).sum(axis=0)
        sets = len(reference)
        p = reached / sets if self.proportion else (1 + reached) / (1 + sets)
        d = t - t0
        asked = np.isin(curve.ks, facts.asked)
        good = asked & (p <= self.p_max) & (d >= self.d_min)
        columns = {"null": t0, "d": d, "p": p}
        if not good.any():
            best = int(np.argmax(np.where(asked, d, -np.inf)))
            reason = (
                f"no k agrees clearly better than {sets} null sets: the largest "
                f"difference is d({curve.ks[best]}) = {d[best]:.3f}, p = {p[best]:.3f}"
            )
            return Decision(1, rule, reason, (1,), columns)
        best = int(np.argmax(np.where(good, d, -np.inf)))
        k = curve.ks[best]
        reason = (
            f"at k = {k} the median agreement is {t[best]:.3f}, in null sets "
            f"{t0[best]:.3f}: d = {d[best]:.3f}, p = {p[best]:.3f}"
        )
        alike = tuple(int(curve.ks[i]) for i in np.flatnonzero(good & (d == d[best])))
        test = {"significant": [int(curve.ks[i]) for i in np.flatnonzero(good)]}
        return Decision(k, rule, reason, alike, columns, test)
