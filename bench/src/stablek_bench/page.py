"""The docs page "Reproduction", written from the cells that are there."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from stablek.io.store.atomic import write_text
from stablek.report.pictures import new_figure
from stablek.version import __version__
from stablek_bench.beyond import BEYOND
from stablek_bench.grid import CLASSIC, NMF, TABLES, Table
from stablek_bench.page_data import data_table, fingerprints_table, markdown
from stablek_bench.page_summary import ends, one_screen
from stablek_bench.reference import real
from stablek_bench.run import Bench, bearable
from stablek_bench.summary import Setting, by_measure, picture, ranked, rows, settings
from stablek_bench.tables import (
    Cell,
    Score,
    cells_of,
    duration,
    layout,
    score,
    sentence,
)

COMMAND = "stablek bench all --budget 120 --data DIR -o bench.sqlite --page FILE"
#: Tables whose cells are Consensus or FC, on which the issue of agreement is settled.
CONSENSUS = ("consensus", "H500p80", "H250p80", "H100p80", "H500p66", "H250p66",
             "H100p66", "FC-H250p80", "Consensus-H250p80Monti",
             "Consensus-H250p80Sim", "FC-Monti", "FCSim")  # fmt: skip

PARTIAL = (
    "*Not all cells have been run yet, and measures have been run on different sets: "
    "their shares are not comparable before the page is complete.*"
)

WHY = """\
Cells differ for reasons that can be named. The *data* are the thesis's own, to the last
printed digit, for Novartis, St.Jude and Leukemia; NCI60 and Lymphoma have other gene
lists, Yeast has four genes more, and Gaussian5 and Simulated6 are simulated with
spreads the thesis does not state. The *rule* is explicit here, while the thesis reads
the curves of WCSS, FOM, ME, Consensus and FC by eye; the constants of our rules were
chosen on simulations and other real sets, and the pages on knees and rules say what
had been seen of these tables by then. And the *source* has slips:
FC rows quoted in the full summary differ from the FC table (500 resamplings), and the
Simulated6 rows of the similarity tables are negative, which no gold labelling gives.
Agreement with the thesis is no proof of being right: beside it stands what always
answering the gold k would score.
"""


def text(bench: Bench, note: str = "") -> str:
    """Return the page as Markdown; ``note`` says what else a reader must know."""
    cells = {
        name: cells_of(table, bench) for name, table in {**TABLES, **BEYOND}.items()
    }
    done, possible = _progress(bench)
    found = settings(bench)
    close = {n for n, source in bench.sources.items() if source.close == "identified"}
    parts = [
        "# Reproduction of the thesis's tables",
        one_screen(bench, cells, CONSENSUS),
        "## Headline questions",
        *([] if done == possible else [PARTIAL]),
        _headline(found, cells, close),
        "## What was run",
        _state(done, possible),
        *([note] if note else []),
        data_table(bench),
        "### Fingerprints",
        fingerprints_table(bench),
        "## Why cells differ",
        WHY,
        "## Ends of the range",
        "How often each measure answers the smallest or the largest k it was asked "
        "for, on the real sets: an answer there is an end, not a find.",
        ends(cells, bench),
    ]
    parts += ["## Agreement, table by table", _agreement(cells)]
    parts += [
        "## Times",
        _times(cells),
        "## Precision against time",
        markdown(rows(found, 40)),
    ]
    parts.append("## The tables")
    parts.append("Ours, then the thesis's in parentheses; * is the gold k, ~ one off; "
                 "- is no answer, or none yet.")  # fmt: skip
    for name, table in {**TABLES, **BEYOND}.items():
        if table.kind in ("k", "index") and any(
            c.ours is not None for c in cells[name]
        ):
            parts += [f"### {name}", markdown(_short(table, cells[name]))]
            if table.kind == "k" and name in TABLES:
                parts.append(sentence(score(cells[name])))
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def write(bench: Bench, file: Path, note: str = "") -> None:
    """Write the page, whole or not at all."""
    write_text(file, text(bench, note))


def draw(bench: Bench, folder: Path) -> None:
    """Draw the summary, and the external indices as functions of k, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    picture(settings(bench), folder / "precision-against-time.svg")
    table = BEYOND["external"]
    titles = {"adj": "Adjusted Rand", "fm": "FM", "f": "F"}
    for index, title in titles.items():
        figure = new_figure(figsize=(10, 9))
        axes = figure.subplots(3, 3, sharex=True, sharey=True).ravel()
        for axis, dataset in zip(axes, table.columns, strict=False):
            for row, recipe in table.rows.items():
                answer = bench.answer(recipe, dataset)
                facts = (answer.facts if answer else None) or {}
                if index in facts:
                    axis.plot(facts["ks"], facts[index], label=row, linewidth=1)
            axis.set_title(dataset, fontsize="small")
        if axes[0].get_legend_handles_labels()[0]:
            axes[0].legend(fontsize="xx-small")
        figure.suptitle(f"{title} index against the classes, as a function of k")
        figure.savefig(folder / f"external-{index}.svg", metadata={"Date": None})


