"""The figures of the report, each a drawing made from plain numbers."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from stablek.paradigm.contracts import NullCurves
from stablek.report.charts.scale import extent, number
from stablek.report.charts.svg import Chart, padded_ks
from stablek.report.page.look import GRID, Look
from stablek.report.page.markup import Element, text_at, text_of
from stablek.results.result import Result

Floats = NDArray[np.float64]

#: Columns that the page calls by a better name.
WORDS = {
    "area": "area under the CDF, A(k)",
    "delta": "Δ(k)",
    "delta_prime": "Δ\u2032(k), running maximum",
    "delta_ccp": "Δ(k), shifted by one",
    "pac": "PAC: share of ambiguous pairs",
    "dispersion": "dispersion",
    "entropy": "entropy of the pairs",
    "cophenetic": "cophenetic correlation",
    "wcss": "WCSS(k)",
    "log_wcss": "log WCSS(k)",
    "kl": "KL(k)",
    "fom": "FOM(k)",
    "mean": "mean over repeats",
    "median": "median over repeats",
}

#: Smaller weights than this get no number above their bar.
SHOWN_WEIGHT = 0.005


def worded(column: str) -> str:
    """Return the name of a column as the page writes it."""
    return WORDS.get(column, column.replace("_", " "))


def null_band(
    nulls: NullCurves | None, column: str, count: int
) -> tuple[Floats, Floats, Floats] | None:
    """Return mean, 5 % and 95 % quantile over null sets, per k; None if not known.

    The nulls may cover more ks than were asked for, on the right; these are cut off.
    """
    if nulls is None or column not in nulls.columns:
        return None
    values = np.asarray(nulls.columns[column], dtype=np.float64)
    values = values.reshape(-1, values.shape[-1])[:, :count]
    if values.shape[1] != count or not np.isfinite(values).all():
        return None
    low, high = np.quantile(values, [0.05, 0.95], axis=0)
    return values.mean(axis=0), low, high


def curve(result: Result, column: str, *, small: bool = False) -> Element:
    """Draw one column over k: line, error, null band, and the k chosen."""
    ks = result.ks
    values = np.asarray(result.columns[column], dtype=np.float64)
    error = result.columns.get(
        result.error if column == result.main and result.error else f"{column}_error"
    )
    errors = np.zeros(len(ks)) if error is None else np.nan_to_num(error)
    band = null_band(result.nulls, column, len(ks))
    shown = [values - errors, values + errors, *(band[1:] if band else ())]
    title = f"{worded(column)} of {result.measure} with {result.algorithm}, over k"
    if result.k_star in ks:
        title += f"; k* = {result.k_star} is marked"
    width, height, left = (250.0, 150.0, 42.0) if small else (540.0, 310.0, 50.0)
    chart = Chart(
        title, padded_ks(ks), extent(*shown), "" if small else "number of clusters k",
        width=width, height=height, x_whole=True, left=left,
    )  # fmt: skip
    if band:
        chart.band(ks, band[1], band[2], "null")
        chart.line(ks, band[0], "null")
        if not small:
            chart.legend(f"null ({text_of(result.nulls.model, 30)}): mean", "null")  # type: ignore[union-attr]
            chart.legend("5 to 95 % of null sets", "null", "band")
    chart.at_y(0.0)
    if result.k_star in ks:
        chart.at_x(float(result.k_star or 0), "" if small else f"k* = {result.k_star}")
    if errors.any():
        chart.band(ks, values - errors, values + errors, "f0")
    chart.line(ks, values, "s0")
    if band and not small:
        chart.legend("data ± standard error" if errors.any() else "data", "s0")
    at_k_star = np.array([k == result.k_star for k in ks])
    plain, chosen = (
        np.where(there, values, np.nan) for there in (~at_k_star, at_k_star)
    )
    chart.dots(ks, plain, "f0", radius=2.2 if small else 3.2)
    chart.dots(ks, chosen, "chosen", radius=4.0 if small else 5.5)
    chart.strips(
        ks,
        [
            f"k = {k}\n{worded(column)}: {number(v, 4)}"
            + (f" ± {number(e, 4)}" if e else "")
            + (f"\nnull: {number(band[0][i], 4)}" if band else "")
            for i, (k, v, e) in enumerate(zip(ks, values, errors, strict=True))
        ],
    )
    return chart.render()


def cdfs(look: Look, k_star: int | None) -> Element:
    """Draw the CDF of the consensus values, one curve per k, k* standing out."""
    chart = Chart(
        "Cumulative distribution of the consensus values, one curve per k",
        (0.0, 1.0), (0.0, 1.02), "consensus M(i, j)", "share of pairs up to M",
        width=460.0, height=360.0,
    )  # fmt: skip
    views = [view for view in look.views if view.cdf is not None]
    ks = [view.k for view in views]
    for view in sorted(views, key=lambda view: view.k == k_star):
        shade = (view.k - ks[0]) / max(ks[-1] - ks[0], 1)
        class_ = "cdf now" if view.k == k_star else "cdf"
        xs, ys = _steps_only(np.asarray(view.cdf))
        chart.steps(
            xs, ys, class_, f"k = {view.k}", data_k=str(view.k),
            style=f"--t:{shade:.2f}",
        )  # fmt: skip
    if len(views) > 1:
        chart.legend(f"k = {ks[0]}", "cdf first")
        chart.legend(f"k = {ks[-1]}", "cdf last")
        if k_star in ks:
            chart.legend("the selected k", "cdf now")
    return chart.render()


def _steps_only(cdf: Floats) -> tuple[list[float], list[float]]:
    """Return the points at which a step function rises by what an eye can see."""
    xs, ys = [0.0], [float(cdf[0])]
    for x, y in zip(GRID[1:], cdf[1:], strict=True):
        if y - ys[-1] >= 0.003 or x == 1.0:
            xs.append(float(x))
            ys.append(float(y))
    return xs, ys


def delta(result: Result) -> Element:
    """Draw Delta: how much the area grows beyond each k."""
    names = ["delta"]
    other = result.columns.get("delta_prime")
    if other is not None and not np.allclose(
        other, result.columns["delta"], atol=1e-9, equal_nan=True
    ):
        names.append("delta_prime")
    ks = result.ks
    columns = [np.asarray(result.columns[name], np.float64) for name in names]
    chart = Chart(
        f"Delta curve of {result.measure} with {result.algorithm}",
        padded_ks(ks), extent(*columns, [0.0]), "number of clusters k",
        width=540.0, height=310.0, x_whole=True, left=50.0,
    )  # fmt: skip
    chart.at_y(0.0)
    if result.k_star in ks:
        chart.at_x(float(result.k_star or 0), f"k* = {result.k_star}")
    for place, (name, column) in enumerate(zip(names, columns, strict=True)):
        chart.line(ks, column, f"s{place}" + (" dashed" if place else ""))
        chart.dots(ks, column, f"f{place}", radius=2.8)
        if len(names) > 1:
            chart.legend(worded(name), f"s{place}" + (" dashed" if place else ""))
    tips = [
        f"k = {k}\n"
        + "\n".join(
            f"{worded(name)}: {number(column[i], 4)}"
            for name, column in zip(names, columns, strict=True)
        )
        for i, k in enumerate(ks)
    ]
    chart.strips(ks, tips)
    return chart.render()


def votes(rows: Sequence[tuple[str, int | None, Sequence[int]]]) -> Element:
    """Draw which k each measure and algorithm chooses, one row each.

    ``rows`` hold a name, the k chosen, and all ks found equally good.
    """
    numbers = [k for _, one, more in rows for k in (one, *more) if k is not None] or [1]
    low, high = min(*numbers, 1), max(*numbers, 2)
    label = 18.0 + 6.8 * max(len(text_of(name, 40)) for name, _, _ in rows)
    height = 56.0 + 26.0 * len(rows)
    chart = Chart(
        "The number of clusters that each measure chooses: "
        + "; ".join(f"{text_of(name, 40)}: {k or 'none'}" for name, k, _ in rows),
        (low - 0.5, high + 0.5), (0.0, float(len(rows))), "number of clusters k",
        width=label + 320.0, height=height, x_whole=True, y_ticks=False,
        left=label, class_="chart fixed",
    )  # fmt: skip
    counts = {at: sum(at == chosen for _, chosen, _ in rows) for at in numbers}
    most = max(counts.values())
    for at, count in counts.items():
        if count == most and count > 1:
            chart.bars([(at - 0.4, at + 0.4)], [float(len(rows))], "mode")
    for place, (name, k, more) in enumerate(rows):
        y = len(rows) - place - 0.5
        chart.at_y(y, "row")
        shown = text_of(name, 40)
        chart.mark(text_at(shown, label - 8, chart.sy(y) + 4, "end"))
        others = [float(other) for other in more if other != k]
        tips = [f"{shown}: k = {other:g} is as good" for other in others]
        chart.dots(others, [y] * len(others), "also", tips, radius=5.0)
        if k is None:
            chart.text(low, y, "no indication", "note", dy="4")
        else:
            chart.dots([float(k)], [y], "f0", [f"{shown}: k = {k}"], radius=7.0)
    return chart.render()


def weights(plausible: Mapping[int, float], chosen: int | None) -> Element:
    """Draw the plausible ks with their weights; ``chosen`` is the answer."""
    ks = sorted(plausible)
    chart = Chart(
        "Plausible numbers of clusters: "
        + ", ".join(f"k = {k}: {plausible[k]:.0%}" for k in ks),
        padded_ks([min(ks) - 1, max(ks) + 1]), (0.0, max(plausible.values()) * 1.15),
        "number of clusters k", "weight", width=420.0, height=230.0, x_whole=True,
    )  # fmt: skip
    for k in ks:
        class_ = "chosen" if k == chosen else "f0"
        tip = f"k = {k}: {plausible[k]:.0%}"
        chart.bars([(k - 0.35, k + 0.35)], [plausible[k]], class_, [tip])
        if plausible[k] >= SHOWN_WEIGHT:
            chart.text(k, plausible[k], f"{plausible[k]:.0%}", "number", dy="-5",
                       text_anchor="middle")  # fmt: skip
    return chart.render()


def histograms(
    edges: Floats, shares: Floats, ks: Sequence[int], k_star: int | None
) -> list[tuple[str, Element]]:
    """Draw the distribution of a statistic over repeats, one small figure per k."""
    low, high, top = float(edges[0]), float(edges[-1]), float(shares.max()) or 1.0
    spans = list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
    drawings = []
    for k, heights in zip(ks, shares.T, strict=True):
        chart = Chart(
            f"Distribution of the statistic over repeats at k = {k}",
            (low, high), (0.0, top * 1.05), width=250.0, height=140.0, left=34.0,
        )  # fmt: skip
        tips = [
            f"{a:.2f} to {b:.2f}: {height:.0%} of repeats"
            for (a, b), height in zip(spans, heights, strict=True)
        ]
        chart.bars(spans, heights, "chosen" if k == k_star else "f0", tips)
        title = f"k = {k}" + (" = k*" if k == k_star else "")
        drawings.append((title, chart.render()))
    return drawings
