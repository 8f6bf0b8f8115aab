"""Items in a plane, coloured by an annotation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stablek.report.charts.scale import extent
from stablek.report.charts.strips import Strip
from stablek.report.charts.svg import Chart, colour
from stablek.report.page.markup import Element, text_of

Floats = NDArray[np.float64]

#: Classes that the legend names; the colours repeat beyond twelve.
NAMED = 12
FIFTHS = ("lowest fifth", "second", "middle", "fourth", "highest fifth")


def annotated_map(points: Floats, axes: tuple[str, str], strip: Strip) -> Element:
    """Draw items in a plane in the colours of a strip; those without one are hollow."""
    chart = Chart(
        f"Items in a plane, coloured by {text_of(strip.name, 60)}",
        extent(points[:, 0], pad=0.05), extent(points[:, 1], pad=0.05), axes[0],
        axes[1], width=460.0, height=430.0, x_ticks=False, y_ticks=False, left=26.0,
    )  # fmt: skip
    kinds = sorted(set(np.asarray(strip.codes).tolist()))
    names = FIFTHS if strip.shaded else strip.levels
    radius = 3.2 if len(points) <= 300 else 2.4
    for kind in kinds:
        class_ = (
            "tn" if kind < 0 else f"t{kind}" if strip.shaded else f"f{colour(kind)}"
        )
        mine = points[np.asarray(strip.codes) == kind]
        if 0 <= kind < min(NAMED, len(names)):
            chart.legend(text_of(names[kind], 24), class_, "dot")
        group = Element("g", class_="items")
        for x, y in mine:
            group.add(
                Element("circle", class_=class_, cx=chart.sx(x), cy=chart.sy(y),
                        r=radius)
            )  # fmt: skip
        chart.mark(group)
    return chart.render()
