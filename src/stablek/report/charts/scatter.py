"""Items in a plane, coloured by cluster or annotation, or shaded by trust."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stablek.report.charts.scale import extent
from stablek.report.charts.strips import Strip
from stablek.report.charts.svg import Chart, colour
from stablek.report.page.markup import Element, text_of

Floats = NDArray[np.float64]

#: The five shades of trust.
TRUST = ("under 0.2", "to 0.4", "to 0.6", "to 0.8", "to 1")
#: Classes that the legend names; the colours repeat beyond twelve.
NAMED = 12
FIFTHS = ("lowest fifth", "second", "middle", "fourth", "highest fifth")


def scatter(
    points: Floats,
    axes: tuple[str, str],
    labels: Sequence[int],
    tips: Sequence[str],
    name: str,
    *,
    shades: Sequence[float] | None = None,
) -> Element:
    """Draw items in a plane, coloured by cluster or, where given, shaded by trust."""
    chart = _plane(name, points, axes)
    if shades is not None:
        for place, label in enumerate(TRUST):
            chart.legend(label, f"t{place}", "dot")
    radius = 4.0 if len(points) <= 200 else 3.2 if len(points) <= 500 else 2.6
    group = Element("g", class_="items")
    for place, (x, y) in enumerate(points):
        class_ = (
            f"f{colour(labels[place])}"
            if shades is None
            else trust_class(shades[place])
        )
        dot = Element("circle", class_=class_, cx=chart.sx(x), cy=chart.sy(y), r=radius)
        group.add(dot.add(Element("title", tips[place])))
    chart.mark(group)
    if shades is None:
        names = Element("g", class_="names")
        for cluster in sorted(set(labels)):
            mine = points[np.asarray(labels) == cluster]
            # The member nearest the median: a label in an empty middle would mislead.
            middle = np.median(mine, axis=0)
            x, y = mine[((mine - middle) ** 2).sum(axis=1).argmin()]
            names.add(
                Element("text", str(cluster + 1), x=chart.sx(x), y=chart.sy(y) + 5,
                        text_anchor="middle")
            )  # fmt: skip
        chart.mark(names)
    return chart.render()


def annotated_map(points: Floats, axes: tuple[str, str], strip: Strip) -> Element:
    """Draw items in a plane in the colours of a strip; those without one are hollow."""
    name = f"Items in a plane, coloured by {text_of(strip.name, 60)}"
    chart = _plane(name, points, axes)
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


def _plane(name: str, points: Floats, axes: tuple[str, str]) -> Chart:
    return Chart(
        name, extent(points[:, 0], pad=0.05), extent(points[:, 1], pad=0.05),
        axes[0], axes[1], width=460.0, height=430.0, x_ticks=False, y_ticks=False,
        left=26.0,
    )  # fmt: skip


def trust_class(value: float) -> str:
    """Return the class of a trust from 0 to 1: five shades, or "not known"."""
    if not math.isfinite(value):
        return "tn"
    return f"t{min(int(max(value, 0.0) * 5), 4)}"
