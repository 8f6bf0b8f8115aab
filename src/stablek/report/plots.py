"""Figures for papers and notebooks, drawn with matplotlib.

One function per figure of the thesis. Each takes ``ax=`` (a new one is made if it is
not given) and returns it; none calls ``show`` and none changes matplotlib's settings.
Save with ``ax.figure.savefig("figure.pdf")``; PNG, SVG and PDF all work. Those that
draw data instead of curves are in :mod:`stablek.report.pictures` and are named here
too. Needs the extra ``stablek[plot]``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError
from stablek.report.charts.figures import null_band, worded
from stablek.report.charts.repeats import shares_of
from stablek.report.cluster_plots import (
    cluster_consensus,
    heatmap,
    item_consensus,
    markers,
    tracking,
    tree,
)
from stablek.report.page.anchors import anchor_plot as anchors
from stablek.report.page.look import GRID, cdf_of
from stablek.report.pictures import (
    CHOSEN,
    COLOURS,
    GREY,
    dendrogram,
    items,
    kmeans_step,
    levels,
    new_axes,
    null_model,
    profiles,
)
from stablek.results.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stablek.results.verdict import Verdict

__all__ = [
    "anchors", "cdf", "cluster_consensus", "curve", "delta", "delta_over_repeats",
    "dendrogram", "diff", "external_index", "fom", "g_gap", "gap", "heatmap",
    "histogram", "item_consensus", "items", "kl", "kmeans_step", "levels", "markers",
    "null_model", "plausible", "profiles", "tracking", "tree", "wcss",
]  # fmt: skip

Floats = NDArray[np.float64]


def curve(
    result: Result,
    column: str | None = None,
    ax: Axes | None = None,
    *,
    answer: str | None = None,
) -> Axes:
    """Draw one column over k with its error, its null band and the k chosen.

    ``answer`` is what the legend says of the choice, if it is not a number of clusters.
    """
    ax = new_axes(ax)
    column = column or result.main
    values = _column(result, column)
    error = result.columns.get(
        result.error if column == result.main and result.error else f"{column}_error"
    )
    band = null_band(result.nulls, column, len(result.ks))
    if band is not None and result.nulls is not None:
        label = f"null ({result.nulls.model}), 5 to 95 %"
        ax.fill_between(result.ks, band[1], band[2], color=GREY, alpha=0.25, lw=0,
                        label=label)  # fmt: skip
        ax.plot(result.ks, band[0], color=GREY, ls="--", lw=1)
    name = result.algorithm if answer else f"{result.measure}, {result.algorithm}"
    _line(ax, result, values, name, error)
    return _finished(ax, result, worded(column), answer)


def plausible(verdict: Verdict, ax: Axes | None = None) -> Axes:
    """Draw how plausible every k of a verdict is, with its levels."""
    ax = new_axes(ax)
    ks = list(verdict.plausible)
    levels = {level.k for level in verdict.levels}
    colours = [
        COLOURS[0] if k == verdict.best_guess else COLOURS[1] if k in levels else GREY
        for k in ks
    ]
    ax.bar(ks, [verdict.plausible[k] for k in ks], color=colours)
    ax.set_title(
        f"{verdict.k} clusters" if verdict.k != 1 else "no evidence of clusters"
    )
    _k_axis(ax, tuple(ks), "how plausible")
    return ax


def wcss(result: Result, ax: Axes | None = None) -> Axes:
    """Draw WCSS over k with the knee (thesis, figure of section 2.2.1)."""
    return curve(result, "wcss", ax=ax)


def diff(result: Result, ax: Axes | None = None) -> Axes:
    """Draw DIFF over k, the differences that KL compares (thesis, section 2.2.1)."""
    return curve(result, "diff", ax=ax)


def kl(result: Result, ax: Axes | None = None) -> Axes:
    """Draw the index of Krzanowski and Lai over k (thesis, section 2.2.1)."""
    return curve(result, "kl", ax=ax)


def fom(result: Result, ax: Axes | None = None) -> Axes:
    """Draw the figure of merit over k (thesis, section 2.2.3)."""
    return curve(result, "fom", ax=ax)


def gap(result: Result, ax: Axes | None = None) -> Axes:
    """Draw log WCSS of the data and of the null sets; the gap is the way between.

    Upright segments are Gap(k); error bars are s(k) (thesis, figure of section 2.2.2).
    """
    ax = new_axes(ax)
    data = _column(result, "log_wcss")
    null = _column(result, "null_log_wcss")
    ax.vlines(result.ks, data, null, color=GREY, lw=0.8)
    _line(ax, result, data, "data")
    error = result.columns.get("gap_error")
    ax.errorbar(result.ks, null, error, color=COLOURS[1], marker="s", ms=3.5, lw=1.2,
                capsize=2, label="null sets, with s(k)")  # fmt: skip
    return _finished(ax, result, "log WCSS(k)")


def g_gap(result: Result, lift: float | None = None, ax: Axes | None = None) -> Axes:
    """Draw the construction of G-Gap: a lifted chord in the place of the null curve.

    The end points of the curve are lifted by ``lift`` (a tenth of its range if not
    given; it does not move the maximum) and joined; segments between line and curve
    are compared (thesis, figure of section 7.3).
    """
    ax = new_axes(ax)
    ks = np.asarray(result.ks, dtype=np.float64)
    data = _column(result, "log_wcss")
    lift = 0.1 * float(np.ptp(data)) if lift is None else lift
    line = data[0] + (data[-1] - data[0]) * (ks - ks[0]) / (ks[-1] - ks[0]) + lift
    ax.vlines(ks, data, line, color=GREY, lw=0.8)
    _line(ax, result, data, "data")
    ax.plot(ks, line, color=COLOURS[1], lw=1.5, label="in place of the null curve")
    return _finished(ax, result, "log WCSS(k)")


def histogram(result: Result, k: int, ax: Axes | None = None) -> Axes:
    """Draw how the statistic is distributed over repeats at one k.

    The histograms of Model Explorer (thesis, figure of section 3.2.2).
    """
    shares = shares_of(result)
    if shares is None or k not in result.ks:
        raise InputError(
            f"{result.measure} has no value per repeat at k = {k}; take a result of "
            "'me' that was not read from JSON, and one of its ks"
        )
    ax = new_axes(ax)
    edges, heights = shares
    colour = CHOSEN if k == result.k_star else COLOURS[0]
    ax.bar(edges[:-1], heights[:, result.ks.index(k)], np.diff(edges), align="edge",
           color=colour, edgecolor="white", lw=0.4)  # fmt: skip
    ax.set(xlabel="agreement of two partitions", ylabel="share of repeats")
    ax.set_title(f"k = {k}", fontsize="medium")
    return ax


def cdf(
    result: Result, ks: Sequence[int] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the CDF of the consensus values, one curve per k (thesis, section 3.3.1)."""
    import matplotlib as mpl

    ax = new_axes(ax)
    ks = [k for k in (ks or result.ks) if k > 1]
    shades = mpl.colormaps["cividis"]
    for place, k in enumerate(ks):
        chosen = k == result.k_star
        ax.step(
            GRID, cdf_of(result.consensus(k)), where="post",
            color=CHOSEN if chosen else shades(place / max(len(ks) - 1, 1)),
            lw=2.5 if chosen else 1.0, zorder=3 if chosen else 2,
            label=f"k = {k}" if chosen or place in (0, len(ks) - 1) else None,
        )  # fmt: skip
    ax.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="consensus M(i, j)")
    ax.set_ylabel("share of pairs up to M")
    ax.legend(frameon=False, fontsize="small")
    return ax


