"""docs/knees.md: the comparison of knee rules, all its numbers computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from stablek.paradigm.significance.knee import KNEES
from stablek_bench.knees import (
    CHOOSING,
    FLOORS,
    KINDS,
    REPORTING,
    WINDOWS,
    Choice,
    Known,
    Seen,
    choose,
    eye_near_gold,
    eye_scores,
    overall,
    real_curves,
    scores,
    simulated_curves,
    simulated_data,
)
from stablek_bench.markdown import markdown, template

TITLES = {"curves": "curves", "wcss": "WCSS of data"}


def simulate(seeds: range) -> list[Known]:
    """Return all simulated curves of some seeds."""
    return list(chain(simulated_curves(seeds), simulated_data(seeds)))


def page(
    folder: str | None = None,
    choosing: range = CHOOSING,
    reporting: range = REPORTING,
) -> str:
    """Run the comparison and return the page; its prose is in pages/knees.md.j2."""
    chosen_on, fresh = simulate(choosing), simulate(reporting)
    choice = choose(chosen_on)
    share = overall(fresh, choice.rules)
    place = sorted(share.values(), reverse=True).index(share[choice.best])
    wcss = scores([c for c in fresh if c.kind == "wcss"], choice.rules)
    made = {
        kind: [sum(c.kind == kind for c in curves) for curves in (chosen_on, fresh)]
        for kind in KINDS
    }
    seen = list(real_curves(folder)) if folder is not None else []
    window = choice.window
    return template("knees.md").render(
        count=len(KNEES),
        choosing=spoken(choosing),
        reporting=spoken(reporting),
        made=made,
        next="the next one" if window == 1 else f"the mean of the next {window}",
        least=f"{100 * choice.least:g}",
        windows=", ".join(map(str, WINDOWS)),
        floors=", ".join(f"{100 * least:g}" for least in FLOORS),
        choice=choice,
        chosen=ranking(choice.share),
        fresh=on_fresh_seeds(choice, fresh, share),
        place=("first", "second", "third")[place] if place < 3 else "lower",
        first_three=ranking(share, 3),
        right=f"{wcss[choice.best][0]:.0%}",
        cells=len(seen),
        eye=on_the_tables(choice, seen) if seen else "",
        near=f"{eye_near_gold(seen):.0%}" if seen else "",
    )


def on_fresh_seeds(
    choice: Choice, fresh: Sequence[Known], share: Mapping[str, float]
) -> str:
    """Report every rule on the seeds that had no part in the choice."""
    rules = choice.rules
    some = {kind: [c for c in fresh if c.kind == kind] for kind in KINDS}
    tables = {kind: scores(curves, rules) for kind, curves in some.items()}
    best = {kind: max(row[0] for row in tables[kind].values()) for kind in KINDS}
    lines = [["rule", *(f"{TITLES[kind]} ({len(some[kind])})" for kind in KINDS)]]
    for name in sorted(rules, key=lambda name: -share[name]):
        cells = []
        for kind in KINDS:
            exact, near, off = tables[kind][name]
            bold = "**" * (exact == best[kind])
            cells.append(f"{bold}{exact:.0%}{bold} / {near:.0%} / {off:.2f}")
        lines.append([f"`{name}`", *cells])
    return markdown(lines, plain=True)


def on_the_tables(choice: Choice, seen: Sequence[Seen]) -> str:
    """Report every rule on the thesis's table of WCSS."""
    table = eye_scores(seen, choice.rules)
    lines = [["rule", "like the eye: exact / within one", "gold number within one"]]
    for name in sorted(choice.rules, key=lambda name: -table[name][0]):
        exact, near, gold = table[name]
        lines.append([f"`{name}`", f"{exact:.0%} / {near:.0%}", f"{gold:.0%}"])
    return markdown(lines)


def ranking(share: Mapping[str, float], most: int | None = None) -> str:
    """Return rules and their shares, the best first."""
    best = sorted(share, key=lambda name: -share[name])[:most]
    return ", ".join(f"`{name}` {share[name]:.0%}" for name in best)


def spoken(seeds: range) -> str:
    """Return a range of seeds in words.

    Examples
    --------
    >>> spoken(range(6))
    '0 to 5'
    """
    return f"{seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else str(seeds[0])
