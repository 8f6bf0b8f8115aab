"""The tree of clusters over k: where clusters come from, and how stable each is."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stablek.report.charts.scale import number
from stablek.report.charts.scatter import trust_class
from stablek.report.page.markup import Element, drawing_of, short

#: Steps of k that are drawn at most.
MOST_STEPS = 7


def layout(moves: Sequence[Mapping[str, Any]]) -> dict[tuple[int, int], float]:
    """Return where every cluster stands across, from 0 to 1, by (k, cluster).

    Clusters are in the order of the one that most of their items come from, so that
    branches cross as little as a greedy order can do.
    """
    ks = sorted({int(m["next_k"]) for m in moves} | {int(m["k"]) for m in moves})
    at: dict[tuple[int, int], float] = {}
    for k in ks:
        here = {int(m["target"]) for m in moves if int(m["next_k"]) == k}
        here |= {int(m["source"]) for m in moves if int(m["k"]) == k}
        wish = {}
        for cluster in here:
            into = [
                m
                for m in moves
                if int(m["next_k"]) == k and int(m["target"]) == cluster
            ]
            weights = [float(m["items"]) for m in into]
            places = [at.get((int(m["k"]), int(m["source"])), 0.5) for m in into]
            wish[cluster] = float(np.average(places, weights=weights)) if into else 0.5
        order = sorted(here, key=lambda c: (wish[c], c))
        for place, cluster in enumerate(order):
            at[k, cluster] = (place + 0.5) / len(order)
    return at


def tree(moves: Sequence[Mapping[str, Any]], chosen: int | None) -> Element:
    """Draw one row of nodes per k: shade by stability, edges by the share of items.

    ``moves`` are records of :class:`stablek.results.trust.Move`: from which cluster to
    which, how many items, and how stable both are.
    """
    steps = sorted({int(m["next_k"]) for m in moves})[:MOST_STEPS]
    shown = [m for m in moves if int(m["next_k"]) in steps]
    at = layout(shown)
    ks = sorted({k for k, _ in at})
    width, gap, left = 720.0, 56.0, 56.0
    height = gap * len(ks) + 10

    def xy(node: tuple[int, int]) -> tuple[float, float]:
        return left + at[node] * (width - left - 8), gap * (ks.index(node[0]) + 0.5)

    name = f"Tree of clusters from k = {ks[0]} to k = {ks[-1]}"
    svg = drawing_of(width, height, "broad tree", name)
    sizes: dict[tuple[int, int], float] = {}
    stable: dict[tuple[int, int], float] = {}
    for m in shown:
        a = (int(m["k"]), int(m["source"]))
        b = (int(m["next_k"]), int(m["target"]))
        sizes[b] = sizes.get(b, 0.0) + float(m["items"])
        sizes.setdefault(a, float(m["items"]) / max(float(m["of_source"]), 1e-9))
        stable[a], stable[b] = _known(m["source_jaccard"]), _known(m["target_jaccard"])
        (x0, y0), (x1, y1) = xy(a), xy(b)
        share = float(m["of_target"])
        tip = (
            f"{int(m['items'])} items: {share:.0%} of cluster {b[1]} at k = {b[0]} "
            f"come from cluster {a[1]} at k = {a[0]}"
        )
        middle = short((y0 + y1) / 2)
        svg.add(
            Element(
                "path", Element("title", tip), class_="line axis",
                d=f"M{short(x0)} {short(y0)}C{short(x0)} {middle} {short(x1)} {middle} "
                f"{short(x1)} {short(y1)}",
                style=f"fill:none;stroke-width:{0.6 + 5 * share:.1f};"
                f"opacity:{0.25 + 0.6 * share:.2f}",
            )
        )  # fmt: skip
    most = max(sizes.values(), default=1.0)
    for k in ks:
        svg.add(
            Element(
                "text", f"k = {k}", x=4, y=gap * (ks.index(k) + 0.5) + 4,
                class_="row-name " + ("label chosen" if k == chosen else "number"),
            )
        )  # fmt: skip
    for node, size in sorted(sizes.items()):
        x, y = xy(node)
        tip = (
            f"cluster {node[1]} at k = {node[0]}: {round(size)} items, mean "
            f"Jaccard {number(stable[node])}"
        )
        radius = 5 + 11 * float(np.sqrt(size / most))
        svg.add(
            Element(
                "circle", Element("title", tip), class_=trust_class(stable[node]),
                cx=x, cy=y, r=radius,
            ),
            Element(
                "text", str(node[1]), x=x, y=y + 4, text_anchor="middle",
                class_=f"number on-{trust_class(stable[node])}",
            ),
        )  # fmt: skip
    return svg


def _known(value: Any) -> float:
    return float("nan") if value is None else float(value)
