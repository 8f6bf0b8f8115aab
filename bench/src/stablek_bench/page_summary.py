"""One screen for a reader of the thesis: what is confirmed, what is not, and why."""

from __future__ import annotations

from stablek_bench.beyond import BEYOND
from stablek_bench.eye import consensus_alike, steadiness
from stablek_bench.grid import CLASSIC, TABLES
from stablek_bench.markdown import markdown
from stablek_bench.page_claims import claims
from stablek_bench.page_questions import CONSENSUS, Cells
from stablek_bench.run import Bench
from stablek_bench.seeds import SEEDS
from stablek_bench.summary import Setting
from stablek_bench.tables import Score, score

#: Real sets: those that no simulator stands for.
REAL = ("CNS Rat", "Leukemia", "NCI60", "Lymphoma", "Yeast", "Novartis", "St.Jude")


ARITHMETIC = (
    "**Arithmetic.** The tests compare formulas with independent code (brute force, "
    "SciPy, scikit-learn, values of R packages), each to its own tolerance. Once, a "
    "separate reading of the thesis in plain NumPy and R found every measure equal to "
    "1e-14; no test repeats that."
)


def one_screen(bench: Bench, cells: Cells, found: list[Setting]) -> str:
    """Return the summary; lines whose cells are not there yet are left out."""
    same, other = _data(bench)
    confirmed, not_yet = [*same, ARITHMETIC], other
    for one in claims(found, cells):
        (confirmed if one.holds else not_yet).append(
            f"**{one.question}** {one.figure}."
        )
    total = sum((score(cells[name]) for name in CONSENSUS), Score())
    if total.compared:
        ours, theirs = (
            f"{100 * n / total.compared:.0f} %"
            for n in (total.ours_gold_within, total.gold_within)
        )
        not_yet.append(
            f"**Precision of Consensus and FC.** In {total.compared} cells ours are "
            f"within one of the number of classes in {ours}, the thesis's in {theirs}. "
            "The thesis read its curves by eye; no rule that sees only the curve comes "
            "near that ([rules](rules.md))."
        )
    parts = ["*Confirmed:*", *_listed(confirmed)]
    parts += ["*Not confirmed, because the data, the rule or the times differ:*"]
    parts += [*_listed(not_yet), *_steadiness(bench, cells)]
    return "\n\n".join(parts)


def _listed(lines: list[str]) -> list[str]:
    return ["\n".join(f"- {line}" for line in lines)] if lines else []


def _data(bench: Bench) -> tuple[list[str], list[str]]:
    """Return what fingerprints say of sets that are the thesis's, and of others."""
    table = BEYOND["fingerprints"]
    told: dict[bool, list[str]] = {True: [], False: []}
    missing = []
    for dataset in table.columns:
        source = bench.sources[dataset]
        kept = [bench.answer(recipe, dataset) for recipe in table.rows.values()]
        tried = sum(one is not None and one.k is not None for one in kept)
        answer = bench.answer(table.rows[source.preparation], dataset)
        facts = (answer.facts if answer else None) or {}
        if answer is not None and answer.k is not None and "of" in facts:
            text = f"{dataset} {answer.k} of {facts['of']} ({tried} preparations tried)"
            told[source.close == "identified"].append(text)
        elif answer is None and bench.load(dataset) is not None:
            missing.append(dataset)
    same, other = [], []
    if told[True]:
        same.append(
            "**Data.** The thesis prints how similar its clusters are to the classes. "
            f"Ours have the same digits: {', '.join(told[True])}. These sets are the "
            "thesis's own."
        )
    if told[False]:
        other.append(
            f"**Data.** Not all digits match: {', '.join(told[False])}. These are not "
            "the thesis's values, so their cells may differ for that reason alone "
            "([fingerprints](#fingerprints))."
        )
    if missing:
        other.append(f"**Data** not compared yet: {', '.join(missing)}.")
    return same, other


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
        f"*Seeds.* {count} cells have been run with {SEEDS} seeds. With the "
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
