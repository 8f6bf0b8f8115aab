"""Null calibration of any measure: how far its curve is from that of no clusters.

The same measure, with the same algorithm, repeats and rule, is run on B data sets of a
null model. The column the measure declares as ``better`` is compared at every k, and
over all ks at once, so that looking at many ks is paid for.

Which null? The correlation-preserving Gaussian ("gaussian", M3C's) is the default: the
box along the principal components ("box", Gap's pc) is a harder null for stability at
k = 2, where a split box is itself stable, and an easier one for dispersion. Any null
model of ``stablek.perturb.null`` can be named. A Gaussian alone is beaten by uniform
and skewed data more often than its level says; ``stablek.verdict`` therefore asks for
three nulls, and ``stablek bench trust`` publishes the p-values of each of them against
every kind of null data.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.contracts import Column, Curve, NullModel
from stablek.engine.execute import Execution
from stablek.engine.plan import Plan
from stablek.engine.run import Journal, Outcome, Watch, calibration_curves
from stablek.errors import InputError
from stablek.perturb.null import null_model

#: Other words for two null models of ``stablek.perturb.null``.
ALIASES = {"gaussian": "m3c", "box": "pc"}

#: No evidence of clusters unless p is at most this, or the smallest p that the number
#: of null sets can give.
LEVEL = 0.01


@dataclass(frozen=True)
class Calibration:
    """A curve held against the same curve on null sets.

    Parameters
    ----------
    excess
        Data minus the mean of the null sets at each k, positive if the data look more
        clustered.
    score
        ``excess`` in standard deviations of the null sets (at least half the median
        standard deviation over the ks, so that a k at which all null sets agree does
        not decide alone).
    p
        At each k, (1 + null sets at least as good) / (1 + null sets).
    p_any
        The same for the largest score over all ks: is there any structure at all?
    """

    excess: Column
    score: Column
    p: Column
    p_any: float


def compare(data: Column, nulls: NDArray[np.float64], direction: str) -> Calibration:
    """Return how a curve stands against null curves.

    Parameters
    ----------
    data : array of shape (ks,)
    nulls : array of shape (null sets, ks)
    direction : {"high", "low"}
        Whether larger or smaller is more clustered.

    Notes
    -----
    For ``p_any`` every curve, the data's own among them, is standardised by mean and
    standard deviation of all B + 1 curves. Under the null they are exchangeable, so
    P(p_any <= a) <= a exactly, whatever the shape of the curves. Standardising by the
    null sets alone would favour the data, which have no part in it.

    References
    ----------
    Davison, Hinkley (1997), Bootstrap Methods and their Application, section 4.2.
    Westfall, Young (1993), Resampling-based Multiple Testing, section 2.3 (the largest
    statistic). John et al. (2020), Scientific Reports 10, 1816 (M3C).

    Examples
    --------
    >>> nulls = np.tile(np.linspace(0, 1, 19)[:, None], 3)
    >>> compare(np.array([0.5, 3.0, 0.4]), nulls, "high").p_any
    0.05
    """
    sign = -1.0 if direction == "low" else 1.0
    own, others = sign * np.asarray(data, float), sign * np.asarray(nulls, float)
    sets = len(others)
    excess = own - others.mean(axis=0)
    score = excess / spread(others)
    p = (1 + (others >= own).sum(axis=0)) / (1 + sets)
    pooled = np.vstack([own, others])
    known = np.isfinite(pooled).all(axis=0)
    if not known.any():
        return Calibration(excess, score, p, 1.0)
    pooled = pooled[:, known]
    top = ((pooled - pooled.mean(axis=0)) / spread(pooled)).max(axis=1)
    # A relative tolerance: curves that are equal must not differ by a rounding.
    beaten = int((top[1:] >= top[0] - 1e-9 * abs(top[0])).sum())
    return Calibration(excess, score, p, (1 + beaten) / (1 + sets))


def spread(curves: NDArray[np.float64]) -> Column:
    """Return the standard deviation at each k, at least half its median over the ks."""
    sd = curves.std(axis=0, ddof=1) if len(curves) > 1 else np.ones(curves.shape[1])
    known = sd[np.isfinite(sd)]
    floor = 0.5 * float(np.median(known)) if known.size else 1.0
    widest: Column = np.maximum(np.nan_to_num(sd, nan=1.0), floor or 1e-12)
    return widest


def calibrated(
    plan: Plan,
    outcome: Outcome,
    sets: int,
    null: str | NullModel = "gaussian",
    *,
    level: float = LEVEL,
    execution: Execution | None = None,
    journal: Journal | None = None,
    watch: Watch | None = None,
) -> Outcome:
    """Return the outcome with its calibration; k* becomes 1 where nothing stands out.

    Adds the columns ``excess``, ``score`` and ``p``, and the fact ``calibration``. The
    null sets are tasks of the engine: resumable, and run by any backend.
    """
    if sets < 1:
        msg = f"calibrate = {sets}: at least 1 null set is needed, 99 for p = 0.01"
        raise InputError(msg)
    model = calibrating_model(null)
    column, direction = compared_column(plan, outcome.curve)
    curves = calibration_curves(
        plan, model, sets, outcome.repeats, execution, journal, watch
    )
    curve = outcome.curve
    inside = [curve.ks.index(k) for k in plan.asked]
    found = compare(
        curve.columns[column][inside], curves.columns[column][0][:, inside], direction
    )
    decision = outcome.decision
    shown = {
        name: _spread_out(values, inside, len(curve.ks))
        for name, values in (
            ("excess", found.excess), ("score", found.score), ("p", found.p)
        )
    }  # fmt: skip
    limit = max(level, 1 / (1 + sets))
    facts: dict[str, Any] = {
        "null": model.name,
        "null_sets": sets,
        "column": column,
        "p_any": found.p_any,
        "level": limit,
    }
    text = f"p = {found.p_any:.2g} against {sets} null sets ({model.name}, {column})"
    if found.p_any <= limit + 1e-12:
        decision = replace(decision, reason=f"{decision.reason}; {text}")
    elif decision.k_star != 1:
        facts["k_without_calibration"] = decision.k_star
        decision = replace(
            decision,
            k_star=1,
            candidates=(1,),
            reason=f"{text}, not small enough; the curve alone would say "
            f"{decision.k_star}",
        )
    else:
        decision = replace(decision, reason=f"{decision.reason}; {text}")
    decision = replace(
        decision,
        columns={**decision.columns, **shown},
        facts={**decision.facts, "calibration": facts},
    )
    return replace(outcome, decision=decision)


def calibrating_model(null: str | NullModel) -> NullModel:
    """Return the null model of a name, which may be one of the other words."""
    return null_model(ALIASES.get(null, null) if isinstance(null, str) else null)


def compared_column(plan: Plan, curve: Curve) -> tuple[str, str]:
    """Return the column to calibrate, and which way is more clustered."""
    if plan.measure.better is not None:
        return plan.measure.better
    if curve.better in ("high", "low"):
        return curve.main, curve.better
    msg = (
        f"{plan.measure.name} names no column that null sets can be compared by; "
        "calibrate fc, me, levine-domany or another measure of stability"
    )
    raise InputError(msg)


def _spread_out(values: Column, places: list[int], count: int) -> Column:
    whole = np.full(count, np.nan)
    whole[places] = values
    return whole
