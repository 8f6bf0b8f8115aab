"""How clusters lie along a heat map, and how they merge and split over k."""

from collections.abc import Sequence

import numpy as np

from stablek.report.charts.scale import Scale
from stablek.report.charts.strips import GAP, TALL, Strip, runs
from stablek.report.charts.svg import colour
from stablek.report.page.look import View
from stablek.report.page.markup import Element, drawing_of, short, text_at


def strip(view: View, annotations: Sequence[Strip] = ()) -> Element:
    """Draw the clusters along the ordered items of a heat map, one path each.

    ``annotations`` of the same items are drawn under them.
    """
    ordered = view.labels if view.order is None else view.labels[view.order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    stops = np.append(starts[1:], len(ordered))
    scale = Scale(0, len(ordered), 0, 500)
    paths: dict[int, str] = {}
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        a, b = short(scale(start)), short(scale(stop))
        cluster = int(ordered[start])
        paths[cluster] = paths.get(cluster, "") + f"M{a} 0H{b}V9H{a}z"
    tall = 9 + (TALL + GAP) * len(annotations)
    drawing = Element(
        "svg", viewBox=f"0 0 500 {short(tall)}", class_="strip",
        preserveAspectRatio="none", aria_hidden="true",
        style=f"height:{0.75 * tall / 9:.2f}rem" if annotations else None,
    )  # fmt: skip
    for cluster, d in paths.items():
        drawing.add(Element("path", class_=f"f{colour(cluster)}", d=d))
    for place, row in enumerate(annotations):
        shown = row if view.order is None else row.at(view.order)
        drawing.extend(runs(shown, 0, 500, 9 + GAP + place * (TALL + GAP)))
    return drawing


def flow(views: Sequence[View], k_star: int | None) -> Element:
    """Draw how clusters merge and split from one k to the next."""
    width, height, bar, gap = 130.0 * len(views), 380.0, 13.0, 7.0
    ends = f"k = {views[0].k} to k = {views[-1].k}"
    name = f"Merging and splitting of clusters from {ends}"
    drawing = drawing_of(width, height, "broad flow", name)
    n = len(views[0].labels)
    ribbons, nodes = Element("g", class_="ribbons"), Element("g")
    placed: list[dict[int, list[float]]] = []
    for column, view in enumerate(views):
        order = _flow_order(view, views[column - 1] if column else None, placed)
        most = max(len(set(v.labels.tolist())) for v in views)
        unit = (height - 46 - gap * (most - 1)) / n
        sizes = np.bincount(view.labels)
        tall = unit * n + gap * (len(order) - 1)
        y, x = 30 + (height - 46 - tall) / 2, 130.0 * column + 50
        here: dict[int, list[float]] = {}
        heading = f"k = {view.k}" + (" = k*" if view.k == k_star else "")
        class_ = "label chosen" if view.k == k_star else "label"
        nodes.add(text_at(heading, x + bar / 2, 16, "middle", class_))
        for cluster in order:
            size = int(sizes[cluster])
            here[cluster] = [x, y, y, y]
            tip = Element("title", f"k = {view.k}, cluster {cluster + 1}: {size} items")
            nodes.add(
                Element("rect", tip, class_=f"f{colour(cluster)}", x=x, y=y, width=bar,
                        height=max(size * unit, 1.0), rx=2)
            )  # fmt: skip
            if size * unit > 9:
                middle = y + size * unit / 2 + 4
                nodes.add(text_at(str(cluster + 1), x - 5, middle, "end"))
            y += size * unit + gap
        if column:
            ribbons.extend(
                _ribbons(views[column - 1], view, placed[-1], here, unit, bar)
            )
        placed.append(here)
    return drawing.add(ribbons, nodes)


def _flow_order(
    view: View, before: View | None, placed: list[dict[int, list[float]]]
) -> list[int]:
    clusters = sorted(set(view.labels.tolist()))
    if before is None:
        return clusters
    height = {c: at[1] for c, at in placed[-1].items()}
    parents = np.array([height[int(c)] for c in before.labels])
    return sorted(clusters, key=lambda c: float(parents[view.labels == c].mean()))


def _ribbons(
    before: View,
    view: View,
    left: dict[int, list[float]],
    right: dict[int, list[float]],
    unit: float,
    bar: float,
) -> list[Element]:
    shapes = []
    for old in left:
        for new in right:
            items = int(((before.labels == old) & (view.labels == new)).sum())
            if not items:
                continue
            x0, x1 = left[old][0] + bar, right[new][0]
            a, b, wide = left[old][2], right[new][3], items * unit
            left[old][2] += wide
            right[new][3] += wide
            half = short((x0 + x1) / 2)
            d = (
                f"M{short(x0)} {short(a)}C{half} {short(a)} {half} {short(b)} "
                f"{short(x1)} {short(b)}v{short(wide)}C{half} {short(b + wide)} {half} "
                f"{short(a + wide)} {short(x0)} {short(a + wide)}Z"
            )
            tip = (
                f"{items} items: cluster {old + 1} at k = {before.k} to cluster "
                f"{new + 1} at k = {view.k}"
            )
            shapes.append(
                Element("path", Element("title", tip), class_=f"f{colour(new)}", d=d)
            )
    return shapes