def _progress(bench: Bench) -> tuple[int, int]:
    """Return how many distinct cells are there, out of those that are run at all."""
    wanted = {
        (recipe, dataset)
        for table in {**TABLES, **BEYOND}.values()
        for recipe in table.rows.values()
        for dataset in table.columns
        if bearable(recipe, dataset) and bench.load(dataset) is not None
    }
    return sum(bench.answer(*cell) is not None for cell in wanted), len(wanted)


def _state(done: int, possible: int) -> str:
    share = f"{done} of the {possible} distinct cells that are run at all"
    if done == possible:
        start = f"This page is complete: {share} were computed."
    else:
        start = (
            f"**This page is partial**: {share} have been computed so far. The command "
            "below goes on where the last one stopped, and writes the page anew."
        )
    return (
        f"{start} Generated by stablek {__version__}:\n\n    {COMMAND}\n\n"
        "Settings are those of the thesis (`--preset thesis`): Gap and G-Gap from "
        "k = 1, all others from 2, up to 30; Clest up to 10 on Leukemia, 15 on NCI60 "
        "and Lymphoma; Consensus at 66 % up to 25 on Leukemia; five starts of "
        "K-means-R. Randomised cells of the classic algorithms are computed with ten "
        "seeds: the mode is shown, with its share where not all agree. H = 100 and 250 "
        "are prefixes of H = 500. NMF is Brunet's, stopped by his connectivity matrix, "
        "with negative values folded; FC-HALS is ours. Factorisation is not run on "
        "Yeast and PBM, nor Consensus, ME, Clest and Gap-Pc on PBM."
    )


def _headline(
    found: list[Setting], cells: dict[str, list[Cell]], close: set[str]
) -> str:
    run = ranked(found)
    if not run:
        return "Nothing has been run yet."
    lines = ["*Is Consensus/FC still the most precise?* Share of cells within one of "
             "the gold k, all algorithms run so far, ours and (the thesis's on the "
             "same settings): " + "; ".join(_measure_line(m) for m in by_measure(found))
             + "."]  # fmt: skip
    timed = {one.name: one.ours.seconds for one in run if one.ours.seconds}
    fc = timed.get("FC-Hier-A")
    good = [one for one in run if one.ours.enters and one.ours.seconds]
    if fc and good:
        fastest = min(good, key=lambda one: one.ours.seconds or 0.0)
        ratio = fc / (fastest.ours.seconds or fc)
        lines.append(
            "*Is FC within one order of magnitude of the fastest precise measure?* "
            f"FC-Hier-A takes {duration(fc)} on the four timed sets, {fastest.name}, "
            "the fastest setting within one on four of the five sets, "
            f"{duration(fastest.ours.seconds or 0.0)}: {ratio:.3g} times."
        )
    lines.append(
        "*Is Hier-A with FC still the best setting?* "
        + _place(run, "FC-Hier-A")
        + " The first five: "
        + "; ".join(f"{one.name} ({one.ours.exact} exact, {one.ours.within} within "
                    f"one of {one.ours.answered})" for one in run[:5])
        + "."
    )  # fmt: skip
    lines.append("*Does NMF pay?* " + _nmf(cells))
    total = sum((score(cells[name]) for name in CONSENSUS), Score())
    lines.append("*All Consensus and FC tables together.* " + sentence(total))
    near = [c for name in CONSENSUS for c in cells[name] if c.dataset in close]
    names = ", ".join(sorted(close))
    lines.append(f"*The same on the identified sets* ({names}). "
                 + sentence(score(near)))  # fmt: skip
    return "\n\n".join(lines)


