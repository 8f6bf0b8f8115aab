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
    """Take the k from which on the consensus area stops growing.

    k* is the smallest k such that for all larger ones asked for the area grows by less
    than ``growth``, relative to itself: (A(k+1) - A(k)) / A(k) < growth. With
    ``column`` "delta_prime" the running maximum of the area is read instead, as Monti
    et al. advise for algorithms that are not hierarchical.
    """

    growth: float = 0.02
    running_maximum: bool = True

    def __call__(
        self, curve: Curve, nulls: NullCurves | None, facts: Facts
    ) -> Decision:
        """Return the decision."""
        del nulls
        rule = (
            f"the smallest k after which the area grows by less than {self.growth:.1%}"
        )
        area = curve.columns["area"]
        if self.running_maximum:
            area = np.maximum.accumulate(area)
        ks = np.asarray(curve.ks)
        with np.errstate(invalid="ignore", divide="ignore"):
            change = np.diff(area) / area[:-1]
        inside = np.isin(ks[:-1], facts.asked) & np.isin(ks[1:], facts.ks)
        growing = ks[:-1][inside & (change >= self.growth)]
        k_star = int(growing.max()) + 1 if len(growing) else int(facts.asked[0])
        k_star = min(k_star, facts.asked[-1])
        at = int(np.flatnonzero(ks == k_star)[0])
        last = f"A({k_star}) = {area[at]:.3f}"
        if at > 0:
            last += f", up {change[at - 1]:.1%} from k = {ks[at - 1]}"
        return Decision(k_star, rule, f"{last}; it grows by less from there on")


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
