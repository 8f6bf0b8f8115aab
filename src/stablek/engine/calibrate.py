"""Null calibration of any measure: how far its curve is from that of no clusters.

The same measure, with the same algorithm, repeats and rule, is run on B data sets of a
null model. The column the measure declares as ``better`` is compared at every k, and
over all ks at once, so that looking at many ks is paid for.

Which null? The correlation-preserving Gaussian ("gaussian", M3C's) is the default: the
box along the principal components ("box", Gap's pc) is a harder null for stability at
k = 2, where a split box is itself stable, and an easier one for dispersion. Any null
model of ``stablek.paradigm.perturb.null`` can be named. A Gaussian is beaten by uniform
and skewed data more often than its level says; ``stablek.verdict`` therefore asks for
three nulls, and ``stablek bench trust`` publishes the p-values of each of them against
every kind of null data.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from stablek.engine.execution.execute import Execution
from stablek.engine.plan import Plan
from stablek.engine.run import (
    Journal,
    Outcome,
    Watch,
    Worker,
    missing_note,
    null_curves,
)
from stablek.errors import InputError
from stablek.paradigm.contracts import Column, Curve, NullModel, SaysIfKnee
from stablek.paradigm.measure import Measure
from stablek.paradigm.perturb.null import null_of_data
from stablek.paradigm.significance.calibrate import compare

#: Other words for two null models of ``stablek.paradigm.perturb.null``.
ALIASES = {"gaussian": "m3c", "box": "pc"}

#: No evidence of clusters unless p is at most this, or the smallest p that the number
#: of null sets can give.
LEVEL = 0.01


def calibrate_outcome(
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
    model = checked_model(null, sets, level)
    column, direction = compared_column(plan, outcome.curve)
    curve = outcome.curve
    worker = Worker(plan, execution or Execution(), journal, watch)
    curves = null_curves(worker, model, sets, outcome.repeats, 1, curve)
    inside = [curve.ks.index(k) for k in plan.asked]
    against = compare(
        curve.columns[column][inside], curves.columns[column][0][:, inside], direction
    )
    decision = outcome.decision
    shown = {
        name: _spread_out(values, inside, len(curve.ks))
        for name, values in (
            ("excess", against.excess), ("score", against.score), ("p", against.p)
        )
    }  # fmt: skip
    limit = max(level, 1 / (1 + sets))
    facts: dict[str, Any] = {
        "null": model.name,
        "null_sets": sets,
        "column": column,
        "p_any": against.p_any,
        "level": limit,
    }
    text = f"p = {against.p_any:.2g} against {sets} null sets ({model.name}, {column})"
    if curves.missing:
        facts["missing"] = curves.missing
        text += f"; {missing_note(curves)}"
    if against.p_any <= limit + 1e-12 or decision.k_star == 1:
        decision = replace(decision, reason=f"{decision.reason}; {text}")
    else:
        facts["k_without_calibration"] = decision.k_star
        decision = replace(
            decision,
            k_star=1,
            candidates=(1,),
            reason=f"{text}, which is not small enough; the curve alone would say "
            f"{decision.k_star}",
        )
    decision = replace(
        decision,
        columns={**decision.columns, **shown},
        facts={**decision.facts, "calibration": facts},
    )
    failures = (*outcome.failures, *curves.failures)
    # What other seeds would choose is said of the curve, not of the null sets.
    others = {} if "k_without_calibration" in facts else outcome.others
    return replace(outcome, decision=decision, failures=failures, others=others)


def checked_model(null: str | NullModel, sets: int, level: float) -> NullModel:
    """Return the null model; refuse a number of sets or a level that are none."""
    if sets < 1:
        raise InputError(
            f"calibrate = {sets}: at least 1 null set is needed, 99 for p = 0.01"
        )
    if not 0 < level <= 1:
        raise InputError(f"level = {level:g} must lie in (0, 1], e.g. 0.01")
    return calibrating_model(null)


def calibrating_model(null: str | NullModel) -> NullModel:
    """Return the null model of a name, which may be one of the other words."""
    return null_of_data(ALIASES.get(null, null) if isinstance(null, str) else null)


def compared_column(plan: Plan, curve: Curve) -> tuple[str, str]:
    """Return the column to calibrate, and which way is more clustered."""
    if plan.measure.better is not None:
        return plan.measure.better
    if curve.better in ("high", "low"):
        return curve.main, curve.better
    raise _uncomparable(plan.measure)


def check_calibrates(measure: Measure) -> None:
    """Refuse, before anything runs, a measure whose curve has no better end."""
    synopsis = measure.synopsis
    at_knee = isinstance(synopsis, SaysIfKnee) and synopsis.knee
    if measure.better is None and at_knee:
        raise _uncomparable(measure)


def _uncomparable(measure: Measure) -> InputError:
    return InputError(
        f"{measure.name} has no column by which to compare null sets; "
        "calibrate fc, me, levine-domany or another measure of stability"
    )


def _spread_out(values: Column, places: list[int], count: int) -> Column:
    whole = np.full(count, np.nan)
    whole[places] = values
    return whole
