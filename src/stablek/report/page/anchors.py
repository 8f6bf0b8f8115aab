"""Trust in single items where there are too many to show each: the anchors at k*."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError
from stablek.paradigm.statistic.anchors import Anchors, anchors
from stablek.report.charts.svg import Chart
from stablek.report.page.markup import Element
from stablek.report.pictures import COLOURS, new_axes
from stablek.results.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Places = NDArray[np.intp]


def anchors_of(result: Result) -> tuple[Anchors, list[tuple[int, Places]]] | None:
    """Return the anchors at k*, and their places cluster by cluster, surest first.

    None where every item was used, and where the labels of the repeats are gone.
    """
    cube, k = result.cube, result.k_star
    if "anchors" not in result.facts or cube is None or result.labels is None:
        return None
    if k is None or k not in cube.ks:
        return None
    trust = anchors(result.labels - 1, cube.of_k(k))
    known = np.where(np.isfinite(trust.consensus), trust.consensus, -1.0)
    clusters = []
    for cluster in range(int(trust.cluster.max()) + 1):
        mine = np.flatnonzero(trust.cluster == cluster)
        if len(mine):
            order = mine[np.argsort(-known[mine], kind="stable")]
            clusters.append((cluster, order))
    return trust, clusters


def anchor_chart(trust: Anchors, clusters: list[tuple[int, Places]]) -> Element:
    """Draw the anchors' consensus with their own cluster, and with the runner-up."""
    count = len(trust.items)
    chart = Chart(
        f"Consensus of {count} items with their own cluster and with the runner-up",
        (0.0, float(count)), (0.0, 1.05), "items drawn at random, by cluster",
        "mean consensus", width=720.0, height=300.0, x_ticks=False,
    )  # fmt: skip
    start = 0
    for cluster, order in clusters:
        at = np.arange(len(order), dtype=np.float64) + start + 0.5
        if start:
            chart.at_x(float(start), class_="row")
        own, error = trust.consensus[order], trust.error[order]
        low, high = np.maximum(own - error, 0.0), np.minimum(own + error, 1.0)
        # A band needs two points: one anchor is drawn as wide as it is.
        if len(order) == 1:
            edges = [start, start + 1.0]
            chart.band(edges, low.repeat(2), high.repeat(2), "f0")
        else:
            chart.band(at, low, high, "f0")
        chart.line(at, own, "s0")
        tips = [
            f"item {trust.items[i] + 1}, cluster {cluster + 1}\n"
            f"own: {trust.consensus[i]:.3f} ± {trust.error[i]:.3f}\n"
            + (
                f"with cluster {trust.runner_up[i] + 1}: {trust.rival[i]:.3f}"
                if trust.runner_up[i] >= 0
                else "no other cluster"
            )
            for i in order
        ]
        chart.dots(at, own, "f0", tips, radius=1.8)
        chart.dots(at, trust.rival[order], "f1", radius=1.4)
        chart.text(start + len(order) / 2, 1.05, f"{cluster + 1}", "note", dy="-3")
        start += len(order)
    chart.legend("with the own cluster, ± Monte Carlo error", "s0")
    chart.legend("with the runner-up", "f1", "dot")
    return chart.render()


def anchor_plot(result: Result, ax: Axes | None = None) -> Axes:
    """Draw the trust in single items of a large data set: the anchors at k*.

    Cluster by cluster, the mean consensus of each anchor with its own cluster, with its
    Monte Carlo error as a band, and with the runner-up.
    """
    seen = anchors_of(result)
    if seen is None:
        raise InputError(
            "anchors are drawn for consensus measures on more than 10,000 items, and "
            "not for a result read from JSON; for fewer items use heatmap()"
        )
    trust, clusters = seen
    ax = new_axes(ax)
    start = 0
    for cluster, order in clusters:
        at = np.arange(len(order), dtype=np.float64) + start + 0.5
        own, error = trust.consensus[order], trust.error[order]
        first = start == 0
        ax.fill_between(
            at, np.maximum(own - error, 0), np.minimum(own + error, 1), alpha=0.3, lw=0,
            color=COLOURS[0], label="± Monte Carlo error" if first else None,
        )  # fmt: skip
        ax.plot(at, own, color=COLOURS[0], marker="o", ms=2, lw=1,
                label="with the own cluster" if first else None)  # fmt: skip
        ax.plot(at, trust.rival[order], ".", color=COLOURS[1], ms=3,
                label="with the runner-up" if first else None)  # fmt: skip
        if start:
            ax.axvline(start, color="0.7", lw=0.8)
        ax.text(start + len(order) / 2, 1.03, str(cluster + 1), ha="center")
        start += len(order)
    ax.set(xlabel="items drawn at random, by cluster", ylabel="mean consensus",
           xlim=(0, start), ylim=(-0.02, 1.1), xticks=[])  # fmt: skip
    ax.legend(frameon=False, fontsize="small", loc="center left")
    return ax
