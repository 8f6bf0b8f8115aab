"""Items over k, and how firmly items and clusters hold: the figures R users know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.report.charts.scale import number
from stablek.report.charts.strips import GAP, TALL, Strip, runs, strips
from stablek.report.charts.svg import Chart, colour, padded_ks
from stablek.report.page.look import keep_numbers
from stablek.report.page.markup import Element, short

Floats = NDArray[np.float64]
Labels = NDArray[np.integer[Any]]

#: Items that the tracking plot and the bars of items show at most.
MOST_ITEMS = 300


def tracking_order(partitions: Mapping[int, Labels]) -> NDArray[np.intp]:
    """Return an order of the items that keeps clusters together, coarse before fine."""
    keys = [np.asarray(partitions[k]) for k in sorted(partitions, reverse=True)]
    return np.lexsort(keys)


def tracking(
    partitions: Mapping[int, Labels],
    chosen: int | None,
    above: Sequence[Strip] = (),
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
        drawn.append(
            Element(
                "text", f"k = {k}", class_="label chosen" if k == chosen else "number",
                x=left - 6, y=top + TALL - 2, text_anchor="end",
            )
        )  # fmt: skip
        drawn += runs(row, left, width, top)
        top += TALL + GAP
    svg = Element(
        "svg", viewBox=f"0 0 {short(left + width + 4)} {short(top + 4)}",
        class_="chart broad tracking", role="img",
        aria_label=f"The cluster of every item at k = {min(partitions)} to "
        f"{max(partitions)}",
    )  # fmt: skip
    return svg.extend(drawn)


def item_bars(consensus: Floats, labels: Labels) -> Element:
    """Draw the consensus of every item with every cluster, stacked, in cluster order.

    Parameters
    ----------
    consensus : array of shape (n, k)
    labels : array of shape (n,)
        Clusters from 0.
    """
    mean = np.nan_to_num(consensus)
    own = mean[np.arange(len(labels)), labels]
    order = np.lexsort((-own, labels))
    if len(order) > MOST_ITEMS:
        order = order[np.linspace(0, len(order) - 1, MOST_ITEMS).astype(np.intp)]
    top = float(max(mean.sum(axis=1).max(), 1.0))
    chart = Chart(
        "Consensus of every item with every cluster, stacked; items in the order of "
        "their clusters",
        (0.0, float(len(order))), (0.0, top), "items, cluster by cluster",
        "item consensus", width=720.0, height=230.0, x_ticks=False,
        class_="chart broad",
    )  # fmt: skip
    floor = np.zeros(len(order))
    for c in range(mean.shape[1]):
        heights = mean[order, c]
        path = "".join(
            f"M{short(chart.sx(x))} {short(chart.sy(low))}"
            f"V{short(chart.sy(low + high))}H{short(chart.sx(x + 1))}"
            f"V{short(chart.sy(low))}z"
            for x, (low, high) in enumerate(zip(floor, heights, strict=True))
            if high > 0.01
        )
        floor = floor + heights
        if path:
            tip = Element("title", f"consensus with cluster {c + 1}")
            chart.mark(Element("path", tip, class_=f"f{colour(c)}", d=path))
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
