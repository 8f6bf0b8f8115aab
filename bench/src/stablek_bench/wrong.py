"""The simulated half of "How often are we wrong?", from ``stablek bench trust``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from stablek_bench.markdown import table, template
from stablek_bench.peers import PEERS
from stablek_bench.trust import ERRORS, FIRST_SEED, PARTS, Outcome, right
from stablek_bench.wilson import Share

WHO = ("verdict", *PEERS)


def page(outcomes: list[Outcome], command: str, notes: Sequence[str] = ()) -> str:
    """Return the page as Markdown; the notes are paragraphs below its head.

    Its prose is in pages/simulations.md.j2, which leaves out sections without a table.
    """
    nulls, outside = _of(outcomes, "null"), _of(outcomes, "outside")
    mixed, power = _of(outcomes, "mixture"), _of(outcomes, "power")
    curve = mixed + power if mixed and power else []
    found = [o for o in outcomes if o.case.k > 1 and o.k != 1]
    both = nulls + outside
    tables = {
        "null": false_positives(nulls, "kind", lambda o: o.case.kind),
        "outside": false_positives(outside, "kind", lambda o: o.case.kind),
        "sizes": false_positives(both, "size", size_of, total=True),
        "columns": exact_table(mixed, "columns", lambda o: o.case.m),
        "clusters": exact_table(mixed, "K (items)", lambda o: (o.case.k, o.n)),
        "items": exact_table(_of(outcomes, "items"), "items", lambda o: o.n),
        "overlap": exact_table(curve, "Bayes error", lambda o: o.case.error),
        "power": picture(curve),
        "shapes": exact_table(_of(outcomes, "flavour"), "shape", lambda o: o.case.kind),
        "strengths": worth_table(found, "strength", lambda o: o.strength),
        "members": worth_table(found, "members", lambda o: o.agree),
        "extent": extent(outcomes),
    }
    seconds = f"{np.median([o.seconds for o in outcomes]):.1f}" if outcomes else ""
    prose = {name: table.rstrip() for name, table in tables.items()}
    return template("simulations.md").render(
        prose, command=command, notes=notes, seconds=seconds
    )


def false_positives(
    outcomes: list[Outcome],
    name: str,
    key: Callable[[Outcome], Any],
    *,
    total: bool = False,
) -> str:
    """Return the table of claimed clusters."""
    if not outcomes:
        return ""
    rows = [[name, "sets", *WHO]]
    groups = [*_groups(outcomes, key), *([("all", outcomes)] if total else [])]
    for value, own in groups:
        cells = []
        for who in WHO:
            one = right(own, who)
            cells.append(_percent(Share(one.of - one.hits, one.of)))
        rows.append([_name(value), str(len(own)), *cells])
    return table(rows)


def size_of(outcome: Outcome) -> tuple[int, int, str]:
    """Return the size of a null set, with its name."""
    n, m = outcome.case.n, outcome.case.m
    return n, m, f"{n} x {m}"


def exact_table(
    outcomes: list[Outcome], name: str, key: Callable[[Outcome], Hashable]
) -> str:
    """Return the table of exact and within-one answers."""
    if not outcomes:
        return ""
    rows = [[name, "sets", "clusters seen", *WHO]]
    groups = [*_groups(outcomes, key), ("all", outcomes)]
    for value, own in groups:
        seen = Share(sum(o.k != 1 for o in own), len(own))
        cells = [
            f"{_percent(right(own, who))}; {_short(right(own, who, 1))}" for who in WHO
        ]
        rows.append([_name(value), str(len(own)), _percent(seen), *cells])
    return table(rows)


def worth_table(
    outcomes: list[Outcome], name: str, key: Callable[[Outcome], Hashable]
) -> str:
    """Return how often an answer is right, and within one."""
    if not outcomes:
        return ""
    rows = [[name, "sets", "exact", "within one"]]
    for value, own in _groups(outcomes, key):
        hits = [_percent(right(own, "verdict", within)) for within in (0, 1)]
        rows.append([str(value), str(len(own)), *hits])
    return table(rows)


def extent(outcomes: list[Outcome]) -> str:
    """Return what was run, and what came of it, per part and seed."""
    rows = [["--part", "--seed", "sets", "clusters claimed", "exact", "within one"]]
    for part in PARTS:
        for seed, own in _groups(_of(outcomes, part), seed_of):
            told = [part, str(seed), str(len(own))]
            claimed = _percent(Share(sum(o.k != 1 for o in own), len(own)))
            hits = [_percent(right(own, "verdict", within)) for within in (0, 1)]
            rows.append([*told, claimed, *(hits if own[0].case.k > 1 else ["", ""])])
    return table(rows)


def seed_of(outcome: Outcome) -> int:
    """Return the seed that was asked for when the set was made."""
    return (outcome.case.seed - FIRST_SEED) // 10_000


def picture(outcomes: list[Outcome]) -> str:
    """Return the curve of exact answers against the Bayes error, as inline SVG."""
    left, top, wide, tall = 60, 16, 300, 180
    marks = ["#1b6ca8", "#999999", "#c0392b", "#d68910", "#6c3483"]
    lines = []
    for who, colour in zip(WHO, marks, strict=True):
        points = []
        for i, error in enumerate(ERRORS):
            own = [o for o in outcomes if o.case.error == error]
            if right(own, who).of:
                x = left + wide * i / (len(ERRORS) - 1)
                points.append((x, top + tall * (1 - right(own, who).value)))
        if not points:
            continue
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        lines.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" '
            f'stroke-width="{3 if who == "verdict" else 1.5}"/>'
            f'<text x="{left + wide + 8}" y="{points[-1][1] + 4:.1f}" '
            f'fill="{colour}">{who}</text>'
        )
    ticks = "".join(
        f'<text x="{left + wide * i / 2}" y="{top + tall + 18}" '
        f'text-anchor="middle">{error:.0%}</text>'
        for i, error in enumerate(ERRORS)
    ) + "".join(
        f'<text x="{left - 8}" y="{top + tall * (1 - v) + 4}" '
        f'text-anchor="end">{v:.0%}</text>'
        for v in (0, 0.5, 1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="460" height="240" '
        f'font-family="sans-serif" font-size="12" role="img" '
        f'aria-label="Share of exact answers against Bayes error">'
        f'<rect x="{left}" y="{top}" width="{wide}" height="{tall}" fill="none" '
        f'stroke="#ccc"/>{ticks}{"".join(lines)}</svg>\n'
    )


def _name(value: Any) -> str:
    """Return the name of a group: of a tuple, K (n) or the text that stands last."""
    if not isinstance(value, tuple):
        return str(value)
    return str(value[-1]) if len(value) > 2 else f"{value[0]} ({value[1]})"


def _percent(share: Share) -> str:
    low, high = share.interval()
    if not share.of:
        return "-"
    return f"{100 * share.value:.1f} % ({100 * low:.0f}-{100 * high:.0f})"


def _short(share: Share) -> str:
    return f"{100 * share.value:.0f}" if share.of else "-"


def _of(outcomes: list[Outcome], part: str) -> list[Outcome]:
    return [o for o in outcomes if o.case.part == part]


def _groups(
    outcomes: list[Outcome], key: Callable[[Outcome], Any]
) -> list[tuple[Any, list[Outcome]]]:
    names = sorted({key(o) for o in outcomes})
    return [(name, [o for o in outcomes if key(o) == name]) for name in names]
