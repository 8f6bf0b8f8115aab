"""The legend above a chart: a sample of each mark, and what it stands for."""

from __future__ import annotations

from collections.abc import Sequence

from stablek.report.page.markup import Element, short


def legend_above(
    entries: Sequence[tuple[str, str, str]], left: float, width: float
) -> tuple[list[Element], float]:
    """Return the legend above the plot, and how much room it takes.

    An entry is a label, the class of its mark, and the shape: line, band or dot.
    """
    drawn: list[Element] = []
    x, row = left, 0
    for label, class_, shape in entries:
        wide = 26 + 8.2 * len(label)  # as on a phone, where letters are larger
        if x + wide > width and x > left:
            x, row = left, row + 1
        y = -4.0 + 16 * row
        sample = {
            "band": Element("rect", class_=f"band {class_}", x=x, y=y - 9, width=16,
                            height=10),
            "dot": Element("circle", class_=class_, cx=x + 8, cy=y - 4, r=4),
        }.get(shape) or Element(
            "path", class_=f"line {class_}", d=f"M{short(x)} {short(y - 4)}h16"
        )  # fmt: skip
        drawn += [sample, text_at(label, x + 21, y, "start")]
        x += wide
    depth = 16.0 * (row + 1) + 4 if entries else 0.0
    group = Element("g", *drawn, transform=f"translate(0 {short(-16.0 * row)})")
    return ([group] if drawn else []), depth


def text_at(
    label: str, x: float, y: float, anchor: str, class_: str = "number"
) -> Element:
    """Return a label at a place of the drawing."""
    return Element("text", label, class_=class_, x=x, y=y, text_anchor=anchor)
