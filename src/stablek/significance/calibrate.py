"""The rule that any curve can be given: stand out from the same curve on null data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stablek.contracts import Curve, Decision, Facts, NullCurves
from stablek.errors import InputError


@dataclass(frozen=True)
class AgainstNull:
    """Take the k that stands out most from null sets, if any does.

    z(k) is the main column minus its mean over null sets, in their standard deviations,
    signed so that large is good. The p-value of "any structure at all" compares the
    largest z of the data with the largest z of each null set, (1 + #) / (1 + B), so
    that looking at many ks is paid for. k* has the largest z, or is 1 where that
    p-value is above ``level``.
    """

    level: float = 0.05

    def __call__(
        self, curve: Curve, nulls: NullCurves | None, facts: Facts
    ) -> Decision:
        """Return the decision."""
        if nulls is None:
            msg = "against-null needs null sets; give a null model and their number"
            raise InputError(msg)
        rule = (
            f"the k that stands out most from null sets ({nulls.model}), at level "
            f"{self.level:g}"
        )
        drawn = nulls.columns[curve.main].reshape(-1, len(curve.ks))
        if len(drawn) < 2:
            msg = "against-null needs at least 2 null sets, better 19 or more"
            raise InputError(msg)
        sign = -1.0 if curve.better == "low" else 1.0
        middle, spread = drawn.mean(axis=0), drawn.std(axis=0, ddof=1)
        # Null sets that all agree (a share of 0, say) give no scale of their own.
        spread = np.maximum(spread, 1e-9)
        z = sign * (curve.values - middle) / spread
        null_z = sign * (drawn - middle) / spread
        asked = np.isin(curve.ks, facts.asked) & np.isfinite(z)
        if not asked.any():
            return Decision(None, rule, f"{curve.main} is not defined at any k")
        best = int(np.argmax(np.where(asked, z, -np.inf)))
        reached = int((null_z[:, asked].max(axis=1) >= z[best]).sum())
        p = (1 + reached) / (1 + len(drawn))
        each = (1 + (null_z >= z).sum(axis=0)) / (1 + len(drawn))
        columns = {"null": middle, "z": z, "p": np.where(np.isfinite(z), each, np.nan)}
        k = int(curve.ks[best]) if p <= self.level else 1
        reason = (
            f"{curve.main}({curve.ks[best]}) = {curve.values[best]:.3f}, on null sets "
            f"{middle[best]:.3f}: z = {z[best]:.1f}, p = {p:.3f} for any structure"
        )
        return Decision(k, rule, reason, (k,), columns, {"p": p})