def _measure_line(line: dict[str, int | str]) -> str:
    cells = int(line["cells"])
    theirs = int(line["thesis_answered"])
    printed = (
        "-" if not theirs else f"{100 * int(line['thesis_within']) / theirs:.0f} %"
    )
    share = 100 * int(line["ours_within"]) / cells
    return f"{line['measure']} {share:.0f} % of {cells} ({printed})"


def _place(run: list[Setting], name: str) -> str:
    names = [one.name for one in run]
    if name not in names:
        return f"{name} has not been run yet."
    return f"{name} is number {names.index(name) + 1} of {len(names)} settings run."


def _nmf(cells: dict[str, list[Cell]]) -> str:
    """Compare FC by the two NMFs with FC by classic algorithms, on the same sets."""
    fc = [c for name in ("FC-H250p80", "FC-Monti") for c in cells.get(name, [])]
    theirs = [c for c in fc if c.row in NMF and c.ours is not None]
    hals = [c for c in cells.get("FC-HALS", []) if c.ours is not None]
    lines = []
    for what, own in (("The thesis's NMF (Brunet's)", theirs), ("Ours (HALS)", hals)):
        sets = list(dict.fromkeys(c.dataset for c in own))
        classic = [c for c in fc if c.row in CLASSIC and c.dataset in sets]
        classic = [c for c in classic if c.ours is not None]
        if own and classic:
            lines.append(
                f"{what}, on {', '.join(sets)}: {_worth(own)}; the classic algorithms "
                f"on the same sets: {_worth(classic)}."
            )
    return " ".join(lines) or "Its cells have not been run yet."


def _worth(cells: list[Cell]) -> str:
    """Say how often FC is near the gold k in some cells, and what a cell takes."""
    away = [abs(int(c.ours or 0) - (c.gold or 0)) for c in cells]
    exact, within = sum(d == 0 for d in away), sum(d <= 1 for d in away)
    time = duration(median(c.seconds or 0.0 for c in cells))
    return (
        f"{exact} exact and {within} within one of {len(cells)} cells, median time of "
        f"a cell {time}"
    )


def _agreement(cells: dict[str, list[Cell]]) -> str:
    lines = [["table", "cells", "exact", "within one", "gold k: exact",
              "gold k: within one"]]  # fmt: skip
    for name, table in TABLES.items():
        found = score(cells[name])
        if table.kind == "k" and found.compared:
            lines.append([name, *(str(n) for n in found.counts()[:5])])
    return markdown(lines) if len(lines) > 1 else "No cell to compare yet."


def _times(cells: dict[str, list[Cell]]) -> str:
    lines = [["table", "cells", "median times faster", "least", "most"]]
    for name, table in TABLES.items():
        if table.kind != "time":
            continue
        ratios = [
            milliseconds / cell.ours
            for cell in cells[name]
            if cell.ours and (milliseconds := real(cell.thesis))
        ]
        if ratios:
            figures = (median(ratios), min(ratios), max(ratios))
            texts = [f"{value:.3g}" for value in figures]
            lines.append([name, str(len(ratios)), *texts])
    if len(lines) == 1:
        return "No time to compare yet."
    return (
        "The thesis's times are those of one core of a 2.2 GHz Athlon of 2008; ours "
        "are wall-clock with one worker per core, on the machine that made this page. "
        "What several cells share counts in full for each.\n\n" + markdown(lines)
    )


def _short(table: Table, cells: list[Cell]) -> list[list[str]]:
    """Return the layout without rows that have no answer of ours."""
    answered = {cell.row for cell in cells if cell.ours is not None}
    lines = layout(table, cells)
    return [line for line in lines if line[0] in ("", "gold k") or line[0] in answered]
