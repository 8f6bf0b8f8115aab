"""What a run that is not finished would answer: for progress, and for pages redrawn.

A look is a pure function of the work done so far. It changes nothing in the run it
looks at, and its answer is no result: it rests on whichever repeats were finished.
"""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.engine.plan import Plan
from stablek.engine.steps import curve_of
from stablek.paradigm.contracts import Curve, Decision, NullCurves
from stablek.paradigm.cube import PartitionCube

#: With fewer repeats, or null sets, there is nothing worth saying.
LEAST = 4


@dataclass(frozen=True)
class SoFar:
    """The curve of the repeats that are finished, and what it would decide.

    There is no decision where the measure decides by null sets that are not there yet.
    """

    cube: PartitionCube
    curve: Curve
    decision: Decision | None
    nulls: NullCurves | None = None


def so_far(
    plan: Plan, cube: PartitionCube, nulls: NullCurves | None = None
) -> SoFar | None:
    """Return what the finished repeats of a cube say; None if there are too few."""
    done = np.flatnonzero(cube.filled.all(axis=1))
    needs = plan.measure.collect.original
    if len(done) < min(LEAST, cube.repeats) or (needs and cube.original is None):
        return None
    part = PartitionCube(len(done), cube.ks, cube.roles, cube.n)
    part.labels[...] = cube.labels[done]
    part.filled[...] = True
    part.original = cube.original
    with warnings.catch_warnings():
        # Few repeats give empty means and the like; what matters is said at the end.
        warnings.simplefilter("ignore")
        curve = curve_of(plan, part)
        decision = None
        sets = next(iter(nulls.columns.values())).shape[1] if nulls else 0
        if plan.measure.null is None or sets >= LEAST:
            facts = plan.facts(len(done))
            decision = plan.measure.significance(curve, nulls, facts)
    return SoFar(part, curve, decision, nulls)


def best_so_far(plan: Plan, cube: PartitionCube) -> int | None:
    """Return the k that the finished repeats would choose; None if unknown."""
    snapshot = so_far(plan, cube)
    decision = snapshot.decision if snapshot else None
    return decision.k_star if decision else None


def best_against(
    plan: Plan, curve: Curve, columns: Mapping[str, NDArray[Any]], repeats: int
) -> int | None:
    """Return the k that a curve would choose against the null sets that are there.

    ``columns`` have shape (runs, sets, ks), NaN where a set is missing; only the
    first run is used.
    """
    done = np.isfinite(next(iter(columns.values()))[0]).any(axis=1)
    if done.sum() < LEAST:
        return None
    first_sets = {name: column[:1, done] for name, column in columns.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nulls = NullCurves("so far", first_sets)
        return plan.measure.significance(curve, nulls, plan.facts(repeats)).k_star
