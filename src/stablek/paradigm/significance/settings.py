"""The rule for a list of settings that are not ks, such as resolutions."""

from dataclasses import dataclass

import numpy as np

from stablek.paradigm.contracts import Column, Curve, Decision, Facts, Nulls


@dataclass(frozen=True)
class LastAsGood:
    """Take the last setting whose agreement is within the error of the best.

    With settings from coarse to fine this is the finest partition that is as well
    reproduced as any: the one-standard-error rule of Breiman et al., turned to the fine
    side, because a coarse partition of good clusters is reproduced well too.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), Classification and Regression Trees,
    section 3.4.3. Patterson-Cross, Levine, Menon (2021), BMC Bioinformatics 22, 39
    (chooseR), take the finest resolution within a confidence interval of the best, too.
    """

    errors: float = 1.0

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision; "k" is the place of a setting."""
        rule = (
            f"the last setting whose agreement is within {self.errors:g} standard "
            "error(s) of the best"
        )
        mean = curve.values
        best = int(np.nanargmax(mean)) if np.isfinite(mean).any() else 0
        if not mean[best] > 0:
            reason = "no setting gives clusters that subsamples reproduce"
            return Decision(1, rule, reason, (1,))
        error: Column = curve.columns[curve.error or ""]
        near = mean >= mean[best] - self.errors * error[best] - 1e-12
        places = tuple(k for k, good in zip(curve.ks, near, strict=True) if good)
        at = curve.ks.index(places[-1])
        reason = (
            f"agreement {mean[at]:.3f}, best {mean[best]:.3f}; "
            f"{curve.columns['clusters'][at]:g} clusters in the median subsample"
        )
        return Decision(places[-1], rule, reason, places)