def delta(result: Result, ax: Axes | None = None) -> Axes:
    """Draw Delta over k: how much the area still grows (thesis, section 3.3.1)."""
    ax = new_axes(ax)
    ax.axhline(0, color=GREY, lw=0.8)
    _line(ax, result, _column(result, "delta"), worded("delta"))
    return _finished(ax, result, "relative growth of the area")


def delta_over_repeats(
    result: Result, repeats: Sequence[int] = (20, 40, 100, 250), ax: Axes | None = None
) -> Axes:
    """Draw Delta as it is after H = 20, 40, ... repeats of the same run.

    The first repeats of a run are a run: no clustering is done again (thesis, figures
    of sections 7.5.1 and 7.6.1, for Consensus and for FC).
    """
    from stablek.paradigm.contracts import Facts
    from stablek.paradigm.statistic.comembership import CoMembership
    from stablek.paradigm.synopsis import consensus_distribution

    if result.cube is None or result.data is None:
        raise InputError(
            "this result was read from JSON and holds no labels; run it again"
        )
    ax = new_axes(ax)
    ks = tuple(k for k in result.cube.ks if k >= 2)
    for place, count in enumerate(h for h in repeats if h <= result.cube.repeats):
        first = result.cube.first(count).at(ks)
        facts = Facts(result.n, result.m, ks, result.ks, count)
        made = consensus_distribution(CoMembership().collect(first, result.data), facts)
        ax.plot(ks, made.columns["delta"], marker="o", ms=3, lw=1.2,
                color=COLOURS[place % len(COLOURS)], label=f"H = {count}")  # fmt: skip
    ax.axhline(0, color=GREY, lw=0.8)
    ax.set_title(f"{result.measure} with {result.algorithm}", fontsize="medium")
    return _finished(ax, result, "relative growth of the area")


