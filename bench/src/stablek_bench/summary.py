"""Precision against time: the hierarchy of measures, the thesis's and ours.

A setting is a measure with an algorithm. It is precise on a data set if its k* is the
gold k or one off; the thesis lets a setting into its summary tables if that holds for
at least four of its six data sets. PBM cannot be had, so it is four of five here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stablek.report.pictures import new_figure
from stablek_bench.grid import FIRST_FIVE, TABLES, TIMED
from stablek_bench.reference import real
from stablek_bench.run import Bench
from stablek_bench.tables import Cell, cells_of, duration

#: The tables that hold every setting once; later ones add what is new in them.
SETTINGS = (
    ("WCSS", "WCSS"),
    ("KL-Index", "KL"),
    ("Gap", ""),
    ("Clest-summary", ""),
    ("ME", ""),
    ("FOM-Index", "FOM"),
    ("WCSSapp", "WCSS"),
    ("Gapapp", ""),
    ("FOMapp", "FOM"),
    ("Gfom", "G-FOM"),
    ("DiffFom", "DIFF-FOM"),
    ("H500p80", "Consensus"),
    ("FC-H250p80", "FC"),
)
ENOUGH = 4


@dataclass(frozen=True)
class Side:
    """A setting on one side: sets answered, exact, within one, and total seconds.

    The seconds are the sum over the four sets the thesis times; None if one lacks.
    """

    answered: int
    exact: int
    within: int
    seconds: float | None

    @property
    def enters(self) -> bool:
        """Whether the setting is within one on enough sets to be summarised."""
        return self.within >= ENOUGH


@dataclass(frozen=True)
class Setting:
    """A measure with an algorithm, the thesis's figures and ours.

    ``theirs`` counts the cells that were run, out of the ``possible`` ones.
    """

    name: str
    measure: str
    algorithm: str
    ours: Side
    theirs: Side
    run: int
    possible: int


def settings(bench: Bench) -> list[Setting]:
    """Return all settings with what the store holds of them."""
    found: dict[str, Setting] = {}
    for name, prefix in SETTINGS:
        table, timed = TABLES[name], TABLES[f"{name}-time"]
        cells, times = cells_of(table, bench), cells_of(timed, bench)
        for row, recipe in table.rows.items():
            if recipe.key in found:
                continue
            mine = [c for c in cells if c.row == row and c.dataset in FIRST_FIVE]
            took = [c.seconds for c in mine if c.dataset in TIMED]
            printed = [
                ms / 1000 if (ms := real(c.thesis)) is not None else None
                for c in times
                if c.row == row and c.dataset in TIMED
            ]
            possible = [c for c in mine if c.state not in ("absent", "left out")]
            run = [c for c in possible if c.state != "not run"]
            found[recipe.key] = Setting(
                f"{prefix}-{row}" if prefix else row,
                recipe.measure + ", NMF" * recipe.algorithm.startswith("nmf"),
                recipe.algorithm.partition("+")[0],
                _side(mine, took, _our_ks),
                _side(run, printed, _their_ks),
                len(run),
                len(possible),
            )
    return list(found.values())


def _our_ks(cell: Cell) -> tuple[int, ...]:
    return () if cell.ours is None else (int(cell.ours),)


def _their_ks(cell: Cell) -> tuple[int, ...]:
    return cell.theirs


def _side(
    cells: list[Cell],
    seconds: list[float | None],
    ks: Callable[[Cell], tuple[int, ...]],
) -> Side:
    away = [
        min(abs(k - cell.gold) for k in ks(cell))
        for cell in cells
        if ks(cell) and cell.gold is not None
    ]
    known = [value for value in seconds if value is not None]
    total = sum(known) if len(known) == len(TIMED) else None
    return Side(len(away), away.count(0), sum(a <= 1 for a in away), total)


def ranked(found: list[Setting]) -> list[Setting]:
    """Return the settings we have run, most precise first, the faster of equals."""
    return sorted(
        (one for one in found if one.ours.answered),
        key=lambda one: (
            -one.ours.within,
            -one.ours.exact,
            one.ours.seconds if one.ours.seconds is not None else math.inf,
        ),
    )


def rows(found: list[Setting], most: int | None = None) -> list[list[str]]:
    """Return the hierarchy as rows of text."""
    heading = ["setting", "ours: exact, within one", "time",
               "thesis: exact, within one", "time", "times faster"]  # fmt: skip
    return [heading, *(_row(one) for one in ranked(found)[:most])]


def _row(one: Setting) -> list[str]:
    mine, theirs = one.ours.seconds, one.theirs.seconds
    faster = f"{theirs / mine:.3g}" if mine and theirs else "-"
    cells = [one.name]
    for side in (one.ours, one.theirs):
        cells.append(f"{side.exact}, {side.within} of {side.answered}")
        cells.append("-" if side.seconds is None else duration(side.seconds))
    return [*cells, faster]


def by_measure(found: list[Setting]) -> list[dict[str, Any]]:
    """Return, per measure, how many cells are within one, ours and theirs; best first.

    Theirs are counted on the cells that were run.
    """
    lines: dict[str, dict[str, Any]] = {}
    for one in found:
        start = dict.fromkeys(
            ("cells", "possible", "ours_within", "thesis_answered", "thesis_within"), 0
        )
        line = lines.setdefault(one.measure, {"measure": one.measure, **start})
        line["cells"] += one.run
        line["possible"] += one.possible
        line["ours_within"] += one.ours.within
        line["thesis_answered"] += one.theirs.answered
        line["thesis_within"] += one.theirs.within
    run = [line for line in lines.values() if line["cells"]]
    return sorted(run, key=lambda line: -line["ours_within"] / line["cells"])


def picture(found: list[Setting], file: Path) -> None:
    """Draw precision (sets within one) against total time, both sides, as a figure."""
    figure = new_figure(figsize=(9, 5))
    axes = figure.subplots(1, 2, sharey=True)
    for axis, side in zip(axes, ("ours", "theirs"), strict=True):
        families: dict[str, list[tuple[float, float]]] = {}
        for one in found:
            values: Side = getattr(one, side)
            if values.seconds and values.answered and one.ours.answered:
                families.setdefault(one.measure, []).append(
                    (values.seconds, values.within / values.answered)
                )
        for measure, points in families.items():
            axis.plot(*zip(*points, strict=True), "o", label=measure, alpha=0.7)
        axis.set_xscale("log")
        axis.set_xlabel("seconds, four sets together")
        axis.set_title("stablek" if side == "ours" else "thesis (2008, one core)")
    axes[0].set_ylabel("share of sets within one of the gold k")
    if axes[0].get_legend_handles_labels()[0]:
        axes[0].legend(fontsize="x-small", ncols=2)
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
