"""Run one measure, or several at once that share their clusterings.

The bits are those of running each measure alone, because every random draw is keyed by
what it is for and never by the measure that asked.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from stablek.engine.execution.cost import check_memory
from stablek.engine.execution.execute import Execution
from stablek.engine.plan import Plan
from stablek.engine.run import (
    DataCurve,
    Journal,
    Outcome,
    Watch,
    Worker,
    data_curve,
    decided,
    null_curves,
)
from stablek.paradigm.contracts import Curve, NullCurves, NullModel
from stablek.paradigm.joint import (
    JointCurve,
    Member,
    join_measures,
    joint_curve,
    nulls_of,
)


@dataclass(frozen=True)
class Pass:
    """Plans that read the same clusterings, and where they stand among all plans."""

    places: tuple[int, ...]
    plans: tuple[Plan, ...]

    @property
    def plan(self) -> Plan:
        """All of them as one plan."""
        return joint_plan(self.plans)


def passes(plans: Sequence[Plan]) -> list[Pass]:
    """Return the plans in as few passes over the data as they need."""
    groups: dict[Hashable, list[int]] = {}
    for place, plan in enumerate(plans):
        groups.setdefault(_shared_by(plan, place), []).append(place)
    return [
        Pass(tuple(group), tuple(plans[place] for place in group))
        for group in groups.values()
    ]


def _shared_by(plan: Plan, place: int) -> Hashable:
    """Return what plans of one pass have in common; the place itself if nothing."""
    measure = plan.measure
    alone = (
        len(plan.checkpoints) > 1  # the measure itself says when to stop
        or measure.depends_on_kmax
        or not plan.clusterer.native  # foreign code may fail at a k of another's
    )
    if alone:
        return place
    key = (
        id(plan.data), plan.seed, plan.clusterer, measure.perturb, measure.split,
        measure.assign, measure.train, plan.shared, measure.collect.roles,
    )  # fmt: skip
    try:
        hash(key)
    except TypeError:
        return place
    return key


def joint_plan(plans: Sequence[Plan]) -> Plan:
    """Return several plans as one that covers the ks and repeats of all."""
    first = plans[0]
    if len(plans) == 1:
        return first
    members = [
        Member(plan.measure, plan.ks, plan.asked, plan.checkpoints[-1])
        for plan in plans
    ]
    ks = range(min(p.ks[0] for p in plans), max(p.ks[-1] for p in plans) + 1)
    asked = range(min(p.asked[0] for p in plans), max(p.asked[-1] for p in plans) + 1)
    return replace(
        first,
        measure=join_measures(members).with_(share_samples=first.shared),
        ks=tuple(ks),
        asked=tuple(asked),
    )


def run_pass(
    one: Pass,
    execution: Execution | None = None,
    journal: Journal | None = None,
    watch: Watch | None = None,
) -> tuple[Outcome, ...]:
    """Run the measures of one pass; return what each of them says.

    ``watch(what, done, total)`` is called with the progress. If it has a method
    ``best``, that is given functions, now and then, that return the k which the work
    done so far would give; whether to call them is for the watch to decide.
    """
    execution = execution or Execution()
    plan = one.plan
    check_memory(plan, execution)
    plan.clusterer.prepare(plan.data)
    worker = Worker(plan, execution, journal, watch)
    data = data_curve(plan, worker)
    curves = parts_of(data.curve)
    nulls = _nulls(one.plans, curves, data.repeats, worker)
    if len(curves) == 1:
        outcome = decided(plan, data, nulls[0])
        worker.look(lambda: outcome.decision.k_star)
        return (outcome,)
    outcomes = []
    for part, curve, null in zip(one.plans, curves, nulls, strict=True):
        repeats = min(part.checkpoints[-1], data.repeats)
        cube = data.cube.at(part.ks).first(repeats)
        stopped = f"the limit of {repeats} repeats was reached"
        mine = DataCurve(cube, curve, repeats, stopped, data.failures)
        outcomes.append(decided(part, mine, null))
    return tuple(outcomes)


def run(
    plan: Plan,
    execution: Execution | None = None,
    journal: Journal | None = None,
    watch: Watch | None = None,
) -> Outcome:
    """Carry out Stability_Measure (or its fast form): a pass of one plan."""
    return run_pass(Pass((0,), (plan,)), execution, journal, watch)[0]


def parts_of(curve: Curve) -> tuple[Curve, ...]:
    """Return the curves of the members of a joint curve; the curve itself if alone."""
    return curve.parts if isinstance(curve, JointCurve) else (curve,)


def _nulls(
    plans: Sequence[Plan], curves: Sequence[Curve], most: int, worker: Worker
) -> list[NullCurves | None]:
    """Return each measure's null curves; those of one null model share its sets.

    They have as many repeats as their measures had on the data, ``most`` at the most.
    """
    groups: dict[tuple[NullModel, int, int], list[int]] = {}
    for place, plan in enumerate(plans):
        measure = plan.measure
        if measure.null is not None and measure.null_sets:
            key = (measure.null, measure.null_sets, measure.runs)
            groups.setdefault(key, []).append(place)
    every: list[NullCurves | None] = [None] * len(plans)
    for (model, sets, runs), places in groups.items():
        some = [plans[place] for place in places]
        plan = joint_plan(some)
        own = replace(worker, plan=plan, paces={})
        repeats = min(most, max(p.checkpoints[-1] for p in some))
        curve = (
            curves[places[0]]
            if len(some) == 1
            else joint_curve([curves[place] for place in places], plan.ks)
        )
        drawn = null_curves(own, model, sets, repeats, runs, curve)
        for at, place in enumerate(places):
            every[place] = (
                drawn if len(some) == 1 else nulls_of(drawn, plan.ks, at, curves[place])
            )
    return every
