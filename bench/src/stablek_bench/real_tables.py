"""The tables of the page "How often are we wrong?" that the fit in folds gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stablek.panel.choice import COEFFICIENTS
from stablek.panel.strength import RECORDS
from stablek_bench.markdown import table
from stablek_bench.real_fit import STRENGTHS, Fitted, Pick, ari_at_truth, mean_of
from stablek_bench.real_look import TOLD, RealOutcome

PARTS = {
    "fair": "fair", "half": "half", "plasmode": "plasmodes", "mixture": "mixtures",
}  # fmt: skip


def true_k(pick: Pick) -> int:
    """Return the labelled number of classes of a set."""
    return pick.outcome.k_true


def exact(pick: Pick) -> float:
    """Return 1 where the answer is the labelled number."""
    return float(pick.k == true_k(pick))


def within(pick: Pick) -> float:
    """Return 1 where the answer is within one of it."""
    return float(abs(pick.k - true_k(pick)) <= 1)


def best_place(outcome: RealOutcome) -> int:
    """Return the place of the k whose partition matches the labels best."""
    return int(np.argmax(outcome.ari))


def shipped(pick: Pick) -> Pick:
    """Return what the verdict itself said, with the constants in the source."""
    own = pick.outcome
    levels = own.levels or (own.k,)
    return Pick(own, own.k, levels, own.strength, 1.0)


def told(deals: list[list[Pick]]) -> str:
    """Return exact / within one / index of some picks."""
    if not deals or not deals[0]:
        return "-"
    return (
        f"{100 * mean_of(deals, exact):.0f} / {100 * mean_of(deals, within):.0f} / "
        f"{mean_of(deals, lambda p: p.ari):.3f}"
    )


def peers_table(fitted: Fitted) -> str:
    """Return the verdict and its peers, side by side on every part."""
    own = {part: fitted.of(part, gate=False) for part in PARTS}
    rows = [["who", *(f"{name} ({len(own[part][0])})" for part, name in PARTS.items())]]
    gated = [told(fitted.of(part, gate=part != "plasmode")) for part in PARTS]
    rows.append(["**the verdict**, outer folds, gate asked", *gated])
    rows.append(["the same, gate not asked", *(told(own[part]) for part in PARTS)])
    ours = [
        told([[shipped(p) for p in own[part][0]]]) if part != "plasmode" else "-"
        for part in PARTS
    ]
    rows.append(["the verdict as shipped", *ours])
    rows += [
        [who, *(told_peer(own[part][0], who) for part in PARTS)]
        for who in peers_of(own["fair"][0])
    ]
    rows.append([TOLD, *(index_of(own[part][0], TOLD) for part in PARTS)])
    ours = [_reference(own[part][0]) for part in PARTS]
    rows.append(["our clusters at the true number", *ours])
    best = [told([[_best(p) for p in own[part][0]]]) for part in PARTS]
    rows.append(["the best k for the index", *best])
    return table(rows)


def peers_of(picks: list[Pick]) -> list[str]:
    """Return the peers that answer by themselves."""
    names = next((p.outcome.peers for p in picks if p.outcome.peers), {})
    return [who for who in names if who != TOLD]


def told_peer(picks: list[Pick], who: str) -> str:
    """Return exact / within one / index of a peer."""
    said = [(p.outcome.peers[who], true_k(p)) for p in picks if who in p.outcome.peers]
    if not said:
        return "-"
    off = np.array([abs(k - truth) for (k, _), truth in said])
    ari = np.mean([a for (_, a), _ in said])
    return f"{100 * (off == 0).mean():.0f} / {100 * (off <= 1).mean():.0f} / {ari:.3f}"


def index_of(picks: list[Pick], who: str) -> str:
    """Return the mean index of a peer; "-" where it was not asked."""
    ari = [p.outcome.peers[who][1] for p in picks if who in p.outcome.peers]
    return f"{np.mean(ari):.3f}" if ari else "-"


def _reference(picks: list[Pick]) -> str:
    if not picks:
        return "-"
    return f"{np.mean([ari_at_truth(p.outcome) for p in picks]):.3f}"


def _best(pick: Pick) -> Pick:
    k = pick.outcome.ks[best_place(pick.outcome)]
    # Only the index of the compact partition counts here.
    return Pick(pick.outcome, k, (k,), pick.strength, 1.0)


def kinds_table(fitted: Fitted) -> str:
    """Return the figures kind by kind, and their mean with kinds weighing equally."""
    rows = [["kind", "fair", "half"]]
    gated = {part: fitted.of(part, gate=True) for part in ("fair", "half")}
    kinds = sorted({p.outcome.case.kind for p in gated["fair"][0]})
    for kind in kinds:
        cells = []
        for deals in gated.values():
            own = [[p for p in deal if p.outcome.case.kind == kind] for deal in deals]
            cells.append(f"{len(own[0])}: {told(own)} ({_reference(own[0])})")
        rows.append([kind, *cells])
    return table(rows)


def kinds_left_out(fitted: Fitted) -> str:
    """Return what the choice is worth on a kind that it was not fitted on."""
    figures = [
        told([[p.gated() for p in fitted.elsewhere if p.outcome.case.part == part]])
        for part in ("fair", "half")
    ]
    return (
        "With each kind left out in turn, and coefficients from the others alone: "
        f"{figures[0]} on *fair*, {figures[1]} on *half*.\n"
    )


def levels_table(fitted: Fitted) -> str:
    """Return how often the true number is among the levels, and how many there are."""
    rows = [["part", "all sets", "clusters claimed"]]
    for part, name in PARTS.items():
        cells = []
        for claimed in (False, True):
            own = fitted.of(part, gate=part != "plasmode")
            if claimed:
                own = [[p for p in deal if p.k > 1] for deal in own]
            if not own[0]:
                cells.append("-")
                continue
            hit = mean_of(own, lambda p: true_k(p) in p.levels)
            cells.append(
                f"{100 * hit:.0f} % with {mean_of(own, lambda p: len(p.levels)):.2f}"
            )
        rows.append([name, *cells])
    return table(rows)


def _of_strength(fitted: Fitted, parts: Sequence[str], word: str) -> list[list[Pick]]:
    deals: list[list[Pick]] = [[] for _ in fitted.picks]
    for part in parts:
        # Plasmodes were judged without the gate.
        for deal, picks in zip(
            deals, fitted.of(part, gate=part != "plasmode"), strict=True
        ):
            deal += [p for p in picks if p.strength == word]
    return deals


def strength_table(fitted: Fitted) -> str:
    """Return what each strength was worth, part by part."""
    rows = [["strength", *PARTS.values(), "fair and half", "in the source"]]
    for word in STRENGTHS:
        cells = []
        for parts in (*((part,) for part in PARTS), ("fair", "half")):
            own = _of_strength(fitted, parts, word)
            sets = sum(len(deal) for deal in own) / len(own)
            cells.append(
                f"{sets:.0f} sets: {100 * mean_of(own, exact):.0f} / "
                f"{100 * mean_of(own, within):.0f}"
                if sets
                else "-"
            )
        said = RECORDS[word]
        told = f"{said.sets}: {100 * said.exact:.0f} / {100 * said.within:.0f}"
        rows.append([word, *cells, told])
    return table(rows)


def coefficients_table(fitted: Fitted) -> str:
    """Return the constants in the source beside those of this run."""
    rows = [["term", "source", "all sets", "sd over folds", "difference"]]
    for name, value in COEFFICIENTS.items():
        now = fitted.coefficients[name]
        rows.append(
            [name, f"{value:.2f}", f"{now:.2f}", f"{fitted.spread[name]:.2f}",
             f"{now - value:+.2f}"]
        )  # fmt: skip
    return table(rows)
