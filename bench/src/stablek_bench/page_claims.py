"""What the thesis claims in its headlines, and whether our cells say the same."""

from __future__ import annotations

from dataclasses import dataclass

from stablek_bench.grid import CLASSIC, NMF
from stablek_bench.summary import Setting, by_measure, ranked
from stablek_bench.tables import Cell, duration

#: FC's cells of the microarrays and of Monti et al.'s sets.
FC_TABLES = ("FC-H250p80", "FC-Monti")


@dataclass(frozen=True)
class Claim:
    """A headline question, whether the thesis's answer holds, and the figure."""

    question: str
    holds: bool
    figure: str


def claims(found: list[Setting], cells: dict[str, list[Cell]]) -> list[Claim]:
    """Return the claims for which there are cells enough."""
    asked = (_precise(found), _quick(found), _algorithm(found), _nmf(cells))
    return [one for one in asked if one is not None]


def _precise(found: list[Setting]) -> Claim | None:
    whole = [row for row in by_measure(found) if row["cells"] == row["possible"]]
    shares = {row["measure"]: row["ours_within"] / row["cells"] for row in whole}
    if "fc" not in shares or len(shares) < 2:
        return None
    best = next(iter(shares))
    theirs = next(row for row in whole if row["measure"] == "fc")
    thesis = theirs["thesis_within"] / max(theirs["thesis_answered"], 1)
    figure = f"FC is within one of the gold k in {_percent(shares['fc'])} of its cells"
    if "consensus" in shares:
        figure += f", Consensus in {_percent(shares['consensus'])}"
    holds = best in ("fc", "consensus")
    if not holds:
        figure += f", {best} in {_percent(shares[best])}"
    figure += f". The thesis read FC by eye and was within one in {_percent(thesis)}"
    return Claim("Is Consensus or FC the most precise?", holds, figure)


def _quick(found: list[Setting]) -> Claim | None:
    run = ranked(found)
    precise = {one.name: one.ours.seconds for one in run if one.ours.enters}
    good = {name: seconds for name, seconds in precise.items() if seconds}
    fc = next((one.ours.seconds for one in run if one.name == "FC-Hier-A"), None)
    if not (fc and good):
        return None
    name = min(good, key=lambda one: good[one])
    times = fc / good[name]
    figure = (
        f"FC-Hier-A takes {duration(fc)} for the four timed sets, {times:.3g} times as "
        f"long as {name}, the fastest setting that is within one on four of five sets"
    )
    question = "Is FC within an order of magnitude of the fastest precise measure?"
    return Claim(question, times < 10, figure)


def _algorithm(found: list[Setting]) -> Claim | None:
    own = [one for one in ranked(found) if one.measure == "fc"]
    mine = next((one for one in own if one.name == "FC-Hier-A"), None)
    if mine is None or len(own) < 2:
        return None
    first = own[0]
    figure = f"With FC, {_told(mine)}"
    holds = (mine.ours.within, mine.ours.exact) == (first.ours.within, first.ours.exact)
    if not holds:
        figure += f"; {_told(first)}"
    return Claim("Is Hier-A the best algorithm for it?", holds, figure)


def _told(one: Setting) -> str:
    side = one.ours
    name = one.name.removeprefix("FC-")
    return f"{name} is exact on {side.exact} and within one on {side.within} of 5 sets"


def _nmf(cells: dict[str, list[Cell]]) -> Claim | None:
    every = [c for name in FC_TABLES for c in cells.get(name, []) if c.ours is not None]
    own = [c for c in every if c.row in NMF]
    sets = {c.dataset for c in own}
    classic = [c for c in every if c.row in CLASSIC and c.dataset in sets]
    if not (own and classic):
        return None
    ours, theirs = _near(own), _near(classic)
    slower = _median(own) / _median(classic)
    figure = (
        f"No. FC with NMF is within one of the gold k in {_percent(ours)} of its "
        f"cells, with classic algorithms on the same sets in {_percent(theirs)}; NMF "
        f"takes {slower:.0f} times as long"
    )
    if ours > theirs:
        figure = figure.replace("No.", "It is more precise.", 1)
    return Claim("Does NMF pay?", ours <= theirs, figure)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _near(cells: list[Cell]) -> float:
    return sum(abs(int(c.ours or 0) - (c.gold or 0)) <= 1 for c in cells) / len(cells)


def _median(cells: list[Cell]) -> float:
    times = sorted(c.seconds or 0.0 for c in cells)
    return max(times[len(times) // 2], 1e-4)
