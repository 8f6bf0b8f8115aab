"""What to do now: the last words of a verdict."""

from __future__ import annotations

import re

from stablek.panel.scaling import Scaling

MANY_COLUMNS = 500


def column_step(name: str, share: float) -> str:
    """Return what to do where one column holds nearly all of the variance."""
    return (
        f"Column '{name}' holds {int(100 * share)} % of the variance: try --prepare "
        "standardise-columns."
    )


def depth_step(fold: float, columns: int) -> str:
    """Return what to do with counts whose totals differ so many times.

    Of many columns the most variable tenth is advised: the noise of few counts changes
    with the depth, and in all columns together that outweighs the clusters. (Of 24
    simulated sets with few counts, 10 had the right k with all columns, 19 with a fifth
    of them and 23 with the best hundred of 500 or 1500.)

    Examples
    --------
    >>> depth_step(4, 20_000)[-68:]
    '--prepare equal-totals --prepare log1p --prepare most-variable:2000.'
    """
    done = ["equal-totals", "log1p"]
    if columns >= MANY_COLUMNS:
        done.append(f"most-variable:{columns // 10}")
    return (
        f"The values look like counts, and the totals of rows differ {fold:.1f} times "
        "(lowest to highest tenth). If that is how deeply each was read, try "
        f"{' '.join(f'--prepare {step}' for step in done)}."
    )


def hide_column(step: str) -> str:
    """Return a step without the name of the column it is about.

    Examples
    --------
    >>> hide_column(column_step("income", 0.99))
    'One column holds 99 % of the variance: try --prepare standardise-columns.'
    """
    return re.sub(r"^Column '.*' holds", "One column holds", step, flags=re.DOTALL)


def next_steps(
    k: int | None, *, agree: int, between: int, isolated: int, n: int,
    scaling: Scaling, wider: int | None = None, apart: int = 0,
) -> tuple[str, ...]:  # fmt: skip
    """Return what to do now, one sentence each; ``wider`` as in strength."""
    steps = []
    if apart:
        steps.append(
            f"Look at the {apart} items that lie apart by themselves; their ids are in "
            "verdict.json (apart), in Python verdict.apart."
        )
    if scaling.widest:
        steps.append(column_step(*scaling.widest))
    if scaling.depth:
        steps.append(depth_step(scaling.depth, scaling.columns))
    if k == 1:
        these = "the other items" if apart else "these data"
        steps.append(
            f"Do not interpret a partition of {these} as types of items; describe the "
            "main directions of variation instead."
        )
        if n < 60:
            steps.append("With more items weaker structure could be seen.")
        scale = "if columns differ in scale, try --prepare standardise-columns"
        which = "log1p" if scaling.zeros else "log2"
        count = f"for counts or intensities, try --prepare {which}"
        hints = [] if scaling.alike or scaling.widest else [scale]
        hints += [] if scaling.logged or scaling.depth else [count]
        if hints:
            text = "; ".join(hints)
            steps.append(f"{text[0].upper()}{text[1:]}. Clusters can hide behind that.")
        return tuple(steps)
    if wider is not None:
        steps.append(f"The answer is the largest k tried; repeat with -k 2:{wider}.")
    if agree < 3:
        steps.append(
            "Look at the plausible numbers of clusters in the report and choose by "
            "what the clusters mean; do not report one number as found."
        )
    elif agree == 3:
        steps.append("Check the partition against what is known before relying on it.")
    elif wider is None:
        steps.append("Use the partition; name the clusters by what sets them apart.")
    if between:
        left = (
            "Leave the item between clusters out of comparisons, or mark it."
            if between == 1
            else f"Leave the {between} items between clusters out of comparisons, or "
            "mark them."
        )
        steps.append(left)
    if isolated:
        steps.append(
            "Check the isolated items for errors of measurement; they are in the table "
            "of items."
        )
    return tuple(steps)
