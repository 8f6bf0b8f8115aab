"""One screen for a reader of the thesis: what is confirmed, what is not, and why."""

from __future__ import annotations

from stablek_bench.beyond import BEYOND
from stablek_bench.eye import consensus_alike, steadiness
from stablek_bench.grid import CLASSIC, TABLES
from stablek_bench.markdown import markdown
from stablek_bench.page_questions import CONSENSUS, Cells
from stablek_bench.run import Bench
from stablek_bench.seeds import SEEDS
from stablek_bench.tables import Score, score

#: Real sets: those that no simulator stands for.
REAL = ("CNS Rat", "Leukemia", "NCI60", "Lymphoma", "Yeast", "Novartis", "St.Jude")


def one_screen(bench: Bench, cells: Cells) -> str:
    """Return the summary; lines whose cells are not there yet are left out."""
    total = sum((score(cells[name]) for name in CONSENSUS), Score())
    lines = [
        "- **Data.** " + _data(bench),
        "- **Arithmetic.** Every measure agrees with independent implementations "
        "(plain NumPy, R) to 1e-14. The tests check this.",
    ]
    if total.compared:
        ours, theirs = (
            f"{100 * n / total.compared:.0f} %"
            for n in (total.ours_gold_within, total.gold_within)
        )
        lines.append(
            f"- **Precision of Consensus and FC.** {total.compared} cells have been "
            f"run. Ours are within one of the number of classes in {ours}, the "
            f"thesis's in {theirs}. *Not confirmed:* no rule that sees only the curve "
            "comes near what the thesis read by eye ([rules](rules.md))."
        )
    lines += _steadiness(bench, cells)
    lines.append(
        "- **The thesis's questions** (the most precise measure, the time of FC, the "
        "best setting, NMF) are answered below."
    )
    return "\n".join(lines)


def _data(bench: Bench) -> str:
    table = BEYOND["fingerprints"]
    told, missing = [], []
    for dataset in table.columns:
        own = bench.sources[dataset].preparation
        answer = bench.answer(table.rows[own], dataset)
        facts = (answer.facts if answer else None) or {}
        if answer is not None and answer.k is not None and "of" in facts:
            close = bench.sources[dataset].close
            told.append(f"{dataset} {answer.k} of {facts['of']} ({close})")
        elif answer is None and bench.load(dataset) is not None:
            missing.append(dataset)
    if not told:
        return "Fingerprints have not been computed yet."
    later = f" Not compared yet: {', '.join(missing)}." if missing else ""
    return (
        "The thesis prints how similar its clusters are to the classes. Our values "
        f"have the same digits for: {', '.join(told)}.{later} *Identified* sets are "
        "the thesis's own. The others have other genes or items, so their cells may "
        "differ for that reason alone."
    )


def _steadiness(bench: Bench, cells: Cells) -> list[str]:
    """Say in how many classic cells all seeds agree."""
    found = {
        (TABLES[name].rows[c.row].key, c.dataset): c
        for name in CONSENSUS
        for c in cells[name]
        if c.row in CLASSIC and c.seeds == SEEDS and c.ours is not None
    }
    if not found:
        return []
    alike = sum(c.agree == c.seeds for c in found.values())
    count = len(found)
    told = (
        f"- **Seeds.** {count} cells have been run with {SEEDS} seeds. With the "
        f"thesis's number of repeats, all seeds give the same k in {alike} "
        f"({100 * alike / count:.0f} %)."
    )
    rows = steadiness(bench)
    if rows:
        fixed, default = (row["all seeds alike"] for row in rows)
        told += (
            f" FC continues by default if seeds might disagree ({rows[1]['mean']} "
            f"repeats on average): {default.hits} of {default.of} cells "
            f"({100 * default.value:.0f} %). With 250 repeats it is {fixed.hits} of "
            f"the same cells ({100 * fixed.value:.0f} %)."
        )
    anew = consensus_alike(bench)
    if anew.of:
        told += (
            f" Consensus, too, by default: {anew.hits} of {anew.of} cells "
            f"({100 * anew.value:.0f} %)."
        )
    return [told]


def ends(cells: Cells, bench: Bench) -> str:
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
