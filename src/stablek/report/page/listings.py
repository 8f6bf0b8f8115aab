"""The tables of a result: its curve, trust per cluster and per item, merges."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from stablek.paradigm.statistic.item_consensus import BETWEEN
from stablek.report.charts.repeats import BINS
from stablek.report.page.budget import Part
from stablek.report.page.look import View
from stablek.report.page.tables import Table, table


def curve_table(one: Part) -> Table:
    """Return the curve, one row per k."""
    result = one.result
    names = [name for name in result.columns if name not in BINS]
    rows = [
        (k, *(float(result.columns[name][place]) for name in names))
        for place, k in enumerate(result.ks)
    ]
    marked = [place for place, k in enumerate(result.ks) if k == result.k_star]
    return table(
        f"{one.name}-curve", "The numbers, one row per k", ("k", *names), rows,
        marked=marked,
    )  # fmt: skip


def cluster_table(one: Part, view: View) -> Table | None:
    """Return trust per cluster: consensus within, and with the nearest other."""
    place = view.standing
    if place is None:
        return None
    rows = []
    for cluster in sorted(set(view.labels.tolist())):
        mine = view.labels == cluster
        own, near, rivals = place.own[mine], place.second[mine], place.rival[mine]
        neighbours = rivals[rivals >= 0]
        nearest = int(np.bincount(neighbours).argmax()) + 1 if len(neighbours) else None
        unsure = int(place.between[mine].sum())
        rows.append(
            (cluster + 1, int(mine.sum()), _mean(own), nearest, _mean(near), unsure)
        )
    columns = (
        "cluster", "items", "consensus within", "nearest cluster", "consensus with it",
        "items in between",
    )  # fmt: skip
    return table(
        f"{one.name}-clusters", "Trust per cluster", columns, rows,
        help="Consensus within: the mean share of subsamples in which two of its items "
        "stay together; near 1 is stable. Items in between: items whose consensus with "
        f"their own cluster exceeds that with another by less than {BETWEEN:.2f}.",
    )  # fmt: skip


def item_table(one: Part, view: View) -> Table | None:
    """Return trust per item, the least certain first."""
    place = view.standing
    if one.look is None or place is None:
        return None
    # Of items never drawn nothing is known, least of all that they are uncertain.
    margin = place.margin
    order = np.argsort(margin, kind="stable")
    columns = ["id", "cluster", "consensus", "runner-up", "consensus with it", "margin"]
    if one.classes is not None:
        columns.append("your label")
    rows = []
    for i in order:
        row, rival = int(one.look.rows[i]), int(place.rival[i])
        parts: list[object] = [
            one.ids[row], int(view.labels[i]) + 1, float(place.own[i]),
            rival + 1 if rival >= 0 else None, float(place.second[i]), float(margin[i]),
        ]  # fmt: skip
        if one.classes is not None:
            parts.append(one.classes[row])
        rows.append(tuple(parts))
    return table(
        f"{one.name}-items", "Trust per item, the least certain first", columns, rows,
        help="Consensus: how often the item stays with the others of its cluster. "
        "Runner-up: the other cluster it is most often with. A small margin means that "
        "the item sits between the two.",
        most=one.share.rows,
    )  # fmt: skip


def flow_table(one: Part, window: Sequence[View]) -> Table:
    """Return where the items of each cluster go from one k to the next."""
    rows = []
    for before, after in pairwise(window):
        for old in sorted(set(before.labels.tolist())):
            goes = after.labels[before.labels == old]
            counts = np.bincount(goes)
            parts = np.argsort(-counts, kind="stable")[: int((counts > 0).sum())]
            text = ", ".join(f"{i + 1} ({counts[i] / len(goes):.0%})" for i in parts)
            rows.append((before.k, old + 1, len(goes), after.k, text))
    columns = ("k", "cluster", "items", "next k", "clusters there")
    caption = "Where the items of each cluster go"
    return table(f"{one.name}-merges", caption, columns, rows)


def _mean(values: np.ndarray) -> float | None:
    return float(np.nanmean(values)) if np.isfinite(values).any() else None
