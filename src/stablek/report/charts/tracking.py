"""Items over k, and how firmly items and clusters hold: the figures R users know."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.report.charts.scale import number
from stablek.report.charts.strips import GAP, TALL, Strip, runs, strips
from stablek.report.charts.svg import Chart, colour, padded_ks
from stablek.report.page.look import keep_numbers
from stablek.report.page.markup import Element, drawing_of, short, text_at

Floats = NDArray[np.float64]
Labels = NDArray[np.integer[Any]]

#: Items that the tracking plot and the bars of items show at most.
MOST_ITEMS = 300


def tracking_order(partitions: Mapping[int, Labels]) -> NDArray[np.intp]:
    """Return an order of the items that keeps clusters together, coarse before fine."""
    keys = [np.asarray(partitions[k]) for k in sorted(partitions, reverse=True)]
    return np.lexsort(keys)


def tracking(
    partitions: Mapping[int, Labels], chosen: int | None, above: Sequence[Strip] = ()
) -> Element:
    """Draw the cluster of every item at every k: one row per k, one column per item."""
    order = tracking_order(partitions)
    if len(order) > MOST_ITEMS:
        order = order[np.linspace(0, len(order) - 1, MOST_ITEMS).astype(np.intp)]
    numbered = keep_numbers(partitions, chosen, order)
    left, width = 120.0, 590.0
    shown = [row.at(order) for row in above]
    drawn, top = strips(shown, left, width, 4.0)
    top += GAP if above else 0
    for k in sorted(partitions):
        row = Strip(f"cluster at k = {k}", numbered[k])
        class_ = "label chosen" if k == chosen else "number"
        drawn.append(text_at(f"k = {k}", left - 6, top + TALL - 2, "end", class_))
        drawn += runs(row, left, width, top)
        top += TALL + GAP
    name = f"The cluster of every item at k = {min(partitions)} to {max(partitions)}"
    svg = drawing_of(left + width + 4, top + 4, "broad tracking", name)
    return svg.extend(drawn)


def back_to_front(heights: Floats) -> Iterator[tuple[int, NDArray[np.intp], Floats]]:
    """Yield bars that all stand on 0; of every item, the largest first.

    ``heights`` has a row for each item and a column for each cluster. A cluster comes
    with the places of some items and their heights; what comes later is in front.
    """
    rank = np.argsort(-heights, axis=1, kind="stable")
    for depth in range(heights.shape[1]):
        for c in range(heights.shape[1]):
            places = np.flatnonzero(rank[:, depth] == c)
            if places.size:
                yield c, places, heights[places, c]


def item_bars(consensus: Floats, labels: Labels) -> Element:
    """Draw the consensus of items with every cluster, in the order of the clusters.

    Each bar stands on 0, so that its height can be read: means over different clusters
    are no parts of a whole, and stacked they would go beyond 1.
    """
    mean = np.nan_to_num(consensus)
    own = mean[np.arange(len(labels)), labels]
    order = np.lexsort((-own, labels))
    if len(order) > MOST_ITEMS:
        order = order[np.linspace(0, len(order) - 1, MOST_ITEMS).astype(np.intp)]
    chart = Chart(
        "Consensus of every item with every cluster; items in the order of their "
        "clusters",
        (0.0, float(len(order))), (0.0, 1.0), "items, cluster by cluster",
        "item consensus", width=720.0, height=230.0, x_ticks=False,
        class_="chart broad",
    )  # fmt: skip
    ground = short(chart.sy(0.0))
    drawn = set()
    for c, places, heights in back_to_front(mean[order]):
        path = "".join(
            f"M{short(chart.sx(x))} {ground}V{short(chart.sy(high))}"
            f"H{short(chart.sx(x + 1))}V{ground}z"
            for x, high in zip(places.tolist(), heights.tolist(), strict=True)
            if high > 0.01
        )
        if path:
            tip = Element("title", f"consensus with cluster {c + 1}")
            chart.mark(Element("path", tip, class_=f"f{colour(c)}", d=path))
            drawn.add(c)
    for c in sorted(drawn):
        chart.legend(f"cluster {c + 1}", f"f{colour(c)}", "dot")
    return chart.render()


def cluster_bars(
    consensus: Mapping[int, Sequence[float]], chosen: int | None
) -> Element:
    """Draw the mean consensus within every cluster at every k."""
    ks = sorted(consensus)
    chart = Chart(
        "Mean consensus within every cluster, at every k",
        padded_ks(ks), (0.0, 1.02), "number of clusters k", "cluster consensus",
        width=720.0, height=230.0, x_whole=True, class_="chart broad",
    )  # fmt: skip
    if chosen in ks:
        at = float(chosen or 0)
        chart.bars(
            [(at - 0.47, at + 0.47)], [1.02], "mode", [f"the answer: k = {at:g}"]
        )
    for k in ks:
        values = [float(v) for v in consensus[k]]
        wide = 0.8 / max(len(values), 1)
        for c, value in enumerate(values):
            if not np.isfinite(value):
                continue
            start = k - 0.4 + c * wide
            tip = f"k = {k}, cluster {c + 1}: {number(value)}"
            chart.bars([(start, start + 0.9 * wide)], [value], f"f{colour(c)}", [tip])
    return chart.render()
