"""The figure of a verdict's panel: who names which k, and with how many votes."""

from __future__ import annotations

from stablek.report.charts import figures
from stablek.report.page.blocks import Figure
from stablek.report.page.explain import EXPLANATIONS, Explanation
from stablek.report.page.verdicts import Parts


def panel(judged: Parts) -> Figure:
    """Return the figure; a member with several votes says so beside its name."""
    votes = [judged.weights.get(who, 1) for who in judged.votes]
    rows = [
        (f"{who} ({count} votes)" if count > 1 else who, k, ())
        for (who, k), count in zip(judged.votes.items(), votes, strict=True)
    ]
    told = Explanation(
        f"Which k each of the panel's {len(rows)} members names. Together they have "
        f"{sum(votes)} votes: one each, or as many as stand beside the name. The "
        "shaded column is the k with most votes.",
        EXPLANATIONS["votes"].read,
    )
    return Figure("The panel", figures.votes(rows, votes), told)
