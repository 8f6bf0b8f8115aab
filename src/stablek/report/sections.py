"""From results to the parts of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.report import figures
from stablek.report.blocks import (
    Block,
    Explorer,
    Figure,
    Heat,
    Listing,
    Multiples,
    Notice,
    Section,
)
from stablek.report.embed import plane
from stablek.report.explain import EXPLANATIONS
from stablek.report.look import Look, View, even, is_consensus, look_at
from stablek.report.markup import text_of
from stablek.report.png import data_uri, palette_png, shades, shrink
from stablek.report.scale import number
from stablek.report.tables import Table, table
from stablek.result import Result

#: Bytes that all heat maps of a page may take, as text.
HEAT_BUDGET = 220_000
#: Items drawn in a scatter plot at most.
POINTS = 600
#: Columns of the diagram of merges and splits at most.
FLOW_COLUMNS = 8
#: One character per cluster, so that labels of all ks take little room.
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Failed:
    """A measure that could not be run; the report shows its error in its place."""

    measure: str
    algorithm: str
    message: str


@dataclass(frozen=True)
class Part:
    """One result on its way into the page."""

    result: Result
    name: str
    look: Look | None
    ids: tuple[str, ...]
    classes: tuple[str, ...] | None
    budget: int


def part(result: Result, place: int, heat_maps: int, *, anonymous: bool) -> Part:
    """Return a result with what is seen in it; ``heat_maps`` share the room."""
    data = result.data
    if data is None or anonymous:
        ids = tuple(str(i + 1) for i in range(result.n))
    else:
        ids = data.item_ids()
    classes = None if data is None else data.classes
    if classes is not None and anonymous:
        numbers = {name: i + 1 for i, name in enumerate(dict.fromkeys(classes))}
        classes = tuple(f"class {numbers[name]}" for name in classes)
    budget = HEAT_BUDGET // max(heat_maps, 1)
    name = f"r{place + 1}"
    return Part(result, name, look_at(result, 400), ids, classes, budget)


def result_section(one: Part, title: str, *, alone: bool) -> Section:
    """Return the section of one result: its curves, and what is seen at each k."""
    result = one.result
    blocks: list[Block] = []
    if result.failures:
        count = len(result.failures)
        blocks.append(
            Notice(
                "warning",
                f"{count} part{'s' if count > 1 else ''} of this run failed and "
                "were left out; the numbers below rest on the others.",
                tuple(text_of(line) for line in result.failures[:5]),
            )
        )
    blocks.append(
        Figure(
            f"{figures.worded(result.main).capitalize()} over k",
            figures.curve(result),
            EXPLANATIONS["curve"],
            wide=not is_consensus(result) and not _second_curve(result),
        )
    )
    second = _second_curve(result)
    if second:
        blocks.append(
            Figure(
                f"{figures.worded(second)} over k",
                figures.curve(result, second),
                EXPLANATIONS["curve"],
            )
        )
    if is_consensus(result):
        blocks.append(Figure("Delta", figures.delta(result), EXPLANATIONS["delta"]))
    blocks += _other_columns(result, second)
    blocks += _histograms(result)
    blocks.append(Listing(curve_table(one)))
    return Section(
        one.name,
        title,
        tuple(blocks),
        "" if alone else result.sentence(),
    )


def look_section(one: Part) -> Section | None:
    """Return the section on partitions: heat map, map of items, merges and splits."""
    look, result = one.look, one.result
    if look is None:
        return None
    blocks: list[Block] = []
    explorer = _explorer(one)
    if explorer is not None:
        blocks.append(explorer)
    window = flow_window(look.views, result.k_star)
    if len(window) > 1:
        blocks.append(
            Figure(
                "Merging and splitting",
                figures.flow(window, result.k_star),
                EXPLANATIONS["flow"],
                wide=True,
            )
        )
        blocks.append(Listing(flow_table(one, window)))
    if not blocks:
        return None
    return Section(
        f"{one.name}-look", f"Clusters of {result.measure} with {result.algorithm}",
        tuple(blocks),
    )  # fmt: skip


def trust_section(one: Part) -> Section | None:
    """Return the tables of trust per cluster and per item at k*, where known."""
    view = None if one.look is None else one.look.at(one.result.k_star)
    if view is None or view.own is None:
        return None
    blocks = (Listing(cluster_table(one, view)), Listing(item_table(one, view)))
    return Section(
        f"{one.name}-trust",
        "How far to trust each cluster and item",
        blocks,
        f"At k = {view.k}, by {one.result.measure} with {one.result.algorithm}.",
    )


def explorer_data(one: Part) -> dict[str, object] | None:
    """Return labels and trust of the drawn items at every k, for the slider."""
    if one.look is None or one.result.data is None:
        return None
    drawn = even(len(one.look.rows), POINTS)
    labels, trust = {}, {}
    for view in one.look.views:
        if view.labels.max() < len(LETTERS):
            labels[str(view.k)] = "".join(LETTERS[i] for i in view.labels[drawn])
        if view.own is not None:
            trust[str(view.k)] = "".join(
                figures.trust_class(v)[1] for v in view.own[drawn]
            )
    return {"labels": labels, "trust": trust}


def _second_curve(result: Result) -> str | None:
    """Return the column that the rule added with an error of its own, such as Gap."""
    for name in result.columns:
        if name != result.main and f"{name}_error" in result.columns:
            return name
    return None


def _other_columns(result: Result, second: str | None) -> list[Block]:
    hidden = {result.main, result.error, second, "delta", "delta_prime", "never"}
    drawings = []
    for name, column in result.columns.items():
        if name in hidden or name.endswith("_error") or name.startswith("null_"):
            continue
        if np.isfinite(column).sum() > 1:
            title = figures.worded(name)
            drawings.append((title, figures.curve(result, name, small=True)))
    if not drawings:
        return []
    return [Multiples("Other columns", tuple(drawings[:12]), EXPLANATIONS["columns"])]


def _histograms(result: Result) -> list[Block]:
    scores = scores_of(result)
    if scores is None:
        return []
    drawings = figures.histograms(scores, result.ks, result.k_star)
    return [
        Multiples(
            "Distribution over repeats", tuple(drawings), EXPLANATIONS["histograms"]
        )
    ]


def scores_of(result: Result) -> NDArray[np.float64] | None:
    """Return the statistic of each repeat and k, collected again from the labels.

    None for statistics on pairs, for fewer than five repeats, and for measures that
    are not in the registry.
    """
    from stablek.measures import MEASURES, measure, settings_of

    if result.measure not in MEASURES or result.cube is None or result.data is None:
        return None
    if result.cube.repeats < 5:
        return None
    known = settings_of(result.measure)
    given = {name: v for name, v in result.settings.items() if name in known}
    made = measure(result.measure, **given)
    if made.collect.gives != "scores":
        return None
    cube = result.cube.at([k for k in result.ks if k in result.cube.ks])
    if cube.ks != result.ks:
        return None
    scores: NDArray[np.float64] = made.collect.collect(cube, result.data)
    return scores


def _explorer(one: Part) -> Explorer | None:
    look, result = one.look, one.result
    assert look is not None
    now = result.k_star if look.at(result.k_star) else look.views[0].k
    assert now is not None
    heats = heat_maps(look, one.budget)
    drawn: list[Figure] = []
    if result.data is not None:
        drawn += _maps(one, now)
    if heats:
        cdfs = figures.cdfs(look, now)
        drawn.append(Figure("Distribution of consensus", cdfs, EXPLANATIONS["cdf"]))
    if not drawn:
        return None
    note = ""
    if look.sampled:
        note = (
            f"{len(look.rows):,} of {look.n:,} items, evenly spaced, stand for all "
            "in these figures."
        )
    return Explorer(
        one.name,
        tuple(view.k for view in look.views),
        now,
        result.k_star,
        heats,
        tuple(drawn),
        note,
        EXPLANATIONS["heat"] if heats else None,
    )


def _maps(one: Part, now: int) -> list[Figure]:
    look, data = one.look, one.result.data
    assert look is not None and data is not None
    view = look.at(now)
    assert view is not None
    drawn = even(len(look.rows), POINTS)
    rows = look.rows[drawn]
    points, axes = plane(data, rows)
    labels = [int(i) for i in view.labels[drawn]]
    tips = [_tip(one, int(row), label) for row, label in zip(rows, labels, strict=True)]
    of_all = f", {len(rows):,} of {data.n:,} items" if len(rows) < data.n else ""
    by_cluster = figures.scatter(
        points,
        axes,
        labels,
        tips,
        f"Items in a plane, coloured by cluster at k = {now}",
    )
    found = [Figure("Items by cluster", by_cluster, EXPLANATIONS["map"], note=of_all)]
    if view.own is not None:
        own = [float(v) for v in view.own[drawn]]
        tips = [
            f"{tip}\nconsensus: {number(v)}" for tip, v in zip(tips, own, strict=True)
        ]
        by_trust = figures.scatter(
            points, axes, labels, tips, "Items in a plane, shaded by item consensus",
            shades=own,
        )  # fmt: skip
        found.append(
            Figure("Items by trust", by_trust, EXPLANATIONS["trust"], note=of_all)
        )
    return found


def _tip(one: Part, row: int, label: int) -> str:
    text = f"{text_of(one.ids[row], 60)}\ncluster {label + 1}"
    if one.classes is not None:
        text += f"\nyour label: {text_of(one.classes[row], 60)}"
    return text


def heat_maps(look: Look, budget: int) -> tuple[Heat, ...]:
    """Return the heat maps, as large as the room allows; none if not known.

    The side shrinks until all of them together fit into ``budget`` characters.
    """
    views = [view for view in look.views if view.image is not None]
    if not views:
        return ()
    largest = max(len(view.image) for view in views if view.image is not None)
    for side in (400, 320, 260, 210, 170, 140, 110, 90, 70, 50, 30, 16):
        if side > largest and side != 16:
            continue
        images = [
            data_uri(palette_png(shades(shrink(view.image, side))))
            for view in views
            if view.image is not None
        ]
        if sum(len(image) for image in images) <= budget:
            break
    return tuple(
        Heat(
            view.k,
            image,
            min(largest, side),
            figures.strip(view),
            f"Consensus matrix at k = {view.k}, items in the order of its dendrogram",
        )
        for view, image in zip(views, images, strict=True)
    )


def flow_window(views: Sequence[View], k_star: int | None) -> Sequence[View]:
    """Return the views around k* that the diagram of merges and splits shows."""
    ks = [view.k for view in views]
    at = ks.index(k_star) if k_star in ks else 0
    start = max(0, min(at - FLOW_COLUMNS // 2, len(views) - FLOW_COLUMNS))
    return views[start : start + FLOW_COLUMNS]


def flow_table(one: Part, window: Sequence[View]) -> Table:
    """Return where the items of each cluster go from one k to the next."""
    rows = []
    for before, after in zip(window[:-1], window[1:], strict=True):
        for old in sorted(set(before.labels.tolist())):
            goes = after.labels[before.labels == old]
            counts = np.bincount(goes)
            parts = np.argsort(-counts, kind="stable")[: int((counts > 0).sum())]
            text = ", ".join(f"{i + 1} ({counts[i] / len(goes):.0%})" for i in parts)
            rows.append((before.k, old + 1, len(goes), after.k, text))
    return table(
        f"{one.name}-merges", "Where the items of each cluster go",
        ("k", "cluster", "items", "next k", "clusters there"), rows,
    )  # fmt: skip


def curve_table(one: Part) -> Table:
    """Return the curve, one row per k."""
    result = one.result
    names = list(result.columns)
    rows = [
        (k, *(float(result.columns[name][place]) for name in names))
        for place, k in enumerate(result.ks)
    ]
    marked = [place for place, k in enumerate(result.ks) if k == result.k_star]
    return table(
        f"{one.name}-curve", "The numbers, one row per k", ("k", *names), rows,
        marked=marked,
    )  # fmt: skip


def cluster_table(one: Part, view: View) -> Table:
    """Return trust per cluster: consensus within, and with the nearest other."""
    assert view.own is not None and view.next is not None and view.rival is not None
    rows = []
    for cluster in sorted(set(view.labels.tolist())):
        mine = view.labels == cluster
        own, rivals = view.own[mine], view.rival[mine]
        nearest = int(np.bincount(rivals[rivals >= 0]).argmax()) + 1
        within = float(np.nanmean(own)) if np.isfinite(own).any() else None
        near = view.next[mine]
        beside = float(np.nanmean(near)) if np.isfinite(near).any() else None
        unsure = int((np.nan_to_num(own) - np.nan_to_num(near) < 0.2).sum())
        rows.append((cluster + 1, int(mine.sum()), within, nearest, beside, unsure))
    return table(
        f"{one.name}-clusters", "Trust per cluster",
        ("cluster", "items", "consensus within", "nearest cluster",
         "consensus with it", "items in between"), rows,
        help="Consensus within: the mean share of subsamples in which two of its items "
        "stay together; near 1 is stable. Items in between: those whose own "
        "consensus exceeds that with another cluster by less than 0.2.",
    )  # fmt: skip


def item_table(one: Part, view: View) -> Table:
    """Return trust per item, the least certain first."""
    assert one.look is not None
    assert view.own is not None and view.next is not None and view.rival is not None
    margin = np.nan_to_num(view.own) - np.nan_to_num(view.next)
    order = np.argsort(margin, kind="stable")
    columns = ["id", "cluster", "consensus", "runner-up", "consensus with it", "margin"]
    if one.classes is not None:
        columns.append("your label")
    rows = []
    for i in order:
        row = int(one.look.rows[i])
        found: list[object] = [
            one.ids[row], int(view.labels[i]) + 1, float(view.own[i]),
            int(view.rival[i]) + 1, float(view.next[i]), float(margin[i]),
        ]  # fmt: skip
        if one.classes is not None:
            found.append(one.classes[row])
        rows.append(tuple(found))
    return table(
        f"{one.name}-items", "Trust per item, the least certain first", columns, rows,
        help="Consensus: how often the item stays with the others of its cluster. "
        "Runner-up: the other cluster it is most often with. A small margin means "
        "that the item sits between the two.",
    )  # fmt: skip


def slug(text: str) -> str:
    """Return a text as a part of a file's name: letters, digits, hyphens."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()[:40] or "data"
