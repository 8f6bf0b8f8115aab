"""Sets without known clusters, other orders of rows and other seeds, as text."""

from __future__ import annotations

from collections.abc import Sequence

from stablek_bench.markdown import table
from stablek_bench.real_look import RealOutcome
from stablek_bench.real_sets import OTHER_SEEDS
from stablek_bench.wilson import Share


def percent(hits: int, of: int) -> str:
    """Return a share with its interval."""
    low, high = Share(hits, of).interval()
    return f"{100 * hits / of:.1f} % ({100 * low:.0f}-{100 * high:.0f})"


def claims_row(name: str, own: Sequence[RealOutcome]) -> list[str]:
    """Return how often clusters are claimed, strongly or not, or hinted at."""
    claimed = [o for o in own if o.k > 1]
    return [
        name,
        str(len(own)),
        f"{len(claimed)}, {percent(len(claimed), len(own))}",
        str(sum(o.shape == "connected" for o in claimed)),
        str(sum(o.strength == "moderate" for o in claimed)),
        str(sum(o.strength == "strong" for o in claimed)),
        str(sum(o.strength == "suggestive" for o in own)),
    ]


def nulls_text(outcomes: Sequence[RealOutcome]) -> str:
    """Return the section on data without clusters."""
    head = ["sets", "how many", "clusters claimed", "by gaps", "moderate", "strong",
            "suggestive"]  # fmt: skip
    rows = []
    parts = {"null": "simulated", "residual": "residuals", "continuum": "continua"}
    for part, name in parts.items():
        own = [o for o in outcomes if o.case.part == part]
        for kind in dict.fromkeys(o.case.kind for o in own):
            some = [o for o in own if o.case.kind == kind]
            rows.append(claims_row(f"{name}: {kind}", some))
        if own:
            rows.append(claims_row(f"{name}: all", own))
    single = [o for o in outcomes if o.case.part == "class"]
    if single:
        rows.append(claims_row("single real classes", single))
    if not rows:
        return ""
    return (
        "## Data without clusters\n\nSimulated sets of twelve kinds; residuals of all "
        "classes of real sets, resampled so that no group remains (only *mix* is "
        "without groups beyond doubt: the others keep two-humped columns); single "
        "classes of real sets, some of which do have parts. *Continua* are "
        "trajectories and bent or forked lines without a gap. They differ from every "
        "null model, so clusters are often claimed. Most of these claims are weak, and "
        "the sentence says that the clusters may be pieces of a continuum. *By gaps*: "
        "groups of any shape with gaps between them.\n\n" + table([head, *rows])
    )


def steadiness_text(outcomes: Sequence[RealOutcome]) -> str:
    """Return the section on other orders of rows and other seeds."""
    first = {
        (o.case.part, o.case.name): o for o in outcomes if o.case.part in OTHER_SEEDS
    }
    real = {name: o for (part, name), o in first.items() if part != "mixture"}
    text = []
    orders = [o for o in outcomes if o.case.part == "order" and o.case.name in real]
    if orders:
        changed = sum(o.k != real[o.case.name].k for o in orders)
        sets = len({o.case.name for o in orders})
        text.append(
            f"With the rows of {sets} real sets in other orders, k changed in "
            f"{changed} of {len(orders)} runs."
        )
    pairs = [
        (first[o.case.of, o.case.name], o)
        for o in outcomes
        if o.case.part == "seed" and (o.case.of, o.case.name) in first
    ]
    for where, simulated in (("real sets", False), ("simulated mixtures", True)):
        own = [
            (one, other)
            for one, other in pairs
            if (one.case.part == "mixture") == simulated
        ]
        if own:
            text.append(f"With other seeds on {where}, k changed in {changes(own)}.")
    if not text:
        return ""
    return "## Other orders and seeds\n\n" + " ".join(text) + "\n"


def changes(pairs: Sequence[tuple[RealOutcome, RealOutcome]]) -> str:
    """Return how often k differs in pairs of outcomes, by the strength of the first."""
    cells = []
    for word in ("strong", "moderate", "weak", "suggestive", "none"):
        own = [one.k != other.k for one, other in pairs if one.strength == word]
        if own:
            cells.append(f"{sum(own)} of {len(own)} {word} answers")
    return ", ".join(cells)


def unseen_text(outcomes: Sequence[RealOutcome]) -> str:
    """Return the section on sets that nothing was fitted to or chosen on."""
    fresh = [o for o in outcomes if o.case.part == "fresh"]
    hidden = [o for o in outcomes if o.case.part == "no"]
    text = []
    if fresh:
        exact = percent(sum(o.k == o.k_true for o in fresh), len(fresh))
        near = percent(sum(abs(o.k - o.k_true) <= 1 for o in fresh), len(fresh))
        text.append(
            f"{len(fresh)} simulated mixtures with other seeds: exact in {exact}, "
            f"within one in {near}."
        )
    if hidden:
        claimed = [o for o in hidden if o.k > 1]
        strong = sum(o.strength == "strong" for o in claimed)
        text.append(
            f"{len(hidden)} real sets whose classes neither K-means nor a tree can see "
            f"(*no*): clusters are claimed in {len(claimed)}, and called strong in "
            f"{strong}."
        )
    if not text:
        return ""
    return "## Sets that nothing was chosen on\n\n" + " ".join(text) + "\n"
