"""A small chart writer: lines with bands, steps, bars, dots, as inline SVG.

Colours are classes (``s0`` strokes, ``f0`` fills with series colour 0), so that the
style sheet decides on light, dark and print; axes and text use ``currentColor``. Every
mark carries its numbers in a ``<title>``. The order of calls is the order of painting.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from stablek.report.charts.scale import Scale, tick_labels, ticks, whole_ticks
from stablek.report.page.markup import Element, short, text_at

#: A column of a table, a list, a tuple: numbers in order.
Numbers: TypeAlias = "Sequence[float] | NDArray[np.float64]"

#: How many series colours the style sheet has; beyond them they repeat.
COLOURS = 12


def colour(place: int) -> int:
    """Return the series colour of a place in a list."""
    return place % COLOURS


@dataclass
class Chart:
    """A chart with two axes; ``name`` says what it shows, for those who cannot see it.

    ``x`` and ``y`` are ranges, from :func:`stablek.report.charts.scale.extent`, of
    whole numbers (a k) if ``x_whole``. Sizes are user units, which the page scales;
    ``left`` is the room for the labels of the left axis, ``class_`` that of the drawing
    in the style sheet.
    """

    name: str
    x: tuple[float, float]
    y: tuple[float, float]
    x_label: str = ""
    y_label: str = ""
    width: float = 520.0
    height: float = 300.0
    x_whole: bool = False
    x_ticks: bool = True
    y_ticks: bool = True
    left: float = 52.0
    class_: str = "chart"
    _marks: list[Element] = field(default_factory=list)
    _legend: list[tuple[str, str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.top, self.right = 14.0, 14.0
        self.bottom = 42.0 if self.x_label else 24.0
        self.sx = Scale(*self.x, self.left, self.width - self.right)
        self.sy = Scale(*self.y, self.height - self.bottom, self.top)

    def legend(self, label: str, class_: str, shape: str = "line") -> None:
        """Add an entry to the legend; shape is "line", "band" or "dot"."""
        self._legend.append((label, class_, shape))

    def line(self, xs: Numbers, ys: Numbers, class_: str, **more: str) -> None:
        """Draw a line through the points; it breaks where a value is missing."""
        path = self._path(xs, ys)
        if path:
            self.mark(Element("path", class_=f"line {class_}", d=path, **more))

    def dots(
        self,
        xs: Numbers,
        ys: Numbers,
        class_: str,
        tips: Sequence[str] = (),
        radius: float = 3.2,
    ) -> None:
        """Draw a dot at each point, with its tip."""
        for place, (x, y) in enumerate(zip(xs, ys, strict=True)):
            if math.isfinite(x) and math.isfinite(y):
                dot = Element(
                    "circle", class_=class_, cx=self.sx(x), cy=self.sy(y), r=radius
                )
                self.mark(_tipped(dot, tips, place))

    def band(self, xs: Numbers, low: Numbers, high: Numbers, class_: str) -> None:
        """Fill the area between two curves."""
        kept = [
            (x, a, b)
            for x, a, b in zip(xs, low, high, strict=True)
            if math.isfinite(a) and math.isfinite(b)
        ]
        if len(kept) < 2:
            return
        there = [f"{short(self.sx(x))} {short(self.sy(b))}" for x, _, b in kept]
        back = [f"{short(self.sx(x))} {short(self.sy(a))}" for x, a, _ in kept[::-1]]
        path = "M" + "L".join(there + back) + "Z"
        self.mark(Element("path", class_=f"band {class_}", d=path))

    def steps(
        self, xs: Numbers, ys: Numbers, class_: str, tip: str = "", **more: str
    ) -> None:
        """Draw a step function that is ys[i] from xs[i] up to xs[i + 1]."""
        parts: list[str] = []
        for x, y in zip(xs, ys, strict=True):
            px, py = short(self.sx(x)), short(self.sy(y))
            parts.append(f"H{px}V{py}" if parts else f"M{px} {py}")
        shape = Element("path", class_=f"line {class_}", d="".join(parts), **more)
        self.mark(_tipped(shape, [tip], 0) if tip else shape)

    def bars(
        self,
        edges: Sequence[tuple[float, float]],
        heights: Numbers,
        class_: str,
        tips: Sequence[str] = (),
    ) -> None:
        """Draw a bar over each interval."""
        for place, ((a, b), height) in enumerate(zip(edges, heights, strict=True)):
            if not math.isfinite(height):
                continue
            top, bottom = sorted((self.sy(height), self.sy(0.0)))
            bar = Element(
                "rect",
                class_=class_,
                x=self.sx(a),
                y=top,
                width=max(self.sx(b) - self.sx(a), 0.5),
                height=max(bottom - top, 0.5),
            )
            self.mark(_tipped(bar, tips, place))

    def at_x(self, x: float, label: str = "", class_: str = "chosen") -> None:
        """Draw a dashed upright line, with a label next to its head."""
        px = self.sx(x)
        self.mark(
            Element("path", class_=f"rule {class_}", d=f"M{short(px)} {short(self.top)}"
                    f"V{short(self.height - self.bottom)}")
        )  # fmt: skip
        if label:
            flip = px > self.width - 90
            self.mark(
                Element(
                    "text",
                    label,
                    class_=f"note {class_}",
                    x=px + (-6 if flip else 6),
                    y=self.top + 10,
                    text_anchor="end" if flip else None,
                )
            )

    def at_y(self, y: float, class_: str = "zero") -> None:
        """Draw a level line, such as zero."""
        if self.y[0] <= y <= self.y[1]:
            end = short(self.width - self.right)
            d = f"M{short(self.left)} {short(self.sy(y))}H{end}"
            self.mark(Element("path", class_=f"rule {class_}", d=d))

    def strips(self, xs: Numbers, tips: Sequence[str]) -> None:
        """Lay an invisible strip over each x, so that its tip is easy to hit."""
        for place, x in enumerate(xs):
            before = xs[place - 1] if place else self.x[0] * 2 - x
            after = xs[place + 1] if place + 1 < len(xs) else self.x[1] * 2 - x
            a = max(self.sx((before + x) / 2), self.left)
            b = min(self.sx((x + after) / 2), self.width - self.right)
            strip = Element(
                "rect",
                class_="hit",
                x=a,
                y=self.top,
                width=max(b - a, 1.0),
                height=self.height - self.bottom - self.top,
            )
            self.mark(_tipped(strip, tips, place))

    def text(self, x: float, y: float, label: str, class_: str, **more: str) -> None:
        """Write a label at a point."""
        self.mark(
            Element("text", label, class_=class_, x=self.sx(x), y=self.sy(y), **more)
        )

    def mark(self, *shapes: Element) -> None:
        """Add shapes drawn by the caller."""
        self._marks.extend(shapes)

    def render(self) -> Element:
        """Return the drawing."""
        legend, depth = legend_above(self._legend, self.left, self.width)
        drawing = Element(
            "svg",
            viewBox=" ".join(map(short, (0, -depth, self.width, self.height + depth))),
            class_=self.class_,
            role="img",
            aria_label=self.name,
        )
        return drawing.add(*legend, self._axes(), Element("g", *self._marks))

    def _axes(self) -> Element:
        floor, end = self.height - self.bottom, self.width - self.right
        axes = Element("g", class_="axes")
        if self.y_ticks:
            levels = ticks(*self.y, most=6 if self.height > 200 else 4)
            for y, label in zip(levels, tick_labels(levels), strict=True):
                at = self.sy(y)
                d = f"M{short(self.left)} {short(at)}H{short(end)}"
                axes.add(Element("path", class_="grid", d=d))
                axes.add(text_at(label, self.left - 7, at + 3.5, "end"))
        if self.x_ticks:
            low, high = math.ceil(self.x[0] - 1e-9), math.floor(self.x[1] + 1e-9)
            places: Sequence[float]
            most = max(3, int((end - self.left) / 30))
            if self.x_whole:
                places = whole_ticks(low, high, most)
            else:
                places = ticks(*self.x, most=min(most, 6))
            for x, label in zip(places, tick_labels(places), strict=True):
                d = f"M{short(self.sx(x))} {short(floor)}v4"
                axes.add(Element("path", class_="tick", d=d))
                axes.add(text_at(label, self.sx(x), floor + 16, "middle"))
            d = f"M{short(self.left)} {short(floor)}H{short(end)}"
            axes.add(Element("path", class_="axis", d=d))
        if self.x_label:
            at = (self.left + end) / 2
            axes.add(text_at(self.x_label, at, self.height - 6, "middle", "label"))
        if self.y_label:
            middle = (self.top + floor) / 2
            axes.add(
                Element(
                    "text",
                    self.y_label,
                    class_="label",
                    text_anchor="middle",
                    transform=f"translate(12 {short(middle)}) rotate(-90)",
                )
            )
        return axes

    def _path(self, xs: Numbers, ys: Numbers) -> str:
        parts, down = [], False
        for x, y in zip(xs, ys, strict=True):
            if not math.isfinite(y):
                down = False
                continue
            parts.append(
                f"{'L' if down else 'M'}{short(self.sx(x))} {short(self.sy(y))}"
            )
            down = True
        return "".join(parts)


def padded_ks(ks: Sequence[int]) -> tuple[float, float]:
    """Return the range of an axis of ks, with half a step of air."""
    return min(ks) - 0.5, max(ks) + 0.5


def _tipped(shape: Element, tips: Sequence[str], place: int) -> Element:
    return shape.add(Element("title", tips[place])) if place < len(tips) else shape


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
