"""The figure of a verdict's panel: who names which k."""

from __future__ import annotations

from stablek.report.charts import figures
from stablek.report.page.blocks import Figure
from stablek.report.page.explain import EXPLANATIONS, Explanation
from stablek.report.page.verdicts import Parts


def panel(judged: Parts) -> Figure:
    """Return the figure of who names which k."""
    rows = [(who, k, ()) for who, k in judged.votes.items()]
    explanation = Explanation(
        f"Which k each of the {len(rows)} members of the panel would choose alone. The "
        "shaded column is the k that most of them name.",
        EXPLANATIONS["votes"].read,
    )
    return Figure("What the panel favours", figures.votes(rows), explanation)
