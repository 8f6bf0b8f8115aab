"""Rules that read one curve.

What the thesis reads by eye, a rule here reads by a stated criterion. Its constants
are chosen on simulated curves and data only; `stablek bench rules` repeats the choice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stablek.contracts import Column, Curve, Decision, Facts, NullCurves


@dataclass(frozen=True)
class AreaSettles:
    """Take the last k at which the consensus area still grew markedly.

    g(k) = (A(k) - A(k-1)) / A(k-1) is the relative growth of the area into k, with the
    running maximum of A for A (the Delta' of Monti et al.; the same as A where A never
    falls). k* is the largest k with g(k) >= ``least`` and g(k) >= ``drop`` times the
    mean of the ``window`` growths that follow: there the Delta curve falls, and from
    there on it is level. Where no k qualifies the area never settles visibly, and the
    smallest k is returned.

    A fixed threshold on g, the common reading of a Delta plot, cannot serve: k equal
    clusters that are perfectly stable give g(k) = 1 / (k (k - 2)), 33 % at 3 and 2 %
    at 8. The constants were chosen on simulated mixtures.

    References
    ----------
    Thesis, section 3.3.1, rules (i) and (ii). Monti, Tamayo, Mesirov, Golub (2003),
    Machine Learning 52, 91-118, section 3.3.1.
    """

    drop: float = 3.0
    least: float = 0.02
    window: int = 3

    def __call__(
        self, curve: Curve, nulls: NullCurves | None, facts: Facts
    ) -> Decision:
        """Return the decision."""
        del nulls
        rule = (
            f"the last k where the area grows by at least {self.least:.0%} and "
            f"{self.drop:g} times as much as over the next {self.window}"
        )
        growth = area_growth(curve.columns["area"])
        after = following_mean(growth, self.window)
        with np.errstate(invalid="ignore"):
            marked = (growth >= self.least) & (growth >= self.drop * after)
        marked &= np.isin(curve.ks, facts.asked)
        columns = {"growth": growth}
        if not marked.any():
            reason = "the area never settles visibly; the smallest k is returned"
            return Decision(facts.asked[0], rule, reason, columns=columns)
        at = int(np.flatnonzero(marked)[-1])
        k_star = curve.ks[at]
        reason = (
            f"up to k = {k_star} the consensus area grows, by {growth[at]:.1%} at the "
            f"last step, then by {max(after[at], 0):.1%} per step"
        )
        return Decision(k_star, rule, reason, columns=columns)


def area_growth(area: Column) -> Column:
    """Return the relative growth of the running maximum of the area into each k."""
    top = np.maximum.accumulate(area)
    growth = np.full(len(area), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        growth[1:] = np.diff(top) / top[:-1]
    growth[~np.isfinite(growth)] = np.nan
    return growth


def following_mean(values: Column, window: int) -> Column:
    """Return the mean of up to ``window`` values that follow; infinite at the end."""
    after = np.full(len(values), np.inf)
    for place in range(len(values) - 1):
        after[place] = np.mean(values[place + 1 : place + 1 + window])
    return after


@dataclass(frozen=True)
class Knee:
    """Take the knee of a falling curve: the point farthest below its chord.

    Both axes are scaled to [0, 1]; the knee is where the curve lies farthest below
    the straight line from its first to its last point.

    References
    ----------
    Satopaa, Albrecht, Irwin, Raghavan (2011), "Finding a kneedle in a haystack",
    ICDCS Workshops, 166-171, section III.
    """

    def __call__(
        self, curve: Curve, nulls: NullCurves | None, facts: Facts
    ) -> Decision:
        """Return the decision."""
        del nulls, facts
        rule = "the knee: the point of the curve farthest below its chord"
        depth = below_chord(np.asarray(curve.ks, float), curve.values)
        if not np.isfinite(depth).any() or np.nanmax(depth) <= 0:
            return Decision(
                None, rule, "the curve has no knee: it never bends downwards"
            )
        k_star = int(curve.ks[int(np.nanargmax(depth))])
        return Decision(
            k_star,
            rule,
            f"the curve lies {np.nanmax(depth):.2f} of its range below its chord at "
            f"k = {k_star}",
            columns={"below_chord": depth},
        )


def below_chord(x: Column, y: Column) -> Column:
    """Return how far a curve lies below the chord of its ends, both axes in [0, 1]."""
    width, height = x[-1] - x[0], y[0] - y[-1]
    if width <= 0 or not np.isfinite(height) or height <= 0:
        return np.full(len(x), np.nan)
    return 1 - (x - x[0]) / width - (y - y[-1]) / height
