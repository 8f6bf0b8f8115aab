"""One screen for a reader of the thesis: what is confirmed, what is not, and why."""

from __future__ import annotations

from collections.abc import Iterable

from stablek_bench.beyond import BEYOND
from stablek_bench.eye import steadiness
from stablek_bench.grid import CLASSIC, TABLES
from stablek_bench.page_data import markdown
from stablek_bench.run import Bench
from stablek_bench.seeds import SEEDS
from stablek_bench.tables import Cell, Score, score

#: Real sets: those that no simulator stands for.
REAL = ("CNS Rat", "Leukemia", "NCI60", "Lymphoma", "Yeast", "Novartis", "St.Jude")


def one_screen(
    bench: Bench, cells: dict[str, list[Cell]], consensus: Iterable[str]
) -> str:
    """Return the summary; lines whose cells are not there yet are left out."""
    total = sum((score(cells[name]) for name in consensus), Score())
    lines = [
        "- **The data.** " + _data(bench),
        "- **The arithmetic** of every measure agrees with independent oracles (plain "
        "NumPy, R) to 1e-14 or better; the tests hold them.",
    ]
    if total.compared:
        ours, theirs = (
            f"{100 * n / total.compared:.0f} %"
            for n in (total.ours_gold_within, total.theirs_gold_within)
        )
        lines.append(
            f"- **Consensus and FC** are within one of the number of classes in {ours} "
            f"of {total.compared} cells, the thesis's readings in {theirs}. *Not "
            "confirmed:* no rule that sees only the curve comes near the thesis's eye "
            "([rules](rules.md)); somebody who knows the number of classes does."
        )
    steady = _steadiness(bench, cells, consensus)
    if steady:
        lines.append(steady)
    lines.append(
        "- **The thesis's questions** (most precise measure, FC's time, best setting, "
        "NMF) are answered with figures below."
    )
    return "\n".join(lines)


def _data(bench: Bench) -> str:
    table = BEYOND["fingerprints"]
    told = []
    for dataset in table.columns:
        own = bench.sources[dataset].preparation
        answer = bench.answer(table.rows[own], dataset)
        facts = (answer.facts if answer else None) or {}
        if answer is not None and answer.k is not None and "of" in facts:
            close = bench.sources[dataset].close
            told.append(f"{dataset} {answer.k} of {facts['of']} ({close})")
    if not told:
        return "Fingerprints have not been computed yet."
    return (
        "Printed similarity values that ours match to the last digit: "
        f"{', '.join(told)}. What matches nothing was clustered from other values."
    )


def _steadiness(
    bench: Bench, cells: dict[str, list[Cell]], consensus: Iterable[str]
) -> str:
    """Say in how many classic cells all seeds agree."""
    found = {
        (TABLES[name].rows[c.row].key, c.dataset): c
        for name in consensus
        for c in cells[name]
        if c.row in CLASSIC and c.seeds == SEEDS and c.ours is not None
    }
    if not found:
        return ""
    alike = sum(c.agree == c.seeds for c in found.values())
    most = sum(c.agree >= 0.9 * c.seeds for c in found.values())
    count = len(found)
    return (
        f"- **Seeds.** Of {count} cells with {SEEDS} seeds, all give one k in {alike} "
        f"({100 * alike / count:.0f} %), at least nine of ten in {most} "
        f"({100 * most / count:.0f} %); a share stands beside every k on which seeds "
        f"differ.{_by_default(bench)}"
    )


def _by_default(bench: Bench) -> str:
    """Say the same of FC with the number of repeats that it takes by default."""
    rows = steadiness(bench)
    if not rows:
        return ""
    fixed, default = (row["all seeds alike"] for row in rows)
    return (
        f" FC by default ({rows[1]['mean']} repeats on average instead of 250): "
        f"{default.hits} of {default.of} cells ({100 * default.value:.0f} %), with 250 "
        f"repeats {fixed.hits} of the same ({100 * fixed.value:.0f} %)."
    )


def ends(cells: dict[str, list[Cell]], bench: Bench) -> str:
    """Return how often each measure answers an end of its range, on real sets."""
    counts: dict[str, list[int]] = {}
    seen = set()
    for name, table in {**TABLES, "FC-HALS": BEYOND["FC-HALS"]}.items():
        if table.kind != "k":
            continue
        for cell in cells.get(name, []):
            recipe = table.rows[cell.row]
            key = (recipe.key, cell.dataset)
            answers = bench.answers(recipe, cell.dataset)
            if cell.dataset not in REAL or cell.ours is None or key in seen:
                continue
            seen.add(key)
            ks = next((a.facts["ks"] for a in answers if a.facts and "ks" in a.facts),
                      None)  # fmt: skip
            if ks is None:
                continue
            line = counts.setdefault(recipe.measure, [0, 0, 0])
            line[0] += 1
            line[1] += cell.ours == ks[0]
            line[2] += cell.ours == ks[-1]
    if not counts:
        return "No cell to count yet."
    lines = [["measure", "cells", "smallest k", "largest k"]]
    order = sorted(counts, key=lambda m: -(counts[m][1] + counts[m][2]) / counts[m][0])
    for measure in order:
        cells_run, first, last = counts[measure]
        shares = [f"{n} ({100 * n / cells_run:.0f} %)" for n in (first, last)]
        lines.append([measure, str(cells_run), *shares])
    return markdown(lines)
