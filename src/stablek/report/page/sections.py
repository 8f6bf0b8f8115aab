"""From a result to sections of a page: its curves, its clusters, its trust."""

from collections.abc import Sequence

import numpy as np

from stablek.report.charts import figures
from stablek.report.charts.explorer import explorer
from stablek.report.charts.flow import flow
from stablek.report.charts.repeats import BINS, shares_of
from stablek.report.page.anchors import anchor_chart, anchors_of
from stablek.report.page.blocks import Block, Figure, Multiples, Notice, Section
from stablek.report.page.budget import Part
from stablek.report.page.explain import EXPLANATIONS
from stablek.report.page.listings import (
    cluster_table,
    curve_table,
    flow_table,
    item_table,
)
from stablek.report.page.look import View, is_consensus
from stablek.report.page.markup import text_of
from stablek.results.result import Result

#: Columns of the diagram of merges and splits at most.
FLOW_COLUMNS = 8
#: Columns that say what others say already.
TOLD = {"delta", "delta_prime", "delta_ccp", "growth", "never", "area_pooled",
        "area_literal"}  # fmt: skip


def result_section(one: Part, title: str, *, alone: bool) -> Section:
    """Return the section of one result: its curves and their numbers."""
    result = one.result
    blocks: list[Block] = []
    if result.failures:
        count = len(result.failures)
        blocks.append(
            Notice(
                "warning",
                f"{count} part{'s' if count > 1 else ''} of this run failed and "
                "were left out; the numbers below come from the others.",
                tuple(text_of(line) for line in result.failures[:5]),
            )
        )
    second = second_curve(result)
    if len(result.ks) > 1:
        blocks += _curves(result, second)
    if one.share.columns:
        blocks += _other_columns(result, second)
        blocks += _histograms(result)
    blocks.append(curve_table(one))
    lead = "" if alone else result.sentence
    return Section(one.name, title, tuple(blocks), text_of(lead, 2000))


def look_section(one: Part, *, alone: bool) -> Section | None:
    """Return the section on partitions: map of the items, heat map."""
    figure = explorer(one)
    if figure is None:
        return None
    result = one.result
    of_what = "" if alone else f" of {result.measure} with {result.algorithm}"
    level = 2 if alone else 3
    return Section(f"{one.name}-look", f"The clusters{of_what}", (figure,), level=level)


def flow_section(one: Part, *, alone: bool) -> Section | None:
    """Return the section on merges and splits from one k to the next."""
    look, result = one.look, one.result
    if look is None:
        return None
    window = flow_window(look.views, result.k_star)
    if len(window) < 2:
        return None
    drawing = flow(window, result.k_star)
    figure = Figure("Clusters over k", drawing, EXPLANATIONS["flow"], wide=True)
    of_what = "" if alone else f" of {result.measure} with {result.algorithm}"
    title = f"Merging and splitting{of_what}"
    blocks = (figure, flow_table(one, window))
    return Section(f"{one.name}-flow", title, blocks, level=3)


def trust_section(one: Part, *, alone: bool) -> Section | None:
    """Return what is known of the trust per cluster and per item at k*."""
    view = None if one.look is None else one.look.at(one.result.k_star)
    if view is None or view.standing is None:
        return None
    blocks: list[Block] = []
    seen = anchors_of(one.result)
    if seen is not None:
        title = f"{len(seen[0].items)} items drawn at random"
        drawing = anchor_chart(*seen)
        blocks.append(Figure(title, drawing, EXPLANATIONS["anchors"], wide=True))
    tables = (cluster_table(one, view), item_table(one, view))
    blocks += [made for made in tables if made is not None]
    of_what = "" if alone else f" in {one.result.measure} with {one.result.algorithm}"
    return Section(
        f"{one.name}-trust",
        f"Trust{of_what}",
        tuple(blocks),
        f"How firmly clusters and items hold together at k = {view.k}.",
        2 if alone else 3,
    )


def _curves(result: Result, second: str | None) -> list[Block]:
    """Return the main curve, and the second or Delta beside it."""
    pair = second is not None or is_consensus(result)
    blocks: list[Block] = [_curve_figure(result, result.main, wide=not pair)]
    if second is not None:
        blocks.append(_curve_figure(result, second, wide=False))
    elif is_consensus(result):
        blocks.append(Figure("Delta", figures.delta(result), EXPLANATIONS["delta"]))
    return blocks


def second_curve(result: Result) -> str | None:
    """Return the column that the rule added with an error of its own, such as Gap."""
    for name in result.columns:
        if name != result.main and f"{name}_error" in result.columns:
            return name
    return None


def flow_window(views: Sequence[View], k_star: int | None) -> Sequence[View]:
    """Return the views around k* that the diagram of merges and splits shows."""
    ks = [view.k for view in views]
    at = ks.index(k_star) if k_star in ks else 0
    start = max(0, min(at - FLOW_COLUMNS // 2, len(views) - FLOW_COLUMNS))
    return views[start : start + FLOW_COLUMNS]


def _curve_figure(result: Result, column: str, *, wide: bool) -> Figure:
    word = figures.worded(column)
    title = f"{word[:1].upper()}{word[1:]} over k"
    drawing = figures.curve(result, column)
    return Figure(title, drawing, EXPLANATIONS["curve"], wide=wide)


def _other_columns(result: Result, second: str | None) -> list[Block]:
    hidden = {result.main, result.error, second, *TOLD, *BINS}
    drawings = []
    for name, column in result.columns.items():
        if name in hidden or name.endswith("_error") or name.startswith("null_"):
            continue
        if np.isfinite(column).sum() > 1:
            title = figures.worded(name)
            drawings.append((title, figures.curve(result, name, small=True)))
    if not drawings:
        return []
    shown = tuple(drawings[:12])
    return [Multiples("Other views of the same run", shown, EXPLANATIONS["columns"])]


def _histograms(result: Result) -> list[Block]:
    shares = shares_of(result)
    if shares is None:
        return []
    drawings = tuple(figures.histograms(*shares, result.ks, result.k_star))
    title = "Distribution over repeats"
    return [Multiples(title, drawings, EXPLANATIONS["histograms"])]
