"""The gate's p-values: every null model against every kind of data without clusters."""

from __future__ import annotations

from collections.abc import Sequence

from stablek.datasets.nulls import NULLS as KINDS
from stablek.panel.panel import NULLS as MODELS
from stablek_bench.trust import Outcome
from stablek_bench.wilson import Share

LEVELS = (0.01, 0.05, 0.1, 0.5)
ALL = "all three"  # the largest of the p-values: what a claim needs

WIDE, TALL = 88, 56  # of one small plot
GRID = tuple(i / 20 for i in range(21))


def p_values(outcomes: Sequence[Outcome], kind: str, model: str) -> list[float]:
    """Return the p-values of the sets of a kind against a null model.

    Examples
    --------
    >>> p_values([], "gaussian", "box")
    []
    """
    own = [o.p_of for o in outcomes if o.case.kind == kind]
    return [max(p.values()) if model == ALL else p[model] for p in own]


def at_most(ps: Sequence[float], level: float) -> Share:
    """Count the p-values that are at most a level."""
    return Share(sum(p <= level + 1e-12 for p in ps), len(ps))


def p_rows(outcomes: Sequence[Outcome]) -> list[list[str]]:
    """Return the table: a row per kind of data and null model, and its heading."""
    head = ["data", "sets", "1 before", "null model"]
    rows = [head + [f"p <= {level:g}" for level in LEVELS]]
    for kind in kinds_in(outcomes):
        own = [o for o in outcomes if o.case.kind == kind]
        before = sum(o.p is None for o in own)
        for model in (*MODELS, ALL):
            ps = p_values(own, kind, model)
            shares = [percent(at_most(ps, level)) for level in LEVELS]
            rows.append([kind, str(len(own)), str(before), model, *shares])
    return rows


def percent(share: Share) -> str:
    """Return a share in short, with its interval."""
    low, high = share.interval()
    return f"{100 * share.value:.0f} % ({100 * low:.0f}-{100 * high:.0f})"


def kinds_in(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the kinds of data that were looked at, the family first."""
    known = {o.case.kind for o in outcomes}
    return [kind for kind in KINDS if kind in known]


def p_picture(outcomes: Sequence[Outcome]) -> str:
    """Return the distribution functions of the p-values as inline SVG.

    A small plot per kind of data and null model; the diagonal is an exact test, a line
    above it at the left claims too often, one below is cautious.
    """
    kinds, models = kinds_in(outcomes), (*MODELS, ALL)
    left, top, step_x, step_y = 128, 24, WIDE + 16, TALL + 12
    parts = [
        f'<text x="{left + step_x * j + WIDE / 2:.0f}" y="14" text-anchor="middle">'
        f"{model}</text>"
        for j, model in enumerate(models)
    ]
    for i, kind in enumerate(kinds):
        y = top + step_y * i
        parts.append(
            f'<text x="{left - 8}" y="{y + TALL / 2 + 4:.0f}" text-anchor="end">'
            f"{kind}</text>"
        )
        for j, model in enumerate(models):
            x = left + step_x * j
            ps = p_values(outcomes, kind, model)
            line = " ".join(
                f"{x + WIDE * g:.0f},{y + TALL * (1 - at_most(ps, g).value):.0f}"
                for g in GRID
            )
            parts.append(
                f'<rect x="{x}" y="{y}" width="{WIDE}" height="{TALL}" fill="none" '
                f'stroke="#ccc"/><path d="M{x} {y + TALL}L{x + WIDE} {y}" '
                f'stroke="#ccc"/><polyline points="{line}" fill="none" '
                f'stroke="#1b6ca8" stroke-width="2"/>'
            )
    wide, tall = left + step_x * len(models), top + step_y * len(kinds)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{tall}" '
        f'font-family="sans-serif" font-size="12" role="img" aria-label="Distribution '
        f'of the p-values per kind of data and null model">{"".join(parts)}</svg>\n'
    )