def external_index(
    curves: Mapping[str, Sequence[float]],
    ks: Sequence[int],
    *,
    gold: int | None = None,
    name: str = "adjusted Rand index",
    ax: Axes | None = None,
) -> Axes:
    """Draw an external index over k, one curve per algorithm (thesis, section 5.5).

    ``gold`` marks the number of classes.
    """
    ax = new_axes(ax)
    marks = "osD^vP*X<>"
    for place, (label, values) in enumerate(curves.items()):
        ax.plot(ks, values, color=COLOURS[place % len(COLOURS)], lw=1.2, ms=3,
                marker=marks[place % len(marks)], label=label)  # fmt: skip
    if gold is not None:
        ax.axvline(gold, color=CHOSEN, ls=":", lw=1.2, label=f"{gold} classes")
    _k_axis(ax, ks, name)
    ax.legend(frameon=False, fontsize="small", ncols=2)
    return ax


def _column(result: Result, name: str) -> Floats:
    if name not in result.columns:
        raise InputError(
            f"{result.measure} has no column '{name}'; it has "
            f"{', '.join(result.columns)}"
        )
    return np.asarray(result.columns[name], dtype=np.float64)


def _line(
    ax: Axes, result: Result, values: Floats, label: str, error: Any = None
) -> None:
    if error is not None and np.nan_to_num(error).any():
        ax.errorbar(result.ks, values, error, color=COLOURS[0], marker="o", ms=3.5,
                    lw=1.5, capsize=2, label=label)  # fmt: skip
    else:
        ax.plot(result.ks, values, color=COLOURS[0], marker="o", ms=3.5, lw=1.5,
                label=label)  # fmt: skip


def _finished(ax: Axes, result: Result, label: str, answer: str | None = None) -> Axes:
    """Mark the k chosen, and label the axes."""
    if result.k_star is not None and result.k_star in result.ks:
        caption = answer or f"k* = {result.k_star}"
        ax.axvline(result.k_star, color=CHOSEN, ls="--", lw=1.2, label=caption)
    _k_axis(ax, result.ks, label)
    ax.legend(frameon=False, fontsize="small")
    return ax


def _k_axis(ax: Axes, ks: Sequence[int], label: str) -> None:
    from matplotlib.ticker import MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="number of clusters k", ylabel=label)
    ax.set_xlim(min(ks) - 0.5, max(ks) + 0.5)
