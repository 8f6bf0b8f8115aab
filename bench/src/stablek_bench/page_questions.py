"""The thesis's headline questions, answered from the cells that are there."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from stablek_bench.grid import CLASSIC, NMF
from stablek_bench.markdown import markdown
from stablek_bench.summary import Setting, by_measure, ranked
from stablek_bench.tables import Cell, Score, duration, score, sentence

#: Tables whose cells are Consensus or FC.
CONSENSUS = ("consensus", "H500p80", "H250p80", "H100p80", "H500p66", "H250p66",
             "H100p66", "FC-H250p80", "Consensus-H250p80Monti",
             "Consensus-H250p80Sim", "FC-Monti", "FCSim")  # fmt: skip

Cells = dict[str, list[Cell]]


def answers(found: list[Setting], cells: Cells, identified: Iterable[str]) -> str:
    """Return the questions with their answers."""
    run = ranked(found)
    if not run:
        return "Nothing has been run yet."
    names = sorted(identified)
    near = [c for name in CONSENSUS for c in cells[name] if c.dataset in names]
    total = sum((score(cells[name]) for name in CONSENSUS), Score())
    parts = [
        "### Is Consensus or FC the most precise?",
        _precision(found),
        "### Is FC within one order of magnitude of the fastest precise measure?",
        _time(run),
        "### Is FC with Hier-A the best setting?",
        _best(run),
        "### Does NMF pay?",
        nmf(cells),
        "### How often do Consensus and FC agree with the thesis?",
        f"All tables: {sentence(total)}",
        f"Identified sets only ({', '.join(names)}): {sentence(score(near))}",
    ]
    return "\n\n".join(parts)


def _precision(found: list[Setting]) -> str:
    """Compare measures on the five real sets that all of them have in common."""
    ranks = by_measure(found)
    whole = [line for line in ranks if line["cells"] == line["possible"]]
    lines = [["measure", "cells run", "within one, ours", "within one, thesis"]]
    lines += [
        [
            line["measure"],
            f"{line['cells']} of {line['possible']}",
            _share(line["ours_within"], line["cells"]),
            _share(line["thesis_within"], line["thesis_answered"]),
        ]
        for line in [*whole, *(line for line in ranks if line not in whole)]
    ]
    if len(whole) > 1:
        told = (
            f"Of the {len(whole)} measures whose cells have all been run, "
            f"{whole[0]['measure']} is within one of the gold k most often."
        )
    else:
        told = "Too few measures have all their cells to say."
    if len(whole) < len(ranks):
        told += (
            " Do not compare the others (last in the table): which of their cells have "
            "been run is no random choice."
        )
    return f"{told} The thesis's share is that of the same cells.\n\n{markdown(lines)}"


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.0f} %)" if whole else "-"


def _time(run: list[Setting]) -> str:
    timed = {one.name: one.ours.seconds for one in run if one.ours.seconds}
    good = [one for one in run if one.ours.enters and one.ours.seconds]
    fc = timed.get("FC-Hier-A")
    if not (fc and good):
        return "Too few cells have been run to say."
    fastest = min(good, key=lambda one: one.ours.seconds or 0.0)
    seconds = fastest.ours.seconds or fc
    if fastest.name == "FC-Hier-A":
        return f"FC-Hier-A is the fastest itself: {duration(fc)} for the timed sets."
    verdict = "Yes" if fc < 10 * seconds else "No"
    return (
        f"{verdict}. FC-Hier-A takes {duration(fc)} for the four timed sets. The "
        "fastest setting that is within one on four of the five sets is "
        f"{fastest.name}: {duration(seconds)}. FC takes {fc / seconds:.3g} times as "
        "long."
    )


def _best(run: list[Setting]) -> str:
    names = [one.name for one in run]
    if "FC-Hier-A" in names:
        place = names.index("FC-Hier-A") + 1
        told = f"It is number {place} of the {len(names)} settings run."
    else:
        told = "It has not been run yet."
    first = "; ".join(
        f"{one.name} ({one.ours.exact} exact, {one.ours.within} within one of "
        f"{one.ours.answered})"
        for one in run[:5]
    )
    return f"{told} The first five: {first}."


def nmf(cells: Cells) -> str:
    """Compare FC by the two NMFs with FC by classic algorithms, on the same sets."""
    fc = [c for name in ("FC-H250p80", "FC-Monti") for c in cells.get(name, [])]
    printed = [c for c in fc if c.row in NMF]
    hals = cells.get("FC-HALS", [])
    lines = []
    for what, every in (("The thesis's NMF (Brunet's)", printed), ("HALS", hals)):
        own = [c for c in every if c.ours is not None]
        sets = list(dict.fromkeys(c.dataset for c in own))
        classic = [c for c in fc if c.row in CLASSIC and c.dataset in sets]
        classic = [c for c in classic if c.ours is not None]
        if own and classic:
            lines.append(
                f"{what} on {', '.join(sets)}: {_worth(own)}. Classic algorithms on "
                f"the same sets: {_worth(classic)}."
            )
    if not lines:
        return "Its cells have not been run yet."
    wanted = [c for c in printed if c.state not in ("absent", "left out")]
    run = sum(c.ours is not None for c in wanted)
    if run < len(wanted):
        lines.append(
            f"Only {run} of {len(wanted)} cells of the thesis's NMF have been run, so "
            "this is no answer for it yet; the table below says what the rest costs."
        )
    return "\n\n".join(lines)


def _worth(cells: list[Cell]) -> str:
    """Say how often FC is near the gold k in some cells, and what a cell takes."""
    away = [abs(int(c.ours or 0) - (c.gold or 0)) for c in cells]
    exact, within = sum(d == 0 for d in away), sum(d <= 1 for d in away)
    count = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
    time = duration(median(c.seconds or 0.0 for c in cells))
    return f"{exact} exact and {within} within one of {count}, median time {time}"
