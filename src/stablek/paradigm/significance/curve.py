"""Rules that read one curve.

What the thesis reads by eye, a rule here reads by a stated criterion. Its constants
are chosen on simulated curves and data only; `stablek bench rules` repeats the choice.
"""

from dataclasses import dataclass

import numpy as np

from stablek.paradigm.contracts import Column, Curve, Decision, Facts, Nulls


@dataclass(frozen=True)
class KrzanowskiLai:
    """Take the k with the largest KL(k) = |DIFF(k) / DIFF(k+1)|, for k >= 2.

    DIFF(k) = (k-1)^(2/m) W(k-1) - k^(2/m) W(k). Where DIFF(k+1) is zero the ratio is
    not defined and k is passed over. KL cannot answer 1.

    References
    ----------
    Thesis, section 2.2.1, equations for DIFF and KL. Krzanowski, Lai (1988), Biometrics
    44, 23-34, Eqs. 2.1 and 2.2.
    """

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        rule = "the largest KL(k) = |DIFF(k) / DIFF(k+1)|"
        diff = difference(curve.ks, curve.values, facts.m)
        index = np.full(len(diff), np.nan)
        with np.errstate(invalid="ignore", divide="ignore"):
            index[:-1] = np.abs(diff[:-1] / diff[1:])
        index[~np.isfinite(index)] = np.nan
        columns = {"diff": diff, "kl": index}
        asked = [k for k in facts.asked if k >= 2]
        places = [curve.ks.index(k) for k in asked]
        known = index[places]
        if not np.isfinite(known).any():
            reason = "KL is defined at no k: WCSS does not change"
            return Decision(None, rule, reason, columns=columns)
        k_star = asked[int(np.nanargmax(known))]
        reason = f"KL({k_star}) = {np.nanmax(known):.2f}"
        return Decision(k_star, rule, reason, columns=columns)


@dataclass(frozen=True)
class LargestDifference:
    """DIFF-FOM: take the k in [``first``, k_max] with the largest DIFF(k).

    DIFF is Krzanowski and Lai's, taken of the FOM curve. It starts at 3 because DIFF(2)
    would need FOM(1), the spread of the column itself.

    References
    ----------
    Thesis, section 7.3 (DIFF-FOM).
    """

    first: int = 3

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        rule = f"the largest DIFF(k) from k = {self.first} on"
        diff = difference(curve.ks, curve.values, facts.m)
        places = [
            curve.ks.index(k)
            for k in facts.asked
            if k >= self.first and np.isfinite(diff[curve.ks.index(k)])
        ]
        columns = {"diff": diff}
        if not places:
            reason = f"DIFF is known at no k from {self.first} on; ask for more ks"
            return Decision(None, rule, reason, columns=columns)
        at = places[int(np.argmax(diff[places]))]
        reason = f"DIFF({curve.ks[at]}) = {diff[at]:.4g}"
        return Decision(curve.ks[at], rule, reason, columns=columns)


def difference(ks: tuple[int, ...], values: Column, m: int) -> Column:
    """Return DIFF(k) = (k-1)^(2/m) y(k-1) - k^(2/m) y(k); NaN at the first k."""
    scaled = np.asarray(ks, float) ** (2 / m) * values
    diff = np.full(len(ks), np.nan)
    diff[1:] = scaled[:-1] - scaled[1:]
    return diff


@dataclass(frozen=True)
class Segments:
    r"""G-Gap and G-FOM: a straight line replaces the null curve.

    The end points of the log curve y are raised by ``raise_by`` (the thesis's a) and
    joined by a line; the segment at k is the line minus the curve. From k = p to q,

    .. math:: s(k) = a + y(p) + \frac{k - p}{q - p} (y(q) - y(p)) - y(k)

    k* is the first local maximum of the segments; the first k qualifies if the segments
    fall from there on, so G-Gap can answer 1. Raising the line lengthens all segments
    alike and moves nothing.

    References
    ----------
    Thesis, sections 7.2 (G-Gap) and 7.3 (G-FOM).
    """

    raise_by: float = 0.0

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        rule = "the first local maximum of the segments under a line through the ends"
        inside = curve.at(facts.asked)
        logs = inside.values
        if curve.main != "log_wcss":
            logs = np.log(np.maximum(logs, 1e-12 * float(np.max(logs)) or 1.0))
        length = segments(np.asarray(inside.ks, float), logs) + self.raise_by
        whole = np.full(len(curve.ks), np.nan)
        whole[[curve.ks.index(k) for k in inside.ks]] = length
        columns = {"segment": whole}
        if len(length) < 2:
            reason = "one k has no line to compare with; ask for a range"
            return Decision(None, rule, reason, columns=columns)
        rises = np.r_[True, length[1:] > length[:-1]]
        falls = np.r_[length[:-1] >= length[1:], True]
        at = int(np.flatnonzero(rises & falls)[0])
        k_star = inside.ks[at]
        reason = f"the segment at k = {k_star} is {length[at]:.3f} long"
        return Decision(k_star, rule, reason, columns=columns)


def segments(x: Column, y: Column) -> Column:
    """Return how far each point lies below the line through the first and the last.

    Examples
    --------
    >>> segments(np.array([1.0, 2.0, 3.0]), np.array([4.0, 1.0, 0.0]))
    array([0., 1., 0.])
    """
    if len(x) < 2:
        return np.zeros(len(x))
    line = y[0] + (y[-1] - y[0]) * (x - x[0]) / (x[-1] - x[0])
    length: Column = line - y
    length[[0, -1]] = 0.0
    return length
