"""Strips: what is known of items side by side, one colour per class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.annotations import Annotation
from stablek.report.charts.scale import Scale
from stablek.report.charts.svg import colour
from stablek.report.page.markup import Element, short, text_at, text_of

Codes = NDArray[np.integer[Any]]

#: Shades of a numeric annotation.
FIFTHS = 5
TALL, GAP = 11.0, 3.0


@dataclass(frozen=True)
class Strip:
    """A row of items: what it is called, and the class of every item; -1 is none.

    ``shaded`` says that classes are fifths of a number, from low to high.
    """

    name: str
    codes: Codes
    shaded: bool = False
    levels: tuple[str, ...] = ()

    def at(self, rows: NDArray[np.integer[Any]]) -> Strip:
        """Return the strip of some items, in this order."""
        return replace(self, codes=self.codes[rows])


def strips_of(annotations: Sequence[Annotation], most: int) -> list[Strip]:
    """Return the first annotations that say something, as strips."""
    return [strip_of(one) for one in annotations if not one.problem()][:most]


def strip_of(one: Annotation) -> Strip:
    """Return an annotation as a strip; a number by the fifth it falls into."""
    if not one.numeric:
        return Strip(one.name, one.codes, levels=one.levels)
    known = one.known
    codes = np.full(len(one.values), -1)
    cuts = np.quantile(one.values[known], np.linspace(0, 1, FIFTHS + 1)[1:-1])
    codes[known] = np.searchsorted(cuts, one.values[known], side="left")
    return Strip(one.name, codes, shaded=True)


def strips(
    rows: Sequence[Strip], left: float, width: float, top: float
) -> tuple[list[Element], float]:
    """Return drawings of strips under one another, and where they end."""
    drawn: list[Element] = []
    for row in rows:
        label = text_at(text_of(row.name, 18), left - 6, top + TALL - 2, "end")
        drawn += [label, *runs(row, left, width, top)]
        top += TALL + GAP
    return drawn, top


def runs(row: Strip, left: float, width: float, top: float) -> list[Element]:
    """Return one path for every class of a strip: its runs of neighbouring items."""
    codes = np.asarray(row.codes)
    starts = np.flatnonzero(np.diff(codes, prepend=codes[0] - 1))
    stops = np.append(starts[1:], len(codes))
    scale = Scale(0, len(codes), left, left + width)
    paths: dict[int, str] = {}
    y, bottom = short(top), short(top + TALL)
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        code = int(codes[start])
        if code >= 0:
            a, b = short(scale(start)), short(scale(stop))
            paths[code] = paths.get(code, "") + f"M{a} {y}H{b}V{bottom}H{a}z"
    return [
        Element(
            "path",
            Element("title", _tip(row, code)),
            class_=f"t{min(code, 4)}" if row.shaded else f"f{colour(code)}",
            d=paths[code],
        )
        for code in sorted(paths)
    ]


def _tip(row: Strip, code: int) -> str:
    if row.shaded:
        words = ("lowest fifth", "second fifth", "middle", "fourth fifth", "highest")
        return f"{text_of(row.name, 60)}: {words[min(code, 4)]}"
    name = row.levels[code] if code < len(row.levels) else str(code + 1)
    return f"{text_of(row.name, 60)}: {text_of(name, 60)}"
